"""People get equal shares of the bots' time, and a table where somebody waits comes before one where nobody does."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from empty_house import lay_tables
from spelunke.core.bot import AnyBot
from spelunke.core.values import Action, Stream, View
from spelunke.games.game import Game
from spelunke.house.hosting.health import BOTS_LATE_MS
from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.house.table import Task
from spelunke.house.work.fair_queue import LATELY_MS, PATIENCE_MS, FairQueue, Rank, Taken
from waiting import PATIENCE, wait_until

AWAITED, ALONE, SHORT = Rank.AWAITED, Rank.ALONE, Rank.SHORT


class Clock:
    """A time that tests move: milliseconds for deadlines, seconds for work."""

    def __init__(self) -> None:
        self.ms = 0
        self.s = 0.0

    def queue(self) -> FairQueue:
        return FairQueue(lambda: self.ms, lambda: self.s)


def task(table: str, at: int = 0, kind: str = "bot") -> Task:
    return Task(table, kind, 1, at, 1, at + 10_000)


def serve(queue: FairQueue, clock: Clock, seconds: float = 1.0) -> str:
    """Do one task, which takes ``seconds``; return its table."""
    taken = queue.take()
    assert taken is not None
    clock.s += seconds
    queue.finish(taken)
    return taken.task.table_id


def test_a_person_with_a_hundred_tables_delays_another_by_one_task() -> None:
    clock = Clock()
    queue = clock.queue()
    for n in range(100):
        queue.put(task(f"greedy {n}"), AWAITED, "greedy")
    for _ in range(7):
        serve(queue, clock)
    queue.put(task("modest"), AWAITED, "modest")
    assert "modest" in {serve(queue, clock), serve(queue, clock)}


def test_people_get_equal_time_and_not_equal_numbers_of_tasks() -> None:
    clock = Clock()
    queue = clock.queue()
    for n in range(60):
        queue.put(task(f"slow {n}"), AWAITED, "slow")
        queue.put(task(f"quick {n}"), AWAITED, "quick")
    had = {"slow": 0.0, "quick": 0.0}
    for _ in range(60):
        taken = queue.take()
        assert taken is not None
        took = 3.0 if taken.person == "slow" else 0.5
        clock.s += took
        had[taken.person] += took
        queue.finish(taken)
    assert abs(had["slow"] - had["quick"]) <= 3.5, "apart by a task of each at most"


def test_one_person_uses_only_one_of_two_threads_while_others_play() -> None:
    clock = Clock()
    queue = FairQueue(lambda: clock.ms, lambda: clock.s, threads=2)
    for n in range(9):
        queue.put(task(f"greedy {n}"), AWAITED, "greedy")
    first, second = queue.take(), queue.take()
    assert first is not None
    assert second is not None, "nobody else is there"
    queue.put(task("modest"), AWAITED, "modest")
    queue.finish(second)
    assert serve(queue, clock) == "modest"
    assert queue.take() is None, "the second thread waits for whom it may be begun at once"
    clock.ms = LATELY_MS + 1
    assert queue.take() is not None, "the other has gone"


def test_short_tasks_come_first_then_tables_where_somebody_waits() -> None:
    clock = Clock()
    queue = clock.queue()
    queue.put(task("alone"), ALONE, "anna")
    queue.put(task("awaited"), AWAITED, "bert")
    queue.put(task("late clock", 20, "clock"), SHORT, "")
    queue.put(task("clock", 10, "clock"), SHORT, "")
    assert [serve(queue, clock) for _ in range(4)] == ["clock", "late clock", "awaited", "alone"]
    assert queue.take() is None


def test_a_table_where_nobody_waits_is_served_at_last() -> None:
    clock = Clock()
    queue = clock.queue()
    queue.put(task("alone"), ALONE, "anna")
    for n in range(30):
        queue.put(task(f"awaited {n}"), AWAITED, "bert")
    assert serve(queue, clock).startswith("awaited")
    clock.ms = PATIENCE_MS + 1
    assert "alone" in {serve(queue, clock), serve(queue, clock)}


def test_the_delay_of_bots_counts_only_tables_where_people_wait() -> None:
    clock = Clock()
    queue = clock.queue()
    queue.put(task("alone", 0), ALONE, "anna")
    queue.put(task("awaited", 2_000), AWAITED, "anna")
    clock.ms = 7_000
    assert queue.late_ms() == 5_000
    serve(queue, clock)
    assert queue.late_ms() == 0


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine may generate examples slowly
@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from((AWAITED, ALONE)), st.integers(1, 5)), max_size=60),
    st.data(),
)
def test_each_task_in_the_queue_is_taken_once(
    threads: int, puts: list[tuple[int, Rank, int]], data: st.DataObject
) -> None:
    clock = Clock()
    queue = FairQueue(lambda: clock.ms, lambda: clock.s, threads=threads)
    done: list[str] = []
    working: list[Taken] = []

    def begin() -> bool:
        found = queue.take() if len(working) < threads else None
        working.extend([] if found is None else [found])
        return found is not None

    def end(seconds: int) -> None:
        clock.s += seconds
        clock.ms += 1000 * seconds
        found = working.pop(0)
        done.append(found.task.table_id)
        queue.finish(found)

    for n, (person, rank, seconds) in enumerate(puts):
        queue.put(task(str(n), clock.ms), rank, f"person {person}")
        if data.draw(st.booleans()):
            begin()
        if working and data.draw(st.booleans()):
            end(seconds)
    while begin() or working:
        if working and not (len(working) < threads and begin()):
            end(1)
    assert sorted(done, key=int) == [str(n) for n in range(len(puts))]
    assert queue._shares == {}, "nothing is kept of people who have nothing to do"


def test_health_knows_how_late_bots_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = open_house(lay_tables(tmp_path / "house.sqlite3"), timers=False)
    with contextlib.closing(house):
        for late, status in ((BOTS_LATE_MS, "ok"), (BOTS_LATE_MS + 1, "degraded")):
            monkeypatch.setattr(FairQueue, "late_ms", lambda queue, late=late: late)
            found = house.health()
            assert (found.bots_late_ms, found.status) == (late, status)
            assert any("for their bots" in problem for problem in found.problems) == (status == "degraded")


class Held:
    """A bot that answers when the test allows it."""

    def __init__(self) -> None:
        self.may = threading.Semaphore(0)
        self.asked = 0

    def seat(self, _game: Game, _level: str) -> AnyBot:
        return self

    def choose(self, _view: View, legal: Sequence[Action], _stream: Stream) -> Action:
        self.asked += 1
        assert self.may.acquire(timeout=PATIENCE)
        return legal[0]


def test_a_guest_with_many_tables_does_not_block_a_guest_with_one(tmp_path: Path) -> None:
    held, many = Held(), 12
    house = open_house(
        lay_tables(tmp_path / "house.sqlite3"), bot_pause=0, nonce_wait=0, bot_threads=1, bots=held.seat
    )
    try:
        plan = Plan(
            game="shanghaien", seats=("me", "bot:deckhand"), options={"first_starter": "1"}, listed=False
        )

        def sit(person: str) -> str:
            table = house.lobby.create(person, plan)
            house.lobby.add_nonce(table, person, "share")
            return table

        greedy, modest = (house.people.create(name).id for name in ("Greedy", "Modest"))
        sit(greedy)
        wait_until(lambda: held.asked == 1)
        for _ in range(many - 1):
            sit(greedy)
        table = sit(modest)
        wait_until(lambda: house.looks.look(table).status == "playing")
        begun = house.looks.look(table).ply
        answers = 0

        def answered() -> bool:
            return house.looks.look(table).ply >= begun + 3  # the bot's roll, its dice, its choice

        while not answered():
            answers += 1
            asked = held.asked
            held.may.release()
            wait_until(lambda asked=asked: held.asked > asked or answered())
        assert answers <= 4, "of which the greedy player's tables have no more than half"
    finally:
        held.may.release(1000)
        house.close()
