"""A queue of tasks that shares the time of a few threads fairly among people.

If a person has many tables with bots, only that person waits longer. The bots of other people answer as if
those tables did not exist. The algorithm is start-time fair queueing (Goyal, Vin and Cheng, 1996). Each
person has a virtual time, which grows by the duration of the person's tasks. Among people whose next tasks have
the same priority, the person with the least virtual time is served next.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from itertools import count

import msgspec

from spelunke.house.table import Task

PATIENCE_MS = 10_000
"""The delay in ms after which a bot's move gets the usual priority, even if nobody waits at its table.

Until then, a move at a table where nobody waits has low priority.
"""
LATELY_MS = 30_000
"""The time in ms for which a person counts as playing after each new task for one of their bots.

While several people count as playing, the bots of one person can't occupy all threads.
"""
GUESS_S = 0.05
"""The estimated duration in seconds of a person's first task."""


class Rank(IntEnum):
    """The priority of a task: lower numbers go first."""

    SHORT = 0
    """Any task except a bot's move, for example the end of a clock or a start. Such tasks are short."""
    AWAITED = 1
    """A bot's move at a table where a person waits."""
    ALONE = 2
    """A bot's move at a table where nobody waits."""


class Share:
    """The waiting tasks of a person, and the person's virtual time."""

    __slots__ = ("guess", "running", "tasks", "virtual")

    def __init__(self, virtual: float) -> None:
        self.tasks: dict[Rank, deque[Task]] = {Rank.AWAITED: deque(), Rank.ALONE: deque()}
        # the person's virtual time in seconds; it starts at the virtual time of the person served last
        self.virtual = virtual
        self.guess = GUESS_S
        self.running = 0

    @property
    def busy(self) -> bool:
        """Whether a task of the person is waiting or running."""
        return self.running > 0 or any(self.tasks.values())

    def first(self, now: int) -> tuple[Rank, Task] | None:
        """Return the person's next task with its rank, or None if no task is waiting."""
        awaited, alone = self.tasks[Rank.AWAITED], self.tasks[Rank.ALONE]
        if alone and (now - alone[0].at > PATIENCE_MS) and not (awaited and awaited[0].at <= alone[0].at):
            return Rank.AWAITED, alone[0]
        if awaited:
            return Rank.AWAITED, awaited[0]
        return (Rank.ALONE, alone[0]) if alone else None


class Taken(msgspec.Struct, frozen=True):
    """A running task, with its person, its start in seconds, and its estimated duration in seconds."""

    task: Task
    person: str
    began: float
    guess: float


class FairQueue:
    """A queue of due tasks. Thread-safe; its methods never wait.

    `now` returns milliseconds, as in `Task.at`. `timer` returns seconds, and measures the duration of tasks.
    `threads` is the number of threads that run tasks. A person's bots are the bots at tables that this person hosts. If
    tasks for the bots of several people were added within the last `LATELY_MS`, and there are several threads, the bots
    of one person can't occupy all threads.
    """

    def __init__(
        self, now: Callable[[], int], timer: Callable[[], float] = time.monotonic, *, threads: int = 1
    ) -> None:
        self._now = now
        self._timer = timer
        self._most = max(1, threads - 1)
        self._gate = threading.Lock()
        self._number = count()
        self._short: list[tuple[int, int, Task]] = []
        self._shares: dict[str, Share] = {}
        # by person, the time in ms of the newest task for a bot's move; the newest entry is last
        self._played: dict[str, int] = {}
        # the virtual time of the person served last, from which new people start
        self._virtual = 0.0

    def put(self, task: Task, rank: Rank, person: str) -> None:
        """Add a task of a person.

        The duration of a task with the rank `SHORT` is added to nobody's virtual time.
        """
        with self._gate:
            if rank is Rank.SHORT:
                heapq.heappush(self._short, (task.at, next(self._number), task))
                return
            self._played.pop(person, None)
            self._played[person] = self._now()
            share = self._shares.get(person)
            if share is None:
                share = self._shares[person] = Share(self._virtual)
            share.tasks[rank].append(task)

    def take(self) -> Taken | None:
        """Take the next task from the queue. Return None if no task is waiting, or if none may begin now.

        After the task, the caller must call `finish`.
        """
        with self._gate:
            if self._short:
                return Taken(heapq.heappop(self._short)[2], "", 0.0, 0.0)
            now = self._now()
            shared = self._is_shared(now)
            best: tuple[Rank, float, int, str] | None = None
            for person, share in self._shares.items():
                first = share.first(now)
                if first is not None and (share.running < self._most or not shared):
                    key = (first[0], share.virtual, first[1].at, person)
                    best = key if best is None else min(best, key)
            if best is None:
                return None
            person = best[3]
            share = self._shares[person]
            found = share.first(now)
            assert found is not None
            task = found[1]
            next(tasks for tasks in share.tasks.values() if tasks and tasks[0] is task).popleft()
            self._virtual = max(self._virtual, share.virtual)
            share.virtual += share.guess
            share.running += 1
            return Taken(task, person, self._timer(), share.guess)

    def _is_shared(self, now: int) -> bool:
        """Return whether tasks for the bots of several people were added within the last `LATELY_MS`."""
        for person in [person for person, at in self._played.items() if now - at > LATELY_MS]:
            del self._played[person]
        return len(self._played) > 1

    def finish(self, taken: Taken) -> None:
        """Correct the virtual time of a finished task's person.

        `take` added the estimated duration of the task. This method replaces it with the real duration.
        """
        if not taken.person:
            return
        with self._gate:
            share = self._shares[taken.person]
            took = self._timer() - taken.began
            share.virtual += took - taken.guess
            share.guess = took
            share.running -= 1
            if not any(one.busy for one in self._shares.values()):
                self._shares.clear()  # nobody has a claim left
                return
            for person, one in tuple(self._shares.items()):
                if not one.busy and one.virtual <= self._virtual:
                    del self._shares[person]

    def late_ms(self) -> int:
        """Return the longest delay, in ms, among the bots' moves for which a person waits.

        Return 0 if no such move is late.
        """
        with self._gate:
            awaited = [share.tasks[Rank.AWAITED] for share in self._shares.values()]
            first = min((tasks[0].at for tasks in awaited if tasks), default=None)
        return 0 if first is None else max(0, self._now() - first)
