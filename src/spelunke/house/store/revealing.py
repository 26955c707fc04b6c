"""The seeds of events and of games of the day, and the times for publishing the seeds.

All tables of an event or of a day share one seed. In this module, a day counts as an event.
"""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, select

from spelunke.core.chance import commitment
from spelunke.house.store.company_schema import seeds


def new_seed(event: str, *, now: int, begins_ms: int, reveal_ms: int | None) -> dict[str, object]:
    """Return a row for the table `seeds` with a new random seed for an event.

    `begins_ms` is the start of the event. `reveal_ms` is the time at which the seed is published, or None if
    that time is not known yet.
    """
    seed = secrets.token_bytes(32)
    row: dict[str, object] = {
        "event": event,
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "made_ms": now,
    }
    return {**row, "begins_ms": begins_ms, "reveal_ms": reveal_ms}


def read_seed(connection: Connection, event: str) -> str | None:
    """Return the seed of an event in hexadecimal, or None if the event has none.

    The caller must keep it secret.
    """
    return connection.execute(select(seeds.c.seed).where(seeds.c.event == event)).scalar()


def is_revealed(connection: Connection, event: str, now: int) -> bool:
    """Return whether the seed of an event may be published at the time `now`."""
    reveal = connection.execute(select(seeds.c.reveal_ms).where(seeds.c.event == event)).scalar()
    return reveal is not None and reveal <= now
