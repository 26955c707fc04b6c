"""Measure the exploitability of searches and the thinking times of levels; write their parts of bench/strength.md.

    python bench/searches.py endings                  the gain of a best response in endings that are solved exactly
    python bench/searches.py pace halunken            the thinking time of each level
    python bench/searches.py speed                    simulated decisions per second in games with kernels for playouts
    python bench/searches.py cores                    the gain of a second core for a search
    python bench/searches.py calibration halunken     the share of wins for each predicted chance to win
    python bench/searches.py curve                    how well Halunken's values predict payoffs, by training games

Each command replaces its own part. Seeds are fixed, so the same command uses the same tables.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, cast

import numpy as np
import numpy.typing as npt
import typer
from commands import Folder, make_folder, run_app
from strength import heading, put

from spelunke.bots.levels import default_level, seat_bot
from spelunke.cli.arguments import parse_options
from spelunke.core.chance import Fast, below, seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.kernel import bind, pool
from spelunke.core.values import Numbers, Pool
from spelunke.games import find_game, shelf
from spelunke.games.halunken.cards import ALL_SAILORS
from spelunke.games.match import Match
from spelunke.records.fairness import decide
from spelunke.records.position import parse_position
from spelunke.solvers.exploit import Ending, SearchPolicy
from spelunke.solvers.playing import PlayoutAppraiser
from spelunke.solvers.search import Budget, Policy, search

if TYPE_CHECKING:
    from quick_games import QuickGames

    from spelunke.core.playout import Playout
    from spelunke.games.game import Game

Reals = npt.NDArray[np.float64]
APP = typer.Typer(pretty_exceptions_enable=False)


def reduced_table(cards: int, rng: random.Random) -> Match:
    """Return a match of Halunken for two seats that have ``cards`` cards left, with no card face down.

    Such a match is small enough to solve exactly.
    """
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
    """Measure the exploitability of the search in small endings of Halunken, for several numbers of playouts."""
    rng = random.Random(seed)
    found = [Ending(one.game, one.state) for one in (reduced_table(cards, rng) for _ in range(tables))]
    lines = [
        "| player | mean payoff of a best response to it, above the value | at worst |",
        "|---|---:|---:|",
    ]
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
    """Measure the thinking time of each level of a game."""
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
                if number and len(legal) > 1:  # the kernels are compiled in the first game
                    took.append(1000 * (time.thread_time() - begun))
                match.act(seat, choice)
        marks = np.percentile(took, [50, 99, 100])
        lines.append(f"| {level} | {marks[0]:.1f} | {marks[1]:.0f} | {marks[2]:.0f} | {len(took)} |")
        print(lines[-1], flush=True)
    put(heading("pace", game, seats), [*lines, "", "Processor time of one core."])


@APP.command()
def speed(seconds: float = 2.0) -> None:
    """Measure simulated decisions per second on one core: first with random choices, then with the kernels of playouts.

    Leave out both measurements for games without such kernels.
    """
    lines = [
        "| game | seats | at random, decisions a second | by quick choices | one game by quick choices, ms |",
        "|---|---:|---:|---:|---:|",
    ]
    for game in shelf().values():
        rules, how = game.rules.__name__, game.hooks.playouts()
        if not how.kernels:
            continue
        random_games = cast("Playout", bind("spelunke.core.playout", rules))
        quick = cast("QuickGames", bind("quick_games", rules, how.kernels))
        for seats in game.seats:
            states, setup = pool(game.rules.STATE, 1), game.setup(seats, game.settle(seats))

            rates = [
                rate_of(partial(at_random, random_games, states, setup), seconds),
                rate_of(partial(quickly, quick, states, setup), seconds),
            ]
            lines.append(
                f"| {game.title} | {seats} | {rates[0][0]:,.0f} | {rates[1][0]:,.0f} | {1000 / rates[1][1]:.2f} |"
            )
            print(lines[-1], flush=True)
    put("Simulated decisions", [*lines, "", "Processor time of one core."])


def at_random(kernels: Playout, states: Pool, setup: Numbers, games: int) -> int:
    """Play ``games`` random games, and return the number of decisions."""
    return kernels.playouts(states, 0, setup, seed_stream(games), games)


def quickly(kernels: QuickGames, states: Pool, setup: Numbers, games: int) -> int:
    """Play ``games`` games in which the kernel ``answer`` chooses for all seats. Return the number of decisions."""
    return kernels.quick_games(states, setup, seed_stream(games), games)


def rate_of(play: Callable[[int], int], seconds: float) -> tuple[float, float]:
    """Return the number of decisions and of games per second."""
    play(1)  # compiles
    decisions, games, begun = 0, 0, time.thread_time()
    while (spent := time.thread_time() - begun) < seconds:
        more = 1 + int(games / max(spent, 1e-3) / 10)
        decisions += play(more)
        games += more
    return decisions / spent, games / spent


@APP.command()
def cores(milliseconds: int = 400, positions: int = 12, seed: int = 1) -> None:
    """Measure the gain of a second core for a search: the playouts of one thread and of two, in the same positions."""
    load = os.getloadavg()[0]
    lines = [
        "| game | seats | playouts, one thread | two threads | times as many | by the clock |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    game = find_game("halunken")  # the general search of Sanghai plays whole games at random
    for seats in (2, 4):
        rows = []
        for number in range(positions + 1):
            match, stream = Match(game, seats), seed_stream(seed, number)
            most = 0
            while match.chance or len(match.legal(match.actors[0])) < 3 or most < 20:
                most += 1
                if match.chance:
                    match.apply_chance(decide(match, Fast(stream)))
                else:
                    legal = match.legal(match.actors[0])
                    match.act(match.actors[0], legal[int(below(stream, len(legal)))])
            found = []
            for threads in (1, 2):
                begun = time.perf_counter()
                budget = Budget(milliseconds=float(milliseconds), cores=threads)
                played = search(game, match.state, match.actors[0], budget, seed_stream(seed, number))
                found.append((played.played, time.perf_counter() - begun, played.clear))
            # the kernels are compiled in the first search
            if number and not any(clear for *_, clear in found):
                rows.append([found[0][0], found[1][0], found[0][1], found[1][1]])
        one, two, took, took_two = np.array(rows).T
        more, by_clock = np.median(two / one), np.median(two / took_two / (one / took))
        shown = f"{np.median(one):,.0f} | {np.median(two):,.0f} | {more:.2f} | {by_clock:.2f}"
        lines.append(f"| {game.title} | {seats} | {shown} |")
        print(lines[-1], flush=True)
    words = (
        f"Medians of up to {positions} positions, {milliseconds} ms of the processor for each thread; "
        f"load {load:.1f} on {os.cpu_count()} cores when it began."
    )
    put("The gain of a second core in searches", [*lines, "", words])


@APP.command()
def calibration(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    seats: int = 2,
    games: Annotated[int, typer.Option(min=2)] = 200,
    level: str = "",
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE")] = None,
    seed: int = 1,
) -> None:
    """Compare wins with the chances that analyses predict, in games between bots of one level.

    By default, the positions are those at the beginning of each part of a game. With ``--level quick``, they are random
    positions of games between quick players in kernels, which play thousands of games in a minute.
    """
    game = find_game(name)
    level = level or default_level(game)
    settings = parse_options(option)
    if level == "quick":
        found, where = chances_of_quick_games(game, seats, games, settings, seed), "One decision in fifty"
    else:
        found = chances_of_games(game, seats, games, settings, seed, level)
        where = "Positions where a part of the game begins"
    lines = ["| predicted, % | on average | won, % | positions | of games |", "|---|---:|---:|---:|---:|"]
    for low in range(0, 100, 10):
        inside = found[(found[:, 0] >= low / 100) & (found[:, 0] < (low + 10) / 100 + (low == 90))]
        behind = len(np.unique(inside[:, 2]))
        if behind >= FEWEST:
            mean, won_mean = 100 * inside[:, :2].mean(axis=0)
            error = 100 * doubt_of(inside[:, 1], inside[:, 2])
            lines.append(
                f"| {low} to {low + 10} | {mean:.1f} | {won_mean:.1f} ± {error:.1f} | {len(inside):,} | {behind:,} |"
            )
    off = (found[:, 0] - found[:, 1]) ** 2
    gain = (1 / seats - found[:, 1]) ** 2 - off
    better = f"{off.mean():.3f}, {gain.mean():.3f} ± {doubt_of(gain, found[:, 2]):.3f} less"
    words = (
        f"{where}, all seats, in {games:,} games of {PLAYERS.get(level, level)}; a shared win counts in parts. "
        f"Mean squared error {better} than that of a guess of {100 / seats:.0f} % each time. "
        "± is two standard errors over games, because positions of a game share its outcome. "
        f"Rows of fewer than {FEWEST} games are left out."
    )
    put(
        heading("predicted chances and results", name, seats),
        [*lines, "", *wrap(words, 120)],
    )


def doubt_of(values: Reals, games: Reals) -> float:
    """Return twice the standard error of the mean of ``values``.

    Values of the same game may be correlated; ``games`` has the game of each value.
    """
    _, whose = np.unique(games, return_inverse=True)
    off = np.bincount(whose, values - values.mean())
    return float(2 * np.sqrt(len(off) / (len(off) - 1) * (off**2).sum()) / len(values))


FEWEST = 10
"""The fewest games of a row. With fewer games, the error of a mean can't be estimated."""


PLAYERS = {"quick": "the quick players of analyses"}


def chances_of_games(
    game: Game, seats: int, games: int, settings: dict[str, object], seed: int, level: str
) -> Reals:
    """Return a row for each pair of a position and a seat, from games between bots of one level.

    The positions are those at the beginning of each round.

    A row has the predicted chance to win, the result (1 for a win, a fraction for a shared win), and the number of the
    game.
    """
    appraiser, bot = PlayoutAppraiser(game), seat_bot(game, level)
    told: list[tuple[float, float, int]] = []
    for number in range(games):
        match, stream, parts = Match(game, seats, settings), seed_stream(seed, number), set[int]()
        values: list[tuple[float, ...]] = []
        while not match.over:
            if match.chance:
                match.apply_chance(decide(match, Fast(stream)))
                continue
            part = appraiser.part(match.state)
            if part not in parts:
                parts.add(part)
                values.append(tuple(value.chance for value in appraiser.values(match.state)))
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
        assert match.outcome is not None
        winners = match.outcome.winners
        won = [seat in winners for seat in range(seats)]
        told += [
            (chance, won[seat] / len(winners), number)
            for chances in values
            for seat, chance in enumerate(chances)
        ]
        if number % 20 == 19:
            print(number + 1, "games", flush=True)
    return np.array(told)


def chances_of_quick_games(
    game: Game, seats: int, games: int, settings: dict[str, object], seed: int
) -> Reals:
    """Return a row for each pair of a random position and a seat. For the columns, see :func:`chances_of_games`.

    The positions come from games in which the kernel ``answer`` chooses for all seats.
    """
    rules, appraiser, kernels = game.rules, PlayoutAppraiser(game), game.hooks.playouts().kernels
    if not kernels:
        raise BadInput(f"{game.title} has no quick players in kernels", "--level quick")
    quick = cast("QuickGames", bind("quick_games", rules.__name__, kernels))
    kept, whose = pool(rules.STATE, 100 * games), np.zeros(100 * games, np.int16)
    ranks = np.zeros((games, max(game.seats)), np.int16)
    setup = game.setup(seats, game.settle(seats, settings))
    count = quick.kept_games(pool(rules.STATE, 1), setup, seed_stream(seed), kept, whose, ranks, 50)
    won = (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True)
    return np.array(
        [
            (value.chance, won[whose[k], seat], whose[k])
            for k in range(count)
            for seat, value in enumerate(appraiser.values(kept[k]))
        ]
    )


@APP.command()
def curve(most: Annotated[int, typer.Option(min=60)] = 12_000, seed: int = 1, keep: Folder = None) -> None:
    """Measure how much of the payoffs' variance Halunken's values explain, for several numbers of training games."""
    from spelunke.games.halunken.learning import explained, fit, play_games
    from spelunke.games.halunken.state import HOURS

    if keep:
        make_folder(keep)
    counts = [count for count in (30, 100, 300, 1000, 3000, 10_000) if count <= most // 2]
    lines = [
        "| seats | training games | " + " | ".join(f"after hour {hour}" for hour in range(1, HOURS)) + " |",
        "|---:|---:|" + "---:|" * (HOURS - 1),
    ]
    for seats in find_game("halunken").seats:
        seen, ends = play_games(seats, most, seed, keep=keep)
        half = most // 2
        for count in counts:
            shares = [
                explained(fit(seen[:count, hour], ends[:count]), seen[half:, hour], ends[half:])
                for hour in range(HOURS - 1)
            ]
            lines.append(f"| {seats} | {count:,} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
            print(lines[-1], flush=True)
    put(
        heading("learning curve", "halunken", 2).replace(", 2 seats", ""),
        [
            *lines,
            "",
            f"Share of the payoffs' variance that is explained, in {half:,} games that were not learned from.",
        ],
    )


if __name__ == "__main__":
    run_app(APP)
