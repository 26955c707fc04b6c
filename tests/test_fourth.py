"""A game of another package is played, shown and measured by everything that is here, without an edit anywhere.

``tests/fourth`` holds a small one as it would lie in site-packages, with its entry point. It gets a process of its own,
because the shelf is read once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE / "fourth")}


def spelunke(*words: str, text: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", *words],
        env=ENVIRONMENT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_stands_on_the_shelf() -> None:
    games = json.loads(spelunke("games", "--json"))
    assert "dinghy" in json.dumps(games)


def test_it_is_played_in_the_terminal(tmp_path: Path) -> None:
    record = tmp_path / "dinghy.json"
    text = "row\nland\n" * 400
    spelunke("play", "dinghy", "--seed", "3", "--option", "goal=10", "--save", str(record), text=text)
    assert "dinghy" in spelunke("verify", str(record)).lower() or record.exists()
    assert json.loads(record.read_text())["result"]


def test_it_is_counted_and_measured() -> None:
    assert spelunke("perft", "dinghy", "--depth", "3")
    assert spelunke("playout", "dinghy", "--games", "100")


@pytest.mark.parametrize("suite", ["test_conformance.py", "test_secrets.py"])
def test_it_conforms(suite: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n0",
            "-p",
            "no:cacheprovider",
            "-k",
            "dinghy",
            str(HERE / suite),
        ],
        env=ENVIRONMENT,
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_house_lays_a_table_for_it(tmp_path: Path) -> None:
    code = f"""
from starlette.testclient import TestClient
from spelunke.web.app import create_app
from spelunke.web.settings import Settings
with TestClient(create_app(Settings(database="sqlite:///{tmp_path}/house.db"))) as client:
    assert "Dinghy" in client.get("/").text
    assert "wave of one" in client.get("/rules/dinghy").text
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
