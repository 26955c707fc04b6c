"""Guided first games: every move can be played as written, and the steps are few and short."""

from __future__ import annotations

import msgspec
import pytest

from spelunke.bots.levels import first_level
from spelunke.core.contract import CHANCE
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.lesson import LEARNER, Lesson, Progress
from spelunke.games.match import Match

TAUGHT = [(game, lesson) for game in shelf().values() if (lesson := game.hooks.lesson()) is not None]
SHORT = [
    (game, msgspec.structs.replace(lesson, steps=lesson.short, short=()))
    for game, lesson in TAUGHT
    if lesson.short
]
each_lesson = pytest.mark.parametrize(
    ("game", "lesson"),
    TAUGHT + SHORT,
    ids=[game.name for game, _lesson in TAUGHT] + [f"{game.name}-short" for game, _lesson in SHORT],
)


def test_every_game_of_the_house_is_taught() -> None:
    assert {game.name for game, _lesson in TAUGHT} >= {"shanghaien", "halunken", "sanghai"}


@each_lesson
def test_the_bots_of_a_lesson_have_the_level_of_a_first_game(game: Game, lesson: Lesson) -> None:
    assert set(lesson.seats) == {"me", f"bot:{first_level(game)}"}


@each_lesson
def test_the_moves_of_a_lesson_are_legal_and_in_canonical_form(game: Game, lesson: Lesson) -> None:
    seats = len(lesson.seats)
    match = Match(game, seats, game.settle(seats, lesson.options))
    progress = Progress(lesson.steps)
    while not progress.over:
        if match.chance:
            step = progress.due(CHANCE)
            assert step is not None, f"nothing is said of chance at ply {match.ply}"
            ply = match.apply_chance(game.notation.parse_chance(step.move))
        elif (waiting := progress.waiting) is not None and not waiting.move:
            assert waiting.text
            assert progress.went_on()
            continue
        else:
            due = [(seat, step) for seat in match.actors if (step := progress.due(seat)) is not None]
            assert due, f"the seat to act at ply {match.ply} has no step"
            seat, step = due[0]
            assert step.text or seat != LEARNER
            ply = match.act(seat, match.parse(step.move))
        assert ply.text == step.move
        assert progress.follows(ply.seat, ply.text)
    assert match.actors, "the learner can play on"


def test_the_lesson_of_shanghaien_states_the_true_result_of_the_call() -> None:
    """The American 4 of the second round makes the learner's Americans count 9, as the lesson promises."""
    game, lesson = next(pair for pair in TAUGHT if pair[0].name == "shanghaien")
    promise = [step.text for step in lesson.steps if step.move == "shanghai"][-1]
    assert "your Americans count 9" in promise
    assert "table below" not in promise
    match = Match(game, len(lesson.seats), game.settle(len(lesson.seats), lesson.options))
    progress = Progress(lesson.steps)
    while not progress.over:
        step = next(iter(progress._left))
        if match.chance:
            match.apply_chance(game.notation.parse_chance(step.move))
        elif step.move:
            match.act(step.seat, match.parse(step.move))
        progress._left.remove(step)
    points = game.hooks.points(match.state)
    assert points is not None
    assert points[LEARNER] == 9


def test_a_short_lesson_has_at_most_a_third_of_the_steps() -> None:
    for game, lesson in TAUGHT:
        if lesson.short:
            assert lesson.known, game.name
            whole, short = (sum(step.waits for step in steps) for steps in (lesson.steps, lesson.short))
            assert short * 3 <= whole, game.name
    assert [game.name for game, _lesson in SHORT] == ["sanghai"]


@each_lesson
def test_a_lesson_has_8_to_40_short_steps(game: Game, lesson: Lesson) -> None:
    told = [step.text for step in lesson.steps if step.waits]
    assert 8 <= len(told) <= 40
    assert max(len(text.split()) for text in told) <= 60
