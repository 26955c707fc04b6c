"""The same rules run compiled, plain and bounds-checked, and give the same digest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiling import AS_PLAYED, CHECKED
from spelunke.games import shelf

TWIN = Path(__file__).with_name("twin.py")
WAYS = {
    "compiled": {"SPELUNKE_JIT": "1", **AS_PLAYED},
    "bounds-checked": {"SPELUNKE_JIT": "1", **CHECKED},
    "plain": {"SPELUNKE_JIT": "0"},
}


def digests(game: str, way: str, *asked: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(TWIN), game, *map(str, asked)],
        env={**os.environ, **WAYS[way]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("game", shelf())
def test_plain_and_checked_agree(game: str) -> None:
    """``test_ahead.py`` compares the rules compiled ahead of time, and a deep test those that Numba optimises fully."""
    plain, checked = (digests(game, way, 8, 1000) for way in ("plain", "bounds-checked"))
    assert plain == checked
    assert len(set(plain)) == 8


@pytest.mark.parametrize("game", shelf())
def test_each_value_of_each_option_plays_the_same(game: str) -> None:
    """The deep test compares the tables of the other games with plain rules."""
    plain, checked = (digests(game, way, "each", 150) for way in ("plain", "bounds-checked"))
    assert plain == checked
    assert len(plain) > len(shelf()[game].options)


@pytest.mark.parametrize("game", shelf())
def test_plain_rules_play_what_is_written(game: str) -> None:
    """Golden games and perft tables; ``test_golden.py`` compares them with the compiled rules."""
    assert {one.partition(":")[2] for one in digests(game, "plain", "written")} == {"True"}


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_each_value_of_each_option_plays_the_same_for_long(game: str) -> None:
    found = {way: digests(game, way, "each", 4000) for way in WAYS}
    assert found["plain"] == found["compiled"] == found["bounds-checked"]


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_they_agree_over_thousands_of_games(game: str) -> None:
    found = {way: digests(game, way, 100, 8000) for way in WAYS}
    assert found["plain"] == found["compiled"] == found["bounds-checked"]
