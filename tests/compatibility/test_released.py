"""Compatibility with each released version.

The current version still reads and verifies the files of older versions, and continues their games. It still has the
functions, commands and fields of older versions, with the same names.

The folders were written by the code of their version (`keep.py`); docs/compatibility.md says what is promised.
"""

from __future__ import annotations

import json
import random
import re
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spelunke.bots.process import ProcessBot
from spelunke.core.chance import seed_stream
from spelunke.games.match import Match
from spelunke.house.backup.saving import restore
from spelunke.house.house import House, open_house
from spelunke.house.store.engine import migrate_database
from spelunke.house.store.schema import NEWEST
from spelunke.records.fairness import verify
from spelunke.records.position import parse_position
from spelunke.records.record import parse_record, write_record
from spelunke.records.replay import replay

from .keep import GAMES, PASSWORD, Clockwork, read_api, read_commands, read_names, seat_dicer

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FIRST = (0, 2, 0)
"""The first released version."""
KEPT = sorted(folder.name for folder in HERE.glob("[0-9]*.*.*"))

of_each_version = pytest.mark.parametrize("version", KEPT)
of_each_game = pytest.mark.parametrize("game", GAMES)


def test_every_released_version_has_its_folder() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+) – ", log, re.MULTILINE)
    assert sorted(one for one in released if tuple(map(int, one.split("."))) >= FIRST) == KEPT


@of_each_version
@of_each_game
def test_records_of_each_release_are_read_verified_and_written_unchanged(version: str, game: str) -> None:
    data = (HERE / version / f"{game}.record.json").read_bytes()
    record = parse_record(data)
    verdict = verify(record)
    assert verdict.ok
    assert verdict.verdict != "altered"
    assert parse_record(write_record(record)) == record
    before, after = json.loads(data), json.loads(write_record(record))
    assert {name: after.get(name) for name in before} == before, "every field is kept"


@of_each_version
@of_each_game
def test_records_of_each_release_are_replayed_and_continued(version: str, game: str) -> None:
    record = parse_record((HERE / version / f"{game}.record.json").read_bytes())
    match = replay(record, len(record.plies) // 2)
    before = match.ply
    play_on(match, random.Random(f"{version} {game}"), 20)
    assert match.ply > before


@of_each_version
@of_each_game
def test_positions_of_each_release_have_the_same_legal_moves(version: str, game: str) -> None:
    kept = json.loads((HERE / version / f"{game}.positions.json").read_text(encoding="utf-8"))
    assert len(kept) >= 8
    for one in kept:
        match = parse_position(json.dumps(one["position"]).encode())
        assert list(match.texts(one["seat"])) == one["legal"]
        match.act(one["seat"], match.parse(one["move"]))
        play_on(match, random.Random(game), 5)


def play_on(match: Match, chooser: random.Random, plies: int) -> None:
    """Play up to ``plies`` plies, with any moves and any outcomes of chance."""
    for _ in range(plies):
        if match.over:
            return
        if match.chance:
            match.land(chooser.choice([outcome for outcome, _ in match.chances()]))
            continue
        seat = match.actors[0]
        match.act(seat, match.parse(chooser.choice(match.texts(seat))))


@pytest.fixture
def clockwork() -> Clockwork:
    return Clockwork()


@pytest.fixture(params=["dump", "backup"])
def old_house(
    request: pytest.FixtureRequest, version: str, tmp_path: Path, clockwork: Clockwork
) -> Iterator[House]:
    """Open the house of the old version ``version`` with the current code, from its database or from its backup."""
    file = tmp_path / "house.sqlite3"
    if request.param == "dump":
        with sqlite3.connect(file) as line:
            line.executescript((HERE / version / "house.sql").read_text(encoding="utf-8"))
        assert migrate_database(f"sqlite:///{file}") == NEWEST
    else:
        restore(HERE / version / "house.backup", f"sqlite:///{file}")
    clockwork.now = 1_700_100_000.0
    house = open_house(
        f"sqlite:///{file}", timers=False, clock=clockwork, bots=seat_dicer, bot_pause=0.0, patience=60.0
    )
    yield house
    house.close()


@pytest.mark.sampled(2)
@of_each_version
def test_games_in_the_database_of_each_release_can_be_continued(
    version: str, old_house: House, clockwork: Clockwork
) -> None:
    token = old_house.members.log_in("Anna", PASSWORD, label="Test")
    visit = old_house.devices.find(token)
    assert visit is not None
    finished, _ = old_house.histories.own(visit.person)
    assert sorted(line.game for line in finished) == sorted(GAMES)
    for line in finished:
        assert old_house.replays.verify(line.table).ok
    running = [line.table for line in old_house.lists.my_tables(visit.person) if line.status == "playing"]
    assert len(running) == len(GAMES)
    for table in running:
        finish(old_house, clockwork, table, random.Random(f"{version} {table}"))
        assert old_house.replays.verify(table).ok


def finish(house: House, clockwork: Clockwork, table: str, chooser: random.Random) -> None:
    """Play some moves at a table, and then end its game by resignations."""
    with house._tables.open(table) as slot:
        people = {chair.seat: str(chair.person) for chair in slot.table.facts.chairs if chair.person}
    before = house.looks.look(table).ply
    for number in range(99):
        clockwork.now += 1
        house.tick()
        look = house.looks.look(table)
        if number > 8 and look.ply > before:
            break
        if look.status == "over" or not look.actors:
            continue
        looks = {person: house.looks.look(table, person) for person in map(people.__getitem__, look.actors)}
        # A seat among the actors may not answer this call, which nobody else may know.
        able = [person for person, seen in looks.items() if seen.legal]
        if able:
            person = chooser.choice(able)
            move = chooser.choice(looks[person].legal)[1]
            house.play.act(table, person, move, looks[person].ply, f"later-{number:06d}")
    assert house.looks.look(table).ply > before
    for person in list(people.values())[:-1]:
        if house.looks.look(table).status != "over":
            house.play.resign(table, person, f"resign-{person[:8]}")
    assert house.looks.look(table).status == "over"


@of_each_version
def test_a_bot_program_of_each_release_still_plays(version: str) -> None:
    match, stream = Match(parse_position(_any_position(version)).game), seed_stream(1)
    bot = ProcessBot(match.game, shlex.join([sys.executable, str(HERE / version / "bot.txt")]), budget=60)
    try:
        for _ in range(30):
            if match.chance:
                match.land(match.chances()[0][0])
                continue
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    finally:
        bot.close()
    assert match.ply >= 30


def _any_position(version: str) -> bytes:
    kept = json.loads((HERE / version / "shanghaien.positions.json").read_text(encoding="utf-8"))
    return json.dumps(kept[0]["position"]).encode()


def kept_names(version: str) -> Any:
    return json.loads((HERE / version / "names.json").read_text(encoding="utf-8"))


@of_each_version
def test_the_python_names_of_each_release_still_exist(version: str) -> None:
    now = read_names()
    for name, kept in kept_names(version)["python"].items():
        assert name in now
        if "members" in kept:
            assert set(kept["members"]) - set(now[name]["members"]) == set(), name
        else:
            found = now[name]["parameters"]
            assert found[: len(kept["parameters"])] == kept["parameters"], name


@of_each_version
def test_the_commands_of_each_release_still_have_their_options(version: str) -> None:
    now = read_commands()
    for command, options in kept_names(version)["commands"].items():
        assert command in now
        assert set(options) - set(now[command]) == set(), command


@of_each_version
def test_the_api_still_accepts_and_returns_the_fields_of_each_release(version: str) -> None:
    now = read_api(json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8")))
    wrong = []
    for operation, kept in kept_names(version)["api"].items():
        found = now.get(operation)
        if found is None:
            wrong.append(f"{operation} is gone")
            continue
        wrong += [
            f"{operation} no longer takes {name}" for name in kept["takes"] if name not in found["takes"]
        ]
        wrong += [
            f"{operation} no longer takes ?{name}" for name in kept["query"] if name not in found["query"]
        ]
        wrong += [f"{operation} now needs {name}" for name in found["needs"] if name not in kept["needs"]]
        for status, fields in kept["returns"].items():
            there = found["returns"].get(status)
            if there is None:
                wrong.append(f"{operation} no longer answers {status}")
            else:
                wrong += [f"{operation} no longer returns {name}" for name in fields if name not in there]
    assert wrong == []
