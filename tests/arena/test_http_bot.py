"""The program `examples/http_bot.py`, which plays over the API of a running server."""

from __future__ import annotations

import http.server
import importlib.util
import json
import shlex
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spelunke.bots.levels import levels
from spelunke.games import find_game, shelf
from waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "web"))
GAME = next(
    name
    for name in sorted(shelf(), reverse=True)
    if find_game(name).seats[0] == 2 and not find_game(name).hidden
)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "program", [[], ["--program", f"{sys.executable} {ROOT / 'examples' / 'line_bot.py'}"]]
)
def test_the_example_plays_a_whole_game_with_a_bot_of_the_house(tmp_path: Path, program: list[str]) -> None:
    """The example bot finishes a game, with moves that it chooses itself or that it requests from another program."""
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


def load_example() -> Any:
    spec = importlib.util.spec_from_file_location("http_bot", ROOT / "examples" / "http_bot.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


def test_the_program_learns_the_game_of_the_table(tmp_path: Path) -> None:
    """If the example (`http_bot.py`) joins a table of another person, the program for its moves gets the game's name.

    If this program ends, or if there is no free seat for the example, the example reports this in one sentence.
    """
    from conftest import serve  # type: ignore[attr-defined]

    heard = tmp_path / "heard.json"
    program = tmp_path / "program.py"
    program.write_text(f"import pathlib\npathlib.Path({str(heard)!r}).write_text(input())\n")
    plan = {"game": GAME, "seats": ["me", "link"]}
    with serve(tmp_path) as server:
        house = load_example().House(server.url, "host")
        table = house.ask("/tables", plan)["table"]
        invite = house.ask(f"/tables/{table}")["invite"]
        command = [sys.executable, str(ROOT / "examples" / "http_bot.py"), server.url, "--table", table]
        with_program = ["--invite", invite, "--program", shlex.join([sys.executable, str(program)])]
        done = subprocess.run(command + with_program, capture_output=True, text=True, timeout=60, check=False)
        again = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(heard.read_text()) == {"ask": "hello", "protocol": 1, "game": GAME}
    assert done.returncode == 1
    assert done.stderr.startswith("No more answer from: ")
    assert done.stderr.count("\n") == 1
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1


GONE = "os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)"
"""Wait until the only child of a process has ended, and leave its exit status unread."""


def test_the_example_reports_a_program_that_ends() -> None:
    """If the program has ended when the example asks it for a move, the example reports this in one sentence."""
    program = shlex.join([sys.executable, "-c", "print('name') if input() else 0"])
    ask = (
        f"choose = http_bot.ask_program({program!r}, 'a game'); {GONE}; choose({{'view': {{}}, 'legal': []}})"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import os, http_bot; {ask}"],
        cwd=ROOT / "examples",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"No more answer from: {program}\n")


class FakeHouse:
    """A house that pushes the given looks (states of a table), refuses the first move, and records the requests."""

    def __init__(self, *looks: dict[str, Any]) -> None:
        self.pushed = looks
        self.asked: list[tuple[str, Any]] = []

    def looks(self, _table: str) -> Iterator[dict[str, Any]]:
        yield from self.pushed

    def ask(self, path: str, body: Any = None) -> dict[str, Any]:
        self.asked.append((path, body))
        if [path for path, _ in self.asked] == ["/tables/name/act"]:
            return {"error": "stale", "message": "The table had moved on."}
        return {"answer": "done"}


def test_the_bot_waits_for_the_next_look_after_a_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    turn: dict[str, Any] = {"status": "playing", "may": [], "legal": [{"text": "roll"}]}
    over: dict[str, Any] = {"status": "over", "may": [], "legal": [], "result": {}}
    house = FakeHouse(turn | {"ply": 5}, turn | {"ply": 6}, over)
    assert load_example().play(house, "name") == over
    assert [(path, body["move"], body["ply"]) for path, body in house.asked] == [
        ("/tables/name/act", "roll", 5),
        ("/tables/name/act", "roll", 6),
    ]
    assert len({body["key"] for _, body in house.asked}) == 2
    assert capsys.readouterr().err == "The table had moved on.\n"


def test_the_bot_sends_a_nonce_only_once() -> None:
    """The example sends its nonce (its own random text) only once.

    It does so although the server sends a new look (the table's state) after the nonce of each player.
    """
    ready: dict[str, Any] = {"status": "ready", "may": ["nonce"], "legal": [], "seat": 1}
    looks = [ready | {"fairness": {"nonces": nonces}} for nonces in ([None, None], [None, "x"], ["y", "x"])]
    house = FakeHouse(*looks, {"status": "over", "may": [], "legal": []})
    load_example().play(house, "name")
    assert [path for path, _ in house.asked] == ["/tables/name/nonce"]


def test_the_bot_waits_as_long_as_a_busy_house_requests() -> None:
    """The example repeats a refused request after the pause that the server names, until it is accepted."""
    paths: list[str] = []

    class Busy(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            paths.append(self.path)
            busy = len(paths) < 3
            self.send_response(429 if busy else 200)
            self.send_header("Retry-After", "7")
            self.end_headers()
            self.wfile.write(b'{"error": "busy", "message": "Wait."}' if busy else b'{"token": "mine"}')

        def log_message(self, *_: Any) -> None:
            pass

    example, pauses = load_example(), []
    with http.server.HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(example, "time", SimpleNamespace(sleep=pauses.append))
            house = example.House(f"http://127.0.0.1:{server.server_port}", "guest")
        server.shutdown()
    assert house.headers["Authorization"] == "Bearer mine"
    assert paths == ["/api/v1/guests"] * 3
    assert pauses == [7, 7]


@pytest.mark.deep
def test_a_bot_that_is_silent_wrong_or_gone_loses_by_the_clock(tmp_path: Path) -> None:
    """The bot has six seconds for the whole game. Then it loses, and the table's log gives the reason."""
    from conftest import serve  # type: ignore[attr-defined]

    example = load_example()
    clock = {"kind": "live", "minutes": 0.1, "increment": 0, "out": "lose"}
    plan = {"game": GAME, "seats": ["me", f"bot:{levels(find_game(GAME))[0].name}"], "clock": clock}
    with serve(tmp_path) as server:
        house = example.House(server.url, "poor bot")
        tables = {fault: house.ask("/tables", plan)["table"] for fault in ("silent", "wrong", "gone")}
        for table in tables.values():
            house.ask(f"/tables/{table}/nonce", {"nonce": "x"})
        next(house.looks(tables["gone"]))  # it listens once and never again
        refused = 0

        def all_over() -> bool:
            nonlocal refused
            look = house.ask(f"/tables/{tables['wrong']}")
            if look["status"] == "playing" and look["legal"]:
                action = {"move": "fly to the moon", "ply": look["ply"], "key": uuid.uuid4().hex}
                refusal = house.ask(f"/tables/{tables['wrong']}/act", action)
                assert "message" in refusal
                after = house.ask(f"/tables/{tables['wrong']}")
                assert after["status"] == "over" or after["ply"] == look["ply"]
                refused += after["status"] != "over"
            return all(house.ask(f"/tables/{table}")["status"] == "over" for table in tables.values())

        wait_until(all_over, "a clock did not run out", pause=0.3)
        assert refused
        for table in tables.values():
            look = house.ask(f"/tables/{table}")
            assert (look["result"]["reason"], look["result"]["seat"]) == ("time", 0)
            assert "time" in json.dumps(look["log"])


def test_each_example_bot_has_fewer_than_100_lines() -> None:
    files = sorted((ROOT / "examples").glob("*_bot.py"))
    assert len(files) >= 2
    for file in files:
        assert len(file.read_text(encoding="utf-8").splitlines()) < 100


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
