"""Calls out of turn: windows that close by themselves, and who may notice what of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from spelunke.house.house import House
from spelunke.house.plan import Clock, Plan
from spelunke.records.replay import replay

LIVE = Clock(kind="live", minutes=10, increment=5)


class Circle:
    """Four people at a table of Sanghai."""

    def __init__(self, house: House, clock: Clock = LIVE) -> None:
        self.house = house
        self.people = [house.create_guest(name).id for name in ("Anna", "Ben", "Cleo", "Dora")]
        plan = Plan(game="sanghai", seats=("me", "open", "open", "open"), clock=clock)
        self.id = house.create_table(self.people[0], plan)
        for number, person in enumerate(self.people):
            if number:
                house.join(self.id, person)
            house.add_nonce(self.id, person, f"nonce{number}")
        self.keys = 0
        self.chooser = random.Random(3)

    def look(self, seat: int | None, since: int = 0) -> Any:
        return self.house.look(self.id, None if seat is None else self.people[seat], since=since)

    def act(self, seat: int, move: str) -> Any:
        self.keys += 1
        ply = self.look(seat, 10**6).ply
        return self.house.act(self.id, self.people[seat], move, ply, f"key-{self.keys:06d}")

    def moves(self, seat: int) -> list[str]:
        return [move for _, move in self.look(seat, 10**6).legal]

    def to_window(self) -> list[int]:
        """Play on to the next window; returns the seats that may call."""
        for _ in range(200):
            calling = [seat for seat in range(4) if "hep" in self.moves(seat)]
            if calling:
                return calling
            seat = next(seat for seat in range(4) if self.moves(seat))
            self.act(seat, self.chooser.choice(self.moves(seat)))
        pytest.fail("no window opened")


@pytest.fixture
def circle(house: House) -> Circle:
    return Circle(house)


def sight(circle: Circle, seat: int | None) -> tuple[Any, ...]:
    look = circle.look(seat)
    seats = tuple((s.left_ms, s.ticking, s.ready) for s in look.seats)
    # The view is the game's own, and so are the tests of its secrets.
    return (look.ply, look.version, look.legal, look.log, look.last, look.actors, look.may, seats)


def test_silence_is_an_answer_when_the_window_closes(circle: Circle, clockwork: Any) -> None:
    calling = circle.to_window()
    assert circle.house.tick() == 0
    clockwork.wait(circle.look(None).options["hep_seconds"] - 0.1)
    assert circle.house.tick() == 0
    assert [seat for seat in range(4) if "hep" in circle.moves(seat)] == calling
    clockwork.wait(0.2)
    assert circle.house.tick() == 1
    assert [seat for seat in range(4) if "hep" in circle.moves(seat)] == []
    assert circle.look(None).status == "playing"


def test_nobody_notices_who_passes(circle: Circle, clockwork: Any) -> None:
    first, *others = circle.to_window()
    watching = [seat for seat in (None, 0, 1, 2, 3) if seat != first]
    clockwork.wait(1)
    before = [sight(circle, seat) for seat in watching]
    assert circle.act(first, "pass").status == "done"
    after = [sight(circle, seat) for seat in watching]
    if others:  # with the last answer the window is over, which everybody sees
        assert after == before
    assert circle.moves(first) == []


def test_calls_in_any_order_from_one_look_all_count(circle: Circle) -> None:
    calling = circle.to_window()
    plies = {seat: circle.look(seat).ply for seat in calling}
    for number, seat in enumerate(reversed(calling)):
        answer = circle.house.act(circle.id, circle.people[seat], "hep", plies[seat], f"call-{number:04d}")
        assert answer.status == "done"


def test_a_worker_that_dies_in_a_window_loses_no_call(opener: Any, clockwork: Any) -> None:
    house = opener()
    circle = Circle(house)
    calling = circle.to_window()
    circle.act(calling[0], "hep")
    house.close()
    circle.house = opener()
    clockwork.wait(60)
    assert circle.house.tick() >= 1
    assert [seat for seat in range(4) if "hep" in circle.moves(seat)] == []
    assert circle.look(calling[0]).status == "playing"


def test_a_game_with_windows_goes_on_and_replays(circle: Circle, clockwork: Any) -> None:
    for _ in range(12):
        circle.to_window()
        clockwork.wait(30)
        circle.house.tick()
    for number, person in enumerate(circle.people[:3]):
        circle.house.resign(circle.id, person, f"resign-{number}")
    replay(circle.house.record(circle.id))
