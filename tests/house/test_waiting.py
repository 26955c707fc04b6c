"""A function that waits on an event loop lets other tasks run, and runs to its end even if its caller is cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

import anyio.to_thread
import pytest
from structlog.testing import capture_logs

from spelunke.core.errors import BadInput
from spelunke.house.store.turnstile import Turnstile
from spelunke.house.store.waiting import call_away, run, wait
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


def test_two_functions_can_wait_on_one_event_loop_at_once() -> None:
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


def test_a_wait_that_is_too_long_raises_a_timeout() -> None:
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


def test_long_reads_run_in_a_thread_and_pass_errors_to_the_caller() -> None:
    def read() -> tuple[int, int]:
        return threading.get_ident(), call_away(threading.get_ident)

    here, there = in_loop(run(read))
    assert here == threading.get_ident() != there

    def broken() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        in_loop(run(call_away, broken))


def test_a_table_can_be_read_while_all_threads_wait_for_the_table() -> None:
    """A table can be read even if all threads of the event loop's pool wait in the queue of the table."""
    door = Turnstile()
    full = threading.Event()

    def read() -> str:
        with door:
            wait_for_line()
            return call_away(lambda: "read")

    line: Future[None] = Future()

    def wait_for_line() -> None:
        full.set()
        wait(line)

    def stand_in_line() -> None:
        with door:
            pass

    async def scene() -> str:
        limiter = anyio.to_thread.current_default_thread_limiter()
        reading = asyncio.ensure_future(run(read))
        await until(full.is_set)
        many = int(limiter.total_tokens)
        waiting = [
            asyncio.ensure_future(anyio.to_thread.run_sync(stand_in_line, abandon_on_cancel=True))
            for _ in range(many)
        ]
        await until(lambda: door.waiting == many)
        line.set_result(None)
        found = await reading
        await asyncio.gather(*waiting)
        return found

    assert in_loop(scene()) == "read"


def test_a_failure_after_the_caller_has_gone_is_logged() -> None:
    stored: Future[None] = Future()
    refused, broken = threading.Event(), threading.Event()

    def refuse() -> None:
        wait(stored)
        refused.set()
        raise BadInput("nobody hears this")

    def break_down() -> None:
        wait(stored)
        broken.set()
        raise KeyError("a mistake")

    async def scene() -> None:
        for walk in (refuse, break_down):
            asked = asyncio.ensure_future(run(walk))
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
        stored.set_result(None)
        await until(lambda: refused.is_set() and broken.is_set() and bool(logs))

    with capture_logs() as logs:
        in_loop(scene())
    assert [line["error"] for line in logs] == ["KeyError('a mistake')"]


def test_a_function_on_the_loop_does_not_change_its_callers_context() -> None:
    def speak() -> str:
        before = WORD.get()
        WORD.set("inside")
        return before

    async def scene() -> tuple[str, str]:
        WORD.set("asked")
        return await run(speak), WORD.get()

    assert in_loop(scene()) == ("asked", "asked")


@pytest.mark.parametrize("away", [False, True])
def test_a_function_runs_to_its_end_after_its_caller_was_cancelled(away: bool) -> None:
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


def test_a_turnstile_lets_loop_functions_and_threads_through_one_by_one() -> None:
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


def test_an_event_loop_raises_an_error_instead_of_blocking_itself() -> None:
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


def test_an_event_loop_cannot_queue_behind_a_function_of_its_own() -> None:
    """While a function of an event loop waits for a table, other code of this loop must not wait for the same table.

    Such code gets an error. Otherwise it would block the loop, and only the loop can continue the waiting function.
    """
    door = Turnstile()
    held, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with door:
            held.set()
            assert enough.wait(PATIENCE)

    def pass_through() -> None:
        with door:
            pass

    async def scene() -> None:
        thread = threading.Thread(target=hold)
        thread.start()
        await until(held.is_set)
        walk = asyncio.ensure_future(run(pass_through))
        await until(lambda: door.waiting == 1)
        with pytest.raises(RuntimeError, match="an event loop must not wait for a table"), door:
            pass
        enough.set()
        await walk
        await asyncio.to_thread(thread.join, PATIENCE)

    in_loop(scene())
