"""A board that caches its unchanged parts equals the redrawn board, byte for byte, for every viewer through a
game.
"""

import dataclasses
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from markupsafe import Markup

from spelunke.boards import stage
from spelunke.boards.scene import Arrow, Scene, Summary
from spelunke.boards.stage import Sheet
from spelunke.core.chance import seed_stream
from spelunke.core.values import View
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.web.words import translator

NAMES = ("Anna & Co", "<b>Bert</b>", "Maximilian der Erste", "Maximilian der Zweite", "Eino")
SHANGHAIEN = {
    "start_trick": "again",
    "sharks_exchange": True,
    "crazy_captain": True,
    "match": "best_of_three",
}
KINDS: tuple[tuple[str, int, dict[str, Any], int], ...] = (
    ("shanghaien", 2, SHANGHAIEN, 400),
    ("shanghaien", 2, {"doubles_reroll": True, "direction_timing": "after_first_roll"}, 400),
    ("halunken", 2, {}, 400),
    ("halunken", 3, {"mode": "beginner", "match": 3}, 250),
    ("halunken", 4, {"bj_peek": True}, 200),
    ("halunken", 3, {"tactical_bj_34": True}, 200),
    ("sanghai", 2, {"two_player_deal12": True}, 140),
    (
        "sanghai",
        4,
        {"show_discards": "all", "joker_swap": True, "hep_window": "sequenced", "hep_tie": "vote"},
        100,
    ),
)
"""Game, seats, options, and the number of plies to play."""
MUCH = pytest.mark.parametrize(
    "much", [pytest.param(0.4, id="some"), pytest.param(1, marks=pytest.mark.deep)]
)
"""The part of these plies and of the scenes that is compared."""


def chooser(game: Game, rng: random.Random) -> Callable[[Match, int], Any]:
    """Return a function that chooses moves at random, or in Sanghai like a bot: random players never lay anything."""
    planner = game.hooks.bots().get("planner")
    if planner is None:
        return lambda match, seat: rng.choice(match.legal(seat))
    bot, stream = planner(game), seed_stream(22)
    return lambda match, seat: bot.choose(match.view(seat), match.legal(seat), stream)


def plies(game: Game, match: Match, most: int) -> Iterator[int]:
    """Play a game. Yield the number of plies whenever a seat is to act, and at the end."""
    rng = random.Random(f"kept {game.name} {match.seats}")
    choose = chooser(game, rng)
    while not match.over and match.ply < most:
        if match.chance:
            found = match.chances()
            match.land(rng.choices([chance for chance, _ in found], [weight for _, weight in found])[0])
        else:
            yield match.ply
            seat = rng.choice(match.actors)
            match.act(seat, choose(match, seat))
    yield match.ply


def scene_of(match: Match, viewer: int | None, since: int) -> Scene:
    """Return the scene for this viewer, with the events from that ply on."""
    write = match.game.notation.write
    return Scene(
        view=match.view(viewer),
        seat=viewer,
        names=NAMES[: match.seats],
        legal=() if viewer is None else tuple((action, write(action)) for action in match.legal(viewer)),
        revise=() if viewer is None else tuple((action, write(action)) for action in match.revisions(viewer)),
        last=match.events(viewer, since),
        actors=match.actors,
        over=match.over,
        outcome=match.outcome,
        translate=translator(match.game, "en"),
    )


def variants(match: Match, scene: Scene, ply: int) -> Iterator[Scene]:
    """Yield the scene, variants of it in which one or a few fields are changed, and the scene again."""
    yield scene
    yield dataclasses.replace(scene, past=True, legal=(), revise=())
    if scene.legal:
        action = scene.legal[ply % len(scene.legal)][0]
        yield dataclasses.replace(scene, arrows=(Arrow("best", action),))
        yield dataclasses.replace(scene, legal=())
        yield dataclasses.replace(scene, legal=scene.legal[:1])
    yield dataclasses.replace(scene, actors=scene.actors[1:])
    yield dataclasses.replace(scene, last=scene.last[:-1])
    yield dataclasses.replace(scene, last=())
    yield dataclasses.replace(scene, names=tuple(reversed(scene.names)))
    yield dataclasses.replace(
        scene, faces=lambda: tuple(Markup("<svg id='face{}'/>").format(n) for n in range(8))
    )
    yield dataclasses.replace(scene, translate=translator(match.game, "de"))
    yield dataclasses.replace(scene, private={"up_to": "pass", "text": "hearts"})
    yield dataclasses.replace(scene, pause_ms=5000, pause_left_ms=4000 - ply % 3 * 1000)
    hand = getattr(scene.view, "hand", ())
    if hand and scene.seat is not None:
        fields = {"card": [f"{card}.1" for card in sorted(set(hand))[:3]], "order.text": ["any nine"]}
        considered = match.game.hooks.preview_draft(fields, scene.view, lambda: scene.last, None)
        yield dataclasses.replace(scene, draft=fields, considered=considered)
    yield scene


def draw(game: Game, scene: Scene) -> list[Markup]:
    """Return all drawings of a scene."""
    board = game.hooks.render_board(scene)
    assert board is not None
    return [board, *game.hooks.render_draft(scene).values()]


def anew(game: Game, scene: Scene) -> list[Markup]:
    """Return the drawings without a cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sheet, "draw", lambda _self, _part, _seen, draw: draw())
        patch.setattr(Sheet, "once", lambda _self, _part, _seen, make: make())
        return draw(game, scene)


@pytest.mark.sampled(2)
@MUCH
@pytest.mark.parametrize(("name", "seats", "options", "most"), KINDS)
def test_a_cached_part_equals_a_new_drawing(
    name: str, seats: int, options: dict[str, Any], most: int, much: float
) -> None:
    """At each decision and for each viewer, the drawing from the cache equals a new one.

    The scene of a past position with open hands has the seat None, like the scenes of spectators. The test draws it
    between two scenes of spectators, so it fails if the cache confuses them.
    """
    game = find_game(name)
    match = Match(game, seats, options)
    acted: dict[int | None, int] = dict.fromkeys((None, *range(seats)), 0)
    rng = random.Random(7)
    for ply in plies(game, match, max(100, round(most * much))):  # Sanghai deals first, one card a ply
        every = rng.random() < 0.06 or match.over
        for viewer, since in acted.items():
            scene = scene_of(match, viewer, since if viewer is not None else max(0, ply - 10))
            for one in variants(match, scene, ply) if every else (scene,):
                assert draw(game, one) == anew(game, one), (ply, viewer)
        opened = game.hooks.open_view(match.state)
        if opened is not None and every:
            past = Scene(
                view=opened, seat=None, names=NAMES[:seats], past=True, last=match.events(since=ply - ply % 7)
            )
            hidden = dataclasses.replace(past, view=match.view(None))
            for one in (hidden, past, hidden):
                assert draw(game, one) == anew(game, one), ply
        for viewer in match.actors[:1] if not match.chance else ():
            acted[viewer] = ply + 1


def swapped(scene: Scene, other: Scene, rng: random.Random) -> Iterator[tuple[str, Scene]]:
    """Yield each field in which two scenes' views differ, and ``scene`` with that field's value from ``other``."""
    fields = list(scene.view.__struct_fields__)
    rng.shuffle(fields)
    for field in fields:
        there = getattr(other.view, field)
        if there != getattr(scene.view, field):
            yield (
                field,
                dataclasses.replace(scene, view=msgspec.structs.replace(scene.view, **{field: there})),
            )


@pytest.mark.sampled(2)
@MUCH
@pytest.mark.parametrize(("name", "seats", "options", "most"), KINDS)
def test_a_change_of_any_field_redraws_the_cached_parts(
    name: str, seats: int, options: dict[str, Any], most: int, much: float
) -> None:
    """Change each field of a view alone, and draw the scene if that is possible.

    In a game, many fields change at once, which could hide that a cache ignores one of them.
    """
    game = find_game(name)
    match = Match(game, seats, options)
    rng = random.Random(22)
    scenes: dict[int | None, list[Scene]] = {viewer: [] for viewer in (None, 0, 1)}
    for ply in plies(game, match, most):
        for viewer, seen in scenes.items():
            seen.append(scene_of(match, viewer, max(0, ply - 12)))
    compared: Counter[str] = Counter()
    for seen in scenes.values():
        for scene in rng.sample(seen, min(round(14 * much), len(seen))):
            for field, other in swapped(scene, rng.choice(seen), rng):
                try:
                    expected = anew(game, other)
                except Exception:
                    continue
                draw(game, scene)
                assert draw(game, other) == expected, field
                compared[field] += 1
    assert len(compared) > 12, compared


@pytest.mark.parametrize(("name", "seats", "options", "most"), KINDS)
def test_a_cached_summary_equals_a_new_drawing(
    name: str, seats: int, options: dict[str, Any], most: int
) -> None:
    game = find_game(name)
    match = Match(game, seats, options)
    before: dict[int | None, View] = {}
    began = done = told = 0
    for ply in plies(game, match, most):
        rounds = game.hooks.rounds_done(match.state)
        for viewer in (None, *range(seats)) if rounds > done and before else ():
            summary = Summary(
                before=before[viewer],
                view=match.view(viewer),
                events=match.events(viewer, began),
                seat=viewer,
                names=NAMES[:seats],
                over=match.over,
                translate=translator(game, "en"),
            )
            kept = [game.hooks.render_summary(summary) for _ in range(2)]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Sheet, "draw", lambda _self, _part, _seen, draw: draw())
                assert kept == [game.hooks.render_summary(summary)] * 2
            told += 1
        if rounds > done or not before:
            before, began, done = (
                {viewer: match.view(viewer) for viewer in (None, *range(seats))},
                ply,
                rounds,
            )
    assert told or name == "sanghai"


@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
def test_unchanged_parts_are_not_drawn_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game(name)
    match = Match(game, min(game.seats) if name != "sanghai" else 3)
    drawn: list[object] = []
    sheet_draw = Sheet.draw

    def count(sheet: Sheet, part: Any, seen: object, draw: Callable[[], Markup]) -> Markup:
        def noted() -> Markup:
            drawn.append(part)
            return draw()

        return sheet_draw(sheet, part, seen, noted)

    monkeypatch.setattr(Sheet, "draw", count)
    for ply in itertools.islice(plies(game, match, 60), 12):
        for viewer in range(match.seats):
            draw(game, scene_of(match, viewer, 0))
            drawn.clear()
            draw(game, scene_of(match, viewer, 0))
            assert drawn == [], (ply, viewer)


def test_a_seat_never_gets_a_drawing_made_for_another_seat() -> None:
    """Each of three seats has another hand. The cached drawing of one must not be used for the others."""
    game = find_game("sanghai")
    match = Match(game, 3)
    for _ in plies(game, match, 60):
        pass
    boards = [str(game.hooks.render_board(scene_of(match, seat, 0))) for seat in range(3)]
    assert len({board.partition('class="sg-hand')[2] for board in boards}) == 3


def test_old_cached_parts_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "_sheets", type(stage._sheets)(200_000))
    game = find_game("halunken")
    match = Match(game, 3)
    for _ in plies(game, match, 40):
        pass
    scene = scene_of(match, 0, 0)
    longest = 0
    for number in range(30):
        longest = max(
            longest, len(str(game.hooks.render_board(dataclasses.replace(scene, table=f"table{number}"))))
        )
        assert stage._sheets.size <= 200_000
    assert stage._sheets.size > longest, "what is drawn is weighed"
