"""Learn what crews are worth, from the exact last round backward.

The command: ``python -m spelunke.games.shanghaien.solving.training FOLDER``.

After seven rounds, then after six, and so on: positions are drawn, the next round of each is dealt and solved with the
values learned so far at its end, and a new stage is fitted to what they turned out to be worth. The same seed gives the
same samples; what is solved is kept in a folder and not solved again.
"""

from __future__ import annotations

import datetime as dt
import functools
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import Progress, TextColumn, TimeRemainingColumn

from spelunke.games.shanghaien.solving.endings import Judge
from spelunke.games.shanghaien.solving.fitting import fit
from spelunke.games.shanghaien.solving.learned import FILE, write_stages
from spelunke.games.shanghaien.solving.samples import (
    Crews,
    Sample,
    deal_crews,
    deal_row,
    draw,
    fewer_jokers,
    solve_start,
)
from spelunke.games.shanghaien.solving.stages import Stage, guess
from spelunke.games.shanghaien.solving.stakes import Aim
from spelunke.games.shanghaien.state import ROUNDS

CHUNK = 10
EARLY = 5
"""Before so many rounds the luck of the cards to come hides what more samples would tell."""
DEALS = 4
"""How often the next row of a position is dealt on which what was learned is checked."""


def judges(stages: list[Stage]) -> tuple[Judge, Judge]:
    """Who judges by these stages, for the chance to win and for points."""
    return Judge(stages, Aim.WIN), Judge(stages, Aim.POINTS)


def solve(stages: list[Stage], seed: int, rounds: int, first: int) -> list[Sample]:
    """So many samples from the first on."""
    pair = judges(stages)
    return [draw(pair, seed, rounds, number) for number in range(first, first + CHUNK)]


def read(file: Path) -> dict[int, Sample]:
    """What a file holds; a last line that was cut short is dropped."""
    found: dict[int, Sample] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            sample = Sample(*json.loads(line))
        except ValueError:
            continue
        found[sample.number] = sample
    return found


def crews_of(seed: int, rounds: int, number: int) -> Crews:
    """The position of a sample, without solving it."""
    return deal_crews(np.random.default_rng([seed, rounds, number]), rounds)


def gather(
    folder: Path, stages: list[Stage], seed: int, rounds: int, count: int, workers: int
) -> Iterator[int]:
    """Solve what the folder lacks of a stage; yields how many samples are there."""
    file = folder / f"after-{rounds}.jsonl"
    known = read(file)
    todo = [first for first in range(0, count, CHUNK) if any(first + k not in known for k in range(CHUNK))]
    done = count - CHUNK * len(todo)
    yield done
    work = functools.partial(solve, stages, seed, rounds)
    with file.open("a", encoding="utf-8") as log:
        machines = ProcessPoolExecutor(workers, get_context("spawn")) if workers > 1 else None
        try:
            for rows in machines.map(work, todo) if machines else map(work, todo):
                log.write("".join(json.dumps(row) + "\n" for row in rows))
                log.flush()
                done += CHUNK
                yield done
        finally:
            if machines:
                machines.shutdown(cancel_futures=True)


def samples_of(folder: Path, seed: int, rounds: int, count: int) -> tuple[list[Crews], list[Sample]]:
    """The positions of a stage, and what they turned out to be worth."""
    known = read(folder / f"after-{rounds}.jsonl")
    return [crews_of(seed, rounds, number) for number in range(count)], [known[n] for n in range(count)]


def check(stages: list[Stage], seed: int, rounds: int, number: int) -> tuple[float, ...]:
    """One position that was not learned from, dealt several times: by how much its values are off.

    For points and for the chance to win: the difference between what it turned out to be worth and what was expected,
    and the variance of the former, which is the luck of the cards.
    """
    rng = np.random.default_rng([seed, rounds, number, 1])
    crews = deal_crews(rng, rounds)
    frames = [deal_row(rng, crews) for _ in range(DEALS)]
    found: list[float] = []
    for judge, unit in zip(reversed(judges(stages)), (1.0, 0.5), strict=True):
        worth = [unit * solve_start(judge, one, fewer_jokers(one.deck, crews.sides)) for one in frames]
        before = unit * judge.crews(replace(frames[0], deck=crews.deck), crews.sides, 0)
        found += [float(np.mean(worth)) - before, float(np.var(worth, ddof=1)) / DEALS]
    return tuple(found)


def errors_of(stages: list[Stage], seed: int, rounds: int, count: int, workers: int) -> dict[str, float]:
    """How far values after so many rounds are off: the root of the mean square, without the luck of the cards."""
    work = functools.partial(check, stages, seed, rounds)
    with ProcessPoolExecutor(workers, get_context("spawn")) as machines:
        rows = np.array(list(machines.map(work, range(count), chunksize=4)))
    square = np.maximum((rows[:, [0, 2]] ** 2 - rows[:, [1, 3]]).mean(axis=0), 0.0)
    points, chance = np.sqrt(square).tolist()
    return {"points": round(points, 3), "chance": round(chance, 4)}


def train(
    folder: Annotated[Path, typer.Argument(help="Where solved samples are kept, and taken up again.")],
    samples: Annotated[int, typer.Option(help="Positions after five to seven rounds.", min=CHUNK)] = 2400,
    early: Annotated[int, typer.Option(help="Positions after one to four rounds.", min=CHUNK)] = 1200,
    first: Annotated[
        int, typer.Option(help="Before so many rounds the simple model stays.", min=1, max=ROUNDS - 1)
    ] = 1,
    checked: Annotated[int, typer.Option(help="Positions on which each round is checked.", min=2)] = 40,
    seed: Annotated[int, typer.Option(help="The same seed draws the same positions.")] = 1,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = 2,
    out: Annotated[Path, typer.Option(help="The file to write.")] = FILE,
) -> None:
    """Learn what crews are worth after each round."""
    folder.mkdir(parents=True, exist_ok=True)
    counts = {k: n - n % CHUNK for k in range(first, ROUNDS) for n in (samples if k >= EARLY else early,)}
    begun = time.monotonic()
    stages: list[Stage] = [guess()] * ROUNDS
    columns = (*Progress.get_default_columns()[:3], TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns) as bar:
        task = bar.add_task("Learning", total=sum(counts.values()), note="")
        for rounds in range(ROUNDS - 1, first - 1, -1):
            before = sum(counts[k] for k in counts if k > rounds)
            for done in gather(folder, stages, seed, rounds, counts[rounds], workers):
                bar.update(task, completed=before + done, note=f"after {rounds} rounds")
            stages[rounds] = fit(*samples_of(folder, seed, rounds, counts[rounds]), seed)
        errors = {}
        for rounds in range(first, ROUNDS):
            bar.update(task, note=f"checking what was learned after {rounds} rounds")
            errors[str(rounds)] = errors_of(stages, seed, rounds, checked, workers)
    settings = f"--samples {samples} --early {early} --first {first} --checked {checked} --seed {seed}"
    recipe = {
        "command": f"python -m {__spec__.name} FOLDER {settings}",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "samples": counts,
        "seed": seed,
        "seconds": round(time.monotonic() - begun),
        "workers": workers,
        "errors": errors,
    }
    write_stages(out, stages, recipe)


if __name__ == "__main__":
    typer.run(train)
