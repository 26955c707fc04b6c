"""What waits on an event loop lets others go on, and comes to its end whoever has gone meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

import pytest

from spelunke.house.turnstile import Turnstile
from spelunke.house.waiting import call_away, run, wait
from waiting import PATIENCE

WORD: ContextVar[str] = ContextVar("word", default="outside")


async def until(ask: Callable[[], bool]) -> None:
    while not ask():  # noqa: ASYNC110  # what is waited for happens in threads too
        await asyncio.sleep(0.001)


def in_loop(scene: Awaitable[Any]) -> Any:
    async def bounded() -> Any:
        return await asyncio.wait_for(scene, PATIENCE)

    return asyncio.run(bounded())


def test_a_thread_waits_for_the_result_and_gets_its_error() -> None:
    done: Future[int] = Future()
    done.set_result(3)
    assert wait(done) == 3
    failed: Future[int] = Future()
    failed.set_exception(KeyError("gone"))
    with pytest.raises(KeyError, match="gone"):
        wait(failed)
    with pytest.raises(TimeoutError):
        wait(Future(), 0.001)
    assert call_away(threading.get_ident) == threading.get_ident()


def test_two_wait_on_the_loop_at_once_and_are_called_by_a_thread() -> None:
    futures: list[Future[int]] = [Future(), Future()]
    log: list[object] = []

    def walk(number: int) -> int:
        log.append(("begins", number))
        found = wait(futures[number])
        log.append(("ends", number))
        return found + number

    async def scene() -> list[int]:
        both = [asyncio.ensure_future(run(walk, number)) for number in (0, 1)]
        await until(lambda: len(log) == 2)

        def settle() -> None:
            for number, future in enumerate(futures):
                future.set_result(10 * number)

        await asyncio.to_thread(settle)
        return await asyncio.gather(*both)

    assert in_loop(scene()) == [0, 11]
    assert log == [("begins", 0), ("begins", 1), ("ends", 0), ("ends", 1)]


def test_what_it_raises_comes_out_and_a_wait_that_is_too_long_ends() -> None:
    def fail() -> None:
        wait(Future(), 0.001)

    with pytest.raises(TimeoutError):
        in_loop(run(fail))

    def survive() -> str:
        try:
            wait(Future(), 0.001)
        except TimeoutError:
            return "gave up"
        return "went on"

    assert in_loop(run(survive)) == "gave up"


def test_long_reading_is_done_beside_the_loop_and_its_error_is_the_callers() -> None:
    def read() -> tuple[int, int]:
        return threading.get_ident(), call_away(threading.get_ident)

    here, there = in_loop(run(read))
    assert here == threading.get_ident() != there

    def broken() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        in_loop(run(call_away, broken))


def test_what_it_sets_for_itself_stays_its_own() -> None:
    def speak() -> str:
        before = WORD.get()
        WORD.set("inside")
        return before

    async def scene() -> tuple[str, str]:
        WORD.set("asked")
        return await run(speak), WORD.get()

    assert in_loop(scene()) == ("asked", "asked")


@pytest.mark.parametrize("away", [False, True])
def test_who_goes_away_leaves_nothing_half_done(away: bool) -> None:
    ended = threading.Event()
    stored: Future[int] = Future()
    reading, read = threading.Event(), threading.Event()
    reads: list[int] = []

    def read_once() -> None:
        reads.append(1)
        reading.set()
        assert read.wait(PATIENCE)

    def walk() -> None:
        if away:
            call_away(read_once)
        wait(stored)
        ended.set()

    async def scene() -> None:
        asked = asyncio.ensure_future(run(walk))
        await asyncio.sleep(0)
        if away:
            await asyncio.to_thread(reading.wait, PATIENCE)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert not ended.is_set()
        read.set()
        stored.set_result(1)
        await until(ended.is_set)

    in_loop(scene())
    assert len(reads) == away


def test_a_door_lets_those_of_one_loop_and_of_threads_through_one_by_one() -> None:
    door = Turnstile()
    came: list[str] = []
    stored: Future[None] = Future()
    inside: list[str] = []

    def pass_through(name: str) -> None:
        with door, door:
            inside.append(name)
            assert len(inside) == 1
            wait(stored)
            came.append(name)
            inside.remove(name)

    async def scene() -> None:
        walks = [asyncio.ensure_future(run(pass_through, f"walk {number}")) for number in (1, 2)]
        await until(lambda: door.waiting == 1)
        thread = threading.Thread(target=pass_through, args=("thread",))
        thread.start()
        await until(lambda: door.waiting == 2)
        walks.append(asyncio.ensure_future(run(pass_through, "walk 3")))
        await until(lambda: door.waiting == 3)
        stored.set_result(None)
        await asyncio.gather(*walks)
        await asyncio.to_thread(thread.join, PATIENCE)

    in_loop(scene())
    assert came == ["walk 1", "walk 2", "thread", "walk 3"]


def test_a_loop_says_so_instead_of_standing_still_for_itself() -> None:
    door = Turnstile()
    stored: Future[None] = Future()

    def hold() -> None:
        with door:
            wait(stored)

    async def scene() -> None:
        held = asyncio.ensure_future(run(hold))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="an event loop must not wait for a table"), door:
            pass
        stored.set_result(None)
        await held

    in_loop(scene())
    with door:
        assert door.waiting == 0
