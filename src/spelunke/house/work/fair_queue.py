"""A queue of tasks that shares the time of a few threads fairly among people.

If a person has many tables with bots, only that person waits longer. The bots of others answer as if those
tables did not exist. The algorithm is start-time fair queueing (Goyal, Vin and Cheng, 1996). Each person has
a virtual time, which grows by the duration of the person's tasks. The person with the least virtual time is
served next.
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
"""If nobody waits at a task's table, the task has low priority.

After this time it gets the usual priority, so that it is done at last.
"""
LATELY_MS = 30_000
"""If a person's bots moved within this time, they will probably move again soon.

So a thread stays free for that person.
"""
GUESS_S = 0.05
"""The estimated duration of a person's first task, before any was measured."""


class Rank(IntEnum):
    """The priority of a task."""

    SHORT = 0
    """A task that takes little time and is due at a fixed time: a clock, a window, a start, or standing
    orders.
    """
    AWAITED = 1
    """A bot's move at a table where a person waits."""
    ALONE = 2
    """A bot's move at a table where nobody waits."""


class Share:
    """The waiting tasks of a person, and the thread time that this person's tasks have used."""

    __slots__ = ("guess", "running", "tasks", "virtual")

    def __init__(self, virtual: float) -> None:
        self.tasks: dict[Rank, deque[Task]] = {Rank.AWAITED: deque(), Rank.ALONE: deque()}
        # seconds of a thread, counted from the others' time when this person arrived
        self.virtual = virtual
        self.guess = GUESS_S
        self.running = 0

    @property
    def busy(self) -> bool:
        """Whether a task of the person is waiting or running."""
        return self.running > 0 or any(self.tasks.values())

    def first(self, now: int) -> tuple[Rank, Task] | None:
        """Return the person's next task and its rank, or None if none is waiting."""
        awaited, alone = self.tasks[Rank.AWAITED], self.tasks[Rank.ALONE]
        if alone and (now - alone[0].at > PATIENCE_MS) and not (awaited and awaited[0].at <= alone[0].at):
            return Rank.AWAITED, alone[0]
        if awaited:
            return Rank.AWAITED, awaited[0]
        return (Rank.ALONE, alone[0]) if alone else None


class Taken(msgspec.Struct, frozen=True):
    """A running task with its person, its start, and its estimated duration."""

    task: Task
    person: str
    began: float
    guess: float


class FairQueue:
    """Due tasks. Thread-safe and non-blocking.

    `now` returns milliseconds, as in `Task.at`. `timer` returns seconds, and is used to measure how long
    tasks take. While several people play, the tasks of one person may not occupy all of the `threads`.
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
        # when people last had a bot move, in milliseconds; the newest is last
        self._played: dict[str, int] = {}
        # the virtual time of the person served last, from which new people start
        self._virtual = 0.0

    def put(self, task: Task, rank: Rank, person: str) -> None:
        """Add a task of a person. The time of a task with the rank `SHORT` is charged to nobody."""
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
        """Take the next task, or return None if none is waiting or none may begin now.

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
        """Return whether bots have moved for several people lately."""
        for person in [person for person, at in self._played.items() if now - at > LATELY_MS]:
            del self._played[person]
        return len(self._played) > 1

    def finish(self, taken: Taken) -> None:
        """Add the duration of a task to the time of its person."""
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
        """Return the longest delay, in milliseconds, of a bot for which a person waits."""
        with self._gate:
            awaited = [share.tasks[Rank.AWAITED] for share in self._shares.values()]
            first = min((tasks[0].at for tasks in awaited if tasks), default=None)
        return 0 if first is None else max(0, self._now() - first)
