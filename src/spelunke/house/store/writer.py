"""The writer: the thread that makes all of a worker's writes to the database, except its heartbeat (`workers`).

The writer commits all queued writes together. If one of them conflicts with a write of another worker, the whole group
fails. Then each write gets its own transaction, so that only the conflicting ones fail. A caller gets its
result after the commit, never before.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import structlog
from sqlalchemy import Connection, Engine, case, delete, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from spelunke.core.errors import SpelunkeError
from spelunke.house.refusals import HouseClosed
from spelunke.house.store.files import OpenFile, Replaced
from spelunke.house.store.schema import due, moves, tables
from spelunke.house.store.statement import Statement
from spelunke.house.store.trouble import (
    BUSY,
    NOT_KNOWN,
    NOT_SAVED,
    Unsaved,
    has_slept,
    is_busy,
    is_gone,
    is_lost,
    is_ours,
    name_trouble,
    probe,
)
from spelunke.house.store.waiting import wait

log = structlog.get_logger("spelunke.house.writer")

_ADD_MOVES = Statement(lambda rows: insert(moves).values(rows))
_NOTICE = Statement(
    lambda rows: (
        update(tables)
        .where(tables.c.id.in_([row["table"] for row in rows]))
        .values(noticed_ms=case(*((tables.c.id == row["table"], row["at"]) for row in rows)))
    )
)
_FORGET_DUE = Statement(lambda rows: delete(due).where(due.c.table_id.in_([row["table"] for row in rows])))
_ADD_DUE = Statement(lambda rows: insert(due).values(rows))

GATHER_S = 0.004
"""The seconds for which a commit waits for more writes. It waits only if another commit ended shortly before."""
CLOSELY_S = 0.006
TRIES = 8
"""If no other write came during this number of pauses in a row, pauses become rare.

From then on, the writer pauses only before every `SELDOM`-th commit.
"""
SELDOM = 32
LONG_S = 1.0
"""The seconds after which a failed write is not tried again, because its caller has waited long enough.

If a commit of several writes failed but the database works, each of these writes is still tried alone.
"""

Stored = Mapping[str, object]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Conflict(SpelunkeError):
    """Another writer was first: it has stored a log row with the same number, or has changed the same table."""


@dataclass(slots=True)
class Write(Generic[T_co]):
    """Changes that the writer commits together. Each field may be left out.

    `moves` are new rows for tables' logs. `due` is a pair: the id of a table, and the table's new tasks, which
    replace all its old tasks. `noticed` is a pair: the id of a table, and the time of the last row of this table's
    log that spectators notice (for "notice", see `Table.noticed`). `call` is a function that gets the connection and
    makes all other changes. The result of `call` becomes the result of `future`. Without a `call`, the result is None.
    If `call` raises an error, nothing of the write is stored.
    """

    moves: Sequence[Stored] = ()
    due: tuple[str, Sequence[Stored]] | None = None
    noticed: tuple[str, int] | None = None
    call: Callable[[Connection], T_co] | None = None
    future: Future[T_co] = field(default_factory=Future)


class Gathering:
    """A pause before a commit, so that other writes can join the commit.

    If no other write came during the last pauses, pauses become rare.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # the number of further useless pauses after which pauses become rare, and the number of commits without a
        # pause since then
        self._tries = TRIES
        self._passed = 0
        self._waited = False
        self._ended = -max(CLOSELY_S, seconds)

    def pause(self) -> None:
        """Wait before a commit if other writes are likely to come."""
        self._waited = False
        if time.monotonic() - self._ended > max(CLOSELY_S, self._seconds):
            return
        if self._tries <= 0:
            self._passed = (self._passed + 1) % SELDOM
            if self._passed:
                return
        self._waited = True
        time.sleep(self._seconds)

    def end(self, writes: int) -> None:
        """Record that a commit has ended. `writes` is the number of writes in it."""
        self._ended = time.monotonic()
        if self._waited:
            self._tries = TRIES if writes > 1 else self._tries - 1


class Writer:
    """Commits writes in groups. `most` is the greatest number of writes in a transaction.

    If a write comes soon after a commit, the writer waits `gather` seconds for more writes. This saves commits,
    each of which would take the GIL from the event loop several times. If the database fails (for example
    because its disk is full), all waiting and new writes are refused at once. The writer's thread then tries
    the database again every `again` seconds. A caller waits at most `patience` seconds for a write.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        most: int = 1000,
        patience: float = 15.0,
        again: float = 0.5,
        gather: float = GATHER_S,
    ) -> None:
        self._engine = engine
        self._most = most
        self._patience = patience
        self._again = again
        self._gathering = Gathering(gather)
        self._queue: queue.SimpleQueue[Write[object] | None] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()
        self._trouble: str | None = None
        self._gone = False
        # the thread's own connection to a file, see `_transaction`
        self._line: Connection | None = None
        # An SQLite file can always be read, so only a server can be `gone`.
        self._is_server = engine.dialect.name != "sqlite"
        self._file = None if self._is_server else OpenFile(Path(str(engine.url.database)))
        self.commits = 0
        self.writes = 0
        self.conflicts = 0
        self._thread = threading.Thread(target=self._run, name="house-writer", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the writer's thread is running."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """The number of queued writes."""
        return self._queue.qsize()

    @property
    def problem(self) -> str | None:
        """The reason why nothing can be written now, as a sentence for the host, or None."""
        return self._trouble or (None if self._file is None else self._file.problem)

    @property
    def gone(self) -> bool:
        """Whether the database can't be reached at the moment, not even for reading."""
        return self._gone

    def doubt(self, error: DBAPIError) -> None:
        """Treat the database as failed if `error`, from a read, means that the database can't be reached.

        Until the database answers again, other callers get an error at once.
        """
        if self._is_gone(error):
            self._suspect(name_trouble(error))

    def submit(self, write: Write[T]) -> Future[T]:
        """Queue a write, and return the write's future. The future gets the result after the commit.

        Raise Unsaved if the database fails, or HouseClosed if the writer is closed.
        """
        if self._trouble is not None:
            raise Unsaved(NOT_SAVED)
        with self._gate:
            if self._closed:
                raise HouseClosed("the server is shutting down; please try again in a moment")
            self._queue.put(write)
        return write.future

    def write(self, write: Write[T]) -> T:
        """Commit a write, and return the result of `write.call`.

        Raise Unsaved if the database fails or does not answer in time. Raise HouseClosed if the writer is
        closed, or if other workers lock the same rows for too long. Raise Conflict if another writer was first.
        If the write or `write.call` fails for another reason, raise the error of this failure.
        """
        future = self.submit(write)
        try:
            return wait(future, self._patience)
        except TimeoutError:
            if future.cancel():  # it was still in the queue
                raise Unsaved(NOT_SAVED) from None
            self._suspect(
                f"the database can't be written: it has not answered for {self._patience:g} seconds"
            )
            raise Unsaved(NOT_KNOWN) from None

    def close(self) -> None:
        """Commit the queued writes, and stop."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._take()
            group = [write for write in group if write.future.set_running_or_notify_cancel()]
            if group:
                try:
                    self._commit(group)
                except Exception as error:  # noqa: BLE001  # Even a log that can't be written must not end this thread.
                    for write in group:
                        _fail(write, error)
                self._gathering.end(len(group))
            if self._trouble is not None and not last:
                with contextlib.suppress(OSError):  # a log that can't be written must not end this thread
                    self._try_again()
        self._hang_up()

    def _take(self) -> tuple[list[Write[object]], bool]:
        """Return the queued writes, and whether the writer must stop after them.

        Wait until there is a write. While the database fails, stop waiting when the next attempt to use the database is
        due.
        """
        group: list[Write[object]] = []
        try:
            write = self._queue.get(timeout=None if self._trouble is None else self._again)
            if write is not None:
                self._gathering.pause()
            while write is not None:
                group.append(write)
                if len(group) >= self._most:
                    return group, False
                write = self._queue.get_nowait()
        except queue.Empty:
            return group, False
        return group, True

    def _try_again(self) -> None:
        if self._file is not None and (problem := self._file.problem) is not None:
            self._trouble = problem  # probing would only write to the file in its place
            return
        try:
            probe(self._engine)
        except DBAPIError as error:
            self._trouble, self._gone = name_trouble(error), self._is_gone(error)
        except SQLAlchemyError as error:
            self._trouble = f"the database can't be written: {type(error).__name__}"
        else:
            self._trouble, self._gone = None, False
            log.info("store takes writes again")

    def _commit(self, group: list[Write[object]]) -> None:
        self.writes += len(group)
        unsure = False
        began = time.monotonic()
        if (problem := self.problem) is not None and self._trouble is None:
            self._begin_loss(problem)
        if self._trouble is None:
            error = self._attempt(group)
            if error is None:
                return
            if isinstance(error, Replaced):
                unsure = True
                self._begin_loss(str(error))
            if isinstance(error, DBAPIError):
                unsure = is_lost(error)
                well = is_ours(error) or is_busy(error) or has_slept(error)
                if time.monotonic() - began > LONG_S and not well:
                    self._begin_trouble(error)  # the callers have waited long enough
        for write in group:
            if self._trouble is None:
                self._commit_alone(write, unsure=unsure)
            else:
                _fail(write, Unsaved(NOT_KNOWN if unsure else NOT_SAVED))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Yield a connection in a transaction.

        On PostgreSQL, the connection comes from a pool, which first checks that the server still responds. On
        SQLite, this check would take longer than the write, so the same connection stays open without a check.
        Raise Replaced if the SQLite file was removed or replaced.
        """
        if self._is_server:
            with self._engine.begin() as connection:
                yield connection
            return
        first = self._line is None
        line = self._line = self._line or self._engine.connect()
        try:
            with line.begin():
                yield line
            if self._file is not None:
                self._file.check(first=first)
        except BaseException:
            self._hang_up()
            raise

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(SQLAlchemyError):
                line.close()

    def _attempt(self, group: list[Write[object]]) -> Exception | None:
        """Try to commit all writes of the group in one transaction. Return the error, or None after success."""
        values: list[object] = []
        try:
            with self._transaction() as connection:
                _write(connection, group, values)
        except (SQLAlchemyError, SpelunkeError) as error:
            return error
        except Exception as error:  # noqa: BLE001  # is raised again when the faulty write fails alone
            return error
        self.commits += 1
        for write, value in zip(group, values, strict=True):
            _finish(write, value)
        return None

    def _commit_alone(self, write: Write[object], *, unsure: bool) -> None:
        # A lost connection may hide a successful commit. The next attempt then sees its own rows as a
        # conflict. The caller reloads the table and finds its key in the log.
        began = time.monotonic()
        for pause in (0.05, 0.2, None):
            values: list[object] = []
            try:
                with self._transaction() as connection:
                    _write(connection, [write], values)
            except Replaced as error:
                self._begin_loss(str(error))
                _fail(write, Unsaved(NOT_KNOWN))
            except IntegrityError:
                self.conflicts += 1
                _fail(write, Conflict("somebody else was first"))
            except SpelunkeError as error:
                self.conflicts += isinstance(error, Conflict)
                _fail(write, error)
            except DBAPIError as error:
                unsure |= is_lost(error)
                again = is_lost(error) or self._is_gone(error) or is_busy(error) or has_slept(error)
                if again and pause is not None and time.monotonic() - began < LONG_S:
                    time.sleep(pause)
                    continue
                self._give_up(write, error, unsure=unsure)
            except Exception as error:
                _fail(write, error)  # answer the caller before logging, which may take long
                log.exception("write failed")
            else:
                self.commits += 1
                _finish(write, values[0])
            return

    def _give_up(self, write: Write[object], error: DBAPIError, *, unsure: bool) -> None:
        if is_ours(error):
            log.error("write failed", error=type(error).__name__)
            _fail(write, error)
        elif is_busy(error):
            _fail(write, HouseClosed(BUSY))
        else:
            # Do this before the first answer goes out, so that a caller who retries immediately does not
            # wait.
            self._begin_trouble(error)
            _fail(write, Unsaved(NOT_KNOWN if unsure else NOT_SAVED))

    def _begin_trouble(self, error: DBAPIError) -> None:
        self._trouble, self._gone = name_trouble(error), self._is_gone(error)
        log.error("store can't be written", error=self._trouble)

    def _begin_loss(self, problem: str) -> None:
        self._trouble = problem
        log.error("store can't be written", error=problem)

    def _suspect(self, trouble: str) -> None:
        """Treat the database as failed until it answers the writer's thread again.

        Until then, other callers get an error at once. `trouble` is the reason, as a sentence for the host.
        """
        if self._trouble is None:
            self._trouble, self._gone = trouble, self._is_server
            log.error("store does not answer", error=trouble)
            self._queue.put(Write())  # wakes the thread, which then probes the store

    def _is_gone(self, error: DBAPIError) -> bool:
        return self._is_server and is_gone(error)


def _write(connection: Connection, group: list[Write[object]], values: list[object]) -> None:
    # Sort the tables, so that two workers don't deadlock; keep the order within a table.
    rows = sorted((row for write in group for row in write.moves), key=lambda row: str(row["table_id"]))
    if rows:
        _ADD_MOVES.run(connection, rows)
    if noticed := [write.noticed for write in group if write.noticed is not None]:
        news: list[Stored] = [{"table": table, "at": at} for table, at in sorted(dict(noticed).items())]
        _NOTICE.run(connection, news)
    replaced = [write.due for write in group if write.due is not None]
    if replaced:
        # A group may contain several writes of a table. The last one counts.
        newest = dict(sorted(dict(replaced).items()))
        _FORGET_DUE.run(connection, [{"table": table} for table in newest])
        if rows := [row for tasks in newest.values() for row in tasks]:
            _ADD_DUE.run(connection, rows)
    values.extend(write.call(connection) if write.call else None for write in group)


def _finish(write: Write[object], value: object) -> None:
    with contextlib.suppress(Exception):
        write.future.set_result(value)


def _fail(write: Write[object], error: BaseException) -> None:
    with contextlib.suppress(Exception):
        write.future.set_exception(error)
