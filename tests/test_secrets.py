"""Worlds that differ only in facts hidden from a seat give this seat the same bytes.

``imagine`` redeals what the seat can't see. All data for the seat must then be the same to the last byte: its
view, its legal moves, the features for learning programs, its board on the page, and refusals. The list of
other seats that may act is not compared here, because it depends on earlier messages: see tests/house/test_window.py.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from spelunke.boards.scene import Scene
from spelunke.core.chance import seed_stream
from spelunke.core.errors import SpelunkeError
from spelunke.core.values import Event
from spelunke.core.words import plain
from spelunke.games import find_game, shelf
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match
from walks import any_table, walk

NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Eino", "Frida", "Gerd", "Hanna")


@functools.cache
def told_plies(name: str, seats: int) -> tuple[tuple[Event, ...], ...]:
    """Return the events of some plies of a random game, as spectators see them."""
    match = Match(find_game(name), seats)
    walk(match, random.Random(name), 80)
    return tuple(match.events_of(ply, None) for ply in range(match.ply))


def explain_plies(match: Match) -> list[tuple[str, ...]]:
    """Return the game's explanations of the events of `told_plies`, as if they had happened in this match's state."""
    return [
        match.game.hooks.explain_events(events, match.state, match.state, NAMES[: match.seats], plain)
        for events in told_plies(match.game.name, match.seats)
    ]


PUBLIC: dict[str, Callable[[Match], object]] = {
    "answer_window_ms": lambda match: [
        match.game.hooks.answer_window_ms(match.options, live, match.state) for live in (True, False)
    ],
    "visible_wait": lambda match: [
        match.game.hooks.visible_wait(match.options, live, match.state) for live in (True, False)
    ],
    "rounds_done": lambda match: match.game.hooks.rounds_done(match.state),
    "setting_up": lambda match: match.game.hooks.setting_up(match.state),
    "hides_nothing": lambda match: match.game.hooks.hides_nothing(match.state),
    "points": lambda match: match.game.hooks.points(match.state),
    "explain_events": explain_plies,
}
"""The hooks that promise to depend only on facts that everybody knows."""


def test_each_hook_that_promises_public_output_is_compared() -> None:
    promise = re.compile(r"may\s+depend\s+only\s+on\s+facts\s+that\s+everybody\s+knows")
    hooks = {name: hook.__doc__ or "" for name, hook in vars(Hooks).items() if callable(hook)}
    assert {name for name, says in hooks.items() if promise.search(says)} == set(PUBLIC)


def given_to(match: Match, seat: int, attempts: list[int]) -> bytes:
    """Return all data for a seat in this state, as bytes."""
    game = match.game
    view = match.view(seat)
    legal = match.legal(seat)
    features = np.zeros(game.view.FEATURES, np.float32)
    game.view.features(match.state, seat, features)
    texts = tuple(game.notation.write(action) for action in legal)
    scene = Scene(
        view=view,
        seat=seat,
        names=NAMES[: match.seats],
        legal=tuple(zip(legal, texts, strict=True)),
        actors=(seat,) if legal else (),
        over=match.over,
    )
    parts = [
        msgspec.json.encode(view),
        "; ".join(texts).encode(),
        features.tobytes(),
        str(game.hooks.render_board(scene)).encode(),
        game.hooks.name_round(match.state, plain).encode(),
        *(repr(told(match)).encode() for told in PUBLIC.values()),
    ]
    # Sealed choices may still be changed; that is no refusal, and would change the match.
    may = {*legal, *match.revisions(seat)}
    for number in attempts:
        action = game.moves.decode(number)
        if action not in may:
            with pytest.raises(SpelunkeError) as refused:
                match.act(seat, action)
            parts.append(str(refused.value).encode())
    return b"\n".join(parts)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_redealt_worlds_give_a_seat_the_same_bytes(game: Game, seed: int) -> None:
    rng = random.Random(f"secrets {game.name} {seed}")
    seats, options = (game.seats[0], {}) if seed == 1 else any_table(game, rng)
    match = Match(game, seats, options)
    stream = seed_stream(seed)
    differed = False
    for _ in range(36):  # often: a sealed choice is hidden for a few plies only
        walk(match, rng, rng.randint(1, 7))
        if match.over:
            break
        attempts = [rng.randrange(game.rules.ACTIONS) for _ in range(6)]
        for seat in range(seats):
            world: Any = game.view.imagine(match.view(seat), stream)
            differed |= world.tobytes() != match.state.tobytes()
            other = Match(game, seats, options, state=world)
            assert given_to(other, seat, attempts) == given_to(match, seat, attempts)
    assert differed == game.hidden, "imagination changes nothing, or a game hides more than it says"


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)
def test_all_views_are_equal_if_a_game_says_that_it_hides_nothing(game: Game) -> None:
    if Hooks.hides_nothing not in game.hooks.offered:
        return
    rng, stream, found = random.Random(f"open {game.name}"), seed_stream(7), set()
    for _ in range(3):
        match = Match(game, *any_table(game, rng))
        while not match.over:
            walk(match, rng, rng.randint(1, 3))
            openly = game.hooks.hides_nothing(match.state)
            found.add(openly)
            watched = match.view(None)
            for seat in range(match.seats) if openly else ():
                assert msgspec.structs.replace(match.view(seat), seat=None) == watched
            if openly and not match.over:
                world: Any = game.view.imagine(watched, stream)
                known = Match(game, match.seats, match.options, state=world)
                assert [known.legal(seat) for seat in match.actors] == [
                    match.legal(seat) for seat in match.actors
                ]
    assert found == {True, False}
