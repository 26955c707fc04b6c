"""Guided games at tables: the learner is led, can return later, and can leave the lesson."""

from __future__ import annotations

from typing import Any

import pytest

from appraising import FakeAnalyst
from spelunke.core.errors import Refused
from spelunke.games import find_game
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import LEARNER
from spelunke.house.house import House
from spelunke.house.messages import Look
from spelunke.house.refusals import BadPlan, NotNow
from spelunke.records.fairness import verify

from .test_own_problems import decision, keep

GAMES = ("shanghaien", "halunken", "sanghai")


def settle(house: House, clockwork: Any, table: str, person: str) -> Look:
    """Let the bots move, and return the table as the person then sees it."""
    for _ in range(400):
        clockwork.wait(1)
        if not house.tick():
            break
    return house.looks.look(table, person)


def follow(house: House, clockwork: Any, table: str, person: str, most: int = 1000) -> int:
    """Do only what the lesson says, until it is over or ``most`` steps are done; return the number of steps."""
    for step in range(most):
        look = settle(house, clockwork, table, person)
        if look.lesson is None:
            return step
        assert look.lesson.text, "the lesson waits for nobody"
        key = f"the-step-{look.ply:04d}"
        if look.lesson.move is None:
            house.play.go_on_in_lesson(table, person, "read", look.ply, key)
        else:
            assert look.lesson.move in [text for _action, text in look.legal] or " " in look.lesson.move
            house.play.act(table, person, look.lesson.move, look.ply, key)
    return most


@pytest.mark.parametrize("game", GAMES)
def test_a_player_who_follows_the_lesson_finishes_and_plays_on(
    opener: Any, clockwork: Any, game: str
) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, game)
    assert settle(house, clockwork, table, anna).lesson is not None
    assert follow(house, clockwork, table, anna) >= 8
    look = settle(house, clockwork, table, anna)
    assert look.status == "playing"
    assert look.legal or look.actors
    assert not {"read_on", "go_alone"} & look.may


@pytest.mark.parametrize("game", GAMES)
def test_reading_a_text_beside_a_summary_also_closes_the_summary(
    opener: Any, clockwork: Any, game: str
) -> None:
    """After the last text beside the results of a round, no other press is needed. Until then, no bot has to move."""
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, game)
    beside = 0
    while (look := settle(house, clockwork, table, anna)).lesson is not None:
        if "read_on" in look.may and LEARNER not in look.actors:
            assert look.summary is not None, "no bot seems to think while the learner reads"
        if look.summary is not None:
            assert "read_on" in look.may
            beside += 1
        follow(house, clockwork, table, anna, 1)
    assert beside
    assert look.summary is None


def test_the_moves_of_a_lesson_become_no_problems_of_its_learner(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    follow(house, clockwork, table, anna, 6)
    house.play.go_on_in_lesson(table, anna, "alone", house.looks.look(table, anna).ply, "i-go-on-alone")
    for number in range(3):
        look = settle(house, clockwork, table, anna)
        house.play.act(table, anna, look.legal[0][1], look.ply, f"my-own-{number}")
    house.play.resign(table, anna, "give-it-up")
    course = house.replays.course(table, anna)
    own = [ply.number for ply in course.match.plies if ply.seat == LEARNER]
    assert [ply for ply in own if ply not in course.unchosen] == own[-3:]
    lay = own[1]
    assert course.match.plies[lay].text == "place 4 left"
    keep(house, table, decision(house, table, lay))
    assert house.own_problems.collect(anna) == 0


def test_the_moves_of_a_lesson_cost_nothing_in_its_analysis(opener: Any, clockwork: Any) -> None:
    house = opener(analyst=FakeAnalyst)
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    follow(house, clockwork, table, anna, 6)
    house.play.go_on_in_lesson(table, anna, "alone", house.looks.look(table, anna).ply, "i-go-on-alone")
    look = settle(house, clockwork, table, anna)
    house.play.act(table, anna, look.legal[-1][1], look.ply, "my-own-bad-move")
    house.play.resign(table, anna, "give-it-up")
    house.analyses.begin(table)
    assert house.tick()
    found = house.analyses.look(table).analysis
    at = 1 + max(house.replays.course(table).taught)
    taught = [one for one in found.decisions if one.ply < at]
    assert len(taught) >= 4
    assert all(one.forced and not one.mark and not one.cost_chance for one in taught)
    own = [one for one in found.decisions if one.seat == LEARNER and one.ply >= at]
    (mine,) = [one for one in found.totals if one.seat == LEARNER]
    assert (sum(mine.marks.values()), mine.decisions) == (1, 1)
    assert mine.cost_points == sum(one.cost_points for one in own) > 0


def test_other_moves_are_refused_with_a_sentence(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    look = house.looks.look(table, anna)
    with pytest.raises(NotNow, match="press Next"):
        house.play.act(table, anna, "roll", look.ply, "a-key-of-mine")
    with pytest.raises(NotNow, match="the lesson explains each move"):
        house.coach.advise(table, anna)
    follow(house, clockwork, table, anna, 2)
    look = house.looks.look(table, anna)
    assert look.lesson is not None
    assert look.lesson.move == "place 4 left"
    with pytest.raises(NotNow, match="different move"):
        house.play.act(table, anna, "place 1 left", look.ply, "a-key-of-mine")
    with pytest.raises(NotNow, match="is waiting for your move"):
        house.play.go_on_in_lesson(table, anna, "read", look.ply, "another-key-of-mine")
    assert house.looks.look(table, anna).ply == look.ply


def test_a_lesson_goes_on_where_it_was_left(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "halunken")
    follow(house, clockwork, table, anna, 4)
    before = settle(house, clockwork, table, anna).lesson
    house.close()
    house = opener()
    assert before is not None
    assert house.looks.look(table, anna).lesson == before
    assert house.looks.look(table, None).lesson is None


def test_a_player_who_leaves_the_lesson_can_play_any_move(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    look = house.looks.look(table, anna)
    house.play.go_on_in_lesson(table, anna, "alone", look.ply, "i-go-on-alone")
    assert house.play.go_on_in_lesson(table, anna, "alone", look.ply, "i-go-on-alone").status == "repeated"
    look = settle(house, clockwork, table, anna)
    assert look.lesson is None
    house.play.act(table, anna, "roll", look.ply, "my-first-own-roll")
    look = settle(house, clockwork, table, anna)
    house.play.act(table, anna, look.legal[0][1], look.ply, "my-first-own-die")
    assert settle(house, clockwork, table, anna).ply > look.ply + 2
    with pytest.raises(NotNow, match="this lesson is already over"):
        house.play.go_on_in_lesson(table, anna, "read", 10**6, "once-more-please")


def test_the_record_of_a_lesson_claims_no_fair_chance(opener: Any, clockwork: Any) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    table = house.next_games.begin_lesson(anna, "shanghaien")
    follow(house, clockwork, table, anna, 3)
    house.play.resign(table, anna, "enough-for-now")
    verdict = verify(house.replays.record(table))
    assert verdict.verdict == "unproven"
    assert verdict.deviation is None


def test_beginning_a_lesson_is_refused_if_the_game_has_none(
    opener: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = opener()
    anna = house.people.create("Anna").id
    monkeypatch.setattr(type(find_game("shanghaien").hooks), "lesson", Hooks.lesson)
    with pytest.raises((BadPlan, Refused), match="has no guided game"):
        house.next_games.begin_lesson(anna, "shanghaien")
