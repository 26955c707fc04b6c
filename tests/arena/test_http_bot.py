"""The example that plays over the API, against the running house."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
import uuid
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


def test_a_bot_that_is_silent_wrong_or_gone_loses_by_the_clock(tmp_path: Path) -> None:
    """Six seconds for the whole game: nobody waits longer, and the table's log says why it ended."""
    from conftest import serve  # type: ignore[attr-defined]

    spec = importlib.util.spec_from_file_location("http_bot", ROOT / "examples" / "http_bot.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    clock = {"kind": "live", "minutes": 0.1, "increment": 0, "out": "lose"}
    plan = {"game": GAME, "seats": ["me", f"bot:{levels(find_game(GAME))[0].name}"], "clock": clock}
    with serve(tmp_path) as server:
        house = example.House(server.url, "poor bot")
        tables = {fault: house.ask("/tables", plan)["table"] for fault in ("silent", "wrong", "gone")}
        for table in tables.values():
            house.ask(f"/tables/{table}/nonce", {"nonce": "x"})
        next(house.looks(tables["gone"]))  # it listens once and never again
        until = time.monotonic() + 40
        while any(house.ask(f"/tables/{table}")["status"] != "over" for table in tables.values()):
            assert time.monotonic() < until
            look = house.ask(f"/tables/{tables['wrong']}")
            if look["status"] == "playing" and look["legal"]:
                action = {"move": "fly to the moon", "ply": look["ply"], "key": uuid.uuid4().hex}
                refusal = house.ask(f"/tables/{tables['wrong']}/act", action)
                assert "message" in refusal
                after = house.ask(f"/tables/{tables['wrong']}")
                assert (after["ply"] == look["ply"]) or after["status"] == "over"
            time.sleep(0.3)
        for table in tables.values():
            look = house.ask(f"/tables/{table}")
            assert (look["result"]["reason"], look["result"]["seat"]) == ("time", 0)
            assert "time" in json.dumps(look["log"])


def test_examples_are_short() -> None:
    for file in (ROOT / "examples").glob("*_bot.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) < 100


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
