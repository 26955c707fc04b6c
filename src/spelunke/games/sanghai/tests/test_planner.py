"""Comparisons of the planner with brute force: layings, missing and helping cards, and the most points to put down."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spelunke.core.values import Numbers
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, hints, moves, notation, reader
from spelunke.games.sanghai.cards import card_of
from spelunke.games.sanghai.planning import (
    SPAN,
    Wish,
    arrange_into,
    can_lay,
    can_lay_all_but_one,
    lacking,
    lacking_less,
    lacking_without,
    new_plan,
    unload,
    wish,
)

_spec = importlib.util.spec_from_file_location("sanghai_brute", Path(__file__).with_name("brute.py"))
assert _spec is not None
assert _spec.loader is not None
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

Laying: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int, int, int], ...]]
"""The hand that stays, and the melds."""
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
    (0, 1, 10),
]
SMALL = CONTRACTS[:3]


def some_hand(
    rng: random.Random, size: int, jokers: int, ranks: int, suits: int, black: bool = False
) -> tuple[int, ...]:
    """Return a hand of jokers and mostly neighbouring ranks. ``black`` makes black twos likely."""
    first = rng.randint(0, 13 - ranks)
    if black and rng.random() < 0.6:
        first = min(first, rng.randint(0, 2))
    kinds = [13 * s + r for s in range(suits) for r in range(first, first + ranks)]
    if rng.random() < 0.3:
        kinds += [13 * s for s in range(suits)]
    if black:
        kinds += [1, 40]
    deck = kinds * 2
    hand = [0] * 53
    for kind in rng.sample(deck, max(0, min(size - jokers, len(deck)))):
        hand[kind] += 1
    hand[52] = jokers
    return tuple(hand)


@dataclass(frozen=True)
class Options:
    """Options that change laying."""

    black: bool
    distinct: bool
    apart: bool

    def ask(self, contract: tuple[int, int, int], one: bool = False) -> Wish:
        return wish(*contract, int(self.black), int(self.distinct), int(self.apart), int(one))

    def lay_all_ways(self, hand: tuple[int, ...], contract: tuple[int, int, int]) -> set[Laying]:
        found: set[Laying] = brute.layings(hand, *contract, self.black, self.distinct, self.apart)
        return found


def some_options(rng: random.Random) -> Options:
    return Options(rng.random() < 0.5, rng.random() < 0.35, rng.random() < 0.4)


def some_worth(rng: random.Random, black: bool) -> list[int]:
    worth = list(WORTH)
    if rng.random() < 0.3:
        worth[52] = rng.choice([2, 5, 10, 25, 50])
    if black:
        worth[1] = worth[40] = worth[52]
    return worth


def show(hand: tuple[int, ...]) -> str:
    return " ".join(card_of(k) for k in range(53) for _ in range(hand[k]))


def counts(hand: Sequence[int]) -> Numbers:
    return np.array(hand, np.int16)


def missing(hand: tuple[int, ...], want: Wish) -> tuple[int, set[int]]:
    helps = np.zeros(53, np.int16)
    return int(lacking(counts(hand), want, np.int64(99), helps)), {int(k) for k in np.flatnonzero(helps)}


def check_layings(seed: int) -> None:
    """Check that planner and brute force agree whether a hand can be laid, and on the most points to put down.

    Check layings that leave at least one card, then layings that leave exactly one. If there are at most 400 layings,
    also check the most points to put down if cards may be added to melds too.
    """
    rng = random.Random(seed)
    contract, options = rng.choice(SMALL), some_options(rng)
    sets, runs, length = contract
    size = 3 * sets + length * runs + rng.randint(1, 2)
    jokers = rng.randint(0, 5 if rng.random() < 0.5 else 2)
    hand = some_hand(rng, size, jokers, rng.randint(2, 9), rng.randint(1, 3), options.black)
    found = options.lay_all_ways(hand, contract)
    want, alone = options.ask(contract), options.ask(contract, one=True)
    case = show(hand), contract, options
    enough = sum(hand) > 3 * sets + length * runs  # another card to discard
    assert (enough and can_lay(counts(hand), want)) == bool(found), case
    ends = {(rest, melds) for rest, melds in found if sum(rest) == 1}
    assert bool(found and can_lay_all_but_one(counts(hand), alone)) == bool(ends), case
    worth = some_worth(rng, options.black)
    plan = new_plan()
    nowhere = np.zeros(13, np.int16), np.zeros(0, SPAN)
    for asked, those in ((want, found), (alone, ends)):
        most = unload(counts(hand), asked, counts(worth), *nowhere, plan)
        assert most == brute.most_points(hand, worth, those), (*case, worth)
    if len(found) > 400:
        return
    table = ((1, rng.randrange(13), 0, 0), (2, rng.randrange(3), low := rng.randint(1, 8), low + 3))
    for there in (table, ()):
        marks, rows = nowhere[0].copy(), nowhere[1]
        if there:
            marks[table[0][1]] = 1
            rows = np.array([table[1][1:]], SPAN)
        most = unload(counts(hand), want._replace(adding=1), counts(worth), marks, rows, plan)
        assert most == brute.most_with_additions(hand, worth, found, there, options.black), (*case, there)


def check_missing(seed: int) -> bool:
    """Check that a helping card lowers the number of missing cards by one, and that other cards don't change it.

    Also check that at least one kind of card helps.

    If :func:`check_layings` passes too, every number of missing cards is exact. Return whether cards were missing.
    """
    rng = random.Random(seed)
    contract, options = rng.choice(CONTRACTS), some_options(rng)
    jokers = rng.randint(0, 2 if rng.random() < 0.7 else 5)
    hand = some_hand(
        rng, rng.randint(3, 14), jokers, rng.randint(2, 13), rng.choice((1, 2, 4)), options.black
    )
    want = options.ask(contract)
    far, helps = missing(hand, want)
    assert can_lay(counts(hand), want) == (far == 0), (show(hand), contract, options)
    if far == 0:
        return False
    assert helps
    for kind in range(53):
        more = tuple(n + (k == kind) for k, n in enumerate(hand))
        assert missing(more, want)[0] == far - (kind in helps), (show(hand), contract, options, card_of(kind))
    return True


def check_throws(seed: int) -> None:
    """Compare ``lacking_less`` and ``lacking_without`` with :func:`missing`.

    One call of ``lacking_without`` computes the number of missing cards after each possible discard.
    """
    rng = random.Random(seed)
    contract, options = rng.choice(CONTRACTS), some_options(rng)
    hand = some_hand(
        rng, rng.randint(6, 14), rng.choice((0, 0, 1, 2, 4)), rng.randint(3, 13), 4, options.black
    )
    want, unseen = options.ask(contract), counts([rng.randint(0, 3) for _ in range(53)])
    far, helps = missing(hand, want)
    for kind in range(53):
        less = lacking_less(counts(hand), want, np.int64(kind), np.int64(99))
        assert less == (far, kind in helps), (show(hand), contract, options, card_of(kind))
    without = {kind: missing(brute.less(hand, kind), want) for kind in range(53) if hand[kind]}
    least = min(number for number, _ in without.values())
    fars, outs = np.zeros(53, np.int16), np.zeros(53, np.int16)
    assert lacking_without(counts(hand), want, unseen, fars, outs) == least
    for kind, (number, help_then) in without.items():
        assert fars[kind] == number, (show(hand), contract, options, card_of(kind))
        if number == least:
            assert outs[kind] == unseen[sorted(help_then)].sum(), (
                show(hand),
                contract,
                options,
                card_of(kind),
            )


@pytest.mark.deep
@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_the_planner_agrees_with_an_exhaustive_search(seed: int) -> None:
    check_layings(seed)


@settings(max_examples=30, deadline=None)  # a deep test tries thousands
@given(st.integers(0, 10**9))
def test_each_card_lowers_the_number_of_missing_cards_by_one_or_zero(seed: int) -> None:
    assume(check_missing(seed))  # Hypothesis fails if most hands lack nothing


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_one_query_for_all_cards_equals_a_query_for_each_card(seed: int) -> None:
    check_throws(seed)


@pytest.mark.deep(minutes=1)
@pytest.mark.parametrize("part", range(8))
def test_the_planner_agrees_with_an_exhaustive_search_for_many_hands(part: int) -> None:
    for number in range(1000):
        check_layings(1000 * part + number)
        check_throws(1000 * part + number)
    assert sum(check_missing(1000 * part + number) for number in range(1000)) > 500


@pytest.mark.parametrize(
    ("hand", "contract", "options"),
    [
        (
            "2s 2s 2s * * * *",
            (2, 0, 4),
            Options(True, True, False),
        ),  # only a set of twos has natural cards
        ("2s 2s 2s 2c * * *", (2, 0, 4), Options(True, True, True)),
    ],
)
def test_sets_that_must_differ_are_not_both_made_of_black_twos(
    hand: str, contract: tuple[int, int, int], options: Options
) -> None:
    counted = tuple(int(n) for n in reader.counts_of(hand.split()))
    assert not options.lay_all_ways(counted, contract)
    assert not can_lay(counts(counted), options.ask(contract))


@pytest.mark.parametrize(
    ("hand", "contract", "apart", "most"),
    [
        ("2s 2s 2h 3d 2c 2c * *", (1, 1, 4), False, 93),
        ("2s 2s 3s 2c * * * *", (1, 1, 4), True, 105),
        ("2s 2s 4s 5s 5s 2c * * *", (0, 2, 4), True, 99),
    ],
)
def test_the_planner_finds_the_most_points_with_wild_black_twos(
    hand: str, contract: tuple[int, int, int], apart: bool, most: int
) -> None:
    worth = list(WORTH)
    worth[1] = worth[40] = 15
    want = Options(True, False, apart).ask(contract)
    plan = new_plan()
    nowhere = np.zeros(13, np.int16), np.zeros(0, SPAN)
    assert unload(reader.counts_of(hand.split()), want, counts(worth), *nowhere, plan) == most


@pytest.mark.parametrize("seed", range(40))
def test_laid_cards_can_be_arranged_into_melds_again(seed: int) -> None:
    rng = random.Random(seed)
    sets, runs, length = SMALL[seed % 3]
    found: set[Laying] = set()
    while not found:
        hand = some_hand(rng, 10, rng.randint(0, 2), 5, 3)
        found = brute.layings(hand, sets, runs, length)
    rest, _ = min(found, key=repr)
    cards = [card_of(k) for k in range(53) for _ in range(hand[k] - rest[k])]
    laid = arrange_into(cards, sets, runs, length)
    assert sorted(card for meld in laid for card in meld.cards) == sorted(cards)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(60))
def test_each_laying_with_wild_black_twos_can_be_arranged_again(seed: int) -> None:
    rng = random.Random(seed)
    sets, runs, length = SMALL[seed % 3]
    distinct, apart = rng.random() < 0.3, rng.random() < 0.3
    found: set[Laying] = set()
    while not found:
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
        ("2c 4c * * * * * *", 0, 2),  # a run may not keep both
        ("3s 3s 3s 3s 4s * * * * *", 2, 1),  # nor all the threes, where sets must differ
    ],
)
@pytest.mark.parametrize("distinct", [False, True])
def test_arranged_melds_can_be_laid_step_by_step(cards: str, sets: int, runs: int, distinct: bool) -> None:
    given = cards.split()
    laid = arrange_into(given, sets, runs, 4, black=True, distinct=distinct)
    assert sorted(card for meld in laid for card in meld.cards) == sorted(given)
    options = {"black_twos_wild": True, "distinct_sets": distinct, "packs": 4, "jokers_per_pack": 4}
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


def test_the_kernels_for_hints_can_be_called_in_advance() -> None:
    hints.warm_kernels()
