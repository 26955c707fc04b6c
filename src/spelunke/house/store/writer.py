"""The one thread of a process that writes: it takes what has queued up and commits it together, durably.

A conflict fails the whole group; then each write gets a transaction of its own, so that only those that
conflict fail. A write's future is done after its commit, never before.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import structlog
from sqlalchemy import Connection, Engine, bindparam, delete, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from spelunke.core.errors import SpelunkeError
from spelunke.house.refusals import HouseClosed
from spelunke.house.store.schema import due, moves, tables

log = structlog.get_logger("spelunke.house.writer")

_NOTICED = update(tables).where(tables.c.id == bindparam("table")).values(noticed_ms=bindparam("at"))

Stored = Mapping[str, object]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Conflict(SpelunkeError):
    """Somebody else wrote that ply, or changed that table, first."""


@dataclass(slots=True)
class Write(Generic[T_co]):
    """What is to be committed as one: rows of `moves`, all tasks of a table (None: as they are), and a call.

    `noticed` names a table and the time at which a spectator last noticed something there.
    The call gets the connection, returns the value of the write's future (None without a call), and raises Conflict
    (or another SpelunkeError) to undo the write.
    """

    moves: Sequence[Stored] = ()
    due: tuple[str, Sequence[Stored]] | None = None
    noticed: tuple[str, int] | None = None
    call: Callable[[Connection], T_co] | None = None
    future: Future[T_co] = field(default_factory=Future)


class Writer:
    """Group commit on one engine; `most` writes go into one transaction."""

    def __init__(self, engine: Engine, *, most: int = 1000) -> None:
        self._engine = engine
        self._most = most
        self._queue: queue.SimpleQueue[Write[object] | None] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()
        self.commits = 0
        self.writes = 0
        self.conflicts = 0
        self._thread = threading.Thread(target=self._run, name="house-writer", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """Jobs that wait for their turn."""
        return self._queue.qsize()

    def submit(self, write: Write[T]) -> Future[T]:
        """Queue a write; its future is done after its commit. Raises HouseClosed."""
        with self._gate:
            if self._closed:
                raise HouseClosed("the house is closing; please come again in a moment")
            self._queue.put(write)
        return write.future

    def write(self, write: Write[T]) -> T:
        """Commit a write and return what its call returned; raises Conflict, or what the call raised."""
        return self.submit(write).result()

    def close(self) -> None:
        """Write what is queued and stop."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            write = self._queue.get()
            group: list[Write[object]] = []
            while write is not None:
                group.append(write)
                if len(group) >= self._most:
                    break
                try:
                    write = self._queue.get_nowait()
                except queue.Empty:
                    break
            else:
                last = True
            if group:
                self._commit(group)

    def _commit(self, group: list[Write[object]]) -> None:
        self.writes += len(group)
        if self._attempt(group):
            return
        for write in group:
            self._commit_alone(write)

    def _attempt(self, group: list[Write[object]]) -> bool:
        """Try the group in one transaction; False when nothing of it was kept."""
        values: list[object] = []
        try:
            with self._engine.begin() as connection:
                _write(connection, group, values)
        except (SQLAlchemyError, SpelunkeError):
            return False
        except Exception:
            log.exception("group failed")
            return False
        self.commits += 1
        for write, value in zip(group, values, strict=True):
            _finish(write, value)
        return True

    def _commit_alone(self, write: Write[object]) -> None:
        # A lost connection may hide a commit that succeeded; the second try then meets its own rows as a conflict, and
        # the caller, who reloads, finds its key in the log.
        for pause in (0.05, 0.2, 0.5, 1.0, 2.0, None):
            values: list[object] = []
            try:
                with self._engine.begin() as connection:
                    _write(connection, [write], values)
            except IntegrityError:
                self.conflicts += 1
                _fail(write, Conflict("somebody else was first"))
            except SpelunkeError as error:
                self.conflicts += isinstance(error, Conflict)
                _fail(write, error)
            except DBAPIError as error:
                if pause is not None:
                    log.warning("store does not answer", error=str(error.orig), again_in=pause)
                    time.sleep(pause)
                    continue
                _fail(write, HouseClosed("the store can't be reached; nothing was changed"))
            except Exception as error:
                log.exception("write failed")
                _fail(write, error)
            else:
                self.commits += 1
                _finish(write, values[0])
            return


def _write(connection: Connection, group: list[Write[object]], values: list[object]) -> None:
    rows = [row for write in group for row in write.moves]
    if rows:
        connection.execute(insert(moves), rows)
    if noticed := [write.noticed for write in group if write.noticed is not None]:
        # In one order everywhere, so that two workers don't wait for each other.
        news = [{"table": table, "at": at} for table, at in sorted(dict(noticed).items())]
        connection.execute(_NOTICED, news)
    replaced = [write.due for write in group if write.due is not None]
    if replaced:
        # The last word about a table counts: one group may hold several writes of one table.
        newest = dict(replaced)
        for table in newest:
            connection.execute(delete(due).where(due.c.table_id == table))
        if rows := [row for tasks in newest.values() for row in tasks]:
            connection.execute(insert(due), rows)
    values.extend(write.call(connection) if write.call else None for write in group)


def _finish(write: Write[object], value: object) -> None:
    with contextlib.suppress(Exception):
        write.future.set_result(value)


def _fail(write: Write[object], error: BaseException) -> None:
    with contextlib.suppress(Exception):
        write.future.set_exception(error)
