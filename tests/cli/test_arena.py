"""``spelunke arena``: its results as text and picture, its refusals, stopping and resuming, and several cores."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spelunke.cli.app import run
from waiting import wait_until

GAME = "shanghaien"
BASE = ("arena", GAME, "chance", "chance", "--seed", "7")


@pytest.fixture
def spelunke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(arguments))
        found = capsys.readouterr()
        return code, found.out, found.err

    return call


@pytest.mark.deep
def test_the_arena_writes_a_table_a_verdict_and_a_picture(spelunke: Any, tmp_path: Path) -> None:
    picture, file = tmp_path / "ratings.svg", tmp_path / "games.jsonl"
    play = (
        "arena",
        GAME,
        "chance",
        "boatswain",
        "--seed",
        "7",
        "-n",
        "2",
        "--workers",
        "1",
        "--file",
        str(file),
    )
    code, out, err = spelunke(*play, "--plot", str(picture))
    assert (code, err) == (0, "")
    assert "Shanghaien, 4 games, rounds: 2, seed: 7" in out
    lines = out.splitlines()
    first, second = (
        next(k for k, line in enumerate(lines) if name in line) for name in ("boatswain", "chance")
    )
    assert first < second  # the best first
    assert "+1.000 ± 0.000" in lines[first]
    assert "It is not clear yet whether chance is better than boatswain by 0.1" in out
    assert f"The games are stored in {file}." in out
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert "boatswain" in picture.read_text(encoding="utf-8")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    three = spelunke(
        "arena", "shanghaien", "chance", "chance", "chance", "--seed", "7", "-n", "2", "--workers", "1"
    )
    assert "12 games, rounds: 2" in three[1], "each round has a pairing of each two players"
    again = spelunke(*play)[1]
    assert f"The games are stored in {file}; 4 of them were already there." in again


@pytest.mark.deep
def test_one_worker_and_two_workers_give_the_same_results(spelunke: Any) -> None:
    wild = "greedy:depth=1,noise=100"
    even = ("arena", GAME, "chance", wild, "-n", "3", "--json")
    found = [spelunke(*even, "--seed", "7", "--workers", workers) for workers in ("1", "2")]
    assert found[0][0] == 0
    assert found[0] == found[1]
    told = json.loads(found[0][1])
    assert told["games"] == 6
    assert {rating["player"] for rating in told["ratings"]} == {"chance", wild}
    other = json.loads(spelunke(*even, "--seed", "8", "--workers", "1")[1])
    assert other["ratings"] != told["ratings"]


def wait_for_lines(file: Path, count: int) -> None:
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= count, "no game was kept")


def test_a_killed_tournament_can_be_resumed(spelunke: Any, start: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    process = start(*BASE, "-n", "500", "--workers", "1", "--file", str(file))
    wait_for_lines(file, 3)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = file.read_bytes().count(b"\n") - 1
    assert 2 <= kept < 500
    rounds = str(kept + 1)
    code, out, _ = spelunke(*BASE, "-n", rounds, "--workers", "1", "--json", "--file", str(file))
    assert code == 0
    assert out == spelunke(*BASE, "-n", rounds, "--workers", "1", "--json")[1]


@pytest.mark.deep
def test_control_c_ends_the_tournament_and_all_workers_without_output(start: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    process = start(*BASE, "-n", "100000", "--workers", "2", "--file", str(file))
    wait_for_lines(file, 2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody in the group
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "")


def somebody_of(group: int) -> bool:
    """Return whether a process of the group still runs. A zombie process doesn't count."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # ended between two looks
            state, _parent, its_group = file.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                return True
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system doesn't list its processes")
def test_a_process_that_ended_counts_as_gone_before_anybody_waits_for_it() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    )
    assert somebody_of(process.pid)
    process.kill()
    wait_until(lambda: not somebody_of(process.pid))
    os.killpg(process.pid, 0)  # it exists as long as nobody has waited for it
    process.communicate()


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system doesn't list its processes")
def test_workers_end_with_the_process_that_started_them(start: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    process = start(*BASE, "-n", "100000", "--workers", "2", "--file", str(file))
    wait_for_lines(file, 2)
    assert somebody_of(process.pid)
    process.kill()
    process.communicate()
    wait_until(lambda: not somebody_of(process.pid), "a worker went on")


@pytest.mark.deep
def test_a_tournament_stops_when_the_answer_is_clear(spelunke: Any) -> None:
    stronger = ("arena", GAME, "boatswain", "chance", "--workers", "1", "-n", "400")
    code, out, _ = spelunke(*stronger, "--until-clear", "--edge", "0.5", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["verdict"]["answer"] == "better"
    assert 16 <= told["games"] < 100
    assert spelunke(*stronger, "--until-clear", "--edge", "0.5", "--json")[1] == out


def test_a_failing_program_is_reported(spelunke: Any) -> None:
    program = f"process:{shlex.join([sys.executable, '-c', 'raise SystemExit(3)'])}"
    code, out, _ = spelunke("arena", GAME, "chance", program, "-n", "1", "--workers", "1")
    assert code == 0
    assert "In 2 games a program failed, and a random move was played instead." in out
    assert "exit code 3" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GAME, "chance"), "at least two players"),
        ((GAME, "chance", "emperor"), "has no level 'emperor'"),
        ((GAME, "chance", "process:"), "name the program"),
        ((GAME, "chance", "process:python -c '"), "No closing quotation"),
        ((GAME, "chance", "chance", "--file", "{tmp}/both", "--plot", "{tmp}/both"), "two different files"),
        ((GAME, "chance", "chance", "-o", "nonsense=1"), "has no option of that name"),
        ((GAME, "chance", "chance", "-o", "match=9"), "choose one of single"),
        ((GAME, "chance", "chance", "--seats", "3"), "is for 2 players"),
        (("chess", "chance", "chance"), "there is no game 'chess'"),
        ((GAME, "chance", "chance", "--rounds", "0"), "not in the range x>=1"),
        ((GAME, "chance", "chance", "--workers", "0"), "not in the range x>=1"),
        ((GAME, "chance", "chance", "--edge", "0"), "not in the range x>=0.001"),
        ((GAME, "chance", "chance", "--plot", "{tmp}/nowhere/plot.svg"), "can't be written (No such file"),
        ((GAME, "chance", "chance", "--file", "{tmp}"), "can't be written (Is a directory"),
        ((GAME, "chance", "chance", "--file", "{tmp}/other.jsonl"), "holds another tournament"),
    ],
)
def test_an_impossible_tournament_is_refused_before_a_game_is_played(
    spelunke: Any, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "other.jsonl").write_text("something else\n", encoding="utf-8")
    code, out, err = spelunke("arena", *(text.format(tmp=tmp_path) for text in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("spelunke: ")
    assert err.count("\n") == 1
    assert (tmp_path / "other.jsonl").read_text(encoding="utf-8") == "something else\n"
    assert [file.name for file in tmp_path.iterdir()] == ["other.jsonl"]


def test_without_ray_a_cluster_is_refused(spelunke: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, err = spelunke("arena", GAME, "chance", "chance", "--cluster", "local")
    assert code == 2
    assert 'pip install "spelunke[cluster]"' in err


def test_a_missing_cluster_is_reported_at_once(spelunke: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        code, out, err = spelunke("arena", GAME, "chance", "chance", "--cluster", address)
    assert (code, out) == (2, "")
    assert f"no Ray cluster answers at {address}" in err


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", ["[]", "{}", '[{"pairing":0}]', "SEATING", "RANKS", "MISSING"])
def test_a_file_with_a_line_that_is_no_result_is_left_as_it_is(
    spelunke: Any, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "games.jsonl"
    play = (*BASE, "-n", "2", "--workers", "1", "--file", str(file))
    assert spelunke(*play)[0] == 0
    head, first, second = file.read_text(encoding="utf-8").splitlines()
    games = json.loads(first)
    changed = {
        "SEATING": [games[0], games[1] | {"seating": [0, 7]}],
        "RANKS": [games[0], games[1] | {"ranks": [1]}],
        "MISSING": games[:1],
    }
    text = "\n".join((head, json.dumps(changed[line]) if line in changed else line, second, ""))
    file.write_text(text, encoding="utf-8")
    code, out, err = spelunke(*play)
    assert (code, out) == (2, "")
    assert "line 2 is no result of this tournament" in err
    assert file.read_text(encoding="utf-8") == text
