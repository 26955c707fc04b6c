"""A call for a discard counts from its arrival at the house, even if the table is busy then."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from circle import Circle
from empty_house import lay_tables
from spelunke.house.store.turnstile import Turnstile
from waiting import wait_until

SEATS = 6
PATIENCE = 60


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Return the address of an SQLite database. PostgreSQL is not needed: calls wait before they reach the database."""
    return lay_tables(tmp_path / "house.sqlite3")


class Busy:
    """A house whose commits wait until the test allows them."""

    def __init__(self, opener: Callable[..., Any]) -> None:
        self.house = opener()
        self._commit = self.house._tables.commit
        self.house._tables.commit = self._wait_and_commit
        self._free = threading.Event()
        self._free.set()
        self._writing = threading.Event()
        self._threads: list[threading.Thread] = []
        self.refused: list[BaseException] = []

    def _wait_and_commit(self, *args: Any, **given: Any) -> Any:
        self._writing.set()
        assert self._free.wait(PATIENCE)
        return self._commit(*args, **given)

    def send(self, table: str, call: Callable[[], Any]) -> None:
        """Start ``call`` in a new thread, and return before it ends.

        The first call then waits in its commit. Later calls wait until the first call leaves the table.
        """

        def run() -> None:
            try:
                call()
            except BaseException as error:
                self.refused.append(error)
                raise

        if self._free.is_set():
            self._free.clear()
            self._writing.clear()
        thread = threading.Thread(target=run)
        thread.start()
        assert self._writing.wait(PATIENCE)
        door = self.house._tables._slots[table].lock
        wait_until(lambda: door.waiting >= len(self._threads))
        self._threads.append(thread)

    def finish(self) -> None:
        """Let all calls complete."""
        self._free.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert self.refused == []


def call_from(circle: Circle, seat: int, ply: int) -> Callable[[], Any]:
    def call() -> None:
        done = circle.house.play.act(circle.id, circle.people[seat], "hep", ply, f"a-call-of-{seat}")
        assert done.status == "done"

    return call


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
@pytest.mark.parametrize("tie_ms", [0, 150])
def test_calls_during_a_slow_commit_count_from_their_arrival(
    opener: Any, clockwork: Any, order: tuple[int, ...], tie_ms: int
) -> None:
    busy = Busy(opener)
    circle = Circle(busy.house, seats=SEATS, options={"hep_seconds": 12, "hep_tie_ms": tie_ms})
    calling = circle.to_window(4)
    plies = {seat: circle.ply(seat) for seat in calling}
    callers = [calling[3], *(calling[number] for number in order)]
    for seat in callers:  # 0, 100, 200 and 300 milliseconds after the first
        busy.send(circle.id, call_from(circle, seat, plies[seat]))
        clockwork.wait(0.1)
    clockwork.wait(2)
    busy.finish()
    tied = [False, tie_ms == 150, False, False]
    assert circle.calls() == list(zip(callers, tied, strict=True))


def test_a_call_counts_from_its_arrival_although_another_worker_committed_first(
    opener: Any, clockwork: Any
) -> None:
    busy, there = Busy(opener), opener()
    circle = Circle(busy.house, seats=SEATS, options={"hep_seconds": 12, "hep_tie_ms": 150})
    slow, quick, *_ = circle.to_window(4)
    ply = circle.ply(slow)
    busy.send(circle.id, call_from(circle, slow, ply))
    clockwork.wait(0.1)
    assert there.play.act(circle.id, circle.people[quick], "hep", ply, "a-quick-call").status == "done"
    clockwork.wait(3)
    busy.finish()
    assert circle.calls() == [(quick, False), (slow, True)]


def test_a_call_in_time_counts_although_the_table_was_busy(opener: Any, clockwork: Any) -> None:
    busy = Busy(opener)
    circle = Circle(busy.house, seats=SEATS, options={"hep_seconds": 5})
    first, second, *_ = circle.to_window(4)
    plies = {seat: circle.ply(seat) for seat in circle.seats}
    clockwork.wait(4.8)
    busy.send(circle.id, call_from(circle, first, plies[first]))
    clockwork.wait(0.1)
    busy.send(circle.id, call_from(circle, second, plies[second]))
    clockwork.wait(1)
    busy.send(circle.id, busy.house.tick)  # the window is to close
    busy.finish()
    assert circle.calls() == [(first, False), (second, True)]
    assert circle.calling() == []


def test_a_turnstile_lets_threads_through_in_order_of_arrival() -> None:
    door = Turnstile()
    came: list[int] = []
    waiting = []
    with door, door:  # its holder may pass again
        for number in range(12):

            def pass_through(number: int = number) -> None:
                with door:
                    came.append(number)
                    with door:
                        time.sleep(0.001)

            thread = threading.Thread(target=pass_through)
            thread.start()
            waiting.append(thread)
            wait_until(lambda number=number: door.waiting == number + 1)
        assert came == []
    for thread in waiting:
        thread.join(PATIENCE)
    assert came == list(range(12))
    assert door.waiting == 0


def test_a_turnstile_is_free_again_after_an_error() -> None:
    door = Turnstile()
    with pytest.raises(KeyError), door:
        raise KeyError
    entered = threading.Event()

    def enter() -> None:
        with door:
            entered.set()

    threading.Thread(target=enter).start()
    assert entered.wait(PATIENCE)


def test_nobody_is_offered_to_call_at_the_same_time_as_another(opener: Any) -> None:
    circle = Circle(opener(), seats=5)
    first, second = circle.to_window(2)[:2]
    circle.act(first, "hep")
    assert circle.moves(second) == ["hep", "pass"]
