"""The scheduler, which runs tasks when they are due.

The worker that stores a task also claims it, and runs it when it is due. If the claim expires before the
task is done, another worker may take the task. Two workers never take the same task: PostgreSQL locks its row
(`FOR UPDATE SKIP LOCKED`), and on SQLite there is only one process.

Each table is owned by one worker (`house.store.workers`). The owner may take a task of its table even while
another worker's claim on the task is valid. This is how a new owner gets the tasks of a worker that died or lost the
table.
"""

from __future__ import annotations

import contextlib
import heapq
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import structlog
from sqlalchemy import exists, or_, select

from spelunke.core.errors import SpelunkeError
from spelunke.house.play import TableStore
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import Found, Leases, due, seats, tables
from spelunke.house.table import LEASE_MS, Task
from spelunke.house.work.fair_queue import FairQueue, Rank

log = structlog.get_logger("spelunke.house.work.scheduler")

SWEEP_S = 1.0
LEFT_MS = 5_000
"""The time in ms after which other workers may run an overdue task, although its table has an owner."""
FORGOTTEN = 500
"""The greatest number of tables that one call of `find_forgotten` returns, the newest tables first."""
ROOM = 256
"""The least size of the heap at which outdated entries are removed."""
AGAIN_MS = 1000
"""The time in ms after which a task is tried again if the database refused its write."""


class Scheduler:
    """Runs tasks when they are due.

    It has a heap of the tasks that this process stored. It also regularly looks in the database for due tasks
    of other processes, and runs those that it may take. A thread pool calls `do` to run a task, so `do` may take long.
    If `threads` is 0, nothing runs automatically, and the caller must call `tick`.
    """

    def __init__(self, table_store: TableStore, do: Callable[[Task], None], *, threads: int = 2) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._do = do
        self._leases = Leases(table_store.store, due, LEASE_MS)
        self._heap: list[tuple[int, int, str]] = []
        self._count = 0
        # The size of the heap at which outdated entries are removed. Each move of a slow game leaves one.
        self._full = ROOM
        # the newest tasks of each table; a heap entry only has the time at which to check a table's tasks
        self._tasks: dict[str, list[Task]] = {}
        self._busy: set[tuple[str, str, int, int]] = set()
        # running tasks that were stored again, and were due again before they ended
        self._again: set[tuple[str, str, int, int]] = set()
        self._queue = FairQueue(table_store.store.now, threads=threads)
        self._store.metrics.watch(
            "bots_late_ms", "Milliseconds people wait for a bot by now", self._queue.late_ms
        )
        self._wake = threading.Condition()
        self._stop = False
        self._stopping = threading.Event()
        self._pool = ThreadPoolExecutor(threads, "house-due") if threads else None
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._run, "house-timers"), (self._sweep_for_ever, "house-sweeper"))
        ]

    def begin(self) -> None:
        """Begin to run tasks. Tasks that are already due run at once."""
        self._leases.begin()
        if self._pool is not None:
            for thread in self._threads:
                thread.start()

    @property
    def alive(self) -> bool:
        """Whether the scheduler's own threads are running. If `threads` was 0, this is always true."""
        return self._pool is None or all(thread.is_alive() for thread in self._threads)

    def schedule(self, table: str, tasks: list[Task]) -> None:
        """Set the tasks that this process does for a table. They replace the table's earlier tasks."""
        with self._wake:
            if tasks:
                self._tasks[table] = tasks
                for task in tasks:
                    self._count += 1
                    heapq.heappush(self._heap, (task.at, self._count, table))
                if len(self._heap) > self._full:
                    self._clear_heap()
                self._wake.notify_all()
            else:
                self._tasks.pop(table, None)

    def _clear_heap(self) -> None:
        """Remove outdated entries from the heap."""
        self._heap = [
            (task.at, number, table)
            for table, tasks in self._tasks.items()
            for number, task in enumerate(tasks)
        ]
        heapq.heapify(self._heap)
        self._full = 2 * len(self._heap) + ROOM

    def tick(self) -> int:
        """Run everything that is due, in this thread. Return the number of tasks that were run."""
        done = 0
        while True:
            ready = self._sweep(claim=False)
            if not ready:
                return done
            for task in ready:
                self._do(task)
                done += 1

    def late(self) -> int:
        """Return the delay in ms of the oldest due task, or 0 if no task is late. Ignore tasks of damaged tables."""
        still = due.c.table_id.not_in(list(self._tables.damaged))
        with self._store.read() as connection:
            first = connection.execute(select(due.c.at).where(still).order_by(due.c.at).limit(1)).scalar()
        return max(0, self._store.now() - first) if first is not None else 0

    def bots_late(self) -> int:
        """Return the longest delay, in ms, among the bots' moves for which a person waits.

        Return 0 if no such move is late.
        """
        return self._queue.late_ms()

    def close(self) -> None:
        """Stop the scheduler's threads, and wait until the running tasks have ended."""
        self._stopping.set()
        with self._wake:
            self._stop = True
            self._wake.notify_all()
        if self._pool is not None:
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(timeout=5)
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._stop:
                    return
                now = self._store.now()
                if not self._heap or self._heap[0][0] > now:
                    wait = (self._heap[0][0] - now) / 1000 if self._heap else 60.0
                    self._wake.wait(min(wait, 60.0))
                    continue
                _, _, table = heapq.heappop(self._heap)
                ready = [task for task in self._tasks.get(table, ()) if task.at <= now]
            for task in ready:
                self._hand_out(task)

    def _hand_out(self, task: Task) -> None:
        with self._wake:
            if task.name in self._busy:
                self._again.add(task.name)
                return
            if self._stop or self._pool is None:
                return
            self._busy.add(task.name)
            self._queue.put(task, *self._rank(task))
            with contextlib.suppress(
                RuntimeError
            ):  # the interpreter is shutting down; the next start runs the task
                self._pool.submit(self._work_off)

    def _rank(self, task: Task) -> tuple[Rank, str]:
        """Return the rank of a task, and the person whose share of time the task uses: the host of the task's table.

        A task with the rank `SHORT` uses nobody's share. If the table is not in memory, its id is returned in
        place of the person.
        """
        if task.kind != "bot":
            return Rank.SHORT, ""
        table = self._tables.in_mind(task.table_id)
        if table is None:
            return Rank.ALONE, task.table_id
        presence, chairs = self._store.presence, table.facts.chairs
        here = any(
            chair.person and presence.of(task.table_id, chair.seat).state == "here" for chair in chairs
        )
        return Rank.AWAITED if here else Rank.ALONE, table.facts.host

    def _work_off(self) -> None:
        """Run queued tasks until none may begin now."""
        while not self._stop and (taken := self._queue.take()) is not None:
            try:
                self._try(taken.task)
            finally:
                self._queue.finish(taken)
                with self._wake:
                    self._busy.discard(taken.task.name)
                    again = taken.task.name in self._again
                    self._again.discard(taken.task.name)
                if again:
                    self._look_again(taken.task, after_ms=0)

    def _try(self, task: Task) -> None:
        """Run a task, and log an error instead of raising it."""
        try:
            self._do(task)
        except HouseClosed as error:
            log.warning("due work waits", kind=task.kind, error=str(error))
            self._look_again(task)
        except SpelunkeError as error:
            log.warning("due work failed", kind=task.kind, error=str(error))
        except Exception:
            log.exception("due work failed", kind=task.kind)

    def _look_again(self, task: Task, after_ms: int = AGAIN_MS) -> None:
        """Look again for due tasks of the task's table after `after_ms` milliseconds.

        Call this if the database has refused the task's write. In this case, the task and its claim are still stored.
        Also call it if the task was stored again while it ran.
        """
        with self._wake:
            if self._tasks.get(task.table_id):
                self._count += 1
                heapq.heappush(self._heap, (self._store.now() + after_ms, self._count, task.table_id))
                self._wake.notify_all()

    def find_forgotten(self) -> list[str]:
        """Return running or full tables that have no stored task although they need one.

        If a server stored a change of a table, and crashed before it stored the new tasks, the table has none.
        """
        waits = select(tables.c.id).where(
            tables.c.status.in_(("ready", "playing")), ~exists().where(due.c.table_id == tables.c.id)
        )
        bots = exists().where(
            seats.c.table_id == tables.c.id, or_(seats.c.plan.like("bot:%"), seats.c.standing.is_not(None))
        )
        works = or_(tables.c.status == "ready", tables.c.clock.not_like('%"none"%'), bots)
        with self._store.read() as connection:
            found = connection.execute(
                waits.where(works).order_by(tables.c.created_ms.desc()).limit(FORGOTTEN)
            )
            return [str(table_id) for (table_id,) in found]

    def remember(self) -> None:
        """Compute and store the tasks of tables whose tasks are missing."""
        for table_id in self.find_forgotten():
            with self._tables.open(table_id) as slot:
                self._tables.commit(slot, [], quiet=True)

    def _sweep_for_ever(self) -> None:
        try:
            self.remember()
        except SpelunkeError as error:
            log.warning("forgotten work is not looked for", error=str(error))
        except Exception:
            log.exception("forgotten work is not looked for")
        while not self._stopping.is_set():
            try:
                for task in self._sweep(claim=True):
                    self._hand_out(task)
            except SpelunkeError as error:
                log.warning("sweep failed", error=str(error))
            except Exception:
                log.exception("sweep failed")
            self._stopping.wait(SWEEP_S)

    def _may_take(self, task: Task, now: int) -> bool:
        """Return whether this worker should take a due task.

        If a claim on the task is valid, this worker may take the task only if it owns the task's table and has no
        tasks of this table in memory. If no claim is valid, but another worker is known to own the table, this
        worker may take the task 5 s after the task was due. Otherwise, it may take the task at once.
        """
        workers = self._store.workers
        if task.claimed_ms > now:
            return workers.term(task.table_id) > 0 and task.table_id not in self._tasks
        return workers.owner(task.table_id) is None or task.at <= now - LEFT_MS

    def _sweep(self, *, claim: bool) -> list[Task]:
        """Return overdue tasks. If `claim` is true, return only tasks that this worker may take, and claim them."""
        if not claim:
            return [_task(row) for row in self._leases.due()]
        # With several workers, the new owners of a dead worker's tables take its tasks.
        may = None if self._store.workers.me is None else lambda row, now: self._may_take(_task(row), now)
        return [_task(row) for row in self._leases.claim_due(may)]


def _task(row: Found) -> Task:
    return Task(*cast(tuple[str, str, int, int, int, int], row))
