"""Claims on what is due: a worker takes a row for a while, so that no other does the same."""

from __future__ import annotations

import structlog
from sqlalchemy import Connection, Table, select, update

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.store import Store
from spelunke.house.store.writer import Write

log = structlog.get_logger("spelunke.house")


def free_claims(store: Store, *tables: Table) -> None:
    """Free all claims on rows of these tables, as the one process that there is begins: nobody else can hold one.

    Writes nothing where there is none. On a full disk they stay, and lapse a little later.
    """
    try:
        with store.read() as connection:
            held = [
                table
                for table in tables
                if connection.execute(select(table.c.at).where(table.c.claimed_ms > 0).limit(1)).first()
            ]

        def free(connection: Connection) -> int:
            freed = (update(table).where(table.c.claimed_ms > 0).values(claimed_ms=0) for table in held)
            return sum(connection.execute(one).rowcount for one in freed)

        if held:
            store.writer.write(Write(call=free))
    except HouseClosed as error:
        log.warning("claims stay", error=str(error))
