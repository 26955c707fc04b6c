"""While seats may call for a discard, other viewers get the same bytes, whether a seat has already answered or not."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from circle import DAYS, LIVE, Circle
from spelunke.house.house import House, open_house
from spelunke.house.plan import Clock

TABLES: tuple[tuple[Clock, dict[str, Any]], ...] = (
    (LIVE, {"hep_seconds": 5}),
    (LIVE, {"hep_seconds": 0}),
    (LIVE, {"hep_seconds": 0, "hep_window": "sequenced"}),
    (LIVE, {"hep_seconds": 5, "hep_window": "sequenced"}),
    (DAYS, {}),
    (DAYS, {"hep_window": "sequenced"}),
    (DAYS, {"hep_priority": "seat_order"}),
    (Clock(kind="none"), {"hep_window": "sequenced"}),
)
Worlds = Callable[[Clock, dict[str, Any]], "tuple[Circle, Circle, list[int]]"]


def name(value: Any) -> str:
    """Return the name of a parameter (a clock, options or a kind of answer) for the name of a test."""
    return str(getattr(value, "kind", value))


class Time:
    """Seconds since 1970 that pass only when the test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def open_at(path: Path) -> House:
    return open_house(
        f"sqlite:///{path}", timers=False, clock=Time(), bot_pause=0.7, alone=False, signing_key=bytes(32)
    )


@pytest.fixture(scope="module")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Path, Circle, list[int]]]:
    """Return a function that, for a clock and options, gives a stored table at which four seats may call.

    For each clock and options, such a table is played only once.
    """
    kept: dict[str, tuple[Path, Circle, list[int]]] = {}

    def find(clock: Clock, options: dict[str, Any]) -> tuple[Path, Circle, list[int]]:
        name = f"{clock} {options}"
        if name not in kept:
            path = tmp_path_factory.mktemp("window") / "house.sqlite3"
            house = open_at(path)
            circle = Circle(house, clock, 6, options)
            kept[name] = path, circle, circle.to_window(4)
            house.close()
        return kept[name]

    return find


@pytest.fixture
def worlds(tmp_path: Path, windows: Callable[..., tuple[Path, Circle, list[int]]]) -> Iterator[Worlds]:
    """Yield a function that opens two copies of a table at which four seats may call. It returns both and the seats."""
    houses: list[House] = []

    def make(clock: Clock, options: dict[str, Any]) -> tuple[Circle, Circle, list[int]]:
        path, circle, calling = windows(clock, options)
        twins = []
        for name in ("one", "two"):
            shutil.copy(path, tmp_path / name)
            twin = copy.copy(circle)
            twin.house = open_at(tmp_path / name)
            houses.append(twin.house)
            twins.append(twin)
        return twins[0], twins[1], calling

    yield make
    for house in houses:
        house.close()


def wait(seconds: float, *circles: Circle) -> None:
    for circle in circles:
        circle.house.store.clock._wall.now += seconds  # type: ignore[attr-defined]


def told(circle: Circle, viewer: int | None) -> bytes:
    """Return all that a viewer can read: the table, the lists that contain it, and notifications."""
    mine = () if viewer is None else circle.house.lists.my_tables(circle.people[viewer])
    person = None if viewer is None else circle.people[viewer]
    chained = circle.house.looks.told(circle.id, person)
    inbox = () if person is None else circle.house.notifications.inbox.of(person)
    return msgspec.json.encode(
        (circle.look(viewer), chained, circle.house.lists.running_tables(), mine, inbox), enc_hook=str
    )


def count(circle: Circle) -> list[str]:
    """Return the counters of the house, without durations and without the counters' times of creation."""
    lines = circle.house.store.metrics.text().decode().splitlines()
    return [line for line in lines if not re.search(r"_(sum|bucket|created)\b", line)]


def expect_same(one: Circle, two: Circle, *but: int) -> None:
    for viewer in (None, *one.seats):
        if viewer not in but:
            assert told(one, viewer) == told(two, viewer), f"seat {viewer} receives more"
            person = None if viewer is None else one.people[viewer]
            assert one.house.looks.version(one.id, person) == two.house.looks.version(two.id, person)
    assert count(one) == count(two)


def answer(circle: Circle, seat: int, how: str) -> None:
    if how == "orders":
        assert circle.house.tick() == 1
    else:
        assert circle.act(seat, how).status == "done"


SILENT = [
    (clock, options, how)
    for clock, options in TABLES
    for how in ("pass", "orders", *(("hep",) if options.get("hep_window") == "sequenced" else ()))
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("clock", "options", "how"), SILENT, ids=name)
def test_an_answer_that_is_sealed_is_noticed_by_nobody(
    worlds: Worlds, clock: Clock, options: dict[str, Any], how: str
) -> None:
    one, two, (first, second, third, _last) = worlds(clock, options)
    if how == "orders":
        for circle in (one, two):
            circle.house.play.set_orders(circle.id, circle.people[second], {"text": "pass"})
    wait(1, one, two)
    answer(one, second, how)
    expect_same(one, two, second)
    wait(1.5, one, two)
    expect_same(one, two, second)
    for circle in (one, two):  # another seat's actions, public or not, reveal nothing of it either
        circle.act(first, "hep")
    expect_same(one, two, second)
    wait(0.5, one, two)
    expect_same(one, two, second)
    for circle in (one, two):
        circle.house.chat.say(circle.id, circle.people[third], "well?")
        circle.act(third, "pass")
    expect_same(one, two, second)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("clock", "options"), TABLES, ids=name)
def test_a_seat_that_lets_a_bot_stand_in_reveals_no_secret_pass(
    worlds: Worlds, clock: Clock, options: dict[str, Any]
) -> None:
    one, two, (first, second, _third, _last) = worlds(clock, options)
    wait(1, one, two)
    one.act(second, "pass")
    wait(1, one, two)
    for circle in (one, two):
        circle.house.play.stand_in(circle.id, circle.people[second])
    expect_same(one, two, second)
    wait(0.5, one, two)
    for circle in (one, two):
        circle.house.play.come_back(circle.id, circle.people[second])
    expect_same(one, two, second)
    wait(0.5, one, two)
    for circle in (one, two):
        circle.act(first, "hep")
    expect_same(one, two, second)


@pytest.mark.sampled
@pytest.mark.parametrize("clock", [LIVE, DAYS], ids=name)
@pytest.mark.parametrize("seconds", [0, 5])
def test_a_secret_wait_of_the_next_player_changes_nothing_for_others(
    worlds: Worlds, clock: Clock, seconds: int
) -> None:
    one, two, (first, second, _third, _last) = worlds(clock, {"hep_seconds": seconds})
    turn = next(seat for seat in one.seats if "wait" in one.moves(seat))
    wait(1, one, two)
    one.act(turn, "wait")
    expect_same(one, two, turn)
    wait(1, one, two)
    for circle in (one, two):
        circle.act(first, "hep")
        circle.act(second, "pass")
    expect_same(one, two, turn)


@pytest.mark.parametrize("seconds", [0, 5])
def test_a_sealed_vote_is_noticed_by_nobody(worlds: Worlds, seconds: int) -> None:
    options = {"hep_seconds": seconds, "hep_tie": "vote", "hep_tie_ms": 1000}
    one, two, (first, second, third, fourth) = worlds(LIVE, options)
    turn = next(seat for seat in one.seats if "wait" in one.moves(seat))
    for circle in (one, two):
        for seat, word in (
            (third, "pass"),
            (first, "hep"),
            (second, "hep"),
            (fourth, "pass"),
            (turn, "stock"),
        ):
            wait(0.3, circle)
            circle.act(seat, word)
    expect_same(one, two)
    wait(1, one, two)
    one.act(third, one.moves(third)[0])
    expect_same(one, two, third)
    wait(1, one, two)
    for circle in (one, two):
        circle.act(turn, circle.moves(turn)[0])
    expect_same(one, two, third)


def test_metrics_count_public_actions_and_not_secret_ones(worlds: Worlds) -> None:
    one, two, (first, second, *_rest) = worlds(LIVE, {"hep_seconds": 5})
    one.act(second, "pass")
    expect_same(one, two, second)
    one.act(first, "hep")
    assert 'spelunke_actions_total{status="done"} 1.0' in count(one)
    assert "spelunke_action_seconds_count 1.0" in count(one)


def test_a_draw_offer_lasts_after_a_secret_pass(worlds: Worlds) -> None:
    one, two, (first, second, third, _last) = worlds(DAYS, {})
    for circle in (one, two):
        circle.house.play.offer_draw(circle.id, circle.people[first])
    one.act(second, "pass")
    expect_same(one, two, second)
    for circle in (one, two):
        circle.act(third, "hep")  # everybody sees that, and the offer lapses
    expect_same(one, two, second)
    assert not one.look(None).seats[first].offers_draw


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("clock", "options"), TABLES, ids=name)
def test_a_seat_sees_its_own_clock_stop(worlds: Worlds, clock: Clock, options: dict[str, Any]) -> None:
    one, _two, (_first, second, *_rest) = worlds(clock, options)
    wait(1, one)
    one.act(second, "pass")
    mine = one.look(second).seats[second]
    wait(2, one)
    assert one.look(second).seats[second].left_ms == mine.left_ms
    assert not mine.ticking
    assert second not in one.look(second).actors


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seconds", [0, 5])
@pytest.mark.parametrize("clock", [LIVE, DAYS], ids=name)
def test_everybody_sees_the_true_clocks_when_the_window_is_over(
    worlds: Worlds, clock: Clock, seconds: int
) -> None:
    circle, _two, calling = worlds(clock, {"hep_seconds": seconds})
    for seat in calling:
        wait(0.5, circle)
        circle.act(seat, "pass")
    wait(0.5, circle)
    turn = next(seat for seat in circle.seats if "stock" in circle.moves(seat))
    circle.act(turn, "stock")
    for seat in circle.seats:
        own = circle.look(seat).seats[seat]
        for viewer in (None, *circle.seats):
            seen = circle.look(viewer).seats[seat]
            assert (seen.left_ms, seen.ticking) == (own.left_ms, own.ticking)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ending", ["stock", "take"])
@pytest.mark.parametrize(("clock", "options"), [row for row in TABLES if row[0] == LIVE], ids=name)
def test_clocks_never_reveal_when_each_seat_answered(
    worlds: Worlds, clock: Clock, options: dict[str, Any], ending: str
) -> None:
    one, two, calling = worlds(clock, options)
    first, second, *others = calling
    for quick, slow, circle in ((first, second, one), (second, first, two)):
        wait(0.3, circle)
        circle.act(quick, "pass")
        wait(2.1, circle)
        for seat in (*others, slow):
            circle.act(seat, "pass")
        wait(0.6, circle)
        turn = next(seat for seat in circle.seats if ending in circle.moves(seat))
        circle.act(turn, ending)
    for viewer in (None, *one.seats):
        had = [[(seat.left_ms, seat.ticking) for seat in circle.look(viewer).seats] for circle in (one, two)]
        assert had[0] == had[1], f"seat {viewer} sees by the clocks who thought"


def test_a_clock_that_runs_out_while_answers_are_secret_still_counts(worlds: Worlds) -> None:
    one, _two, (first, *others) = worlds(LIVE, {"hep_seconds": 0})
    for seat in others:
        one.act(seat, "pass")
    before = [seat.left_ms for seat in one.look(None).seats]
    left = before[first]
    assert left is not None
    wait(left / 1000 + 1, one)
    one.house.tick()
    late = [seat for seat, seen in enumerate(one.look(None).seats) if seen.absent]
    assert first in late, "who never answers is out of time"
    for seat in late:
        one.house.play.come_back(one.id, one.people[seat])
    one.act(first, "pass")
    turn = next(seat for seat in one.seats if "stock" in one.moves(seat))
    one.act(turn, "stock")
    after = [seat.left_ms for seat in one.look(None).seats]
    assert [after[seat] for seat in others] == [before[seat] for seat in others], "they had answered at once"
    assert all((after[seat] or 0) < left / 2 for seat in late), "everybody saw that they were late"
