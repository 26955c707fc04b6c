"""A game has the same digest whether its rules run compiled, compiled with checks of bounds, or plain (not compiled).

`make test` runs plain rules in nearly all other tests, so this module also notices rules that Numba can't compile.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from compiling import AS_PLAYED, CHECKED, TWIN, sizes
from spelunke.games import shelf

SIZES = sizes()
WAYS = {
    "compiled": {"SPELUNKE_JIT": "1", **AS_PLAYED},
    "bounds-checked": {"SPELUNKE_JIT": "1", **CHECKED},
    "plain": {"SPELUNKE_JIT": "0"},
}


def digests(game: str, way: str, *questions: str) -> list[list[str]]:
    """Run twin.py once for all questions, because its start takes most of the time. Return its answers."""
    done = subprocess.run(
        [sys.executable, TWIN, game, *questions],
        env={**os.environ, **WAYS[way]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("game", sorted(SIZES, key=SIZES.__getitem__, reverse=True))
def test_plain_and_bounds_checked_rules_play_the_same_games(game: str) -> None:
    """Under plain and bounds-checked rules, random games have the same digests, also with other values of each option.

    Plain rules also reproduce the stored golden games and perft tables. ``test_golden.py`` checks this for the compiled
    rules. ``test_ahead.py`` tests the rules compiled ahead of time. A deep test compares the rules that Numba optimises
    fully.
    """
    plain, each, written = digests(game, "plain", "4:600", "each:60", "written")
    assert [plain, each] == digests(game, "bounds-checked", "4:600", "each:60")
    assert len(set(plain)) == 4
    assert len(each) > len(shelf()[game].options)
    assert {one.partition(":")[2] for one in written} == {"True"}


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_all_ways_to_run_the_rules_agree_on_thousands_of_games(game: str) -> None:
    found = {way: digests(game, way, "100:8000", "each:4000") for way in WAYS}
    assert found["plain"] == found["compiled"] == found["bounds-checked"]
    assert len(found["plain"]) == 2
