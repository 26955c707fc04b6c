"""Texts for newcomers: each choice is explained, each explained sign is on a board, and each picture is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from random import Random

import msgspec
import pytest

from spelunke.boards.scene import Scene
from spelunke.core.contract import CHANCE
from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.lesson import LEARNER
from spelunke.games.match import Match
from spelunke.games.shanghaien.cards import parse_trick
from spelunke.house.study import say_to_player
from spelunke.web.parts.rules import make_scene, read_rules, render_rules
from walks import any_table, draw, walk

TAUGHT = [game for game in shelf().values() if game.hooks.has(Hooks.lesson)]
each_game = pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)


@cache
def scenes_of(game_name: str) -> tuple[Scene, ...]:
    """Return the scenes of the pictures in the rules, and the learner's scene at each step of the guided game."""
    return tuple(_scenes_of(shelf()[game_name]))


def _scenes_of(game: Game) -> Iterator[Scene]:
    for name, picture in game.illustrations.items():
        yield make_scene(game, picture, name, plain)
    lesson = game.hooks.lesson()
    assert lesson is not None
    match = Match(game, len(lesson.seats), dict(lesson.options))
    left = [step for step in lesson.steps if step.move]
    while left:
        step = next(step for step in left if (step.seat == CHANCE) == match.chance)
        left.remove(step)
        if step.seat == CHANCE:
            match.apply_chance(game.notation.parse_chance(step.move))
            continue
        if step.seat == LEARNER:
            yield scene_of(match)
        match.act(step.seat, match.parse(step.move))


def scene_of(match: Match) -> Scene:
    legal = tuple((action, match.game.notation.write(action)) for action in match.legal(LEARNER))
    return Scene(
        view=match.view(LEARNER),
        seat=LEARNER,
        names=tuple(f"{seat}" for seat in range(match.seats)),
        legal=legal,
        last=match.events(LEARNER),
        actors=match.actors,
    )


@each_game
def test_every_choice_is_explained_once_in_plain_words(game: Game) -> None:
    for scene in scenes_of(game.name):
        meanings = game.hooks.explain_choices(scene)
        told = [move for meaning in meanings for move in meaning.moves]
        assert sorted(told) == sorted(move for _action, move in scene.legal)
        for meaning in meanings:
            assert meaning.choice
            assert meaning.text.endswith(".")
            assert "{" not in meaning.text


@each_game
def test_every_action_is_an_instruction_to_its_player(game: Game) -> None:
    rng, found = Random(4), set()

    def read(match: Match) -> None:
        names = tuple(f"Player {seat}" for seat in range(match.seats))
        for seat in match.actors:
            view = match.view(seat)
            for action in match.legal(seat):
                told = game.hooks.describe_action(action, view, names, plain)
                assert told == told.strip() != "", action
                assert "{" not in told
                found.add(type(action))

    for _ in range(4):
        seats, options = any_table(game, rng)
        walk(Match(game, seats, options), rng, 90, read)
    assert len(found) > 5


@pytest.mark.parametrize(
    ("name", "played", "best", "kind"),
    [
        ("shanghaien", "both", "place 4", "When to play a trick card"),
        ("shanghaien", "place 4", "joker red using both", "When to play a trick card"),
        ("shanghaien", "place 4", "place 5", ""),
        ("shanghaien", "object", "allow", "When to object with the crazy captain"),
        ("sanghai", "lay 7s 7h 7d | 4d-7d", "discard kd", "When to lay the contract"),
        ("sanghai", "add 9h to 2", "discard kd", "What to add to melds"),
        ("sanghai", "take", "stock", ""),
        ("halunken", "card 4", "jack 4", "Which card to lay"),
        ("halunken", "bid grey 5", "pass", ""),
        ("halunken", "decline", "rob grey 5", "When to take nothing"),
        ("halunken", "rob grey 6", "rob grey 5", ""),
    ],
)
def test_an_error_has_the_kind_of_the_move_that_was_wrong(
    name: str, played: str, best: str, kind: str
) -> None:
    game = shelf()[name]
    key = game.hooks.kind_of_error(game.notation.parse(played), game.notation.parse(best))
    assert game.hooks.themes().get(key, key) == kind


@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
def test_a_tip_can_name_each_kind_of_move(name: str) -> None:
    game = shelf()[name]
    examples = [one for one in game.hooks.move_forms() if not one.startswith("take back")]  # costs nothing
    for move in map(game.notation.parse, examples):
        key = game.hooks.kind_of_error(move, move) or game.notation.write(move).split()[0]
        assert key in game.hooks.themes()


def test_a_robbery_offers_the_sailors_of_one_captain_only() -> None:
    assert shelf()["halunken"].hooks.themes()["rob"] == "Which sailor to rob"


def test_a_move_names_the_trick_card_if_the_player_holds_several() -> None:
    game = shelf()["shanghaien"]
    view = Match(game, 2).view(0)
    joker = game.notation.parse("joker red using both")
    told = []
    for tricks in (("both",), ("both", "pm1")):
        held = msgspec.structs.replace(view, tricks=(tuple(map(parse_trick, tricks)), ()))
        told.append(game.hooks.describe_action(joker, held, ("Anna", "Ben"), plain))
    assert told[1] == f"{told[0]}; trick card “both dice”"


def test_a_move_without_an_instruction_is_described_by_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shelf()["shanghaien"]
    match, rng = Match(game, 2, {"first_starter": "0"}), Random(1)
    while match.chance:
        draw(match, rng)
    assert say_to_player(match, 0, "roll", ("Anna", "Ben"), plain) == "Roll."
    monkeypatch.setattr(type(game.hooks), "describe_action", Hooks.describe_action)
    assert say_to_player(match, 0, "roll", ("Anna", "Ben"), plain) == "Anna rolls."


@each_game
def test_every_explained_sign_appears_on_some_board(game: Game) -> None:
    seen = "".join(str(game.hooks.render_board(scene)) for scene in scenes_of(game.name))
    classes = {name for found in re.findall(r'class="([^"]*)"', seen) for name in found.split()}
    for sign in game.hooks.signs():
        wanted = re.findall(r"\.([\w-]+)", sign.where.split(":not")[0])
        assert set(wanted) <= classes, sign


@each_game
def test_the_rules_show_every_picture_with_its_sentence(game: Game) -> None:
    rules = read_rules(files(game.package).joinpath("rules.md").read_text(encoding="utf-8"))
    assert sorted(name for name, _caption in rules.pictures) == sorted(game.illustrations)
    page = render_rules(rules, game, plain, numbers=False)
    assert page.count('<figure class="rules-picture"') == len(game.illustrations)
    assert "\ue000" not in page
    drawings = re.findall(
        r'<div class="rules-drawing" inert aria-hidden="true">(.*?)</div><figcaption>', page, re.DOTALL
    )
    assert len(drawings) == len(game.illustrations)
    for drawing in drawings:
        assert len(drawing) > 500
        assert not re.search(r'<[^>]* (?:id|name|href="[^#]|tabindex)="', drawing)
