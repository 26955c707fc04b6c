"""Print the digest of random play of every game as this process runs it; ``test_twins`` compares several processes."""

from __future__ import annotations

import random
import sys

import numpy as np

from spelunke.core.chance import seed_stream
from spelunke.core.kernel import bind, pool
from spelunke.games import shelf
from walks import any_table


def digests(name: str, tables: int, plies: int) -> list[int]:
    """Return the digests of ``tables`` tables, the first with the game's own options."""
    game = shelf()[name]
    kernels = bind("spelunke.core.digest", game.rules.__name__)
    rng = random.Random(name)
    found = []
    for number in range(tables):
        seats, options = (game.seats[0], {}) if number == 0 else any_table(game, rng)
        states = pool(game.rules.STATE, 1)
        cells = states.view(np.int16)
        with np.errstate(over="raise"):
            setup = game.setup(seats, game.settle(seats, options))
            found.append(int(kernels.digest(states, cells, setup, seed_stream(number), plies, 61)))
    return found


if __name__ == "__main__":
    print(*digests(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
