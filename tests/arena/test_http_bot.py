"""The example that plays over the API, against the running house."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from spelunke.bots.levels import levels
from spelunke.games import find_game, shelf

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "web"))
GAME = next(
    name
    for name in sorted(shelf(), reverse=True)
    if find_game(name).seats[0] == 2 and not find_game(name).hidden
)


@pytest.mark.parametrize(
    "program", [[], ["--program", f"{sys.executable} {ROOT / 'examples' / 'line_bot.py'}"]]
)
def test_the_example_plays_a_whole_game_with_a_bot_of_the_house(tmp_path: Path, program: list[str]) -> None:
    """By itself, and for a program that speaks lines."""
    from conftest import serve  # type: ignore[attr-defined]

    level = levels(find_game(GAME))[0].name
    with serve(tmp_path) as server:
        command = [
            sys.executable,
            str(ROOT / "examples" / "http_bot.py"),
            server.url,
            "--game",
            GAME,
            "--level",
            level,
            *program,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["scores"]


def test_examples_are_short() -> None:
    for file in (ROOT / "examples").glob("*_bot.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) < 100


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
