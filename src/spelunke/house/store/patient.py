"""Connections to PostgreSQL that end if the server is silent for too long. This process measures the time.

A frozen server, or one behind a cut cable, sends nothing at all. The server's own timeouts don't help then.
"""

from __future__ import annotations

import time
from typing import Never, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from sqlalchemy import Engine, event

T = TypeVar("T")


class _Silent(Exception):  # not a SpelunkeError: only this module catches it
    """PostgreSQL has not completed its answer in time, and is silent now."""


def be_patient(engine: Engine, seconds: float) -> None:
    """Make each new connection of the engine raise OperationalError if an answer is not complete in time.

    If an answer takes longer than `seconds`, the error is raised as soon as the server sends nothing for a moment.
    The connection is closed before the error is raised.
    """

    class Patient(Connection[TupleRow]):
        def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
            del timeout  # newer psycopg passes it, but keeps the connection after a timeout
            try:
                return super().wait(_bounded(gen, seconds), interval)
            except _Silent:
                self.pgconn.finish()
                raise OperationalError(f"the server has not answered for {seconds:g} seconds") from None

    def connect(
        _dialect: object, _record: object, args: tuple[str, ...], given: dict[str, Never]
    ) -> Connection[TupleRow]:
        return Patient.connect(*args, **given)

    event.listen(engine, "do_connect", connect)


def _bounded(gen: PQGen[T], seconds: float) -> PQGen[T]:
    """Yield the steps of a generator, and return its result.

    The caller must resume this generator at least every 0.1 s, and say whether the connection is ready. If it is not
    ready after `seconds`, raise `_Silent`.
    """
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
