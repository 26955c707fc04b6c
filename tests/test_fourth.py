"""A game of another package is played, shown and measured by all existing programs, without an edit anywhere.

``tests/fourth`` contains such a package with a small game, as if it were installed. Programs with this game run in
processes of their own, because a process reads the registry only once.
"""

from __future__ import annotations

import configparser
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PLACES = [str(HERE / "fourth"), *filter(None, [os.environ.get("PYTHONPATH")])]
COMPILED = {**os.environ, "PYTHONPATH": os.pathsep.join(PLACES), "SPELUNKE_JIT": "1"}
PLAIN = {**COMPILED, "SPELUNKE_JIT": "0"}
"""The environment for results that are the same with plain rules: half of these tests' time was compiling."""


def spelunke(*words: str, text: str = "", environment: dict[str, str] = PLAIN, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", *words],
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def test_dinghy_is_listed_among_the_games() -> None:
    games = json.loads(spelunke("games", "--json"))
    (dinghy,) = [game for game in games if game["name"] == "dinghy"]
    assert [option["name"] for option in dinghy["options"]] == ["goal"]


@pytest.mark.deep
def test_dinghy_is_played_in_the_terminal(tmp_path: Path) -> None:
    record = tmp_path / "dinghy.json"
    text = "row\nland\n" * 400
    spelunke("play", "dinghy", "--seed", "3", "--option", "goal=10", "--save", str(record), text=text)
    # Nobody signed it, so nothing is contradicted and all of it may be invented.
    assert spelunke("verify", str(record), code=3).startswith("Not proven, but nothing contradicts")
    kept = json.loads(record.read_text())
    assert (kept["game"], kept["options"]["goal"], kept["result"]["reason"]) == ("dinghy", "10", "played")
    assert max(kept["result"]["scores"]) >= 10


ANALYSED = """
import sys
from spelunke.cli.output import write_json
from spelunke.analysis.playouts import Budget
from spelunke.records.record import parse_record
from spelunke.records.replay import replay
from spelunke.solvers.analysis import analyse
from spelunke.solvers.playing import PlayoutAppraiser

record = parse_record(open(sys.argv[1], "rb").read())
match = replay(record)
small = Budget(worlds=1, first=4, last=8, here=4, chance=6)
write_json(analyse(match, ["Anna", "Bert"], appraiser=PlayoutAppraiser(match.game, small)))
"""


@pytest.mark.deep
def test_dinghy_is_analysed_without_hooks_for_playouts(tmp_path: Path) -> None:
    record = tmp_path / "dinghy.json"
    moves = "row\nland\n" * 50
    spelunke("play", "dinghy", "--seed", "3", "--option", "goal=5", "--save", str(record), text=moves)
    done = subprocess.run(
        [sys.executable, "-c", ANALYSED, str(record)],
        env=PLAIN,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["curve"][-1]["chance"] in ([1.0, 0.0], [0.0, 1.0])
    free = [one for one in found["decisions"] if not one["forced"]]
    assert free
    assert all({a["move"] for a in one["alternatives"]} == {"row", "land"} for one in free)
    sure = [one for one in free if one["alternatives"][0]["value"]["exact"]]
    assert sure, "the player who can land the last barrel is sure to win"
    assert {one["alternatives"][0]["move"] for one in sure} == {"land"}


@pytest.mark.deep
def test_dinghy_is_compiled_for_perft_and_playouts() -> None:
    words = ("perft", "dinghy", "--depth", "3", "--json")
    depths = json.loads(spelunke(*words, environment=COMPILED))["depths"]
    # Row; six waves; then the next seat rows, or this one rows on or lands.
    assert [row["sequences"] for row in depths] == [1, 1, 6, 1 + 5 * 2]
    told = json.loads(spelunke("playout", "dinghy", "--games", "100", "--json", environment=COMPILED))
    assert told["games"] == 100
    assert told["decisions"] > 1000


@pytest.mark.deep
def test_searches_play_dinghy_without_a_judgement_of_positions() -> None:
    words = (
        "dinghy",
        "chance",
        "search:looks=8",
        "--rounds",
        "1",
        "--workers",
        "1",
        "--option",
        "goal=10",
        "--json",
    )
    told = json.loads(spelunke("arena", *words))
    assert told


@pytest.mark.sampled
@pytest.mark.parametrize("suite", ["test_conformance.py", "test_secrets.py"])
def test_dinghy_passes_the_conformance_tests(suite: str) -> None:
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
        env=PLAIN,
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) >= (20 if suite == "test_conformance.py" else 4)
    assert "skipped" not in done.stdout


def test_dinghy_is_played_at_a_table_of_the_house(tmp_path: Path) -> None:
    code = f"""
from starlette.testclient import TestClient
from spelunke.web.app import create_app
from spelunke.web.settings import Settings
with TestClient(create_app(Settings(database="sqlite:///{tmp_path}/house.db"))) as client:
    assert "Dinghy" in client.get("/").text
    assert "wave of one" in client.get("/rules/dinghy").text
    anna, ben = (client.post("/api/v1/guests", json=dict(name=name)).json()["token"] for name in ("Anna", "Ben"))

    def ask(who, path, body=None):
        headers = dict(authorization="Bearer " + who)
        path = "/api/v1/tables" + path
        answer = client.get(path, headers=headers) if body is None else client.post(path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer.json()

    table = "/" + ask(anna, "", dict(game="dinghy", seats=["me", "open"]))["table"]
    ask(ben, table + "/join", dict())
    for person in (anna, ben):
        ask(person, table + "/nonce", dict(nonce="share"))
    look = ask(anna, table)
    assert [move["text"] for move in look["legal"]] == ["row"], look
    ask(anna, table + "/act", dict(move="row", ply=look["ply"], key="key-of-anna"))
    assert "rows on" in ask(ben, table)["log"][-2]["text"]
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=PLAIN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_tutorial_shows_the_files_of_dinghy() -> None:
    """The code in docs/add-a-game.md, with which a reader makes this game, equals the files of these tests."""
    page = (HERE.parent / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"`dinghy/([\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    folder = HERE / "fourth" / "dinghy"
    assert shown == {
        file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()
    }


def test_the_tutorial_declares_the_entry_point_of_dinghy() -> None:
    page = (HERE.parent / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    project = tomllib.loads(re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[0])["project"]
    points = configparser.ConfigParser()
    points.read(HERE / "fourth" / "dinghy-1.0.dist-info" / "entry_points.txt")
    assert project["entry-points"] == {"spelunke.games": dict(points["spelunke.games"])}
    assert (project["name"], project["version"]) == ("dinghy", "1.0")
