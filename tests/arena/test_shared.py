"""Games that share their luck: the same dice and the same cards, regardless of the moves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from spelunke.arena.shared import SharedChance
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.match import Match

each_game = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.name)


def played(game: Game, seed: int, luck: SharedChance, plies: int = 400) -> dict[tuple[int, ...], object]:
    """Play a random game. Return its outcomes of chance by key: a `chance_key` and the number of earlier uses of it."""
    rng = random.Random(seed)
    match = Match(game)
    found: dict[tuple[int, ...], object] = {}
    for _ in range(plies):
        if match.over:
            break
        if match.chance:
            key = game.hooks.chance_key(match.state)
            outcome = luck.decide(match)
            found[(*key, sum(1 for other in found if other[:-1] == key))] = outcome
            match.apply_chance(outcome)
        else:
            seat = match.actors[0]
            match.act(seat, rng.choice(match.legal(seat)))
    return found


@each_game
def test_the_same_luck_and_moves_give_the_same_game(game: Game) -> None:
    assert played(game, 1, SharedChance(5)) == played(game, 1, SharedChance(5))
    assert played(game, 1, SharedChance(5)) != played(game, 1, SharedChance(6))


@pytest.mark.parametrize(
    "game", [game for game in shelf().values() if not game.hidden][:1], ids=lambda g: g.name
)
def test_the_same_key_gives_the_same_result(game: Game) -> None:
    one, two = played(game, 1, SharedChance(5)), played(game, 2, SharedChance(5))
    both = one.keys() & two.keys()
    assert len(both) > 40
    assert all(one[key] == two[key] for key in both)
    assert one.keys() != two.keys()


def test_outcomes_are_as_likely_as_their_weights() -> None:
    luck = SharedChance(1)
    found = Counter(luck._first((k,), (3, 5, 9), (1, 2, 5)) for k in range(8000))
    assert [found[k] / 1000 for k in range(3)] == pytest.approx([1, 2, 5], abs=0.15)


def test_a_shared_outcome_stays_the_same_while_it_is_possible() -> None:
    luck = SharedChance(2)
    for k in range(200):
        first = luck._first((k,), (1, 2, 3, 4), (1, 1, 1, 1))
        left = [n for n in range(4) if n != (first + 1) % 4]
        again = luck._first((k,), [n + 1 for n in left], (1, 1, 1))
        assert left[again] == first
