"""Waiting, for a commit or a table: a thread stands still; on an event loop others go on meanwhile.

The house's methods are plain functions that wait where they must. Called from a thread they block it. `run` calls one
from a coroutine, on the loop's own thread: wherever it waits, the loop goes on, and comes back to it. That spares a
move the way to a thread and back, several times. Why it is made like this: docs/why/waiting.md.
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
"""So many threads read for the functions that run on event loops."""
_readers = ThreadPoolExecutor(READERS, thread_name_prefix="house-reads")
"""Threads of their own: whoever reads here may hold a table's lock, and the threads of others wait for such locks."""


class _Walk(greenlet):  # type: ignore[misc]  # greenlet has no types
    """A function that runs on an event loop; it goes back to the loop wherever it waits."""


class _Wait(NamedTuple):
    """What a walk waits for, and how many seconds at most."""

    future: Future[object]
    seconds: float | None


def wait(future: Future[T], seconds: float | None = None) -> T:
    """The future's result; raises what it failed with, and TimeoutError when that takes longer."""
    here = getcurrent()
    if isinstance(here, _Walk) and not future.done():
        here.parent.switch(_Wait(cast("Future[object]", future), seconds))
        seconds = 0
    return future.result(seconds)


def call_away(function: Callable[[], T]) -> T:
    """Call what reads for long and waits for no lock of a table: on an event loop in a thread beside it, else here."""
    here = getcurrent()
    return cast(T, here.parent.switch(function)) if isinstance(here, _Walk) else function()


def identify() -> object:
    """Who runs now: a thread, or one of the functions that run on its event loop."""
    return getcurrent()


def would_stall(holder: object) -> bool:
    """Whether whoever runs now must not stand still for that one, as it goes on only when this thread does."""
    here = getcurrent()
    return isinstance(holder, _Walk) and not isinstance(here, _Walk) and holder.parent is here


async def run(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a method of the house on this thread; raises what it raises.

    It must do little but wait: what it computes, it computes while nobody else is served. Cancelled, it goes on by
    itself to its end, as a thread would.
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
    """Let a walk go on as far as it gets: what it waits for then, or what it returned."""
    asked = switch(*given)
    if walk.dead or isinstance(asked, _Wait):
        return asked
    away = cast(Callable[[], object], asked)
    return asyncio.get_running_loop().run_in_executor(_readers, contextvars.copy_context().run, away)


async def _step(walk: _Walk, asked: object) -> object:
    """Wait for what a walk asked for, and let it go on; what it asks next, or returns."""
    if isinstance(asked, _Wait):
        await _until_done(*asked)
        return _go_on(walk, walk.switch)
    assert isinstance(asked, asyncio.Future)
    try:
        found = await asyncio.shield(asked)
    except Exception as error:  # noqa: BLE001  # it is the walk's
        return _go_on(walk, walk.throw, error)
    return _go_on(walk, walk.switch, found)


_alone: set[asyncio.Task[None]] = set()
"""What goes on to its end although its caller has gone."""


def _finish_alone(walk: _Walk, asked: object) -> None:
    async def finish() -> None:
        step = asked
        try:
            while not walk.dead:
                step = await _step(walk, step)
        except SpelunkeError:  # said to whoever asked, who is not there any more
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
    timer = None if seconds is None else loop.call_later(seconds, _call, called)
    future.add_done_callback(lambda _future: bell.ring(called))
    try:
        await called
    finally:
        if timer is not None:
            timer.cancel()


def _call(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class _Bell:
    """Tells a loop from any thread whose wait is over: once for all that were committed together."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = ref(loop)  # or it would keep the loop, and so itself, for ever
        self._called: deque[asyncio.Future[None]] = deque()
        self._rung = False

    def ring(self, waiting: asyncio.Future[None]) -> None:
        """That one's wait is over."""
        self._called.append(waiting)
        if not self._rung:
            self._rung = True
            with contextlib.suppress(RuntimeError):  # the loop has ended, and all that waited on it
                if (loop := self._loop()) is not None:
                    loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._rung = False  # first: what comes from now on rings again
        while self._called:
            _call(self._called.popleft())


_bells: WeakKeyDictionary[asyncio.AbstractEventLoop, _Bell] = WeakKeyDictionary()
