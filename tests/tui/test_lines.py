"""`spelunke play --house` plays at a server's tables line by line: in JSON for programs, and in words for people."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from house_server import Server, serve
from spelunke.tui.client import Client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("house")) as server:
        yield server


class Player:
    """A program that plays in the line mode, with JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.look: dict[str, Any] = {}
        """The newest look that was read."""

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def next(self, kind: str = "look") -> dict[str, Any]:
        """Return the next message that has this type."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found: dict[str, Any] = json.loads(line)
            self.look = found.get("look", self.look)
            if found["type"] == kind:
                return found
        raise AssertionError(f"it ended without {kind}")

    def until(self, name: str, *values: object) -> dict[str, Any]:
        """Read looks (states of the table) until one has one of the values in its field ``name``. Return this look.

        If the look that was read last has such a value already, return it. If no values are given, any value counts
        that is not empty.
        """
        while not self.look or not (self.look[name] in values if values else self.look[name]):
            self.next()
        return self.look


@contextmanager
def play(config: Path, *arguments: str) -> Iterator[Player]:
    """Run the line mode for programs. It keeps its logins in the folder ``config``."""
    environment = os.environ | {"XDG_CONFIG_HOME": str(config), "SPELUNKE_KEYRING": "0"}
    with subprocess.Popen(
        [sys.executable, "-m", "spelunke.cli", "play", *arguments, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            yield Player(process)
        finally:
            process.kill()


def write(config: Path, typed: str, *arguments: str) -> tuple[int, str, str]:
    """Run the line mode for people, with ``typed`` as input. Return the exit code, stdout and stderr."""
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(config),
        "SPELUNKE_KEYRING": "0",
        "SPELUNKE_LANGUAGE": "en",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", "play", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.deep
def test_a_program_plays_a_whole_game_and_its_record_is_proved(server: Server, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    with play(tmp_path, "shanghaien", "--house", server.url, "--save", str(record)) as player:
        ply = -1
        while True:
            look = player.next()["look"]
            if look["status"] == "over":
                break
            if look["legal"] and look["ply"] > ply:
                ply = look["ply"]
                player.type(look["legal"][-1]["text"])
        player.type("quit")
        assert player.next("saved")["file"] == str(record)
        assert look["table"] in {line["table"] for line in player.next("tables")["mine"]} | {look["table"]}
        player.type("quit")
        assert player.process.wait(60) == 0
    saved = str(tmp_path / "Anna's game.json")
    table = ("--house", server.url, "--table", look["table"], "--save", saved)
    _code, out, _err = write(tmp_path, "quit\nquit\n", *table)
    before, _, after = out.partition("  spelunke verify ")
    assert before.split()[-6:] == "command checks that chance was fair:".split()
    command = "spelunke verify " + after.splitlines()[0]
    assert Path(saved).read_bytes() == record.read_bytes()
    told = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", *shlex.split(command)[1:]],
        capture_output=True,
        check=False,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("Fair: ")


@pytest.mark.deep
def test_the_record_of_each_game_of_a_run_has_its_own_file(server: Server, tmp_path: Path) -> None:
    record, other = tmp_path / "game.json", tmp_path / "game-3.json"
    record.write_text("a game of yesterday")
    other.write_text("another")
    with play(tmp_path, "shanghaien", "--house", server.url, "--save", str(record)) as player:
        tables = []
        for file in (first := tmp_path / "game-2.json", tmp_path / "game-4.json"):
            player.until("legal")
            player.type("more")
            acts = [act["does"] for act in player.next("acts")["acts"]]
            player.type(f"more {acts.index('resign') + 1}")
            player.until("status", "over")
            tables.append(player.look["table"])
            player.type("quit")
            assert player.next("saved")["file"] == str(file)
            player.type("new shanghaien")
        player.until("legal")
        player.type("quit")
        player.type(f"open {tables[0]}")
        player.until("status", "over")
        player.type("quit")
        assert player.next("saved")["file"] == str(first)
    assert [json.loads(file.read_bytes())["table"] for file in (first, file)] == tables
    assert (record.read_text(), other.read_text()) == ("a game of yesterday", "another")


def test_a_person_lists_tables_opens_a_table_and_plays_by_typing(server: Server, tmp_path: Path) -> None:
    typed = "guest\nnew shanghaien\n\nfly\nsay Ahoy!\nmore ²\nboard\nhelp\nquit\nopen 1\nquit\nquit\n"
    code, out, err = write(tmp_path, typed, "--house", server.url)
    assert (code, err) == (0, "")
    assert "you can only watch. To play without an account, type `guest`" in out
    assert f"at {server.url}." in out
    assert "Enter plays the only move: roll." in out
    assert " rolls." in out
    assert "'fly' is not a move" in out
    assert "Resign" in out
    assert "back to the tables" in out
    assert "  1  Shanghaien: " in out
    code, out, err = write(tmp_path, "open 99\nopen ²\nnew chess\n", "--house", server.url)
    assert code == 0
    assert out.count(".\n") >= 3
    assert "chess" in out


@pytest.mark.deep
def test_two_people_meet_by_a_link_talk_and_move_in_turn(server: Server, tmp_path: Path) -> None:
    async def lay() -> str:
        client = Client(server.url)
        client.token = (await client.ask("POST", "/guests", {"name": "Anna"}))["token"]
        plan = {"game": "shanghaien", "seats": ["me", "link"]}
        table = (await client.ask("POST", "/tables", plan))["table"]
        look = await client.ask("GET", f"/tables/{table}")
        await client.close()
        (tmp_path / "a" / "spelunke").mkdir(parents=True)
        tokens = {server.url: client.token}
        (tmp_path / "a" / "spelunke" / "logins.json").write_text(json.dumps(tokens))
        return f"{server.url}/j/{table}/{look['invite']}"

    link = asyncio.run(lay())
    table = link.split("/")[-2]
    with (
        play(tmp_path / "a", "--house", server.url, "--table", table) as anna,
        play(tmp_path / "b", "--house", server.url) as bert,
    ):
        bert.type("guest")
        bert.next("tables")
        bert.next("tables")
        bert.type(f"open {link}")
        anna.type("say Welcome aboard")
        assert bert.until("chat")["chat"][0]["text"] == "Welcome aboard"
        players = [anna, bert]
        for _ in range(8):
            for player in players:
                player.until("status", "playing")
            seat = next(
                seat for seat, player in enumerate(players) if player.until("actors") and player.look["legal"]
            )
            mine, ply = players[seat], players[seat].look["ply"]
            mine.type(mine.look["legal"][0]["text"])
            for player in players:
                while player.look["ply"] <= ply or not player.look["actors"]:
                    player.next()
            assert anna.look["ply"] == bert.look["ply"]


def test_after_a_lost_connection_a_typed_move_is_played_once(tmp_path: Path) -> None:
    with (
        serve(tmp_path) as server,
        play(tmp_path / "config", "shanghaien", "--house", server.url) as player,
    ):
        look = player.until("legal")
        server.stop()
        player.type(look["legal"][0]["text"])
        server.start()
        told: list[dict[str, Any]] = []
        while player.look["ply"] <= look["ply"] or not player.look["legal"]:
            told += player.next()["look"]["log"]
        mine = [line for line in told if line["seat"] == look["seat"] and line["ply"] > look["ply"]]
        assert len({line["ply"] for line in mine}) == 1


@pytest.mark.deep
def test_each_error_prints_one_sentence_and_ends_with_code_2(server: Server, tmp_path: Path) -> None:
    (tmp_path / "spelunke").mkdir()
    logins = tmp_path / "spelunke" / "logins.json"
    logins.write_text(json.dumps({server.url: "d1.0123456789abcdef0123456789abcdef.wrong"}))
    for arguments, sentence in (
        (("--house", "http://127.0.0.1:9"), "http://127.0.0.1:9 can't be reached"),
        (("--house", f"{server.url}/rules"), "There is no Spelunke server at"),
        (("--house", "ftp://nowhere"), "An address looks like"),
        (("--house", server.url), "your login has ended: log in again"),
        (("--house", server.url, "--table", "nosuchtable"), "table"),
        (("--house", server.url, "--seed", "3"), "chance"),
        (("--table", "abc"), "--house"),
        (("chess", "--house", server.url), "chess"),
        ((), "name a game"),
    ):
        code, _out, err = write(tmp_path, "", *arguments)
        assert code == 2, (arguments, err)
        assert sentence in err
        assert err.count("\n") == 1
        assert err.startswith("spelunke: ")
    assert json.loads(logins.read_text()) == {}  # an ended login is forgotten
