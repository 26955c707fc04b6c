"""The player with learned costs: tests in a process without compiled kernels, and games against quick players."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.deep
def test_the_tests_in_plain_shrewd_pass_with_plain_kernels() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "plain_shrewd.py"],
        cwd=Path(__file__).parent,
        # On a busy machine, threads that multiply small matrices wait for each other a hundred times longer than they
        # work.
        env={**os.environ, "SPELUNKE_JIT": "0", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.deep
def test_the_learned_player_beats_three_quick_players() -> None:
    from spelunke.games.sanghai.learning import compare

    leads, places = compare(4, 300, 1, 0, {})
    assert leads.mean() > 15
    assert places.mean() < 2.4
