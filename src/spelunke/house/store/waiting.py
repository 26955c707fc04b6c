"""Waiting for a commit or a lock. A waiting thread does nothing else, but an event loop goes on with other requests.

The methods of the house are plain functions that may wait. In a thread they block the thread. `run` calls
such a method from a coroutine, on the event loop's own thread. While the method waits, the loop continues
with other work. So a move needs fewer switches between threads. For the reasons, see docs/why/waiting.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary, ref

import structlog
from greenlet import getcurrent, greenlet

from spelunke.core.errors import SpelunkeError

log = structlog.get_logger("spelunke.house.store.waiting")

P = ParamSpec("P")
T = TypeVar("T")


READERS = 16
"""The number of threads that read the database for functions on event loops."""
_readers = ThreadPoolExecutor(READERS, thread_name_prefix="house-reads")
"""A separate pool of threads for reading the database.

It is separate because a function may hold a table's lock while it reads, and all threads of other pools may be
waiting for that lock.
"""


class _Walk(greenlet):  # type: ignore[misc]  # greenlet has no types
    """A function that runs on an event loop. While it waits, it gives control back to the loop."""


class _Wait(NamedTuple):
    """A future for which a function on an event loop waits, and the timeout in seconds."""

    future: Future[object]
    seconds: float | None


def wait(future: Future[T], seconds: float | None = None) -> T:
    """Return the future's result, or raise its error. Raise TimeoutError after `seconds`."""
    here = getcurrent()
    if isinstance(here, _Walk) and not future.done():
        here.parent.switch(_Wait(cast("Future[object]", future), seconds))
        seconds = 0
    return future.result(seconds)


def call_away(function: Callable[[], T]) -> T:
    """Call a slow function that reads the database, and return its result.

    If the caller runs on an event loop, another thread calls the function, so the loop can do other work. The
    function must not take any table's lock.
    """
    here = getcurrent()
    return cast(T, here.parent.switch(function)) if isinstance(here, _Walk) else function()


def would_stall(holder: object) -> bool:
    """Return whether a wait for `holder` would never end.

    `holder` is a thread, or a function that `run` started. The result is true if `run` started `holder` on this event
    loop, and the caller runs on the loop's thread outside `run`. If the caller waited, it would block the loop, so
    `holder` could not continue.
    """
    here = getcurrent()
    return isinstance(holder, _Walk) and not isinstance(here, _Walk) and holder.parent is here


async def run(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a method of the house on the event loop's thread. Return its result, or raise its errors.

    While the method waits, the loop does other work. While the method computes, the loop does nothing else, so the
    method must compute little. If the caller is cancelled, the method still runs to its end.
    """
    walk = _Walk(lambda: function(*args, **kwargs))
    walk.gr_context = contextvars.copy_context()
    asked = _go_on(walk, walk.switch)
    while not walk.dead:
        try:
            asked = await _step(walk, asked)
        except asyncio.CancelledError:
            if not walk.dead:
                _finish_alone(walk, asked)
            raise
    return cast(T, asked)


def _go_on(walk: _Walk, switch: Callable[..., object], *given: object) -> object:
    """Resume the function of `walk` by calling `switch`. Return the next object that it waits for, or its result."""
    asked = switch(*given)
    if walk.dead or isinstance(asked, _Wait):
        return asked
    away = cast(Callable[[], object], asked)
    return asyncio.get_running_loop().run_in_executor(_readers, contextvars.copy_context().run, away)


async def _step(walk: _Walk, asked: object) -> object:
    """Wait for `asked`, then resume the function of `walk`. Return the next object that it waits for, or its result."""
    if isinstance(asked, _Wait):
        await _until_done(*asked)
        return _go_on(walk, walk.switch)
    assert isinstance(asked, asyncio.Future)
    try:
        found = await asyncio.shield(asked)
    except Exception as error:  # noqa: BLE001  # raise it in the walk
        return _go_on(walk, walk.throw, error)
    return _go_on(walk, walk.switch, found)


_alone: set[asyncio.Task[None]] = set()
"""Tasks that still run after their caller was cancelled."""


def _finish_alone(walk: _Walk, asked: object) -> None:
    async def finish() -> None:
        step = asked
        try:
            while not walk.dead:
                step = await _step(walk, step)
        except SpelunkeError:  # The caller that would receive the refusal is gone.
            pass
        except Exception as error:  # noqa: BLE001
            log.error("what was begun failed after its caller had gone", error=repr(error))

    task = asyncio.get_running_loop().create_task(finish())
    _alone.add(task)
    task.add_done_callback(_alone.discard)


async def _until_done(future: Future[object], seconds: float | None) -> None:
    loop = asyncio.get_running_loop()
    called: asyncio.Future[None] = loop.create_future()
    bell = _bells.get(loop)
    if bell is None:
        bell = _bells[loop] = _Bell(loop)
    timer = None if seconds is None else loop.call_later(seconds, bell.ring, called)
    future.add_done_callback(lambda _future: bell.ring(called))
    try:
        await called
    finally:
        if timer is not None:
            timer.cancel()


class _Bell:
    """Wakes an event loop from any thread.

    If one commit ends several waits, the loop is woken only once.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = ref(loop)  # weak: otherwise the value in `_bells` would keep its own key alive
        self._called: deque[asyncio.Future[None]] = deque()
        self._rung = False

    def ring(self, waiting: asyncio.Future[None]) -> None:
        """Complete the future `waiting` on the event loop. Any thread may call this."""
        self._called.append(waiting)
        if not self._rung:
            self._rung = True
            with contextlib.suppress(RuntimeError):  # the loop has ended, and all waits with it
                if (loop := self._loop()) is not None:
                    loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._rung = False  # reset it before the queue is emptied, so that no later `ring` is lost
        while self._called:
            waiting = self._called.popleft()
            if not waiting.done():
                waiting.set_result(None)


_bells: WeakKeyDictionary[asyncio.AbstractEventLoop, _Bell] = WeakKeyDictionary()
