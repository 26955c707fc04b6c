"""The command ``spelunke bench``."""

from __future__ import annotations

import json as plain_json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import Json, complete_game, find_card
from spelunke.cli.output import out, progress, write_json
from spelunke.cli.words import translate as _
from spelunke.core.words import plain

if TYPE_CHECKING:
    from spelunke.games.game import Game

FIRST_MOVE = """
import sys
from spelunke.games.match import Match
from spelunke.games import find_game
match = Match(find_game(sys.argv[1]))
while match.chance:
    match.apply_chance(match.chances()[0][0])
assert match.legal(match.actors[0])
"""


def bench(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Measure only this game.", autocompletion=complete_game),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Play random games for this many seconds in each of two ways: compiled, and with one call from Python "
            "for each move. The third way, plain Python, always plays 3 games.",
            min=0.1,
            max=600,
        ),
    ] = 2.0,
    json: Json = False,
) -> None:
    """Measure the speed of this machine: random games (in three ways), starting the program, and verifying a record.

    `make bench` measures the server too, and writes the results into bench/results.md.
    """
    from spelunke.games import shelf

    cards = [find_card(game)] if game else list(shelf().values())
    measures: list[tuple[str, str, Callable[[Game, float], float]]] = [
        ("playouts_compiled", plain("decisions a second, compiled"), _compiled),
        ("playouts_plain", plain("decisions a second, plain Python"), _plain),
        ("stepped", plain("decisions a second, one call from Python for each move"), _stepped),
        ("first_move_ms", plain("ms from process start to the first legal move"), _first_move),
        ("verify_ms", plain("ms to verify a record"), _verify),
    ]
    found: list[dict[str, str | float]] = []
    with progress(_("Measuring"), len(cards) * len(measures)) as (bar, task):
        for card in cards:
            row: dict[str, str | float] = {"game": card.name}
            for name, what, measure in measures:
                bar.update(task, note=f"{card.name}: {_(what)}")
                row[name] = round(measure(card, seconds), 1)
                bar.advance(task)
            found.append(row)
    if json:
        write_json(found)
        return
    console = out()
    for row in found:
        console.print(row["game"], style="bold")
        for name, what, _measure in measures:
            console.print(f"  {row[name]:>16,.1f}  {_(what)}", markup=False)


def _compiled(card: Game, seconds: float) -> float:
    from spelunke.cli.playout import Run

    run = Run(card, card.seats[0], card.settle(card.seats[0]), 1)
    for _done in run.play(10**9):
        if run.seconds >= seconds:
            break
    return run.measure().decisions_per_second


def _plain(card: Game, _seconds: float) -> float:
    command = [sys.executable, "-m", __package__ or "", "playout", card.name, "--games", "3", "--json"]
    environment = {**os.environ, "SPELUNKE_JIT": "0"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    return float(plain_json.loads(done.stdout)["decisions_per_second"])


def _stepped(card: Game, seconds: float) -> float:
    from spelunke.games.match import Match

    rng = random.Random(1)
    decisions = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        match = Match(card)
        while not match.over:
            if match.chance:
                outcomes = match.chances()
                match.apply_chance(rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
            else:
                seat = match.actors[0]
                match.act(seat, rng.choice(match.legal(seat)))
                decisions += 1
    return decisions / (time.perf_counter() - begun)


def _first_move(card: Game, _seconds: float) -> float:
    took = []
    for _try in range(3):  # the first one may still fill the cache
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST_MOVE, card.name], check=True)
        took.append(time.perf_counter() - begun)
    return 1000 * min(took)


def _verify(card: Game, _seconds: float) -> float:
    from datetime import UTC, datetime

    from spelunke.core.chance import Verifiable
    from spelunke.games.match import Match
    from spelunke.records.fairness import commit, decide, verify
    from spelunke.records.record import Seat, compose

    rng = random.Random(1)
    match = Match(card)
    nonces = [""] * match.seats
    chance = Verifiable(bytes(32), "bench", nonces)
    while not match.over:
        if match.chance:
            match.apply_chance(decide(match, chance))
        else:
            seat = match.actors[0]
            match.act(seat, rng.choice(match.legal(seat)))
    record = compose(
        match,
        table="bench",
        seats=[Seat(name=f"Seat {seat}", kind="bot") for seat in range(match.seats)],
        created=datetime.now(UTC),
        fairness=commit(bytes(32), nonces, reveal=True),
    )
    begun = time.perf_counter()
    assert verify(record).ok
    return 1000 * (time.perf_counter() - begun)
