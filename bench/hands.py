"""How the player that has learned what hands cost does among Uncles, in kernels: writes its part of bench/strength.md.

    python bench/hands.py --rounds 500
    python bench/hands.py --curve FOLDER        how the error falls with the number of hands that are learned from

Each deal is played once for each seat that it may have, with the same decks; the others decide as Uncle Eino does.
Seeds are fixed: the same command plays the same games. Uncles in kernels pass some 150 times as many games as
`bench/strength.py duel grandmother uncle --game sanghai --seats 4`, which plays the levels as a house does.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from strength import put

from spelunke.games.sanghai.hands import load
from spelunke.games.sanghai.learning import PART, compare, error, fit, gather

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


LEARNED = (1, 3, 9, 27)
"""Parts of games that are learned from; by as many more as `TESTED` the error is measured."""
TESTED = 3


def draw_curve(folder: Path, seed: int) -> None:
    """Learn from more and more games among players of the present values, which lie in the folder or are played."""
    rows, ends = gather(max(LEARNED) + TESTED, seed, folder, load())
    x, y = np.concatenate(rows[-TESTED:]), np.concatenate(ends[-TESTED:])
    lines = ["| hands learned from | off by, points | explained, % |", "|---:|---:|---:|"]
    for count in LEARNED:
        net, offset = fit(np.concatenate(rows[:count]), np.concatenate(ends[:count]), 20, 1)
        off = error(net, offset, x, y)
        lines.append(f"| {count * PART:,} | {off:.2f} | {100 * (1 - (off / float(y.std())) ** 2):.1f} |")
        print(lines[-1], flush=True)
    put(
        "Sanghai: learning curve",
        [
            *lines,
            "",
            f"What a hand costs to its round's end, at tables of many kinds; {len(y):,} hands that were not",
            f"learned from differ by {y.std():.1f} points. Each time the net is learned from nothing.",
        ],
    )


def main(
    rounds: Annotated[int, typer.Option(help="Deals at four seats.")] = 500,
    seed: int = 7,
    curve: Annotated[
        Path | None, typer.Option(help="Draw the learning curve, by games that are kept in this folder.")
    ] = None,
) -> None:
    """See the module."""
    if curve is not None:
        draw_curve(curve, seed)
        return
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
