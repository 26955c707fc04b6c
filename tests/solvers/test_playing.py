"""Searches and playouts of positions. Most tests are in ``plain_*.py``, and run in processes of their own.

In these processes, kernels are not compiled: to compile them takes a minute, longer than the tests. Only the tests of
searches run once more with compiled kernels.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spelunke.analysis.analysis import mark_of
from spelunke.solvers.equilibrium import equilibrium, regrets

HERE = Path(__file__).parent


def run(*files: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files],
        cwd=HERE,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.deep
@pytest.mark.parametrize("file", ["plain_doubt.py", "plain_playing.py", "plain_search.py"])
def test_the_tests_in_plain_files_pass_with_plain_kernels(file: str) -> None:
    run(file, SPELUNKE_JIT="0")


@pytest.mark.deep
def test_the_tests_of_searches_pass_with_compiled_kernels() -> None:
    run("plain_search.py")


def test_matching_pennies_are_mixed_evenly() -> None:
    win = np.array([[1.0, 0.0], [0.0, 1.0]])
    mixes = equilibrium(np.stack([win, 1 - win], axis=-1))
    for mix in mixes:
        assert mix == pytest.approx([0.5, 0.5], abs=0.02)


def test_a_lopsided_choice_has_its_known_mixture() -> None:
    # The first loses less if both take their second: 2 p = 1 - p makes the other indifferent.
    mine = np.array([[0.0, 1.0], [1.0, 0.5]])
    payoffs = np.stack([mine, 1 - mine], axis=-1)
    first, second = equilibrium(payoffs, 4000)
    assert first == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    assert second == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    assert max(regrets(payoffs, [first, second])) < 0.01


def test_three_seats_avoid_dominated_choices() -> None:
    payoffs = np.zeros((2, 2, 2, 3))
    for seat in range(3):
        payoffs[..., seat] = np.moveaxis(np.broadcast_to([1.0, 0.2], (2, 2, 2)), 2, seat)
    mixes = equilibrium(payoffs)
    assert all(mix[0] > 0.99 for mix in mixes)


def test_a_cost_is_marked_as_an_error_only_beyond_the_uncertainty() -> None:
    assert mark_of(0.05) == "mistake"
    assert mark_of(0.05, 0.016) == "mistake"
    assert mark_of(0.05, 0.017) == ""
    assert mark_of(0.02) == "inaccuracy"
    assert mark_of(0.019) == ""
    assert mark_of(0.31, 0.1) == "blunder"
