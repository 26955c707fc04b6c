"""Ratings: the games that count, their order, and a recount that gives the same numbers."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from spelunke.house.plan import Clock, Plan
from spelunke.house.ratings import Skill, rate, ratings
from spelunke.house.refusals import BadPlan, NotAllowed, NotNow

from .test_ties import address, member

RATED = Plan(game="shanghaien", seats=("me", "open"), rated=True)


def play_rated(house: Any, clockwork: Any, people: list[str], loser: int, plan: Plan = RATED) -> str:
    """Play a rated game of these people, which one of them resigns."""
    table = begin(house, clockwork, people, plan)
    clockwork.wait(30)
    house.play.resign(table, people[loser], f"resign-{table}")
    house.tick()
    return table


def begin(house: Any, clockwork: Any, people: list[str], plan: Plan = RATED) -> str:
    table = str(house.lobby.create(people[0], plan))
    for person in people[1:]:
        house.lobby.join(table, person)
    clockwork.wait(10)
    house.tick()
    assert house.looks.look(table).status == "playing"
    return table


def points(house: Any, person: str) -> int:
    (line,) = house.ratings.of(person)
    return int(line.points)


def test_a_win_raises_one_rating_and_lowers_the_other(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    table = play_rated(house, clockwork, [anna, ben], loser=1)
    assert points(house, anna) > 1500 > points(house, ben)
    (line,) = house.ratings.of(anna)
    assert (line.game, line.seats, line.games, line.provisional) == ("shanghaien", 2, 1, True)
    (point,) = house.ratings.history(anna, "shanghaien", 2)
    assert (point.table, point.place, point.points) == (table, 1, line.points)
    assert house.looks.look(table).rated
    assert house.tick() == 0, "the result is counted once"


def test_results_are_counted_again_from_the_log_with_the_same_numbers(house: Any, clockwork: Any) -> None:
    people = [member(house, name) for name in ("Anna", "Ben", "Cleo", "Dora")]
    rng = random.Random(4)
    for _ in range(12):
        two = rng.sample(people, 2)
        play_rated(house, clockwork, two, loser=rng.randrange(2))
    before = [house.ratings.of(person) for person in people]
    charts = [house.ratings.history(person, "shanghaien", 2) for person in people]
    done = house.ratings.recount()
    assert (done.tables, done.ratings, done.changed, done.lost) == (12, 4, 0, 0)
    assert [house.ratings.of(person) for person in people] == before
    assert [house.ratings.history(person, "shanghaien", 2) for person in people] == charts


def test_a_game_that_ends_while_all_games_are_counted_again_counts(
    house: Any, clockwork: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    play_rated(house, clockwork, [anna, ben], loser=1)
    table = begin(house, clockwork, [anna, ben])
    count = ratings.count_table

    def be_overtaken(counted: Any) -> Any:
        monkeypatch.setattr(ratings, "count_table", count)
        found = count(counted)
        house.play.resign(table, ben, "key-00000001")
        return found

    monkeypatch.setattr(ratings, "count_table", be_overtaken)
    assert house.ratings.recount().tables == 1
    house.tick()
    assert [line.games for line in house.ratings.of(anna)] == [2]


def test_ratings_do_not_depend_on_the_order_of_simultaneous_results(opener: Any, clockwork: Any) -> None:
    """If several results have the same time, workers may count them in any order. The ratings are the same."""
    house = opener()
    people = [member(house, name) for name in ("Anna", "Ben", "Cleo")]
    pairs = [(people[0], people[1]), (people[1], people[2]), (people[0], people[2])]
    tables = [begin(house, clockwork, list(pair)) for pair in pairs]
    for table, (_winner, loser) in zip(tables, pairs, strict=True):
        house.play.resign(table, loser, f"resign-{table}")
    for table in sorted(tables, reverse=True):
        house.ratings.count(table)
    found = [house.ratings.of(person) for person in people]
    assert house.ratings.recount().changed == 0
    assert [house.ratings.of(person) for person in people] == found


def test_a_rated_table_is_for_members_and_people(house: Any, clockwork: Any) -> None:
    anna, guest = member(house, "Anna"), house.people.create("Guest").id
    with pytest.raises(NotAllowed, match="only members"):
        house.lobby.create(guest, RATED)
    for wrong, sentence in (
        ({"seats": ("me", "bot:deckhand")}, "people only"),
        ({"options": {"first_starter": 1}}, "standard rules"),
        ({"clock": Clock()}, "needs a clock"),
    ):
        with pytest.raises(BadPlan, match=sentence):
            house.lobby.create(
                anna, Plan(**{"game": "shanghaien", "seats": ("me", "open"), "rated": True, **wrong})
            )
    table = house.lobby.create(anna, RATED)
    with pytest.raises(NotAllowed, match="become a member first"):
        house.lobby.join(table, guest)
    with pytest.raises(NotNow, match="people only"):
        house.lobby.fill(table, anna)


def test_games_without_rating_change_nothing(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    play_rated(house, clockwork, [anna, ben], 0, Plan(game="shanghaien", seats=("me", "open")))
    assert house.ratings.of(anna) == ()
    table = begin(house, clockwork, [anna, ben])
    house.hosting.call_off(anna, table)
    house.tick()
    assert house.ratings.of(anna) == (), "a game that was called off has no winner"


def test_a_game_that_is_called_off_costs_the_player_who_left(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    clock = Clock(kind="live", minutes=60, increment=0)
    table = begin(house, clockwork, [anna, ben], msgspec.structs.replace(RATED, clock=clock))
    asked = house.looks.look(table).actors[0]
    stays, left = ((ben, anna), (anna, ben))[asked]
    for _ in range(60):
        house.attendance.fetched(table, stays)
        clockwork.wait(10)
        house.tick()
    house.going_on.go_on(table, stays, asked, "off")
    house.tick()
    assert house.looks.look(table).result.reason == "called_off"
    assert points(house, left) < 1500
    assert house.ratings.of(stays) == ()
    assert house.ratings.recount().changed == 0


def test_a_player_who_leaves_early_loses_alone(house: Any, clockwork: Any) -> None:
    """If one of three players resigns in the first half of a game, only that player's rating changes."""
    people = [member(house, name) for name in ("Anna", "Ben", "Cleo")]
    plan = Plan(game="halunken", seats=("me", "open", "open"), rated=True)
    table = begin(house, clockwork, people, plan)
    house.play.resign(table, people[2], "cleo-leaves")
    finish(house, clockwork, table, people)
    assert points(house, people[2]) < 1500
    assert house.ratings.of(people[0]) == house.ratings.of(people[1]) == ()
    assert house.ratings.recount().changed == 0


def finish(house: Any, clockwork: Any, table: str, people: list[str]) -> None:
    rng, key = random.Random(2), 0
    for _ in range(4000):
        clockwork.wait(1)
        house.tick()
        if house.looks.look(table).status == "over":
            return
        for person in people:
            look = house.looks.look(table, person)
            if look.legal:
                key += 1
                house.play.act(table, person, rng.choice(look.legal)[1], look.ply, f"key-{key:06d}")
                break
    raise AssertionError("the game does not end")


@pytest.mark.deep
def test_only_certain_ratings_are_on_the_board(house: Any, clockwork: Any) -> None:
    anna, ben, cleo = (member(house, name) for name in ("Anna", "Ben", "Cleo"))
    for number in range(24):
        play_rated(house, clockwork, [anna, ben], loser=number % 3 == 0)
    play_rated(house, clockwork, [cleo, anna], loser=0)
    board = house.ratings.board("shanghaien", 2, reader=anna)
    assert [line.rank for line in board.lines] == [1, 2]
    assert {line.name for line in board.lines} == {"Anna", "Ben"}
    assert (board.count, board.waiting) == (2, 1)
    own = next(line for line in board.lines if line.you)
    assert own.address == address(house, anna)
    assert [line.address for line in board.lines if not line.you] == [""]
    assert house.ratings.pools("shanghaien") == (2,)


def test_a_rating_stays_when_an_opponent_leaves_the_house(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    play_rated(house, clockwork, [anna, ben], loser=1)
    before = house.ratings.of(anna)
    house.leaving.leave(ben)
    assert house.ratings.of(anna) == before
    assert house.ratings.recount().changed == 0


def test_a_better_place_gives_a_higher_rating_and_a_tie_equal_ones() -> None:
    same = rate([Skill(), Skill()], [1, 1])
    assert same[0].mu == pytest.approx(same[1].mu)
    three = rate([Skill(), Skill(), Skill()], [1, 2, 3])
    assert three[0].mu > three[1].mu > three[2].mu
    assert all(skill.sigma < Skill().sigma for skill in three)
    assert Skill().provisional


def test_hosts_see_figures_and_no_judgement(house: Any, clockwork: Any) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    table = begin(house, clockwork, [anna, ben])
    for key in range(8):
        clockwork.wait(4)
        for person in (anna, ben):
            look = house.looks.look(table, person)
            if look.legal:
                house.play.act(table, person, look.legal[0][1], look.ply, f"key-{key:06d}")
                break
    house.play.resign(table, ben, "resign-001")
    house.tick()
    house.ties.note_device(anna, ben)
    found = house.measuring.of(address(house, anna))
    assert found.games == (table,)
    assert [(one.name, one.together) for one in found.shared] == [("Ben", 1)]
    assert found.decisions > 2
    assert found.median_ms == 4000
    assert (found.analysed, found.judged, found.best) == (0, 0, 0)
    assert house.measuring.of("nobody").decisions == 0
    assert house.ties.of(anna).friends == (), "it is no tie that people see"


@pytest.mark.parametrize("helped", [False, True])
def test_moves_of_a_bot_for_a_person_are_not_judged(
    house: Any, clockwork: Any, monkeypatch: pytest.MonkeyPatch, helped: bool
) -> None:
    anna, ben = member(house, "Anna"), member(house, "Ben")
    table = begin(house, clockwork, [anna, ben])
    seat = house.looks.look(table, anna).seat
    if helped:
        house.play.stand_in(table, anna)
    for key in range(4):
        clockwork.wait(10)
        house.tick()
        for person in (anna, ben):
            look = house.looks.look(table, person)
            if look.legal:
                house.play.act(table, person, look.legal[0][1], look.ply, f"key-{key:06d}")
                break
    house.play.resign(table, ben, "resign-001")
    house.tick()
    best = SimpleNamespace(seat=seat, forced=False, cost_chance=0.0)
    analysis = SimpleNamespace(analysis=SimpleNamespace(decisions=(best,)))
    monkeypatch.setattr(house.analyses, "look", lambda _table: analysis)
    found = house.measuring.of(address(house, anna))
    assert found.games == (table,)
    assert (found.analysed, found.judged, found.best) == ((0, 0, 0) if helped else (1, 1, 1))
