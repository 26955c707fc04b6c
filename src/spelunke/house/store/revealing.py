"""The seeds of events and of games of the day, and the times for publishing the seeds.

All tables of an event or of a day share one seed. In this module, a day counts as an event.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, select

from spelunke.core.chance import commitment
from spelunke.house.store.company_schema import seeds
from spelunke.house.store.store import insert_new


def put_seed(connection: Connection, event: str, *, now: int, begins_ms: int, reveal_ms: int | None) -> None:
    """Store a new seed for an event. If the event already has a seed, change nothing.

    `begins_ms` is the start of the event. `reveal_ms` is the time at which the seed is published, or None if
    that time is not known yet.
    """
    seed = secrets.token_bytes(32)
    row = {"event": event, "seed": seed.hex(), "commitment": commitment(seed), "made_ms": now}
    insert_new(connection, seeds, {**row, "begins_ms": begins_ms, "reveal_ms": reveal_ms})


def read_seed(connection: Connection, event: str) -> str | None:
    """Return the seed of an event in hexadecimal, or None if the event has none.

    The caller must keep it secret.
    """
    return connection.execute(select(seeds.c.seed).where(seeds.c.event == event)).scalar()


def is_revealed(connection: Connection, event: str, now: int) -> bool:
    """Return whether the seed of an event may be published at the time `now`."""
    reveal = connection.execute(select(seeds.c.reveal_ms).where(seeds.c.event == event)).scalar()
    return reveal is not None and reveal <= now
