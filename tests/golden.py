"""Write golden playthroughs and perft tables. Run this program for a new game, and after an intended change of rules.

python tests/golden.py          # writes all files again, and a playthrough for a game that has none
"""

from __future__ import annotations

import random
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.count import perft
from spelunke.core.words import plain
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.games.match import Match
from walks import step

NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Eino", "Frida", "Gerd", "Hanna")
DEPTHS = 4
MOST_POSITIONS = 4000


def folder(game: Game) -> Path:
    return Path(str(files(game.package))) / "tests"


def golden_files(game: Game) -> list[Path]:
    return sorted((folder(game) / "golden").glob("*.txt"))


def playthrough(game: Game, seats: int, options: dict[str, Any], moves: list[str] | int) -> str:
    """Return a whole match as text: each ply with the legal actions and its events, then the result.

    ``moves`` has the texts of the plies (``SEAT TEXT`` each), or is the seed of a random game.
    """
    match = Match(game, seats, options)
    rng = random.Random(moves) if isinstance(moves, int) else None
    lines = [f"# {game.title}, rules version {game.version}", f"seats: {seats}"]
    lines += [f"option: {name} = {value}" for name, value in game.changed(seats, match.options).items()]
    while not match.over:
        asked = [f"#   {seat} may: {'; '.join(match.texts(seat))}" for seat in match.actors]
        if rng is not None:
            step(match, rng)
        else:
            assert isinstance(moves, list)
            seat_text, _, text = moves[match.ply].partition(" ")
            if int(seat_text) == CHANCE:
                match.land(game.notation.parse_chance(text))
            else:
                match.act(int(seat_text), match.parse(text))
        lines += asked
        ply = match.plies[-1]
        lines.append(f"{ply.seat} {ply.text}")
        lines += [f"#   {game.events.say(event, NAMES, plain)}" for event in match.events_of(ply.number, ALL)]
    assert match.outcome is not None
    lines.append(f"# scores {match.outcome.scores}, ranks {match.outcome.ranks}")
    lines.append(f"# {msgspec.json.encode(game.notation.write_position(match.state)).decode()}")
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[int, dict[str, str], list[str]]:
    """Return seats, options and plies of a playthrough."""
    seats, options, moves = 0, {}, []
    for line in text.splitlines():
        head, _, rest = line.partition(": ")
        if line.startswith("#"):
            continue
        if head == "seats":
            seats = int(rest)
        elif head == "option":
            name, _, value = rest.partition(" = ")
            options[name] = value
        else:
            moves.append(line)
    return seats, options, moves


def perft_table(game: Game) -> str:
    """Return the game's perft table as text: rows with the counts at each depth.

    The table is for the first two numbers of seats that the game allows. For each of them, rows count from the start of
    a game, and further rows count from a position after about 40 random plies.
    """
    lines = [f"# {game.title}: sequences, positions, probability mass, chance of the end, digest, by depth"]
    for seats in game.seats[:2]:
        match = Match(game, seats)
        lines.append(f"seats: {seats}")
        lines += _rows(game, match)
        rng = random.Random(f"perft {game.name} {seats}")
        while not match.over and (match.chance or match.ply < 40):
            step(match, rng)
        lines.append("after: " + "; ".join(f"{ply.seat} {ply.text}" for ply in match.plies))
        lines += _rows(game, match)
    return "\n".join(lines) + "\n"


def _rows(game: Game, match: Match) -> list[str]:
    rows = []
    for row in perft(game.rules, match.state, DEPTHS):
        rows.append(f"{row.depth} {row.sequences} {row.positions} {row.mass} {row.over} {row.digest}")
        if row.positions > MOST_POSITIONS:
            break
    return rows


def main() -> None:
    """Write the golden playthroughs and perft tables of all games."""
    for game in shelf().values():
        home = folder(game) / "golden"
        home.mkdir(exist_ok=True)
        if not golden_files(game):
            (home / "plain.txt").write_text(playthrough(game, game.seats[0], {}, 1), encoding="utf-8")
        for file in golden_files(game):
            file.write_text(playthrough(game, *read(file.read_text(encoding="utf-8"))), encoding="utf-8")
        (folder(game) / "perft.txt").write_text(perft_table(game), encoding="utf-8")
        sys.stdout.write(f"{game.name}: {len(golden_files(game))} playthroughs and a perft table\n")


if __name__ == "__main__":
    main()
