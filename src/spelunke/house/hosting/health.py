"""The health check of the house."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from typing import Literal

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from spelunke.core.errors import SpelunkeError
from spelunke.house.play import TableStore
from spelunke.house.work import Scheduler

TOO_LATE_MS = 60_000
BOTS_LATE_MS = 3_000
"""The longest acceptable delay of a bot beyond its usual pause, in ms.

If people wait longer, the server has too few threads for its bots.
"""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The health of the house: its database, its writer (the thread that writes to the database) and its timers.

    ``store`` is the kind of database. ``store_ms`` is the time that a query of the database took, in
    milliseconds. ``writer_queue`` is the number of writes that wait for the writer. ``late_ms`` is the
    delay of the most delayed task, in milliseconds. ``bots_late_ms`` is the longest delay of a bot for which
    people wait, in milliseconds.
    """

    ok: bool
    store: str
    store_ms: float
    writer_queue: int
    tables_in_memory: int
    late_ms: int
    bots_late_ms: int
    worker: str
    problems: tuple[str, ...] = ()

    @property
    def status(self) -> Literal["ok", "degraded", "down"]:
        """The state that everybody may see.

        ``ok``: the house works. ``degraded``: it works, but has a problem. ``down``: it can't work.
        """
        if not self.ok:
            return "down"
        return "degraded" if self.problems else "ok"


def check_health(table_store: TableStore, scheduler: Scheduler, also: Sequence[str | None] = ()) -> Health:
    """Return the health of the database, the writer and the timers. Never raise.

    `also` are the results of the caller's own checks: each is a problem, or None.
    """
    store = table_store.store
    problems = []
    began = time.perf_counter()
    late = 0
    try:
        late = scheduler.late()
    except (SpelunkeError, SQLAlchemyError) as error:
        problems.append(f"the store can't be read: {error.__class__.__name__}")
    if (problem := store.writer.problem) is not None:
        problems.append(problem)
    store_ms = (time.perf_counter() - began) * 1000
    if not store.writer.alive:
        problems.append("the writer has stopped")
    if not scheduler.alive:
        problems.append("the timers have stopped")
    if late > TOO_LATE_MS:
        problems.append(f"due work is {late / 1000:.0f} seconds late")
    ok = not problems
    problems.extend(table_store.damaged.values())  # only these tables have stopped
    # The house continues to work with the following problems, for example with polling instead of Redis.
    bots_late = scheduler.bots_late()
    slow = f"people wait {bots_late / 1000:.0f} seconds for their bots" if bots_late > BOTS_LATE_MS else None
    lesser = (store.bus.problem, store.clock.problem, slow, *also)
    problems.extend(problem for problem in lesser if problem is not None)
    return Health(
        ok=ok,
        store=store.engine.dialect.name,
        store_ms=store_ms,
        writer_queue=store.writer.waiting,
        tables_in_memory=table_store.in_memory,
        late_ms=late,
        bots_late_ms=bots_late,
        worker=f"{socket.gethostname()}:{os.getpid()}",
        problems=tuple(problems),
    )
