"""A reader's device solves rounds: its kernel computes the same values as the solver. Wrong results are refused."""

from __future__ import annotations

import gzip
import random

import numpy as np
import pytest

from spelunke.analysis.analysis import Analysis
from spelunke.core.errors import BadInput
from spelunke.core.kernel import copy, runs_compiled
from spelunke.games.match import Match
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.moves import Shanghai
from spelunke.games.shanghaien.solving import Aim, Judge, device, device_network, learned
from spelunke.games.shanghaien.solving.blocks import Floats
from spelunke.games.shanghaien.solving.dice import CODES, counts, settled, steps
from spelunke.games.shanghaien.solving.elsewhere import (
    NETWORKS,
    Plan,
    PlanningAppraiser,
    device_file,
    pack_weights,
    task_of,
)
from spelunke.games.shanghaien.solving.endings import Endings
from spelunke.games.shanghaien.solving.frame import END, read
from spelunke.games.shanghaien.solving.network import Network
from spelunke.games.shanghaien.solving.round import Round
from spelunke.games.shanghaien.state import ROUNDS, TURN, UNFIXED, State
from spelunke.solvers.analysis import analyse
from walks import step_by

WHOLE: list[tuple[dict[str, object], int]] = [
    ({"start_trick": "again"}, 1),
    ({"match": "best_of_three", "tiebreak": "not_starter"}, 6),
    ({"match": "sum_of_three", "start_trick": "both", "doubles_reroll": True}, 8),
    ({"tiebreak": "unused_tricks", "start_trick": "pm1"}, 8),
]
"""Pairs: the options of a match, and the number of the round to solve."""


def in_round(options: dict[str, object], number: int) -> State:
    """Return a position in round ``number`` with at least three dice on the row."""
    rng, match = random.Random(number), Match(GAME, 2, options)
    while True:
        s = match.state
        if (s.tavern, s.phase) == (number - 1, TURN) and s.end != UNFIXED and s.placed.sum() >= 3:
            return copy(s)
        step_by(match, rng, lambda action: not isinstance(action, Shanghai))


def file_parts() -> tuple[Floats, Floats]:
    """Return the tables and the networks of the file for devices."""
    content, size = gzip.decompress(device_file()), device_network.STATES * device_network.COLUMNS
    networks = np.frombuffer(content, "<f2", NETWORKS * device_network.WEIGHTS, 4 * size)
    return np.frombuffer(content, "<f4", size), networks.reshape(NETWORKS, -1).astype(np.float32)


@pytest.mark.deep  # the kernel takes 20 s to compile; tests/test_wasm.py solves the rounds of a game by WebAssembly
@pytest.mark.parametrize(("options", "number"), WHOLE)
def test_a_device_solves_a_round_as_the_server_does(options: dict[str, object], number: int) -> None:
    if not runs_compiled(device.solve):
        pytest.skip("it takes minutes without compiled kernels")
    t, (tables, networks) = read(in_round(options, number)), file_parts()
    frame, known = t.frame(t[END]), np.full((CODES, CODES), -1, np.int16)
    for aim in Aim:
        judge = Judge(learned(aim), aim, grace=0.0)
        solved = Round(frame, t.lead, *t.sides, Endings(judge, frame, *t.sides))
        task = task_of(judge, solved)
        assert (task.network >= 0) == (number < ROUNDS)
        numbers = np.array(task.numbers)
        ends, store = np.zeros(task.ends, np.float32), np.zeros(task.size, np.float32)
        given = (np.array(one, np.int16) for one in (task.frame, task.sides, task.tricks))
        known = known.ravel()
        dice = steps().ravel(), counts().astype(np.int16).ravel(), known
        assert device.solve(networks[task.network], tables, *given, numbers, *dice, ends, store) == task.size
        known = known.reshape(CODES, CODES)
        off = 1e-4 if aim is Aim.POINTS else 1e-5
        assert float(numbers[0]) == pytest.approx(solved._middle, abs=off)
        assert ends == pytest.approx(solved._ends.ravel(), abs=off)
        assert store == pytest.approx(solved.store, abs=off)
    assert (known == settled()).all()


def test_the_device_file_holds_all_networks() -> None:
    networks = file_parts()[1]
    for at, aim in enumerate((Aim.POINTS, Aim.WIN)):
        for rounds, stage in enumerate(learned(aim)[1:]):
            assert isinstance(stage, Network)
            assert (networks[at * (ROUNDS - 1) + rounds] == pack_weights(stage)).all()


@pytest.fixture(scope="module")
def match() -> Match:
    """Return a match after its first 24 plies."""
    rng, match = random.Random(3), Match(GAME, 2, {"start_trick": "both"})
    while match.ply < 24:
        step_by(match, rng, lambda action: not isinstance(action, Shanghai))
    return match


def plan_of(match: Match) -> Plan:
    appraiser = PlanningAppraiser(None)
    analyse(match, "AB", appraiser=appraiser)
    return appraiser.plan()


def finish(match: Match, results: list[float]) -> Analysis:
    appraiser = PlanningAppraiser(np.array(results, np.float64))
    found = analyse(match, "AB", appraiser=appraiser)
    appraiser.end()
    return found


def test_the_results_of_a_plan_complete_the_analysis(match: Match) -> None:
    plan = plan_of(match)
    assert plan == plan_of(match)
    results = [number for one in plan.rounds for number in (0.0, len(one.reads), *[0.0] * len(one.reads))]
    found = finish(match, results)
    assert len(found.curve) == match.ply + 1
    costs = [one.cost_chance for one in found.decisions if not one.forced]
    assert costs
    assert costs == pytest.approx([0.0] * len(costs)), "all positions of a round are worth the same"


@pytest.mark.parametrize("wrong", ["short", "long", "few", "many", "large", "none", "infinite"])
def test_malformed_results_are_refused(match: Match, wrong: str) -> None:
    plan = plan_of(match)
    results = [number for one in plan.rounds for number in (0.0, len(one.reads), *[0.0] * len(one.reads))]
    if wrong == "short":
        del results[-1]
    elif wrong == "long":
        results.append(0.0)
    elif wrong in ("few", "many"):
        results[1] += 1 if wrong == "many" else -1
    else:
        results[2] = {"large": 2e4, "none": float("nan"), "infinite": float("inf")}[wrong]
    with pytest.raises(BadInput):
        finish(match, results)


def test_a_game_that_is_too_long_for_a_device_is_not_planned(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(2 + len(one.reads) for one in plan_of(match).rounds)
    monkeypatch.setattr("spelunke.games.shanghaien.solving.elsewhere.MOST_READS", size - 1)
    with pytest.raises(BadInput, match="too long"):
        plan_of(match)
