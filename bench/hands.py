"""Measure the Sanghai player that uses learned costs of hands, and write its part of bench/strength.md.

    python bench/hands.py --rounds 500          the learned player against the level "uncle"
    python bench/hands.py --curve FOLDER        the error of the learned costs, for several numbers of training hands

The cost of a hand is the number of points that its seat gets for the round; few points are good.

Each deal is played once with the learned player at each seat, with the same decks. The other seats decide like the
level "uncle". Seeds are fixed, so the same command plays the same games. All players run in kernels. This is about 150
times as fast as `bench/strength.py duel grandmother uncle --game sanghai --seats 4`, which plays like a server.
"""

from __future__ import annotations

import time
from pathlib import Path
from textwrap import wrap
from typing import Annotated

import numpy as np
import typer
from commands import Folder, make_folder, run_app
from strength import put

from spelunke.games.sanghai.estimates import OFFSET
from spelunke.games.sanghai.hands import load
from spelunke.games.sanghai.learning import BATCH, Floats, Reals, compare, fit, gather, judge

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
"""Kinds of tables: the number of seats, the options, and the share of the rounds."""


SHARES = (27, 9, 3, 1)
"""The points of the curve: at the point ``n``, one ``n``-th of the training hands is used."""
TESTED = 10
"""One out of this number of hands is in the test set.

The test set has hands of all kinds of tables. In each part, it has the last hands, so at most one game of a part has
hands in both sets.
"""
ROUNDS = 20
"""The number of passes over all training hands that gives the number of steps of each fit.

A fit with fewer hands has the same number of steps.
"""


def draw_curve(folder: Path, seed: int, parts: int, size: int) -> None:
    """Measure the error of the learned costs for several numbers of training hands. Write a table of the results.

    The hands come from games between players with the current learned costs. If the games are not in the folder, they
    are played first. The points of the curve differ only in the number of training hands, which are drawn at random
    from all parts. A part has the hands of one kind of table. Each fit has the same number of steps and the same test
    set.
    """
    known = load()
    rows, ends = gather(parts, seed, folder, known, size=size)
    cuts = [len(costs) - len(costs) // TESTED for costs in ends]
    x = np.concatenate([signs[:cut] for signs, cut in zip(rows, cuts, strict=True)])
    y = np.concatenate([costs[:cut] for costs, cut in zip(ends, cuts, strict=True)])
    tests = [(signs[cut:], costs[cut:]) for signs, costs, cut in zip(rows, ends, cuts, strict=True)]
    order, steps = np.random.default_rng(seed).permutation(len(x)), ROUNDS * max(1, len(x) // BATCH)
    found = [("other games: the present net", misses(known.net, float(known.tuned[OFFSET]), tests))]
    for share in SHARES:
        picked = order[: len(x) // share]
        found.append((f"{len(picked):,}", misses(*fit(x[picked], y[picked], steps, 1), tests)))
    costs = np.concatenate([costs for _, costs in tests])
    best = roots(found[-1][1])
    lines = [
        "| training hands | error, points | more than with all of them | explained, % |",
        "|---:|---:|---:|---:|",
    ]
    for name, missed in found:
        square, more = float((np.concatenate(missed) ** 2).mean()), roots(missed) - best
        doubt = 2 * more.std(ddof=1) / np.sqrt(parts)
        told = f"{more.mean():+.2f} ± {doubt:.2f}" if more.any() else ""
        lines.append(f"| {name} | {square**0.5:.2f} | {told} | {100 * (1 - square / costs.var()):.1f} |")
    words = (
        f"The cost of a hand until the end of its round, with {parts} parts of {size:,} hands each, "
        f"at tables of many kinds (`python bench/hands.py --curve FOLDER --parts {parts} --size {size}`). "
        f"The last tenth of each part is only for measuring: {len(costs):,} hands, which differ by "
        f"{costs.std():.1f} points. "
        f"The others are drawn at random from all parts. Each network is trained from random weights in {steps:,} "
        "steps, no matter how often it sees the same hands. "
        "± is two standard errors over the parts, because hands of a game are correlated."
    )
    put(
        "Sanghai: learning curve",
        [
            *lines,
            "",
            *wrap(words, 120),
        ],
    )


def misses(net: Reals, offset: float, tests: list[tuple[Floats, Floats]]) -> list[Floats]:
    """Return a network's errors: for each part (hands of one kind of table), an array with each test hand's error."""
    return [judge(net, offset, signs) - costs for signs, costs in tests]


def roots(missed: list[Floats]) -> Reals:
    """Return a network's root mean square error for each part of the test hands."""
    return np.array([float(np.sqrt((part.astype(np.float64) ** 2).mean())) for part in missed])


APP = typer.Typer(pretty_exceptions_enable=False)


@APP.command()
def main(
    rounds: Annotated[int, typer.Option(help="Deals at four seats.", min=2)] = 500,
    seed: Annotated[int, typer.Option(min=0)] = 7,
    curve: Folder = None,
    parts: Annotated[int, typer.Option(help="With --curve: parts, each of one kind of table.", min=2)] = 12,
    size: Annotated[int, typer.Option(help="With --curve: hands of a part.", min=1000)] = 25_000,
) -> None:
    """Measure the learned player, or draw the learning curve."""
    if curve is not None:
        make_folder(curve)
        draw_curve(curve, seed, parts, size)
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
            f"The estimated cost of a hand is off by {known.error:g} points; hands differ by {known.spread:g}.",
        ],
    )


if __name__ == "__main__":
    run_app(APP)
