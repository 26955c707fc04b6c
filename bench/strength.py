"""How strong the levels are, how far learned values are off, how quick the solver is: writes bench/strength.md.

    python bench/strength.py ladder --rounds 50      each level against the one below
    python bench/strength.py duel admiral solver:values=simple --rounds 100
    python bench/strength.py values --positions 40   learned values against games played from there
    python bench/strength.py mcts --games 4          against OpenSpiel's MCTS at one second a choice
    python bench/strength.py timings

Each command replaces its own part of bench/strength.md. Seeds are fixed: the same command plays the same games.
"""

from __future__ import annotations

import itertools
import platform
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from spelunke.arena.match import Job, play_here, run
from spelunke.arena.rating import rate
from spelunke.core.chance import below, seed_stream
from spelunke.core.match import Match
from spelunke.core.outcome import payoffs
from spelunke.games import find_game

GAME = "shanghaien"
FILE = Path(__file__).with_name("strength.md")
APP = typer.Typer(pretty_exceptions_enable=False)
Rounds = Annotated[int, typer.Option(help="Pairs of games.")]
Workers = Annotated[int | None, typer.Option(help="Processes.")]


def put(part: str, lines: list[str]) -> None:
    """Replace a part of the file."""
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else "# Strength\n"
    day = datetime.now(UTC).date().isoformat()
    body = "\n".join(
        [
            f"## {part}",
            "",
            *lines,
            "",
            f"{day}, {platform.machine()}, Python {platform.python_version()}.",
            "",
        ]
    )
    found = re.search(rf"^## {re.escape(part)}\n.*?(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    text = (
        text[: found.start()] + body + "\n" + text[found.end() :] if found else f"{text.rstrip()}\n\n{body}"
    )
    FILE.write_text(text.rstrip() + "\n", encoding="utf-8")
    print(body)


def meet(
    first: str, second: str, rounds: int, workers: int | None, seed: int = 1
) -> tuple[float, float, int]:
    """The first player's share of wins in percent (shared ones half), two standard errors, and games."""
    job = Job(GAME, (first, second), 2, seed=seed, budget=60.0)
    results = run(job, rounds, spread=lambda j, todo: play_here(j, todo, workers))
    better = next(r for r in rate(job, results) if r.player == first)
    return 50 * (1 + better.score), 50 * better.score_error, len(results)


@APP.command()
def duel(first: str, second: str, rounds: Rounds = 50, workers: Workers = None, seed: int = 1) -> None:
    """One player against another; levels, or KIND:SETTING=VALUE."""
    share, error, games = meet(first, second, rounds, workers, seed)
    put(
        f"{first} against {second}",
        [f"{first} wins {share:.1f} ± {error:.1f} % of {games} games (shared wins count half)."],
    )


@APP.command()
def ladder(rounds: Rounds = 50, workers: Workers = None) -> None:
    """Each level against the one below it."""
    names = list(find_game(GAME).levels)
    lines = ["| level | against | wins, % | games |", "|---|---|---:|---:|"]
    for weaker, stronger in itertools.pairwise(names):
        share, error, games = meet(stronger, weaker, rounds, workers)
        lines.append(f"| {stronger} | {weaker} | {share:.1f} ± {error:.1f} | {games} |")
        print(lines[-1], flush=True)
    put(
        "Levels",
        [*lines, "", "Shared wins count half; ± is two standard errors over pairs that share their luck."],
    )


@APP.command()
def mcts(seconds: float = 1.0, games: int = 4, seed: int = 1) -> None:
    """The strongest level against OpenSpiel's MCTS, seats taken in turn; extra ``research``."""
    import pyspiel
    from open_spiel.python.algorithms import mcts as search

    import spelunke.adapters.open_spiel  # noqa: F401  registers the game
    from spelunke.bots.levels import seat_bot

    spiel = pyspiel.load_game(f"spelunke_{GAME}")
    game = find_game(GAME)
    bot = seat_bot(game, list(game.levels)[-1])
    rng = np.random.RandomState(seed)
    probe = spiel.new_initial_state()
    while probe.is_chance_node():
        probe.apply_action(probe.chance_outcomes()[0][0])
    trial = search.MCTSBot(spiel, 1.5, 20, search.RandomRolloutEvaluator(1, rng), random_state=rng)
    trial.step(probe)  # compiles
    begun = time.thread_time()
    trial.step(probe)
    simulations = max(2, int(20 * seconds / (time.thread_time() - begun)))
    wins = 0.0
    for number in range(games):
        other = search.MCTSBot(
            spiel, 1.5, simulations, search.RandomRolloutEvaluator(1, rng), random_state=rng
        )
        mine, stream = number % 2, seed_stream(seed, number)
        state, match = spiel.new_initial_state(), Match(game)
        while not match.over:
            if match.chance:
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                number_played = int(rng.choice(outcomes, p=weights))
                match.apply_chance(game.moves.decode_chance(number_played))
            else:
                seat = match.actors[0]
                if seat == mine:
                    action = bot.choose(match.view(seat), match.legal(seat), stream)
                    number_played = game.moves.encode(action)[0]
                else:
                    number_played = int(other.step(state))
                match.act(seat, game.moves.decode(number_played))
            state.apply_action(number_played)
        outcome = match.outcome
        assert outcome is not None
        wins += (payoffs(outcome.ranks)[mine] + 1) / 2
        print(f"{wins:g} of {number + 1}", flush=True)
    put(
        "Against OpenSpiel's MCTS",
        [
            f"{wins:g} of {games} games won, {simulations} simulations a choice (about {seconds:g} s of one core)."
        ],
    )


@APP.command()
def values(positions: int = 20, games: int = 4, seed: int = 9) -> None:
    """Learned values between rounds against games played on from there; positions from games of the learned values."""
    from spelunke.games.shanghaien.solving import Aim, Judge, learned
    from spelunke.games.shanghaien.solving.samples import play_game, play_out
    from spelunke.games.shanghaien.solving.training import spread_of

    found = {aim: Judge(learned(aim), aim, grace=0.0) for aim in Aim}
    played = [play_game(found[Aim.WIN], np.random.default_rng([seed, number])) for number in range(positions)]
    lines = [
        "| rounds played | points: root mean square (95 %) | mean | chance to win, %: root mean square (95 %) | mean |",
        "|---:|---:|---:|---:|---:|",
    ]
    for rounds in range(1, 8):
        cells = [str(rounds)]
        for aim, unit, digits in ((Aim.POINTS, 1.0, 2), (Aim.WIN, 50.0, 1)):
            off = np.array(
                [
                    [
                        unit
                        * play_out(
                            found[aim], game[rounds - 1][0], np.random.default_rng([seed, rounds, number, k])
                        )
                        for k in range(games)
                    ]
                    for number, game in enumerate(played)
                ]
            )
            root, low, high = spread_of(off)
            doubt = 2 * off.mean(axis=1).std(ddof=1) / np.sqrt(positions)
            cells += [
                f"{root:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})",
                f"{off.mean():+.{digits}f} ± {doubt:.{digits}f}",
            ]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    put(
        "Learned values",
        [
            *lines,
            "",
            f"By how much the values of crews between rounds are off, in positions from {positions} games.",
            f"{games} games were played from each to the end; their luck is taken out of the root mean square.",
        ],
    )


@APP.command()
def timings(games: int = 10, seed: int = 1) -> None:
    """Solving a round, choosing, memory."""
    from spelunke.bots.levels import seat_bot
    from spelunke.games.shanghaien.bots import oracle

    lines = [*_solver_times(), ""]
    game = find_game(GAME)
    bot = seat_bot(game, list(game.levels)[-1])
    took: list[float] = []
    for number in range(games + 1):
        match, stream = Match(game), seed_stream(seed, number)
        while not match.over:
            if match.chance:
                outcomes = [o for o, weight in match.chances() for _ in range(weight)]
                match.apply_chance(outcomes[int(below(stream, len(outcomes)))])
                continue
            seat = match.actors[0]
            legal, view = match.legal(seat), match.view(seat)
            begun = time.thread_time()
            choice = bot.choose(view, legal, stream)
            if number and len(legal) > 1:  # the first game compiles
                took.append(1000 * (time.thread_time() - begun))
            match.act(seat, choice)
    marks = np.percentile(took, [50, 99, 100])
    told = (
        f"A choice of the strongest level: median {marks[0]:.1f} ms, 99th percentile {marks[1]:.0f} ms, "
        f"longest {marks[2]:.0f} ms ({len(took)} choices; processor time of one core)."
    )
    lines += [told, "", f"Solved rounds kept at the end: {oracle('learned').size / 1e6:.0f} MB."]
    put("Timings", lines)


def _solver_times() -> list[str]:
    """One end of the row as card 1; the worst last round has all three tricks and eight nations on both sides."""
    from spelunke.games.shanghaien.solving.endings import Endings, Judge
    from spelunke.games.shanghaien.solving.frame import Frame, Side
    from spelunke.games.shanghaien.solving.round import Round
    from spelunke.games.shanghaien.solving.stages import guess
    from spelunke.games.shanghaien.solving.stakes import Aim

    options = find_game(GAME).setup(2, find_game(GAME).settle(2))[1:].tolist()
    frame = Frame((0, 5, 10, 15, 3, 33), (0,) * 35, 7, 0, 0, tuple(options), 0, (0, 0), (0, 0), (0, 0))
    judge = Judge([guess()] * 8, Aim.WIN)
    lines = ["| a round | states | ms (processor time) |", "|---|---:|---:|"]
    for name, hand in (
        ("without tricks", (0,) * 5),
        ("one trick each", (1, 0, 0, 0, 0)),
        ("the worst", (1, 1, 1, 0, 0)),
    ):
        side = Side(hand, (3,) * 8, (True,) * 8, spent=False)
        took, states = [], 0
        for _ in range(6):
            begun = time.thread_time()
            table = Round(frame, 0, side, side, Endings(judge, frame, side, side))
            took.append(1000 * (time.thread_time() - begun))
            states = len(table.store)
        lines.append(f"| {name} | {states:,} | {min(took):.1f} |")
    return lines


if __name__ == "__main__":
    APP()
