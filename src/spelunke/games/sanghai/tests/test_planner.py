"""The planner against brute force: what can be laid, what is missing, what helps, and the most points that go."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.match import Match
from spelunke.games.sanghai import GAME, knowledge, moves, notation
from spelunke.games.sanghai.arranging import arrange_into
from spelunke.games.sanghai.cards import card_of
from spelunke.games.sanghai.filling import can_lay_all_but_one
from spelunke.games.sanghai.planner import can_lay, lacking, wish
from spelunke.games.sanghai.unloading import ROW, unload

_spec = importlib.util.spec_from_file_location("sanghai_brute", Path(__file__).with_name("brute.py"))
assert _spec is not None
assert _spec.loader is not None
brute: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

WORTH = [14, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] * 4 + [15]
CONTRACTS = [
    (2, 0, 4),
    (1, 1, 4),
    (0, 2, 4),
    (3, 0, 4),
    (2, 1, 4),
    (1, 2, 4),
    (0, 3, 4),
    (4, 0, 4),
    (1, 1, 7),
]
SMALL = CONTRACTS[:3]


def some_hand(rng: random.Random, size: int, jokers: int, ranks: int, suits: int) -> tuple[int, ...]:
    """A hand out of few ranks and suits, so that contracts can be laid."""
    first = rng.randint(0, 13 - ranks)
    kinds = [13 * s + r for s in range(suits) for r in range(first, first + ranks)]
    if rng.random() < 0.3:
        kinds += [13 * s for s in range(suits)]
    deck = kinds * 2
    hand = [0] * 53
    for kind in rng.sample(deck, max(0, min(size - jokers, len(deck)))):
        hand[kind] += 1
    hand[52] = jokers
    return tuple(hand)


def counts(hand: tuple[int, ...]) -> Any:
    return np.array(hand, np.int16)


def missing(hand: tuple[int, ...], want: Any) -> tuple[int, set[int]]:
    helps = np.zeros(53, np.int16)
    return int(lacking(counts(hand), want, np.int64(99), helps)), {int(k) for k in np.flatnonzero(helps)}


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 10**9),
    st.sampled_from(SMALL),
    st.integers(0, 5),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_laying_agrees_with_trying_everything(
    seed: int, contract: tuple[int, int, int], jokers: int, black: bool, distinct: bool, apart: bool
) -> None:
    rng = random.Random(seed)
    sets, runs, length = contract
    hand = some_hand(
        rng, 3 * sets + length * runs + rng.randint(1, 2), jokers, rng.randint(2, 9), rng.randint(1, 3)
    )
    found = brute.layings(hand, sets, runs, length, black, distinct, apart)
    want = wish(sets, runs, length, int(black), int(distinct), int(apart), 0)
    enough = sum(hand) > 3 * sets + length * runs  # a card to discard besides
    assert (enough and can_lay(counts(hand), want)) == bool(found)
    want[6] = 1
    one = any(sum(rest) == 1 for rest, _ in found)
    assert bool(found and can_lay_all_but_one(counts(hand), want)) == one


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(CONTRACTS), st.integers(0, 5), st.booleans())
def test_each_card_lowers_the_missing_by_one_or_none(
    seed: int, contract: tuple[int, int, int], jokers: int, distinct: bool
) -> None:
    """With "none missing" tried above, this makes every number exact: no card lowers it by more, and some lowers it."""
    rng = random.Random(seed)
    sets, runs, length = contract
    hand = some_hand(
        rng, rng.randint(3, 14), min(jokers, 2 if rng.random() < 0.7 else 5), rng.randint(2, 13), 4
    )
    want = wish(sets, runs, length, 0, int(distinct), 0, 0)
    far, helps = missing(hand, want)
    if far == 0:
        return
    assert helps
    for kind in range(53):
        more = tuple(n + (k == kind) for k, n in enumerate(hand))
        assert missing(more, want)[0] == far - (kind in helps), card_of(kind)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(SMALL), st.integers(0, 3))
def test_most_points_agree_with_trying_everything(
    seed: int, contract: tuple[int, int, int], jokers: int
) -> None:
    rng = random.Random(seed)
    sets, runs, length = contract
    hand = some_hand(
        rng, 3 * sets + length * runs + rng.randint(1, 2), jokers, rng.randint(3, 7), rng.randint(1, 3)
    )
    want = wish(sets, runs, length, 0, 0, 0, 0)
    found = brute.layings(hand, sets, runs, length)
    plan = np.zeros((4, ROW), np.int16)
    none = np.zeros(13, np.int16)
    worth = np.array(WORTH, np.int16)
    alone = unload(counts(hand), want, worth, none, np.zeros((0, 3), np.int16), plan)
    assert alone == brute.most_points(hand, WORTH, found)
    table = ((1, rng.randrange(13), 0, 0), (2, rng.randrange(3), low := rng.randint(1, 8), low + 3))
    marks = none.copy()
    marks[table[0][1]] = 1
    runs_there = np.array([table[1][1:]], np.int16)
    most = unload(counts(hand), want, worth, marks, runs_there, plan)
    assert most == brute.most_with_additions(hand, WORTH, found, table)


@pytest.mark.parametrize("seed", range(40))
def test_cards_that_were_laid_are_arranged_again(seed: int) -> None:
    rng = random.Random(seed)
    sets, runs, length = SMALL[seed % 3]
    hand = some_hand(rng, 10, rng.randint(0, 2), 5, 3)
    found = brute.layings(hand, sets, runs, length)
    if not found:
        return
    rest, _ = min(found, key=repr)
    cards = [card_of(k) for k in range(53) for _ in range(hand[k] - rest[k])]
    laid = arrange_into(cards, sets, runs, length)
    assert sorted(card for meld in laid for card in meld.cards) == sorted(cards)


@pytest.mark.parametrize("seed", range(60))
def test_each_laying_with_wild_black_twos_is_arranged_again(seed: int) -> None:
    rng = random.Random(seed)
    sets, runs, length = SMALL[seed % 3]
    distinct, apart = rng.random() < 0.3, rng.random() < 0.3
    hand = list(some_hand(rng, 9, rng.randint(0, 2), rng.randint(2, 6), rng.randint(1, 2)))
    for two in (1, 40):
        hand[two] = rng.randint(0, 1 if runs > 1 else 2)
    found = brute.layings(tuple(hand), sets, runs, length, True, distinct, apart)
    for rest in sorted({rest for rest, _melds in found})[:40]:
        cards = [card_of(k) for k in range(53) for _ in range(hand[k] - rest[k])]
        laid = arrange_into(cards, sets, runs, length, black=True, distinct=distinct, apart=apart)
        assert sorted(card for meld in laid for card in meld.cards) == sorted(cards), cards


@pytest.mark.parametrize(
    ("cards", "sets", "runs"),
    [
        ("as as 3s 3s 4s 4s * 2c", 0, 2),  # equal runs whose wild cards differ
        ("as as 3s 3s 4s 4s * *", 0, 2),
        ("5s 6s 7s * 5s 6s 7s 2c 8d 9d 10d jd", 0, 3),
        ("2s 2c * 7s 7h 7c", 2, 0),
        ("2s 2c 2c 6s 6s 6h 6h", 2, 0),
        ("2s 2c 2c * * 2s *", 1, 1),
    ],
)
@pytest.mark.parametrize("distinct", [False, True])
def test_what_is_arranged_can_be_laid_step_by_step(cards: str, sets: int, runs: int, distinct: bool) -> None:
    given = cards.split()
    laid = arrange_into(given, sets, runs, 4, black=True, distinct=distinct)
    assert sorted(card for meld in laid for card in meld.cards) == sorted(given)
    options = {"black_twos_wild": True, "distinct_sets": distinct}
    lap = next(lap for lap, (s, r, n) in enumerate(CONTRACTS, 1) if (s, r, n) == (sets, runs, 4))
    hands = [cards + " kh", "3h", "3d", "4h"]
    position = {
        "options": options,
        "round": lap,
        "finished": [{"points": [0, 0, 0, 0]}] * (lap - 1),
        "turn": 0,
        "seats": [{"hand": hand, "heps": 2} for hand in hands],
    }
    match = Match(GAME, 4, options, state=notation.parse_position(position))
    match.act(0, moves.LayDown(laid))
    assert match.view(0).laid[0]
    assert match.view(0).hand == ("kh",)


def test_everything_of_the_planner_can_be_compiled_ahead() -> None:
    knowledge.warm()
