"""Learn the values of crews after each round, from the seventh round backward.

The values after the last round need no learning, because they are exact.

The command is ``python -m spelunke.games.shanghaien.solving.training FOLDER``.

First, games are played to collect positions. The positions after seven rounds are used first, then those after
six, and so on. For each position, the next round is dealt and solved. The values at the end of this round are exact if
it is the last round. Otherwise they were learned in the previous step. Then new values are fitted to the results.

The same seed gives the same result. Solved samples are stored in a folder and not solved again.
"""

from __future__ import annotations

import datetime as dt
import functools
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import typer
from rich.progress import Progress, TaskID, TextColumn, TimeRemainingColumn

from spelunke.games.shanghaien.solving.endings import Judge
from spelunke.games.shanghaien.solving.fitting import fit
from spelunke.games.shanghaien.solving.learned import FILE, write_stages
from spelunke.games.shanghaien.solving.samples import (
    BRANCHES,
    Pool,
    Sample,
    deal_sample,
    draw,
    end_at_random,
    play_game,
    play_out,
    read_crews,
    spent_crews,
    write_crews,
)
from spelunke.games.shanghaien.solving.stages import Reals, Stage, Whole, guess
from spelunke.games.shanghaien.solving.stakes import Aim
from spelunke.games.shanghaien.solving.walks import Crews
from spelunke.games.shanghaien.state import ROUNDS

CHUNK = 40
"""The number of games or samples that are made in one piece of work."""
GAMES = 4
"""The number of games for each aim that are played from a position to the end, to check the learned values."""
LAST_CHECKED = 16
"""The factor by which more positions are checked after seven rounds than after each earlier round."""
KEPT_APART = 20
"""Games are counted in groups of this size. The last game of each group is not used for learning.

The learned values are checked on positions from these last games.
"""
Stages: TypeAlias = dict[Aim, list[Stage]]
T = TypeVar("T")
R = TypeVar("R")
Map: TypeAlias = Callable[[Callable[[T], R], Iterable[T]], Iterator[R]]


def judges(stages: Stages) -> dict[Aim, Judge]:
    """Return the learned values of crews for each aim, as a :class:`.Judge`.

    If the aim is to win, points have no value of their own.
    """
    return {aim: Judge(found, aim, grace=0.0) for aim, found in stages.items()}


# --- games ---


def play(judge: Judge, seed: int, first: int) -> Pool:
    """Return the positions of ``CHUNK`` games. ``first`` is the number of the first game."""
    games = [
        play_game(judge, np.random.default_rng([seed, 0, number])) for number in range(first, first + CHUNK)
    ]
    return np.array([[[write_crews(one) for one in some] for some in game] for game in games], np.int8)


@dataclass
class Workshop:
    """A folder that stores games and samples, and the processes that make them."""

    folder: Path
    seed: int
    workers: int
    tell: Callable[[str, int], None]

    def work(self, what: Callable[[int], R], todo: list[int]) -> Iterator[R]:
        """Call ``what`` for each item of ``todo``, and yield the results in the order of the items.

        The calls run in ``workers`` processes. If ``workers`` is 1, they run in this process.
        """
        if self.workers == 1:
            yield from map(what, todo)
            return
        with ProcessPoolExecutor(self.workers, get_context("spawn")) as machines:
            yield from machines.map(what, todo)

    def games(self, judge: Judge, count: int) -> Pool:
        """Return the positions of ``count`` games. Play only the games that are not in the folder yet."""
        parts = [self.folder / f"games-{first:06}.npy" for first in range(0, count, CHUNK)]
        todo = [first for first, part in zip(range(0, count, CHUNK), parts, strict=True) if not part.exists()]
        self.tell("playing games", count - CHUNK * len(todo))
        for first, pool in zip(todo, self.work(functools.partial(play, judge, self.seed), todo), strict=True):
            _save(self.folder / f"games-{first:06}.npy", pool)
            self.tell("playing games", CHUNK)
        return np.concatenate([np.load(part) for part in parts])

    def samples(self, stages: Stages, pool: Pool, rounds: int, count: int) -> list[Sample]:
        """Return the samples of ``count`` positions.

        Solve the positions in pieces of ``CHUNK``. Skip each piece whose samples are all in the folder already.
        """
        file = self.folder / f"after-{rounds}.jsonl"
        known = read(file)
        starts = range(0, count, CHUNK)
        todo = [first for first in starts if any(first + k not in known for k in range(CHUNK))]
        note = f"after {rounds} rounds"
        self.tell(note, count - CHUNK * len(todo))
        what = functools.partial(solve, judges(stages), Positions(pool, rounds, self.seed))
        with file.open("a", encoding="utf-8") as log:
            for rows in self.work(what, todo):
                log.write("".join(json.dumps(row) + "\n" for row in rows))
                log.flush()
                known |= {row.number: row for row in rows}
                self.tell(note, len(rows))
        return [known[number] for number in range(count)]

    def errors(self, stages: Stages, pool: Pool, rounds: int, count: int) -> dict[str, float | list[float]]:
        """Return the errors of the values after ``rounds`` rounds.

        They are measured with games that are played to the end from positions after this number of rounds.
        """
        self.tell(f"checking what was learned after {rounds} rounds", 0)
        what = functools.partial(check, judges(stages), Positions(pool, rounds, self.seed, apart=True))
        rows = np.array(list(self.work(what, list(range(count)))))
        points, chance = spread_of(rows[:, 0]), spread_of(rows[:, 1])
        return {
            "points": points[0],
            "points_interval": points[1:],
            "points_bias": round(float(rows[:, 0].mean()), 3),
            "chance": chance[0],
            "chance_interval": chance[1:],
            "chance_bias": round(float(rows[:, 1].mean()), 4),
        }


def spread_of(games: npt.NDArray[np.float64]) -> list[float]:
    """Return the root mean square error of the learned values, and the two bounds of this error's 95 % interval.

    ``games`` has the results of :func:`check` in points or in chance to win: a row for each position, and a column
    for each game. The results of one position differ only by the luck of the cards. The part of the error that is
    luck is estimated from the variance of these results, and subtracted. The interval is computed by bootstrap.
    """
    luck = games.var(axis=1, ddof=1) / games.shape[1]
    square = games.mean(axis=1) ** 2 - luck
    rng = np.random.default_rng(1)
    again = rng.choice(square, (2000, len(square))).mean(axis=1)
    return [
        round(float(np.sqrt(max(one, 0.0))), 4) for one in (square.mean(), *np.percentile(again, [2.5, 97.5]))
    ]


def claim(folder: Path, wanted: dict[str, int]) -> None:
    """Store the settings of the samples in their folder. Raise BadParameter if the folder has other settings."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "made-of.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else wanted
    if known != wanted:
        told = " ".join(f"--{name} {value}" for name, value in known.items())
        raise typer.BadParameter(f"{folder} holds samples for {told}; give these again, or another folder")
    file.write_text(json.dumps(wanted) + "\n", encoding="utf-8")


def _save(file: Path, pool: Pool) -> None:
    """Write the positions of ``pool`` into the file, completely or not at all."""
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        np.save(out, pool)
    part.replace(file)


def read(file: Path) -> dict[int, Sample]:
    """Return the samples in a file, by their numbers. A last line that was cut off is ignored."""
    found: dict[int, Sample] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            sample = Sample(*json.loads(line))
        except ValueError:
            continue
        found[sample.number] = sample
    return found


@dataclass(frozen=True)
class Positions:
    """The positions after a number of rounds.

    Some games are kept apart, so that they are not used for learning. If ``apart`` is true, the positions come from
    these games, else from the games for learning.
    """

    pool: Pool
    rounds: int
    seed: int
    apart: bool = False

    @property
    def games(self) -> int:
        """The number of games. Position ``n`` belongs to game ``n % games``."""
        kept = len(self.pool) // KEPT_APART
        return kept if self.apart else len(self.pool) - kept

    def made_up(self, number: int) -> bool:
        """Return whether the position with this number comes from a round with a random end, not from a game.

        Such positions exist only for the end of the seventh round of a game. They have the numbers after those of the
        positions that come from games.
        """
        return self.rounds == ROUNDS - 1 and number >= self.games * BRANCHES

    def __getitem__(self, number: int) -> Crews:
        """Return the position with this number."""
        branch, game = divmod(number % (self.games * BRANCHES), self.games)
        row = game * KEPT_APART + KEPT_APART - 1 if self.apart else game + game // (KEPT_APART - 1)
        if self.made_up(number):
            before = read_crews(self.rounds - 1, self.pool[row, self.rounds - 2, branch])
            return end_at_random(np.random.default_rng([self.seed, self.rounds, number, 2]), before)
        return read_crews(self.rounds, self.pool[row, self.rounds - 1, branch])


def solve(found: dict[Aim, Judge], positions: Positions, first: int) -> list[Sample]:
    """Return one :class:`.Sample` for each of ``CHUNK`` positions. ``first`` is the number of the first position."""
    return [
        draw(found, positions[number], positions.seed, number, briefly=positions.made_up(number))
        for number in range(first, first + CHUNK)
    ]


def check(found: dict[Aim, Judge], positions: Positions, number: int) -> list[list[float]]:
    """Play ``GAMES`` games from one position for each aim. Return two lists of results, one for each aim.

    The first list is in points, the second in chance to win. Each result is the error of the position's learned
    value, plus the luck of the cards (see :func:`.play_out`). Call this function only for positions that were not
    used for learning.
    """
    crews, seed, rounds = positions[number], positions.seed, positions.rounds
    return [
        [
            unit * play_out(found[aim], crews, np.random.default_rng([seed, rounds, number, 1, game]))
            for game in range(GAMES)
        ]
        for aim, unit in ((Aim.POINTS, 1.0), (Aim.WIN, 0.5))
    ]


def learn_from(aim: Aim, positions: Positions, samples: list[Sample]) -> tuple[list[Crews], Reals, Whole]:
    """Return positions, the value of each, and the number of the game that each comes from.

    The values assume that the starter may choose the direction of the row.
    """
    crews: list[Crews] = []
    worth: list[float] = []
    groups: list[int] = []
    for sample in samples:
        values = sample.win if aim is Aim.WIN else sample.points
        if values is None:
            continue
        whole = positions[sample.number]
        spent = spent_crews(whole, deal_sample(whole, positions.seed, sample.number)[1])
        for one, two, value in values:
            crews.append(spent.get((one, two), whole))
            worth.append(value)
            groups.append(sample.number % positions.games)
    found = np.array(worth)
    both = [one for one in samples if one.more_win is not None]
    if aim is Aim.POINTS:
        return crews, found + np.mean([one.more_points or 0.0 for one in both]), np.array(groups)
    # The choice of the direction is worth most in an undecided game.
    gained = sum(one.more_win or 0.0 for one in both) / sum(1 - one.win[0][2] ** 2 for one in both)
    return crews, found + gained * (1 - found**2), np.array(groups)


def train(
    folder: Annotated[
        Path,
        typer.Argument(help="The folder that stores games and samples. A later run continues with them."),
    ],
    games: Annotated[int, typer.Option(help="The number of games that supply positions.", min=CHUNK)] = 400,
    samples: Annotated[
        int, typer.Option(help="The number of solved positions at the end of the seventh round.", min=CHUNK)
    ] = 6000,
    early: Annotated[
        int, typer.Option(help="The number of solved positions at the end of each earlier round.", min=CHUNK)
    ] = 1000,
    checked: Annotated[
        int,
        typer.Option(
            help="The learned values are checked with this many positions at the end of each of the first six rounds.",
            min=2,
        ),
    ] = 20,
    seed: Annotated[int, typer.Option(help="The same seed gives the same result.")] = 1,
    workers: Annotated[int, typer.Option(help="The number of processes.", min=1)] = 2,
    out: Annotated[Path, typer.Option(help="The file to write.")] = FILE,
) -> None:
    """Learn the value of crews after each round."""
    games, samples, early = (n - n % CHUNK for n in (games, samples, early))
    claim(folder, {"games": games, "samples": samples, "early": early, "seed": seed})
    stages: Stages = {aim: [guess()] * ROUNDS for aim in Aim}
    columns = (*Progress.get_default_columns()[:3], TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns) as bar:
        task: TaskID = bar.add_task("Learning", total=games + samples + early * (ROUNDS - 2), note="")
        shop = Workshop(folder, seed, workers, lambda note, n: bar.update(task, advance=n, note=note))
        pool = shop.games(judges(stages)[Aim.WIN], games)
        for rounds in range(ROUNDS - 1, 0, -1):
            found = shop.samples(stages, pool, rounds, samples if rounds == ROUNDS - 1 else early)
            for aim in Aim:
                lesson = learn_from(aim, Positions(pool, rounds, seed), found)
                stages[aim][rounds] = fit(aim, *lesson, stages[aim][min(rounds + 1, ROUNDS - 1)], seed)
        recipe = {
            "command": f"python -m {__spec__.name} FOLDER --games {games} --samples {samples} --early {early} "
            f"--checked {checked} --seed {seed}",
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
        }
        # Write the learned values before the check, which takes as long as the learning.
        write_stages(out, stages, recipe)
        # The last round is played quickly, and its errors are rare but large.
        counts = {r: checked * (LAST_CHECKED if r == ROUNDS - 1 else 1) for r in range(1, ROUNDS)}
        errors = {str(r): shop.errors(stages, pool, r, counts[r]) for r in counts}
    write_stages(out, stages, {**recipe, "errors": errors})


if __name__ == "__main__":
    typer.run(train)
