"""Read and write the collection of problems in a game's folder, ``problems.json``."""

from __future__ import annotations

import functools
import importlib.resources

import msgspec

from spelunke.analysis.problems import Collection, Problem
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.position import build_match

FILE = "problems.json"


@functools.cache
def _load(package: str) -> Collection | None:
    file = importlib.resources.files(package).joinpath(FILE)
    return msgspec.json.decode(file.read_bytes(), type=Collection) if file.is_file() else None


def load_problems(game: Game) -> Collection | None:
    """Return the game's problems, or None if it has no problems for the installed version of its rules."""
    found = _load(game.package)
    return found if found is not None and found.rules == game.version and found.problems else None


def set_up(game: Game, problem: Problem) -> Match:
    """Return a match that begins in the problem's position."""
    return build_match(game, dict(problem.position))


def write_problems(collection: Collection) -> bytes:
    """Return the contents of ``problems.json``, with one line for each problem, so that a diff is readable."""
    head = msgspec.to_builtins(collection)
    problems = head.pop("problems")
    lines = [msgspec.json.encode(one).decode() for one in problems]
    rows = [
        f" {msgspec.json.encode(name).decode()}: {msgspec.json.encode(v).decode()}"
        for name, v in head.items()
    ]
    return ("{\n" + ",\n".join(rows) + ',\n "problems": [\n' + ",\n".join(lines) + "\n]}\n").encode()
