"""How far searches can be exploited, and how long levels think: writes its parts of bench/strength.md.

    python bench/searches.py endings                  what a best answer wins in endings that are solved exactly
    python bench/searches.py pace halunken            how long each level thinks

Each command replaces its own part. Seeds are fixed: the same command looks at the same tables.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import numpy as np
import typer
from strength import heading, put

from spelunke.bots.levels import seat_bot
from spelunke.core.chance import Fast, seed_stream
from spelunke.core.kernel import bind, pool
from spelunke.core.match import Match
from spelunke.games import find_game
from spelunke.games.halunken.cards import ALL_SAILORS
from spelunke.records.fairness import decide
from spelunke.records.position import parse_position
from spelunke.solvers.exploit import Ending, Policy, SearchPolicy

if TYPE_CHECKING:
    from spelunke.core.playout import Playout

APP = typer.Typer(pretty_exceptions_enable=False)


def reduced_table(cards: int, rng: random.Random) -> Match:
    """Halunken for two with so many cards left to each, and nothing face down: small enough to be solved exactly."""
    sailors = [str(one) for one in ALL_SAILORS]
    rng.shuffle(sailors)
    fields = rng.sample(range(14), 2)
    seats = []
    for field in fields:
        used = rng.sample([1, 2, 3, 4, 5, 6, 7, "rum"], 8 - cards)
        seats.append({"captain": field, "crew": [sailors.pop() for _ in used], "used": used})
    text = {
        "game": "halunken",
        "options": {"mode": "beginner", "two_player_beginner": True},
        "phase": "choosing",
        "first": 0,
        "seats": seats,
        "taverns": {str(field): sailors.pop() for field in range(14)},
    }
    return parse_position(json.dumps(text).encode())


@APP.command()
def endings(tables: int = 20, cards: int = 3, seed: int = 1) -> None:
    """What a best answer wins against the search in small endings of Halunken, by how long it looks."""
    rng = random.Random(seed)
    found = [Ending(one.game, one.state) for one in (reduced_table(cards, rng) for _ in range(tables))]
    lines = ["| player | mean payoff of a best answer to it, above the value | at worst |", "|---|---:|---:|"]
    players: dict[str, Callable[[Ending], Policy]] = {
        "chance": lambda one: lambda s, seat: dict.fromkeys(plans := one.plans(s, seat), 1 / len(plans)),
        **{
            f"search, {looks:,} playouts": lambda one, looks=looks: SearchPolicy(one.game, looks)
            for looks in (250, 1000, 4000, 16000)
        },
        "exact": lambda one: one.best,
    }
    for name, policy in players.items():
        gaps = [one.exploitability(policy(one)) for one in found]
        lines.append(f"| {name} | {np.mean(gaps):.4f} | {max(gaps):.4f} |")
        print(lines[-1], flush=True)
    put(
        heading("exploitability in endings", "halunken", 2),
        [
            *lines,
            "",
            f"{tables} tables with {cards} cards left to each and nothing face down; payoffs from -1 to 1.",
        ],
    )


@APP.command()
def pace(game: str, seats: int = 2, games: int = 2, seed: int = 1) -> None:
    """How long each level of a game thinks, and how many decisions a second pass inside its playouts."""
    found = find_game(game)
    lines = [
        "| level | median, ms | 99th percentile, ms | longest, ms | choices |",
        "|---|---:|---:|---:|---:|",
    ]
    for level in found.levels:
        bot = seat_bot(found, level)
        took: list[float] = []
        for number in range(games + 1):
            match, stream = Match(found, seats), seed_stream(seed, number)
            while not match.over:
                if match.chance:
                    match.apply_chance(decide(match, Fast(stream)))
                    continue
                seat = match.actors[0]
                legal, view = match.legal(seat), match.view(seat)
                begun = time.thread_time()
                choice = bot.choose(view, legal, stream)
                if number and len(legal) > 1:  # the first game compiles
                    took.append(1000 * (time.thread_time() - begun))
                match.act(seat, choice)
        marks = np.percentile(took, [50, 99, 100])
        lines.append(f"| {level} | {marks[0]:.1f} | {marks[1]:.0f} | {marks[2]:.0f} | {len(took)} |")
        print(lines[-1], flush=True)
    kernels = cast("Playout", bind("spelunke.core.playout", found.rules.__name__))
    states, setup = pool(found.rules.STATE, 1), found.setup(seats, found.settle(seats))
    kernels.playouts(states, 0, setup, seed_stream(1), 1)
    begun = time.thread_time()
    decisions = kernels.playouts(states, 0, setup, seed_stream(1), 400)
    rate = decisions / (time.thread_time() - begun)
    put(
        heading("pace", game, seats),
        [*lines, "", f"Processor time of one core. Random playouts: {rate:,.0f} decisions a second."],
    )


if __name__ == "__main__":
    APP()
