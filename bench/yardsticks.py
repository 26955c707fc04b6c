"""Measure Spelunke's players against OpenSpiel's searches, which use only the rules of a game.

    python bench/yardsticks.py shanghaien mcts                 the strongest level against MCTS with 1 s per choice
    python bench/yardsticks.py halunken ismcts --seconds 1 --ours search:milliseconds=1000      with equal times
    python bench/yardsticks.py halunken ismcts --seconds 0.35  with ten times the time of Spelunke's player
    python bench/yardsticks.py halunken mcts                   MCTS sees the cards that our player does not see
    python bench/yardsticks.py sanghai ismcts --seats 4 --theirs 1 --option schedule=short

Install the extra ``research`` first. Each command replaces its own part of bench/strength.md after every round of
games. In a round, each player plays each seat once. Times are processor times. Luck is the same in each run, but the
number of OpenSpiel's simulations per second depends on the machine.
"""

from __future__ import annotations

import time
from typing import Annotated, Protocol

import numpy as np
import pyspiel
import typer
from commands import run_app
from open_spiel.python.algorithms import ismcts, mcts
from strength import heading, put

import spelunke.adapters.open_spiel as adapter
from spelunke.arena.shared import SharedChance
from spelunke.bots.levels import seat_player
from spelunke.cli.arguments import parse_options
from spelunke.core.chance import seed_stream
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match

APP = typer.Typer(pretty_exceptions_enable=False)
FIRST = 8
"""The number of simulations of the first choice. Its time gives the number for the next choice."""


class Search(Protocol):
    """The part of the interface of OpenSpiel's bots that this script uses."""

    def step(self, state: object) -> int: ...


class Timed:
    """OpenSpiel's search with about the same time for each choice.

    The number of simulations for a choice follows from the time that the previous choice took.
    """

    def __init__(self, spiel: object, kind: str, seconds: float, rng: np.random.RandomState) -> None:
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        self.count = "max_simulations" if kind == "mcts" else "_max_simulations"
        self.seconds = seconds
        self.simulations: list[int] = []
        self.bot: Search
        if kind == "mcts":
            self.bot = mcts.MCTSBot(spiel, 1.5, FIRST, evaluator, random_state=rng)
        else:
            self.bot = ismcts.ISMCTSBot(
                spiel, evaluator, 1.5, FIRST, random_state=rng, allow_inconsistent_action_sets=True
            )
            # Without this, OpenSpiel draws the worlds from a generator that can't be seeded.
            self.bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))

    def step(self, state: object) -> int:
        """Return the action that the search chooses. If there is only one legal action, return it without a search."""
        legal = state.legal_actions()  # type: ignore[attr-defined]
        if len(legal) == 1:
            return int(legal[0])
        used = int(getattr(self.bot, self.count))
        begun = time.thread_time()
        action = int(self.bot.step(state))
        each = (time.thread_time() - begun) / used
        self.simulations.append(used)
        wanted = min(self.seconds / max(each, 1e-6), 4.0 * used)
        setattr(self.bot, self.count, max(2, int(wanted)))
        return action


class Found:
    """The results of each seat of Spelunke against each seat of OpenSpiel, and the processor time of each choice."""

    def __init__(self) -> None:
        self.ahead: list[float] = []
        self.points: list[float] = []
        self.ours: list[float] = []
        self.theirs: list[float] = []
        self.simulations: list[int] = []


def play(
    game: Game,
    spiel: object,
    match: Match,
    ours: str,
    theirs: dict[int, Timed],
    luck: SharedChance,
    seed: int,
) -> Found:
    """Play one game, and return its results. OpenSpiel plays the seats in ``theirs``, and ``ours`` all other seats."""
    state, found = spiel.new_initial_state(), Found()  # type: ignore[attr-defined]
    bots = {seat: seat_player(game, ours) for seat in range(match.seats) if seat not in theirs}
    stream = seed_stream(seed)
    while not match.over:
        if match.chance:
            outcome = luck.decide(match)
            state.apply_action(game.moves.encode_chance(outcome))
            match.apply_chance(outcome)
            continue
        seat = match.actors[0]
        begun = time.thread_time()
        legal = match.legal(seat)
        if seat in theirs:
            number = theirs[seat].step(state)
            numbers, action = [number], game.moves.decode(number)
            if len(legal) > 1:
                found.theirs.append(time.thread_time() - begun)
        else:
            action = bots[seat].choose(match.view(seat), legal, stream)
            numbers = list(game.moves.encode(action, match.state))
            if len(legal) > 1:
                found.ours.append(time.thread_time() - begun)
        match.act(seat, action)
        for number in numbers:
            state.apply_action(number)
    outcome = match.outcome
    assert outcome is not None
    for mine in bots:
        for other in theirs:
            found.ahead.append(50.0 + 50.0 * float(np.sign(outcome.ranks[other] - outcome.ranks[mine])))
            found.points.append(float(outcome.scores[mine] - outcome.scores[other]))
    found.simulations = [count for one in theirs.values() for count in one.simulations]
    return found


@APP.command()
def measure(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    kind: Annotated[str, typer.Argument(help="mcts or ismcts")],
    seconds: Annotated[float, typer.Option(help="OpenSpiel's time for a choice.")] = 1.0,
    ours: Annotated[str, typer.Option(help="A level, or KIND:SETTING=VALUE.")] = "",
    seats: int = 2,
    theirs: Annotated[int, typer.Option(help="Seats that OpenSpiel plays.")] = 1,
    rounds: Annotated[int, typer.Option(help="In each, all sit at each seat once.")] = 4,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE")] = None,
    seed: int = 1,
) -> None:
    """Measure a player of Spelunke against a search of OpenSpiel."""
    game = find_game(name)
    ours = ours or list(game.levels)[-1]
    options = parse_options(option)
    spiel = pyspiel.load_game(adapter.PREFIX + name, {"seats": seats, **options})
    rng = np.random.RandomState(seed)
    means: list[tuple[float, float]] = []
    took = Found()
    for number in range(rounds):
        whole: list[Found] = []
        for rotation in range(seats):
            sitting = {(k + rotation) % seats: Timed(spiel, kind, seconds, rng) for k in range(theirs)}
            match = Match(game, seats, options)
            luck = SharedChance(seed, number, 0)
            whole.append(
                play(game, spiel, match, ours, sitting, luck, seed * 1000 + number * seats + rotation)
            )
            took.ours += whole[-1].ours
            took.theirs += whole[-1].theirs
            took.simulations += whole[-1].simulations
            print(number, rotation, np.mean(whole[-1].ahead), np.mean(whole[-1].points), flush=True)
        means.append(
            (
                float(np.mean([one for found in whole for one in found.ahead])),
                float(np.mean([one for found in whole for one in found.points])),
            )
        )
        tell(game, kind, seconds, ours, seats, theirs, options, means, took)


def tell(
    game: Game,
    kind: str,
    seconds: float,
    ours: str,
    seats: int,
    theirs: int,
    options: dict[str, object],
    means: list[tuple[float, float]],
    took: Found,
) -> None:
    """Write the results so far into bench/strength.md."""
    mean = np.mean(means, axis=0)
    doubt = ["", ""]  # one round gives no estimate of the error
    if len(means) > 1:
        error = 2 * np.std(means, axis=0, ddof=1) / np.sqrt(len(means))
        doubt = [f" ± {one:.1f}" for one in error]
    searcher = "MCTS" if kind == "mcts" else "IS-MCTS"
    where = "".join(f", {key} {value}" for key, value in options.items())
    result = (
        f"{ours} finishes before {mean[0]:.1f}{doubt[0]} % of them, by {mean[1]:+.1f}{doubt[1]} points "
        f"(ours minus theirs), in {len(means) * seats} games with {theirs} of {seats} seats played by OpenSpiel{where} "
        "(equal ranks half)."
    )
    pace = (
        f"Processor seconds for a choice (medians): ours {np.median(took.ours):.3f}, "
        f"theirs {np.median(took.theirs):.3f} with {np.median(took.simulations):.0f} simulations."
    )
    lines = [result, "", pace]
    if kind == "mcts" and game.hidden:
        lines += [
            "",
            "MCTS uses the true state: it knows the sealed cards and the hands of the others.",
        ]
    put(heading(f"{ours} against OpenSpiel's {searcher} at {seconds:g} s a choice", game.name, seats), lines)


if __name__ == "__main__":
    run_app(APP)
