"""A fair lock: waiting threads get the lock in the order of their arrival."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future

from greenlet import getcurrent

from spelunke.house.store.waiting import wait, would_stall


class Turnstile:
    """A reentrant lock for `with` that serves waiters in the order of their arrival.

    Its holder is a thread, or a function that `waiting.run` runs on an event loop. The locks of `threading`
    may serve any waiter first. With such a lock, if two players call for a card, the later call might win.
    A caller on an event loop must not wait for a holder or an earlier waiter on the same loop, because the wait would
    block the loop. In this case, entering the lock raises RuntimeError.
    """

    __slots__ = ("_depth", "_gate", "_holder", "_line")

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._holder: object | None = None
        self._depth = 0
        self._line: deque[tuple[object, Future[None]]] = deque()

    @property
    def waiting(self) -> int:
        """The number of callers that are waiting for the lock."""
        return len(self._line)

    def __enter__(self) -> None:
        me = getcurrent()  # the running thread, or the function that runs on its event loop
        with self._gate:
            if self._holder is me or self._holder is None:
                self._holder = me
                self._depth += 1
                return
            if any(map(would_stall, (self._holder, *(one for one, _turn in self._line)))):
                raise RuntimeError(
                    "an event loop must not wait for a table: call the method through waiting.run or in "
                    "a thread"
                )
            turn: Future[None] = Future()
            place = (me, turn)
            self._line.append(place)
        try:
            wait(turn)  # until the previous holder releases it
        except BaseException:  # An interrupted waiter must leave the queue.
            with self._gate:
                gone = place not in self._line
                if not gone:
                    self._line.remove(place)
            if gone:
                self.__exit__()
            raise

    def __exit__(self, *_error: object) -> None:
        with self._gate:
            self._depth -= 1
            if self._depth:
                return
            self._holder = None
            if self._line:
                self._holder, turn = self._line.popleft()
                self._depth = 1
                turn.set_result(None)
