"""Learning the values of crews: games to learn from, the fit, and the whole command on a small scale."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from spelunke.games.shanghaien.solving import Aim, Judge, fitting, guess, samples, training
from spelunke.games.shanghaien.solving.endings import Endings
from spelunke.games.shanghaien.solving.frame import Side
from spelunke.games.shanghaien.solving.learned import read_stages
from spelunke.games.shanghaien.solving.network import new_weights
from spelunke.games.shanghaien.solving.round import Round
from spelunke.games.shanghaien.solving.samples import deal_row, full_deck, solve_start
from spelunke.games.shanghaien.solving.walks import Crews, Walker, after_round, at_the_start
from spelunke.games.shanghaien.state import ROUNDS

JUDGE = Judge([guess()] * ROUNDS, Aim.WIN, grace=0.0)


def middle_of_a_game() -> Crews:
    """Return crews after three rounds. Together, the two sides hold one trick card of each kind."""
    deck = np.array(full_deck())
    deck[[0, 5, 10, 15, 20, 25, 30, 3, 9, 14, 21, 27, 31, 4, 8]] -= 1
    deck[32:] -= 1
    first = Side(
        (1, 0, 1, 0, 0), (1, 2, 0, 4, 0, 0, 3, 0), (True, True, False, True, False, False, True, False), False
    )
    second = Side(
        (0, 1, 0, 0, 0), (4, 0, 5, 0, 1, 2, 0, 7), (True, False, True, False, True, True, False, True), False
    )
    return Crews(3, tuple(deck.tolist()), (first, second))


def test_the_mean_result_of_walks_is_the_value_of_the_round() -> None:
    """The mean result of many walks through a solved round is the value of the round."""
    rng = np.random.default_rng(4)
    crews = middle_of_a_game()
    frame = deal_row(rng, crews)
    sides = samples.fewer_jokers(crews)
    tables = [
        Round(one, 0, *sides, Endings(JUDGE, one, *sides))
        for one in (frame, replace(frame, row=frame.row[::-1]))
    ]
    walker = Walker(rng, 0.0)
    ends = [walker.walk(tables) for _ in range(160)]
    found = [tables[one.table].ended(one.caller, one.sides, one.codes) for one in ends]
    error = float(np.std(found)) / len(found) ** 0.5
    assert np.mean(found) == pytest.approx(solve_start(JUDGE, frame, sides), abs=4 * error)
    for one in ends[:20]:
        after = after_round(tables[one.table], one)
        value = JUDGE.crews(replace(frame, tavern=4), after.sides, 0)
        seen = value if one.caller == 1 else -value
        assert seen == pytest.approx(tables[one.table].ended(one.caller, one.sides, one.codes), abs=1e-5)


@pytest.mark.parametrize(("mine", "theirs"), [((7, 2, 3, 3), (6, 3, 4, 3)), ((7, 4, 2, 3), (8, 5, 2, 2))])
def test_a_round_keeps_its_value_with_fewer_jokers(
    mine: tuple[int, ...], theirs: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round keeps its value if ``fewer_jokers`` limits the jokers to the nations in which they gain most.

    The reason is that each side can still answer the other side's jokers.
    """
    monkeypatch.setattr(samples, "MOST_AT_LAST", 1)
    deck = [0] * 35
    for kind in (8, 12, 16, 20, 24, 28):
        deck[kind] = 1
    first, second = (
        Side((1, 0, 0, 0, 0), (*strength, 0, 0, 0, 0), (True,) * 4 + (False,) * 4, spent=False)
        for strength in (mine, theirs)
    )
    crews = Crews(ROUNDS - 1, tuple(deck), (first, second))
    frame = deal_row(np.random.default_rng(1), crews)
    whole, fewer = (
        samples.begin(samples.solve_row(JUDGE, frame, sides, 1))
        for sides in (crews.sides, samples.fewer_jokers(crews))
    )
    assert fewer == pytest.approx(whole, abs=0.02)


def test_stored_positions_are_read_back_unchanged() -> None:
    for crews in (middle_of_a_game(), at_the_start(full_deck())):
        cells = np.array(samples.write_crews(crews), np.int8)
        assert len(cells) == samples.CELLS
        assert samples.read_crews(crews.rounds, cells) == crews


@pytest.mark.parametrize("aim", Aim)
def test_gradients_are_equal_to_finite_differences(aim: Aim) -> None:
    """In each array of weights, the largest computed gradient is equal to a finite difference."""
    rng = np.random.default_rng(5)
    crews = middle_of_a_game()
    lesson = fitting.lesson_of(
        [crews, Crews(3, crews.deck, crews.sides[::-1])], np.array([0.3, -0.6]), 0.8, 9.0
    )
    weights = {name: part.astype(np.float64) for name, part in new_weights(rng).items()}
    weights["out"] *= 5
    _, slopes = fitting._learn(aim, weights, lesson)
    unit = 25.0 if aim is Aim.POINTS else 0.25
    for name, part in weights.items():
        at = np.unravel_index(int(np.abs(slopes[name]).argmax()), part.shape)
        sides = []
        for step in (1e-3, -1e-3):
            moved = part.copy()
            moved[at] += step
            sides.append(fitting.miss(aim, weights | {name: moved}, lesson) / unit)
        assert slopes[name][at] == pytest.approx((sides[0] - sides[1]) / 2e-3, rel=0.05, abs=1e-4), name


@pytest.mark.deep
def test_interrupted_training_resumes_at_the_same_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        (training, "CHUNK", 2),
        (training, "KEPT_APART", 2),
        (training, "GAMES", 2),
        (samples, "BRANCHES", 2),
        (training, "BRANCHES", 2),
        (samples, "SOLVED_FROM_BOTH_ENDS", 3),
        (fitting, "EPOCHS", 2),
    ):
        monkeypatch.setattr(module, name, value)
    app = typer.Typer()
    app.command()(training.train)
    file = tmp_path / "crews.npz"
    command = [
        str(tmp_path),
        "--games",
        "2",
        "--samples",
        "4",
        "--early",
        "2",
        "--checked",
        "2",
        "--workers",
        "1",
        "--out",
        str(file),
    ]

    def learn() -> bytes:
        result = CliRunner().invoke(app, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return file.read_bytes()

    learned = learn()
    recipe = json.loads(file.with_suffix(".json").read_text())
    assert "--games 2 --samples 4 --early 2 --checked 2 --seed 1" in recipe["command"]
    assert set(recipe["errors"]) == {"1", "2", "3", "4", "5", "6", "7"}
    log = tmp_path / "after-7.jsonl"
    log.write_text(log.read_text()[:-20])  # cut off while writing
    assert learn() == learned
    other = CliRunner().invoke(app, [*command, "--seed", "2"])
    assert other.exit_code == 2
    assert "another folder" in " ".join(other.output.replace("│", " ").split())
    judge = Judge(read_stages(Aim.WIN, file), Aim.WIN)
    crews = middle_of_a_game()
    frame = deal_row(np.random.default_rng(1), crews)
    assert abs(judge.crews(replace(frame, deck=crews.deck), crews.sides, 0)) < 1.1
