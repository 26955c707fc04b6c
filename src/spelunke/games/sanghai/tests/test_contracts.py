"""Possible layings, refused layings with their reasons, and layings that have begun and can be completed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from spelunke.core.errors import BadText, IllegalMove
from spelunke.core.kernel import pool
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, moves, notation, rules, state

from .positions import SWAPPING, laid_with

RUNS = (
    ("qs ks as 2s", False),  # N-T10
    ("js qs ks as", True),
    ("as 2s 3s 4s", True),
    ("4h 5h 6c 7h", False),
    ("*4h *5h *6h *7h", False),
    ("4h *5h 6h *7h", True),
)


@pytest.mark.parametrize(("run", "legal"), RUNS)
def test_only_valid_runs_can_be_laid(run: str, legal: bool) -> None:
    cards = " ".join("*" if word.startswith("*") else word for word in run.split())
    hand = f"{cards} 9d 9h 9s 5d"
    if legal:
        laid_with(hand, 2, f"lay 9d 9h 9s | {run}", jokers_per_pack=4)
        return
    with pytest.raises((IllegalMove, BadText)):
        laid_with(hand, 2, f"lay 9d 9h 9s | {run}", jokers_per_pack=4)


SETS = (("7h 7h 7c", True), ("7h * *", True), ("* * *", False), ("7h 7c 8d", False))


@pytest.mark.parametrize(("cards", "legal"), SETS)  # N-T11
def test_only_valid_sets_can_be_laid(cards: str, legal: bool) -> None:
    if legal:
        laid_with(f"{cards} 9d 9h 9s 5d", 1, f"lay {cards} | 9d 9h 9s", jokers_per_pack=4)
        return
    with pytest.raises((IllegalMove, BadText)):
        laid_with(f"{cards} 9d 9h 9s 5d", 1, f"lay {cards} | 9d 9h 9s", jokers_per_pack=4)


REFUSED = (
    (1, "7s 7h 7c 9h 9d 9s kh", "7s 7h 7c | 9h 9d", "a set needs at least 3 cards"),
    (1, "7s 7h 7c 9h 9d 9s kh", "7s 7h 7c | 9h 9d 9s 9s", "you don't hold these cards: 9s"),
    (
        1,
        "7s 7h 7c 9h 9d 9s kh",
        "7s 7h 7c",
        r"your melds \(sets: 1, runs: 0\) are not those of this round's contract \(sets: 2, runs: 0\)",
    ),
    (1, "7s 7h 7c 9h 9d 9s", "7s 7h 7c | 9h 9d 9s", "one card must be left to discard"),
    (3, "4d 5d 6d 7d 9h 10h jh qh 3h", "4d-7d | 9h-jh", "a run needs at least 4 cards"),
    (3, "4d 5d 6d 7d 9d 10d jd qd * 3h", "4d 5d 6d 7d *8d | 9d-qd", "runs of the same suit must have a gap"),
)


@pytest.mark.parametrize(("lap", "hand", "laying", "why"), REFUSED)
def test_the_refusal_of_a_laying_gives_the_reason(lap: int, hand: str, laying: str, why: str) -> None:
    """The reason for a refusal concerns the whole hand, not the cards that are left after the first melds."""
    with pytest.raises(IllegalMove, match=why):
        laid_with(hand, lap, f"lay {laying}", no_adjacent_runs=True)


def test_the_longest_run_has_fourteen_cards() -> None:
    hand = "ah 2h 3h 4h 5h 6h 7h 8h 9h 10h jh qh kh ah 5d 6d 7d 8d 2s"
    position = {
        "round": 3,
        "finished": [{"points": [0] * 4}] * 2,
        "turn": 0,
        "options": {"hep_penalty": 2},
        "seats": [{"hand": hand, "heps": 3}, {"hand": "2c"}, {"hand": "3c"}, {"hand": "2h"}],
    }
    match = Match(GAME, 4, {"hep_penalty": 2}, state=notation.parse_position(position))
    match.act(0, match.parse("lay ah-kh ah | 5d-8d".replace("ah-kh ah", " ".join(hand.split()[:14]))))
    assert match.view(0).melds[1].meld.high == 8
    assert match.view(0).melds[0].meld.low == 1
    assert match.view(0).melds[0].meld.high == 14


def test_a_laying_that_has_begun_can_always_be_completed() -> None:
    """A laying with random legal steps always ends with the whole contract."""
    begun = finished = 0
    for seed in range(40):
        rng = random.Random(seed)
        options = {
            "schedule": rng.choice(["short", "contract7", "shanghai10"]),
            "black_twos_wild": rng.random() < 0.5,
            "last_round_at_once": rng.random() < 0.5,
            "distinct_sets": rng.random() < 0.3,
            "no_adjacent_runs": rng.random() < 0.3,
            "jokers_per_pack": 4,
            "hep_limit": 5,
            "hep_penalty": 2,
        }
        s = pool(state.STATE, 1)[0]
        rules.start(s, GAME.setup(3, GAME.settle(3, options)))
        s.lap = rng.randrange(int(state.rounds(s)))
        s.dealer, s.turn, s.phase = 2, 0, state.TURN
        wanted = int(state.cards_wanted(s)) + 1 + rng.randint(0, 2)
        kinds = [52] * rng.randint(1, 5) + [rng.randrange(52) // 3 * 3 % 52 for _ in range(wanted + 8)]
        for kind in kinds:
            if s.stock[kind] and s.held[0] < wanted:
                s.stock[kind] -= 1
                s.stocked -= 1
                state.give(s, 0, kind)
        for seat in (1, 2):
            kind = int(np.flatnonzero(s.stock)[0])
            s.stock[kind] -= 1
            state.give(s, seat, kind)
        match = Match(GAME, 3, options, state=s)
        opened = [a for a in match.legal(0) if isinstance(a, moves.OpenSet | moves.OpenRun)]
        if not opened:
            continue
        begun += 1
        match.act(0, rng.choice(opened))
        while match.state.phase != state.TURN:
            assert match.legal(0), match.texts(0)
            match.act(0, rng.choice(match.legal(0)))
        finished += bool(match.view(0).laid[0])
        assert match.state.held[0] >= 1
    assert begun == finished
    assert begun > 5


def test_a_refused_swap_of_the_last_card_gives_the_reason() -> None:
    position = {
        **SWAPPING,
        "seats": [{"hand": "9c", "laid": True}, {"hand": "2h", "laid": True}, {"hand": "2d"}],
    }
    match = Match(
        GAME, 3, {"joker_swap": True, "black_twos_wild": True}, state=notation.parse_position(position)
    )
    with pytest.raises(IllegalMove, match="no wild card in meld 1 stands for 9c"):
        match.act(0, match.parse("swap 9c into 1"))
    with pytest.raises(IllegalMove, match="you must keep your last card"):
        match.act(0, match.parse("add 9c to 1"))
