"""Calls out of turn: the time in which seats may call ends automatically, and the answers are secret."""

from __future__ import annotations

import random
from typing import Any

import pytest

from circle import DAYS, LIVE, Circle
from proof import prove
from spelunke.house.house import House
from spelunke.house.plan import Plan


@pytest.fixture
def circle(house: House) -> Circle:
    return Circle(house)


def sight(circle: Circle, seat: int | None) -> tuple[Any, ...]:
    look = circle.look(seat)
    seats = tuple((s.left_ms, s.ticking, s.ready) for s in look.seats)
    # The view belongs to the game, and so do the tests of its secrets.
    return (look.ply, look.version, look.legal, look.log, look.last, look.actors, look.may, seats)


def test_a_seat_without_an_answer_passes_when_the_window_closes(circle: Circle, clockwork: Any) -> None:
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
    first, *_others = circle.to_window(2)  # with the last answer the window is over, which everybody sees
    watching = [seat for seat in (None, 0, 1, 2, 3) if seat != first]
    clockwork.wait(1)
    before = [sight(circle, seat) for seat in watching]
    assert circle.act(first, "pass").status == "done"
    assert [sight(circle, seat) for seat in watching] == before
    assert circle.moves(first) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["pass", "any ace, any king, hearts, spades, clubs, diamonds, joker"])
def test_standing_orders_answer_for_their_owner_without_others_noticing(
    opener: Any, clockwork: Any, text: str
) -> None:
    circle = Circle(opener(bot_pause=1.0))
    first, *_others = circle.to_window(2)
    watching = [seat for seat in (None, 0, 1, 2, 3) if seat != first]
    before = [sight(circle, seat) for seat in watching]
    assert circle.moves(first) == ["hep", "pass"]
    circle.house.play.set_orders(circle.id, circle.people[first], {"text": text})
    calm = sight(circle, first)
    assert circle.moves(first) == []
    assert first not in circle.look(first).actors
    assert [sight(circle, seat) for seat in watching] == before
    clockwork.wait(0.9)
    assert circle.house.tick() == 0, "the answer comes after the same pause as a bot's"
    assert sight(circle, first)[2:4] == calm[2:4]
    clockwork.wait(0.2)
    assert circle.house.tick() == 1
    assert [seat for seat, _tied in circle.calls()] == ([] if text == "pass" else [first])
    assert circle.moves(first) == []


def test_standing_orders_without_an_answer_leave_the_choice_to_their_owner(circle: Circle) -> None:
    first, *_others = circle.to_window(2)
    circle.house.play.set_orders(circle.id, circle.people[first], {"text": "at most 2"})
    assert circle.moves(first) == ["hep", "pass"]
    assert first in circle.look(first).actors
    circle.house.tick()
    assert circle.moves(first) == ["hep", "pass"]


def test_calls_in_any_order_from_one_look_all_count(circle: Circle) -> None:
    calling = circle.to_window(2)
    plies = {seat: circle.look(seat).ply for seat in calling}
    for number, seat in enumerate(reversed(calling)):
        answer = circle.house.play.act(
            circle.id, circle.people[seat], "hep", plies[seat], f"call-{number:04d}"
        )
        assert answer.status == "done"
    assert [seat for seat, _tied in circle.calls()] == calling[::-1]


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
    assert circle.calls() == [(calling[0], False)]


def test_a_game_with_windows_goes_on_and_replays(circle: Circle, clockwork: Any) -> None:
    for _ in range(12):
        circle.to_window()
        clockwork.wait(30)
        circle.house.tick()
    for number, person in enumerate(circle.people[:3]):
        circle.house.play.resign(circle.id, person, f"resign-{number}")
    prove(circle.house.replays.record(circle.id))


def pause_of(circle: Circle, seat: int | None) -> tuple[int | None, int | None]:
    look = circle.look(seat, 10**6)
    return look.pause_ms, look.pause_left_ms


def test_everybody_sees_the_same_time_left_whoever_has_answered(circle: Circle, clockwork: Any) -> None:
    first, *others = circle.to_window()
    viewers = (None, 0, 1, 2, 3)
    assert {pause_of(circle, seat) for seat in viewers} == {(5000, 5000)}
    clockwork.wait(1.5)
    assert {pause_of(circle, seat) for seat in viewers} == {(5000, 3500)}
    circle.act(first, "pass")
    assert {pause_of(circle, seat) for seat in viewers} == {(5000, 3500)}
    for seat in others:  # nobody is waited for any more, and the time must not show it
        circle.act(seat, "pass")
    clockwork.wait(2.25)
    assert {pause_of(circle, seat) for seat in viewers} == {(5000, 1250)}
    clockwork.wait(9)
    assert {pause_of(circle, seat) for seat in viewers} == {(5000, 0)}
    turn = next(seat for seat in range(4) if "stock" in circle.moves(seat))
    circle.act(turn, "stock")
    assert {pause_of(circle, seat) for seat in viewers} == {(None, None)}


def test_the_time_left_outlives_a_worker(opener: Any, clockwork: Any) -> None:
    house = opener()
    circle = Circle(house)
    first, *_others = circle.to_window()
    clockwork.wait(1)
    circle.act(first, "hep")
    house.close()
    circle.house = opener()
    clockwork.wait(1)
    assert pause_of(circle, None) == pause_of(circle, first) == (5000, 3000)


def test_nobody_waits_by_the_clock_at_a_table_over_days(house: House) -> None:
    circle = Circle(house, DAYS)
    circle.to_window()
    assert pause_of(circle, 0) == pause_of(circle, None) == (None, None)


class Caller:
    """A bot that calls for a discard whenever it can."""

    def choose(self, view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        words = {type(action).__name__: action for action in legal}
        for word in ("Hep", "Stock", "Take", "Wait"):
            if word in words:
                return next(action for action in legal if type(action).__name__ == word)
        return legal[0]


@pytest.mark.parametrize("tie_ms", [150, 0])
def test_calls_of_bots_and_of_standing_orders_count_as_they_arrive(
    opener: Any, clockwork: Any, tie_ms: int
) -> None:
    house = opener(bots=lambda _game, _level: Caller())
    people = [house.people.create(name).id for name in ("Anna", "Ben", "Cleo", "Dora", "Emil")]
    options = {"hep_tie_ms": tie_ms, "hep_seconds": 12, "hep_limit": 5}
    seats = ("me", "open", "open", "open", "open")
    table = house.lobby.create(people[0], Plan(game="sanghai", seats=seats, options=options, clock=LIVE))
    for number, person in enumerate(people):
        if number:
            house.lobby.join(table, person)
        house.lobby.add_nonce(table, person, f"nonce{number}")
    rng = random.Random(5)
    keys = iter(f"key-{n:06d}" for n in range(1000))

    def look(seat: int) -> Any:
        return house.looks.look(table, people[seat], since=10**6)

    def act(seat: int, move: str) -> None:
        house.play.act(table, people[seat], move, look(seat).ply, next(keys))

    while not any("hep" in dict(map(reversed, look(seat).legal)) for seat in range(5)):
        seat = next(seat for seat in range(5) if look(seat).legal)
        act(seat, rng.choice(look(seat).legal)[1])
    callers = [seat for seat in range(5) if any(text == "hep" for _, text in look(seat).legal)]
    assert len(callers) == 3
    by_orders, by_bot, by_hand = callers
    house.play.set_orders(table, people[by_orders], {"text": "spades, hearts, diamonds, clubs, jokers"})
    house.play.stand_in(table, people[by_bot])
    house.tick()
    clockwork.wait(0.1)
    act(by_hand, "hep")
    calls = [
        line.event for line in house.looks.look(table, None).log if type(line.event).__name__ == "Called"
    ]
    assert {call.seat for call in calls} == set(callers)
    assert [call.tied for call in calls] == ([False, True, True] if tie_ms else [False, True, False])


def clock_of(circle: Circle, seat: int) -> tuple[int, bool]:
    """Return the seat's time left and whether its clock runs. Check that all viewers see the same."""
    found = {
        (look.seats[seat].left_ms, look.seats[seat].ticking)
        for look in (circle.look(viewer, 10**6) for viewer in (None, *circle.seats))
    }
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize("early", [False, True])
def test_the_clock_of_the_next_player_starts_when_the_window_is_over(
    circle: Circle, clockwork: Any, early: bool
) -> None:
    calling = circle.to_window()
    turn = next(seat for seat in circle.seats if "take" in circle.moves(seat))
    bank = circle.house._tables._slots[circle.id].table.clocks.bank[turn]  # type: ignore[union-attr]
    assert clock_of(circle, turn) == (bank + 5000, True)
    clockwork.wait(2)
    if early:  # the clock must not show that all have answered
        circle.act(turn, "wait")
        for seat in calling:
            circle.act(seat, "pass")
    assert clock_of(circle, turn) == (bank + 3000, True)
    clockwork.wait(3)
    circle.house.tick()
    assert clock_of(circle, turn) == (bank, True)
    clockwork.wait(4)
    assert clock_of(circle, turn) == (bank - 4000, True)
    circle.act(turn, "stock")
    clockwork.wait(1)
    assert clock_of(circle, turn) == (bank - 5000, True)


def test_a_player_who_takes_the_card_within_the_window_loses_no_time(circle: Circle, clockwork: Any) -> None:
    circle.to_window()
    turn = next(seat for seat in circle.seats if "take" in circle.moves(seat))
    left, _ = clock_of(circle, turn)
    clockwork.wait(2)
    circle.act(turn, "take")
    assert clock_of(circle, turn) == (left - 5000, True)
    clockwork.wait(1)
    assert clock_of(circle, turn) == (left - 6000, True)


def test_without_a_call_time_the_next_players_clock_runs_until_the_wait(house: House, clockwork: Any) -> None:
    circle = Circle(house, options={"hep_seconds": 0})
    circle.to_window()
    turn = next(seat for seat in circle.seats if "take" in circle.moves(seat))
    left = circle.look(turn).seats[turn].left_ms
    clockwork.wait(2)
    assert circle.look(turn).seats[turn].left_ms == left - 2000
    circle.act(turn, "wait")
    clockwork.wait(2)
    assert circle.look(turn).seats[turn].left_ms >= left - 2000
    assert not circle.look(turn).seats[turn].ticking
