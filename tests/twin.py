"""Print digests of a game as this process runs it; ``test_twins``, ``test_ahead`` and ``test_wasm`` compare several.

twin.py GAME QUESTION...      a line for each question:
TABLES:PLIES                  random games with random options
each:PLIES                    random games with the default options, and one for each value of an option
                              (walks.each_option)
written                       whether golden games and perft tables come out as they are written
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from golden import folder, golden_files, perft_table, playthrough, read
from spelunke.core.chance import seed_stream
from spelunke.core.kernel import bind, pool
from spelunke.games import shelf
from spelunke.games.game import Game
from walks import any_table, each_option


def digests(name: str, tables: int, plies: int) -> list[int]:
    """Return the digest of a random game at each of ``tables`` tables.

    The first table has the default options. The other tables have random options.
    """
    game = shelf()[name]
    rng = random.Random(name)
    chosen = [(game.seats[0], {}), *(any_table(game, rng) for _ in range(tables - 1))]
    return digests_of(game, chosen, plies)


def digests_of(game: Game, tables: list[tuple[int, dict[str, Any]]], plies: int) -> list[int]:
    """Return the digest of random play at each table."""
    kernels = bind("spelunke.core.digest", game.rules.__name__)
    found = []
    for number, (seats, options) in enumerate(tables):
        states = pool(game.rules.STATE, 1)
        cells = states.view(np.int16)
        with np.errstate(over="raise"):
            setup = game.setup(seats, game.settle(seats, options))
            found.append(int(kernels.digest(states, cells, setup, seed_stream(number), plies, 61)))
    return found


def written(game: Game) -> list[str]:
    """Return, for each golden game and for the perft table, whether this process reproduces it."""
    found = []
    for file in golden_files(game):
        text = file.read_text(encoding="utf-8")
        found.append(f"{file.stem}:{playthrough(game, *read(text)) == text}")
    same = (folder(game) / "perft.txt").read_text(encoding="utf-8") == perft_table(game)
    return [*found, f"perft:{same}"]


def main(name: str, *questions: str) -> None:
    game = shelf()[name]
    for question in questions:
        tables, _, plies = question.partition(":")
        if tables == "written":
            print(*written(game))
        elif tables == "each":
            print(*digests_of(game, each_option(game), int(plies)))
        else:
            print(*digests(name, int(tables), int(plies)))


if __name__ == "__main__":
    main(*sys.argv[1:])
