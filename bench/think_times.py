"""Test whether a bot's thinking time reveals the card that it lays in secret.

    python bench/think_times.py [--positions 25] [--repeats 40] [--dry]

In Halunken, everybody sees when a seat has laid its card, but nobody sees the card. In each position, a bot chooses
many times, each time with another seed. If its thinking time depends on the card, the times for two cards differ.

For each position, the statistic F is the variance of the times between cards, divided by the variance within cards. Its
rank among 400 random assignments of the same times to the same cards gives a normal score. The scores of all positions
are combined by Stouffer's method. If the result is above 5, the times reveal something. As a control, the command
repeats the computation with the times of one random card made 10 % longer. This difference must be noticed.

Times are processor times. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Sequence

from report import machine, write_section
from rich.console import Console
from rich.progress import track

from spelunke.bots.levels import seat_bot
from spelunke.core.chance import seed_stream
from spelunke.games import find_game
from spelunke.games.match import Match

GAME = "halunken"
LEVELS = ("mate", "greedy", "pilot", "harbourmaster")
LIMIT = 5.0
SHUFFLES = 400
LONGER = 1.1
Thought = tuple[str, float]


def positions(count: int, chooser: random.Random) -> list[Match]:
    """Return ``count`` matches after random play, in which seat 0 is to lay a card."""
    found: list[Match] = []
    while len(found) < count:
        match = Match(find_game(GAME), chooser.choice((2, 3, 4)))
        for _ in range(chooser.randint(2, 60)):
            if match.over:
                break
            if match.chance:
                outcomes, weights = zip(*match.chances(), strict=True)
                match.land(chooser.choices(outcomes, weights)[0])
            else:
                seat = chooser.choice(match.actors)
                match.act(seat, chooser.choice(match.legal(seat)))
        if not match.over and not match.chance and len(match.actors) > 1 and 0 in match.actors:
            found.append(match)
    return found


def think(match: Match, level: str, repeats: int) -> list[Thought]:
    """Return the bot's choice and the logarithm of its thinking time, for each of ``repeats`` seeds."""
    bot = seat_bot(find_game(GAME), level)
    view, legal = match.view(0), match.legal(0)
    found = []
    for seed in range(repeats + 2):
        began = time.thread_time_ns()
        chosen = bot.choose(view, legal, seed_stream(seed))
        took = time.thread_time_ns() - began
        if seed > 1:  # the first two choices also load kernels and caches
            found.append((repr(chosen), math.log(took)))
    return found


def spread(thoughts: Sequence[Thought]) -> float:
    """Return a number that is large if different choices take different times.

    It is the sum of squares between the mean times of the choices, divided by the sum of squares within the choices. If
    all times of each choice are equal, return 0.
    """
    by_choice: dict[str, list[float]] = {}
    for choice, took in thoughts:
        by_choice.setdefault(choice, []).append(took)
    mean = statistics.mean(took for _, took in thoughts)
    between = sum(len(times) * (statistics.mean(times) - mean) ** 2 for times in by_choice.values())
    within = sum((took - statistics.mean(times)) ** 2 for times in by_choice.values() for took in times)
    return between / within if within else 0.0


def score(thoughts: Sequence[Thought], chooser: random.Random) -> float | None:
    """Return the normal score of the :func:`spread` of thinking times. If it is high, the spread is unusually large.

    The spread is compared with the spreads after random assignments of the same times to the same choices. Return
    None if the bot has always made the same choice.
    """
    choices = [choice for choice, _ in thoughts]
    if len(set(choices)) < 2:
        return None
    times = [took for _, took in thoughts]
    due = spread(thoughts)
    larger = 0
    for _ in range(SHUFFLES):
        chooser.shuffle(times)
        larger += spread(list(zip(choices, times, strict=True))) >= due
    return statistics.NormalDist().inv_cdf(1 - (larger + 0.5) / (SHUFFLES + 1))


def lengthen(thoughts: list[Thought], chooser: random.Random) -> list[Thought]:
    """Return the thoughts with longer times for one of the bot's choices, picked at random.

    All thoughts with this choice get a time that is longer by the factor ``LONGER``.
    """
    slow = chooser.choice(sorted({choice for choice, _ in thoughts}))
    return [(choice, took + math.log(LONGER) * (choice == slow)) for choice, took in thoughts]


def main() -> int:
    """Run all measurements, and write their section of `bench/results.md`.

    Return 1 if times reveal hidden facts, else 0.
    """
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--positions", type=int, default=25)
    reader.add_argument("--repeats", type=int, default=40)
    reader.add_argument("--dry", action="store_true", help="write nothing")
    given = reader.parse_args()
    where = machine()
    chooser = random.Random(1)
    matches = positions(given.positions, chooser)
    rows = [
        "| level | thinks, ms, median | positions with several choices | score | score, one card 10 % longer |"
    ]
    rows.append("|---|---:|---:|---:|---:|")
    loud = blind = False
    for level in LEVELS:
        plain, longer, times = [], [], []
        for match in track(matches, level, console=Console(stderr=True)):
            thoughts = think(match, level, given.repeats)
            times += [math.exp(took) / 1e6 for _, took in thoughts]
            plain.append(score(thoughts, chooser))
            longer.append(score(lengthen(thoughts, chooser), chooser))
        scores = [one for one in plain if one is not None]
        noticed = [one for one in longer if one is not None]
        total = sum(scores) / math.sqrt(len(scores)) if scores else 0.0
        shown = sum(noticed) / math.sqrt(len(noticed)) if noticed else 0.0
        loud |= total > LIMIT
        blind |= shown <= LIMIT
        rows.append(
            f"| {level} | {statistics.median(times):.1f} | {len(scores)} | {total:+.1f} | {shown:+.1f} |"
        )
    text = (
        f"## How long a bot thinks, and what it lays in secret\n\n{where}\n`python bench/think_times.py`: Halunken,"
        f" {given.positions} positions, {given.repeats} choices at each. A score above {LIMIT:.0f} says that the times"
        " tell which card was laid.\n\n" + "\n".join(rows)
    )
    print(text)
    if not given.dry:
        write_section("think times", text)
    if blind:
        print(
            "A card that takes 10 % longer was not noticed: more positions or repeats are needed.",
            file=sys.stderr,
        )
    return 1 if loud or blind else 0


if __name__ == "__main__":
    sys.exit(main())
