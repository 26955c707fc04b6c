"""Calls by three or more seats for one discard all count, in any order, and the time for calls ends."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from circle import Circle
from empty_house import lay_tables
from spelunke.house.house import House

SECONDS = 5


@pytest.fixture
def database(tmp_path: Any) -> str:
    """Return the address of an SQLite database. PostgreSQL is not needed: the table in memory decides on calls."""
    return lay_tables(tmp_path / "house.sqlite3")


def sit_down(house: House, seats: int, tie_ms: int) -> Circle:
    return Circle(house, seats=seats, options={"hep_seconds": SECONDS, "hep_tie_ms": tie_ms})


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
@pytest.mark.parametrize("tie_ms", [0, 150])
def test_three_calls_from_one_look_all_count_in_every_order(
    house: House, clockwork: Any, order: tuple[int, ...], tie_ms: int
) -> None:
    circle = sit_down(house, 5, tie_ms)
    calling = circle.to_window(3)
    plies = {seat: circle.ply(seat) for seat in calling}
    for number in order:
        clockwork.wait(0.1)
        assert circle.act(calling[number], "hep", plies[calling[number]]).status == "done"
    tied = [False, tie_ms == 150, False]  # 0.1 and 0.2 seconds after the first
    assert circle.calls() == [(calling[number], tied[k]) for k, number in enumerate(order)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", list(itertools.product(("hep", "pass"), repeat=3)), ids="-".join)
def test_a_call_or_a_pass_is_never_stale_because_others_called(
    house: House, clockwork: Any, words: tuple[str, ...]
) -> None:
    circle = sit_down(house, 5, 0)
    calling = circle.to_window(3)
    plies = {seat: circle.ply(seat) for seat in calling}
    for seat, word in zip(calling, words, strict=True):
        clockwork.wait(0.1)
        assert circle.act(seat, word, plies[seat]).status == "done"
    assert [seat for seat, _ in circle.calls()] == [
        seat for seat, word in zip(calling, words, strict=True) if word == "hep"
    ]


def test_the_window_is_as_long_for_the_last_as_for_the_first(house: House, clockwork: Any) -> None:
    circle = sit_down(house, 6, 150)
    first, second, third, fourth = circle.to_window(4)
    clockwork.wait(2)
    circle.act(first, "hep")
    clockwork.wait(1)
    circle.act(second, "hep")  # too late for a tie
    clockwork.wait(1)
    circle.act(third, "hep")
    clockwork.wait(SECONDS - 4 - 0.1)
    assert circle.house.tick() == 0
    assert circle.calling() == [fourth]
    clockwork.wait(0.2)
    assert circle.look(fourth).pause_left_ms == 0
    assert circle.house.tick() == 1
    assert circle.calling() == []


def test_a_new_call_does_not_restart_the_pause_of_bots_and_orders(opener: Any, clockwork: Any) -> None:
    house = opener(bot_pause=1.0)
    circle = sit_down(house, 6, 150)
    first, second, third, fourth = circle.to_window(4)
    house.play.set_orders(circle.id, circle.people[third], {"text": "pass"})
    house.play.stand_in(circle.id, circle.people[fourth])
    clockwork.wait(0.4)
    circle.act(first, "hep")
    clockwork.wait(0.4)
    circle.act(second, "hep")
    clockwork.wait(0.3)
    assert house.tick() == 2
    assert circle.calling() == []
