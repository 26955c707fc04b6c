"""Keep what a version of Spelunke writes, so that later versions can show that they still read it.

    PYTHONPATH=CHECKOUT/src SPELUNKE_JIT=0 python tests/compatibility/keep.py CHECKOUT tests/compatibility/0.2.0

`make release` runs it in the commit of each release; `test_released.py` reads it. The folder gets records, positions
with their legal moves, a bot, a database with running games, and its backup. It also gets the names of all commands,
operations of the API, and public members of the Python package.
"""

from __future__ import annotations

import inspect
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "house/old"))

from make_house import PASSWORD, Clockwork, play, seat_dicer

import spelunke
from spelunke import Match, find_game
from spelunke.house.backup.saving import back_up
from spelunke.house.house import open_house
from spelunke.house.plan import Plan
from spelunke.records.position import write_position
from spelunke.records.record import write_record

GAMES = {"shanghaien": 2, "halunken": 3, "sanghai": 3}
SOME, MANY = 12, 60
"""The numbers of people's actions in a running game, and in a game that is then given up."""


def make_records_and_house(target: Path) -> None:
    """Write house.sql, house.backup and a record of each game."""
    with tempfile.TemporaryDirectory() as folder:
        file, clockwork = Path(folder) / "house.sqlite3", Clockwork()
        house: Any = open_house(
            f"sqlite:///{file}", timers=False, clock=clockwork, bots=seat_dicer, bot_pause=0.0, nonce_wait=5.0
        )

        def tick() -> None:
            clockwork.now += 1
            house.tick()

        people = [house.people.create(name).id for name in ("Anna", "Ben", "Cleo")]
        house.members.become(people[0], "Anna", label="Firefox, Linux", password=PASSWORD)
        for game, seats in GAMES.items():
            over, running = (_sit(house, game, people[:seats], tick) for _ in range(2))
            play(house, over, people[:seats], MANY if game != "shanghaien" else 10_000, tick)
            for person in people[1:seats]:
                if house.looks.look(over).status != "over":
                    house.play.resign(over, person, f"resign-{person[:8]}")
            tick()
            (target / f"{game}.record.json").write_bytes(write_record(house.replays.record(over)))
            play(house, running, people[:seats], SOME, tick)
            house.chat.say(running, people[0], "your turn")
        house.close()
        back_up(f"sqlite:///{file}", target / "house.backup")
        (target / "house.backup").chmod(0o644)
        with sqlite3.connect(file) as line:
            (target / "house.sql").write_text("\n".join(line.iterdump()) + "\n", encoding="utf-8")


def _sit(house: Any, game: str, people: list[str], tick: Any) -> str:
    table = str(house.lobby.create(people[0], Plan(game=game, seats=("me", *["open"] * (len(people) - 1)))))
    for person in people[1:]:
        house.lobby.join(table, person)
    for person in people:
        house.lobby.add_nonce(table, person, "share")
    tick()
    return table


def make_positions(target: Path) -> None:
    """Write positions of each game, each with the seat to act, its legal moves, and the move that was played."""
    for game, seats in GAMES.items():
        match, chooser, kept = Match(find_game(game), seats), random.Random(game), []
        for _ in range(MANY):
            if match.over:
                break
            if match.chance:
                chances = match.chances()
                match.land(chooser.choice([outcome for outcome, _ in chances]))
                continue
            seat = match.actors[0]
            legal = match.texts(seat)
            chosen = chooser.choice(legal)
            kept.append(
                {
                    "position": json.loads(write_position(match)),
                    "seat": seat,
                    "legal": list(legal),
                    "move": chosen,
                }
            )
            match.act(seat, match.parse(chosen))
        text = json.dumps(kept[:: max(1, len(kept) // 8)], ensure_ascii=False, indent=1)
        (target / f"{game}.positions.json").write_text(text + "\n", encoding="utf-8")


def read_api(document: dict[str, Any]) -> dict[str, Any]:
    """Return the operations of an OpenAPI document.

    Each has the names of its query parameters, and of the fields that it takes, requires and returns.
    """

    def fields(schema: Any) -> tuple[list[str], list[str]]:
        while "$ref" in schema:
            found = document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            schema = found
        return sorted(schema.get("properties", {})), sorted(schema.get("required", []))

    operations = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method not in {"get", "post", "put", "patch", "delete"}:
                continue
            body = (
                operation.get("requestBody", {})
                .get("content", {})
                .get("application/json", {})
                .get("schema", {})
            )
            takes, needs = fields(body)
            returns = {}
            for status, answer in operation["responses"].items():
                content = answer.get("content", {}).get("application/json", {}).get("schema")
                if status.startswith("2"):
                    returns[status] = fields(content)[0] if content else []
            query = [one["name"] for one in operation.get("parameters", ()) if one.get("in") == "query"]
            operations[f"{method.upper()} {path}"] = {
                "takes": takes,
                "needs": needs,
                "query": sorted(query),
                "returns": returns,
            }
    return operations


def read_names() -> dict[str, Any]:
    """Return the public names of the Python package, with the parameters of functions and the members of classes."""
    found = {}
    for name in spelunke.__all__:
        value = getattr(spelunke, name)
        if inspect.isclass(value):
            one = Match(find_game("shanghaien")) if value is Match else value  # a match has fields of its own
            found[name] = {"members": sorted(member for member in dir(one) if not member.startswith("_"))}
        else:
            found[name] = {"parameters": list(inspect.signature(value).parameters)}
    return found


def read_commands() -> dict[str, list[str]]:
    """Return the commands of the command line with their options."""
    import typer

    from spelunke.cli.app import APP

    group: Any = typer.main.get_command(APP)
    return {
        name: sorted(option for one in command.params for option in one.opts if option.startswith("-"))
        for name, command in sorted(group.commands.items())
    }


def main() -> None:
    """Write the folder of a version completely, or not at all."""
    checkout, target = Path(sys.argv[1]), Path(sys.argv[2])
    if not Path(spelunke.__file__).is_relative_to(checkout.resolve()):
        sys.exit(f"spelunke comes from {spelunke.__file__}: set PYTHONPATH to the sources of {checkout}.")
    os.umask(0o022)
    part = target.with_name(f".{target.name}.part")
    part.mkdir(parents=True)
    make_records_and_house(part)
    make_positions(part)
    api = json.loads((checkout / "docs/openapi.json").read_text(encoding="utf-8"))
    names = {"python": read_names(), "commands": read_commands(), "api": read_api(api)}
    (part / "names.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
    shutil.copy(checkout / "examples/line_bot.py", part / "bot.txt")
    part.replace(target)


if __name__ == "__main__":
    main()
