"""How the player that has learned what hands cost does among Uncles, in kernels: writes its part of bench/strength.md.

    python bench/hands.py --rounds 500

Each deal is played once for each seat that it may have, with the same decks; the others decide as Uncle Eino does.
Seeds are fixed: the same command plays the same games. Uncles in kernels pass some 150 times as many games as
`bench/strength.py duel grandmother uncle --game sanghai --seats 4`, which plays the levels as a house does.
"""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer
from strength import put

from spelunke.games.sanghai.hands import load
from spelunke.games.sanghai.learning import compare

OTHERS: tuple[tuple[int, dict[str, object], float], ...] = (
    (4, {}, 1.0),
    (3, {}, 0.4),
    (5, {}, 0.3),
    (6, {}, 0.2),
    (8, {}, 0.1),
    (4, {"schedule": "short"}, 0.4),
    (4, {"schedule": "shanghai10"}, 0.2),
    (4, {"hep_penalty": 1}, 0.3),
    (4, {"black_twos_wild": True, "joker_swap": True}, 0.3),
)
"""Seats, options, and how many of the rounds are played."""


def main(rounds: Annotated[int, typer.Option(help="Deals at four seats.")] = 500, seed: int = 7) -> None:
    """See the module."""
    lines = [
        "| seats | options | points below the others' mean | mean rank (even) | games |",
        "|---:|---|---:|---:|---:|",
    ]
    begun, games = time.thread_time(), 0
    for seats, options, share in OTHERS:
        count = max(10, int(rounds * share))
        leads, places = compare(seats, count, seed, 0, options)
        doubts = [2 * float(found.std()) / np.sqrt(count) for found in (leads, places)]
        named = ", ".join(f"{name} {value}" for name, value in options.items())
        lines.append(
            f"| {seats} | {named} | {leads.mean():.1f} ± {doubts[0]:.1f} "
            f"| {places.mean():.2f} ± {doubts[1]:.2f} ({(seats + 1) / 2:g}) | {count * seats} |"
        )
        games += count * seats
        print(lines[-1], flush=True)
    known, rate = load(), games / (time.thread_time() - begun)
    put(
        "Sanghai: grandmother among Uncles, in kernels",
        [
            *lines,
            "",
            f"± is two standard errors over deals. {rate:.0f} games a second of one core.",
            f"What a hand costs is off by {known.error:g} points, where hands differ by {known.spread:g}.",
        ],
    )


if __name__ == "__main__":
    typer.run(main)
