"""Lines to PostgreSQL that don't wait for ever: a server that is frozen, or behind a cut cable, says nothing at all.

The server's own time limits don't help there, as it is the server that stands still.
"""

from __future__ import annotations

import time
from typing import Never, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from sqlalchemy import Engine, event

T = TypeVar("T")


class _Silent(Exception):  # never leaves this module
    """The server has said nothing for too long."""


def be_patient(engine: Engine, seconds: float) -> None:
    """Let every line of the engine break, with an OperationalError, once the server has said nothing for so long."""

    class Patient(Connection[TupleRow]):
        def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
            del timeout  # newer versions have it, without a word that breaks the line
            try:
                return super().wait(_bounded(gen, seconds), interval)
            except _Silent:
                self.pgconn.finish()
                raise OperationalError(f"the server has said nothing for {seconds:g} seconds") from None

    def connect(
        _dialect: object, _record: object, args: tuple[str, ...], given: dict[str, Never]
    ) -> Connection[TupleRow]:
        return Patient.connect(*args, **given)

    event.listen(engine, "do_connect", connect)


def _bounded(gen: PQGen[T], seconds: float) -> PQGen[T]:
    """The same steps, until the time is over; who drives them comes by every 0.1 seconds at least."""
    until = time.monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() >= until:
                raise _Silent
            wanted = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value
