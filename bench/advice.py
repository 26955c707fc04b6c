"""Measure the time of a whole game's analysis, and fit the coefficients with which games forecast their results.

    python bench/advice.py                 the time of analyses, for bench/results.md
    python bench/advice.py fit sanghai     the cost of hands by their features, for games/sanghai/playouts.py
    python bench/advice.py spread          the spread of a round's costs between seats, for the same file
    python bench/advice.py fit halunken    the final points by the crews, for games/halunken/playouts.py

The commands ``fit`` and ``spread`` print the numbers for these files. The cost of a hand is the number of points that
its seat gets for the round of Sanghai; few points are good.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from report import machine, one_core, write_section

from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.chance import below, seed_stream
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse

if TYPE_CHECKING:
    from spelunke.games.sanghai.state import State

Numbers = npt.NDArray[np.float64]
GAMES = (
    ("halunken", 2, {}),
    ("halunken", 4, {}),
    ("sanghai", 4, {"schedule": "short"}),
    ("sanghai", 4, {}),
    ("sanghai", 4, {"schedule": "shanghai10"}),
)


def play(match: Match, level: str, seed: int, note: object = None) -> None:
    """Play a match to its end with bots of a level. Call ``note`` with the match before each ply."""
    stream, bot = seed_stream(seed, match.seats), seat_bot(match.game, level)
    while not match.over:
        if callable(note):
            note(match)
        if match.chance:
            chances = match.chances()
            left = int(below(stream, sum(weight for _, weight in chances)))
            for outcome, weight in chances:
                left -= weight
                if left < 0:
                    match.apply_chance(outcome)
                    break
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))


def solve(rows: Numbers, wanted: Numbers) -> tuple[Numbers, float]:
    """Return the x for which ``rows`` times x is closest to ``wanted``, and the standard deviation of the errors."""
    found = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return found, float((wanted - rows @ found).std())


def fit_sanghai(games: int) -> None:
    """Print the coefficients with which the features of a hand best predict its cost at the end of the round.

    The hands come from every third ply of games between bots of the level ``uncle``.
    """
    from spelunke.games.sanghai import playouts, state

    game = find_game("sanghai")
    rows: dict[bool, list[Numbers]] = {True: [], False: []}
    wanted: dict[bool, list[float]] = {True: [], False: []}
    cards: list[int] = []
    beside: dict[int, list[float]] = {}
    for number in range(games):
        seats = (3, 4, 4, 5)[number % 4]
        match = Match(game, seats, {"schedule": ("source", "shanghai10")[number % 2]})
        noted: list[tuple[int, int, bool, Numbers]] = []

        def note(match: Match, noted: list[tuple[int, int, bool, Numbers]] = noted) -> None:
            s = match.state
            if s.phase in (state.WINDOW, state.TURN) and match.ply % 3 == 0:
                for seat in range(match.seats):
                    signs = np.zeros(playouts.SIGNS)
                    playouts.read_signs(s, seat, signs)
                    noted.append((int(s.lap), seat, bool(s.laid[seat]), signs))

        play(match, "uncle", 100 + number, note)
        sheet, contracts = match.state.sheet, match.view(None).contracts
        for lap, seat, laid, signs in noted:
            rows[laid].append(signs)
            wanted[laid].append(float(sheet[lap, seat]))
            if not laid:
                cards.append(contracts[lap].cards)
        note_costs(match.state, beside)
    spread = spreads(beside)
    usual = float(np.sqrt(np.mean([spread[count] ** 2 for count in cards])))
    for laid in (False, True):
        found, off = solve(np.array(rows[laid]), np.array(wanted[laid]))
        print(
            "laid" if laid else "unlaid",
            len(rows[laid]),
            [round(float(x), 3) for x in found],
            "off",
            round(off, 1),
            "" if laid else f"({off / usual:.2f} of the spread)",
        )
    tell_spreads(spread)


def note_costs(s: State, beside: dict[int, list[float]]) -> None:
    """Add to ``beside``, for each round of a finished game, how much each seat's cost differs from the mean.

    With n seats, the differences are multiplied by the root of n / (n - 1), so that their variance estimates the
    variance of a cost without bias. The keys of ``beside`` are the numbers of cards in the rounds' contracts.
    """
    from spelunke.games.sanghai import state

    seats = int(s.seats)
    for lap in range(int(s.lap) + 1):
        s.lap = lap  # the rules use the current round to find the cards of a contract
        cost = s.sheet[lap, :seats].astype(np.float64)
        off_others = (cost - cost.mean()) * np.sqrt(seats / (seats - 1))
        beside.setdefault(int(state.cards_wanted(s)), []).extend(map(float, off_others))


def spreads(beside: dict[int, list[float]]) -> dict[int, float]:
    """Return, for each number of cards in a contract, the standard deviation of the differences in ``beside``.

    The differences are those of the seats' costs from the mean cost (see `note_costs`).
    """
    return {cards: float(np.std(off)) for cards, off in sorted(beside.items())}


def tell_spreads(spread: dict[int, float]) -> None:
    """Print the result of `spreads`, rounded like ``SPREAD`` in games/sanghai/playouts.py."""
    told = {cards: round(off, 1) for cards, off in spread.items()}
    print("how far a round's cost is off what it costs the others, by the cards of its contract", told)


def spread_sanghai(games: int) -> None:
    """Print how much a round's costs differ between the seats, in games of three to six players.

    Kernels play the games. Half of the games have the long schedule.
    """
    from spelunke.core.kernel import pool
    from spelunke.games.sanghai import GAME, selfplay, state
    from spelunke.games.sanghai.hands import Hands

    known, beside = Hands.nothing(), dict[int, list[float]]()
    work, listed, styles = pool(state.STATE, 1), np.zeros(state.ACTIONS, np.int16), np.zeros(8, np.int16)
    rows, ends, whose = np.zeros((0, 1)), np.zeros(0), np.zeros(0, np.int16)
    for number in range(games):
        seats, schedule = 3 + number % 4, ("source", "shanghai10")[number // 4 % 2]
        setup = GAME.setup(seats, GAME.settle(seats, {"schedule": schedule}))
        stream = seed_stream(100, number)
        seed = int(stream[0] % 1000000007)
        players = (styles, known.net[None], known.tuned[None])
        selfplay.play_match(work, setup, seed, *players, listed, stream, 0, rows, ends, whose, 0, 0)
        note_costs(work[0], beside)
    tell_spreads(spreads(beside))


def fit_halunken(games: int) -> None:
    """Fit the final points of Halunken to the state at the beginning of an hour, and print the coefficients.

    An hour is a round of the game. There is a fit for each number of hours left. Each pair of seats gives one row, with
    the differences of their crews, of their numbers of cards, and of their points.
    """
    from spelunke.games.halunken import state
    from spelunke.games.halunken.sailors import worth_of

    game = find_game("halunken")
    for seats in game.seats:
        rows: list[list[tuple[float, float, float]]] = [[] for _ in range(state.HOURS)]
        for number in range(games):
            match, hours = Match(game, seats), {}

            def note(match: Match, hours: dict[int, list[tuple[float, int]]] = hours) -> None:
                s = match.state
                if int(s.hour) not in hours and s.phase in (state.BIDDING, state.CHOOSING):
                    crews = [(float(worth_of(s.crew[k])), int(s.hands[k])) for k in range(match.seats)]
                    hours[int(s.hour)] = crews

            play(match, "mate", 100 + number, note)
            assert match.outcome is not None
            ends = match.outcome.scores
            for hour, crews in hours.items():
                for i, mine in enumerate(crews):
                    for j, other in enumerate(crews[:i]):
                        rows[hour].append((mine[0] - other[0], mine[1] - other[1], ends[i] - ends[j]))
        told = []
        for left in range(1, state.HOURS + 1):
            table = np.array(rows[state.HOURS - left])
            found, off = solve(table[:, :2], table[:, 2])
            told.append((round(float(found[0]), 2), round(float(found[1]), 1), round(off / 2**0.5, 1)))
        print(
            seats, "keeps", [t[0] for t in told], "each", [t[1] for t in told], "spread", [t[2] for t in told]
        )


def measure() -> None:
    """Measure the processor time of analyses of whole games on one core, with compiled kernels."""
    one_core()
    lines = [
        "## Whole analyses",
        "",
        machine("numpy", "numba"),
        "One game of bots each, on one core, kernels compiled; seconds of the processor (`python bench/advice.py`).",
        "",
        "| game | plies | decisions with a choice | seconds |",
        "|---|---:|---:|---:|",
    ]
    for name, seats, options in GAMES:
        game = find_game(name)
        match = Match(game, seats, options)
        play(match, default_level(game), 5)
        names = [f"Player {seat + 1}" for seat in range(seats)]
        analyse(match, names)  # compile, or read from the cache
        begun = time.process_time()
        found = analyse(match, names)
        took = time.process_time() - begun
        free = sum(not one.forced for one in found.decisions)
        label = f"{game.title}, {seats} players" + "".join(f", {value}" for value in options.values())
        lines.append(f"| {label} | {match.ply:,} | {free} | {took:.1f} |")
        print(lines[-1], flush=True)
    write_section("advice", "\n".join(lines))


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=["measure", "fit", "spread"], default="measure")
    parser.add_argument("game", nargs="?", choices=["sanghai", "halunken"])
    parser.add_argument("--games", type=int, default=0)
    given = parser.parse_args()
    if given.what == "measure":
        measure()
    elif given.what == "spread":
        spread_sanghai(given.games or 4000)
    elif given.game == "sanghai":
        fit_sanghai(given.games or 120)
    elif given.game == "halunken":
        fit_halunken(given.games or 700)
    else:
        sys.exit("which game is to be fitted?")


if __name__ == "__main__":
    main()
