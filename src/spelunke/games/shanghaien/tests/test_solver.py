"""The round solver and a recursion over the rules alone give the same values of positions and choices."""

from __future__ import annotations

import importlib.util
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from spelunke.core.kernel import copy
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.appraiser import ShanghaienAppraiser
from spelunke.games.shanghaien.moves import Direct, Place, Roll, Shanghai
from spelunke.games.shanghaien.reckoning import taker
from spelunke.games.shanghaien.solving import Aim, Judge, Oracle, guess
from spelunke.games.shanghaien.solving.blocks import JOKERS, fill, fill_block
from spelunke.games.shanghaien.solving.dice import (
    CODES,
    FIRST,
    SIZES,
    code_of,
    counts,
    settled,
    steps,
    takers,
)
from spelunke.games.shanghaien.state import (
    DEALING,
    DICE,
    DIRECTING,
    EXTRA,
    NOTHING,
    NUDGED,
    ROLLED,
    ROLLING,
    ROUNDS,
    TURN,
    State,
)
from walks import step_by

_spec = importlib.util.spec_from_file_location("shanghaien_plain", Path(__file__).with_name("plain.py"))
assert _spec is not None
assert _spec.loader is not None
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)

JUDGES = {Aim.POINTS: plain.margin, Aim.WIN: plain.winner}
CALM = (Roll, Shanghai, Place, Direct)
IN_ROUND = (TURN, ROLLING, DIRECTING, ROLLED, NUDGED)
OPTIONS: list[dict[str, object]] = [
    {},
    {"start_trick": "both"},
    {"start_trick": "again", "direction_timing": "after_first_roll"},
    {"start_trick": "pm1", "doubles_reroll": True, "tiebreak": "unused_tricks"},
    {"trick_split": "4/4/0", "tiebreak": "not_starter"},
]


def oracle(aim: Aim) -> Oracle:
    return Oracle(Judge([guess()] * ROUNDS, aim))


def tolerance(aim: Aim) -> float:
    """Return the allowed difference between two values: 1e-5 if the aim is to win, and 1e-4 if it is points."""
    return 1e-5 if aim is Aim.WIN else 1e-4


def last_rounds(seed: int, options: dict[str, object], *, tricks: bool | None = None) -> Iterator[State]:
    """Yield positions at the start of the last round of random games.

    If ``tricks`` is True, yield only positions in which a seat has a trick in hand. If it is False, yield only
    positions in which no seat has a trick in hand.
    """
    rng = random.Random(seed)
    while True:
        match = Match(GAME, 2, options)
        while match.state.tavern < ROUNDS - 1 or match.state.phase != TURN:
            # Tricks in hand make the last round hard.
            step_by(match, rng, lambda action: isinstance(action, CALM))
        if tricks is None or tricks == bool(match.state.hand.any()):
            yield copy(match.state)


def walked(start: State, rng: random.Random, dice: int, options: dict[str, object]) -> State | None:
    """Return a position after random moves from ``start`` in the same round, with at least ``dice`` dice on the row.

    Return None if the round ended first, or after 200 moves.
    """
    match = Match(GAME, 2, options, state=start)
    for _ in range(200):
        s = match.state
        if s.phase not in IN_ROUND:
            return None
        if s.placed.sum() >= dice and rng.random() < 0.5:
            return copy(s)
        step_by(match, rng, lambda action: not isinstance(action, Shanghai))
    return None


def agree(s: State, exact: plain.Plain, solver: Oracle, aim: Aim) -> None:
    """Check that the solver and the plain recursion give the same value for the position and for each choice."""
    assert solver.value(s) == pytest.approx(exact.value(s), abs=tolerance(aim))
    if s.phase != ROLLING:
        seat = int(s.turn)
        found, wanted = solver.choices(s, seat), exact.choices(s, seat)
        assert found == pytest.approx(wanted, abs=tolerance(aim))
        best = (max if seat == 0 else min)(found, key=found.__getitem__)
        assert wanted[best] == pytest.approx(exact.value(s), abs=tolerance(aim))


def check_positions(seed: int, options: dict[str, object], count: int, dice: int) -> None:
    """Check that the solver and the plain recursion agree on ``count`` or more random positions.

    Each position is checked for one aim, points or a win, and has at least ``dice`` dice on the row.
    """
    rng = random.Random(seed)
    starts = last_rounds(seed, options)
    done = 0
    while done < count:
        start = next(starts)
        for aim, judge in JUDGES.items():
            exact, solver = plain.Plain(judge), oracle(aim)
            for _ in range(4):
                s = walked(start, rng, dice + rng.randrange(3), options)
                if s is not None:
                    agree(s, exact, solver, aim)
                    done += 1


@pytest.mark.parametrize("options", OPTIONS)
def test_the_solver_values_late_positions_as_the_rules_do(options: dict[str, object]) -> None:
    check_positions(1, options, 6, 8)


@pytest.mark.parametrize("tiebreak", ["none", "unused_tricks"])
@pytest.mark.parametrize("wins", [(0, 0), (1, 0), (0, 1)])
def test_after_a_drawn_game_the_third_game_of_three_is_valued_as_the_last_one(
    wins: tuple[int, int], tiebreak: str
) -> None:
    """If a player is ahead after two games, a draw in the third game is enough for this player to win the match.

    If nobody is ahead, the third game decides the match.
    """
    rng = random.Random(3)
    options = {"match": "best_of_three", "tiebreak": tiebreak}
    exact, solver = plain.Plain(plain.winner), oracle(Aim.WIN)
    for start in itertools.islice(last_rounds(3, options), 6):
        start.games, start.wins[:] = 2, wins
        s = walked(start, rng, 9, options)
        if s is not None:
            agree(s, exact, solver, Aim.WIN)


@pytest.mark.parametrize(
    ("options", "games", "exact"),
    [
        ({}, 0, True),
        ({"sharks_exchange": True}, 0, False),
        ({"crazy_captain": True}, 0, True),
        ({"match": "best_of_three"}, 1, False),
        ({"match": "sum_of_three"}, 2, True),
    ],
)
def test_values_are_exact_if_the_match_ends_with_the_round_and_no_extra_card_can_follow(
    options: dict[str, object], games: int, exact: bool
) -> None:
    """The solver ignores the card “sharks or exchange”, so values are not exact while a seat may play it.

    The crazy captain does not matter, because nobody may play it in the last round.
    """
    rng = random.Random(4)
    start = next(last_rounds(4, options))
    start.games = games
    found = None
    while found is None:
        found = walked(start, rng, 9, options)
    found.hand[0, EXTRA], found.spent[:] = bool(options.get("sharks_exchange")), 0
    appraiser = ShanghaienAppraiser()
    assert {value.exact for value in appraiser.values(found)} == {exact}
    found.spent[:] = 1
    assert {value.exact for value in appraiser.values(found)} == {
        exact or bool(options.get("sharks_exchange"))
    }


@pytest.mark.deep
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_the_solver_values_hundreds_of_positions_as_the_rules_do(
    options: dict[str, object], seed: int
) -> None:
    check_positions(10 + seed, options, 16, 6)


@pytest.mark.deep
@pytest.mark.parametrize("aim", JUDGES)
def test_solvers_agree_on_whole_rounds_without_tricks(aim: Aim) -> None:
    """Solver and recursion agree on the start of the last round, and on up to 2000 positions that follow from it."""
    start = next(last_rounds(5, {"trick_split": "8/0/0"}, tricks=False))
    exact, solver = plain.Plain(JUDGES[aim]), oracle(aim)
    agree(start, exact, solver, aim)
    rng = random.Random(1)
    for key in rng.sample(sorted(exact.known), 2000):
        s: State = np.frombuffer(bytearray(key), start.dtype)[0]
        if s.phase in IN_ROUND:
            assert solver.value(s) == pytest.approx(exact.known[key], abs=tolerance(aim))


def test_endings_are_settled_as_the_rules_say() -> None:
    table, who, dice = settled(), takers(), counts()
    rng = random.Random(1)
    s = copy(Match(GAME).state)
    for _ in range(400):
        mine, theirs = rng.randrange(CODES), rng.randrange(CODES)
        s.dice[0], s.dice[1] = dice[mine], dice[theirs]
        wanted = [{NOTHING: 0, 0: 1, 1: 2}[int(taker(s, number))] for number in range(6)]
        assert who[table[mine, theirs]].tolist() == wanted


def test_the_step_table_leads_to_the_code_with_one_more_die() -> None:
    for code in range(FIRST[DICE]):
        dice = counts()[code]
        for number in range(6):
            more = dice.copy()
            more[number] += 1
            assert code_of(more) == FIRST[dice.sum() + 1] + steps()[code, number]


@pytest.mark.parametrize("reroll", [False, True])
@pytest.mark.parametrize("tricks", [False, True])
def test_both_ways_to_fill_a_block_agree(tricks: bool, reroll: bool) -> None:
    rng = np.random.default_rng(3)
    mine, theirs = 2, 3
    one, two, out = SIZES[3] * SIZES[theirs], SIZES[4] * SIZES[theirs], SIZES[mine] * SIZES[theirs]
    store = rng.normal(size=out + 5 * one + two).astype(np.float32)
    sources = [out + k * one for k in range(5)]
    at = [0, sources[0]] + ([sources[1], sources[2], out + 5 * one, *sources[3:]] if tricks else [-1] * 3)
    ends = rng.normal(size=729).astype(np.float32)
    whole, rows = store.copy(), store.copy()
    places = np.array(at, np.int64)
    assert len(at) == JOKERS + 2 * tricks
    fill_block(whole, places, mine, theirs, steps(), settled(), ends, reroll)
    sizes = (SIZES[mine], SIZES[theirs], FIRST[mine], FIRST[theirs])
    fill(rows, places, mine, *sizes, steps(), settled(), ends, reroll)
    assert rows == pytest.approx(whole, abs=2e-6)
    assert (whole[out:] == store[out:]).all()


@pytest.mark.parametrize("options", [{}, {"sharks_exchange": True, "crazy_captain": True}])
def test_every_legal_action_has_a_value(options: dict[str, object]) -> None:
    """The solver has a value for each legal action, also in longer matches and in games with extra cards."""
    rng = random.Random(2)
    for match in ("single", "best_of_three", "sum_of_three"):
        solver = oracle(Aim.WIN)
        table = Match(GAME, 2, {**options, "match": match})
        for _ in range(150):
            if table.over:
                break
            if table.chance:
                found = table.chances()
                table.apply_chance(rng.choices([c for c, _ in found], [w for _, w in found])[0])
                continue
            seat = table.actors[0]
            values = solver.choices(table.state, seat)
            assert set(values) == set(table.numbers(seat))
            assert all(abs(value) < 1.2 for value in values.values())
            table.act(seat, rng.choice(table.legal(seat)))
        assert table.state.phase != DEALING or table.state.tavern > 0
