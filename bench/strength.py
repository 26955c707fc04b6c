"""Measure the strength of levels, the error of learned values, and the speed of the solver; write bench/strength.md.

    python bench/strength.py ladder --rounds 50      each level against the next lower level
    python bench/strength.py duel admiral solver:values=simple --rounds 100
    python bench/strength.py edge admiral solver:values=simple --rounds 100   the same without the luck of the dice
    python bench/strength.py values --positions 40   learned values against results of games from the same positions
    python bench/strength.py timings
    python bench/strength.py ladder --game halunken --seats 3      one bot of each level among bots of the lower level
    python bench/strength.py duel harbourmaster greedy --game halunken --seats 4
    python bench/strength.py duel answer:looks=20000 search:looks=20000 --game halunken   a bot that knows its opponent
    python bench/strength.py duel harbourmaster greedy --game halunken --rounds 500 --aim 75   until the answer is clear

Each command replaces its own part of bench/strength.md. Seeds are fixed, so the same command plays the same games. With
``--file`` (``ladder``: ``--keep``), a command continues an interrupted run. For OpenSpiel's searches as opponents, see
bench/yardsticks.py.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import platform
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import typer
from commands import Folder, make_folder, run_app

from spelunke.arena.match import Job, Pairing, Result, play_here, run
from spelunke.arena.rating import sequential
from spelunke.bots.levels import seat_bot
from spelunke.core.chance import below, seed_stream
from spelunke.core.outcome import payoffs
from spelunke.games import find_game
from spelunke.games.match import Match

if TYPE_CHECKING:
    from spelunke.games.game import Game
    from spelunke.games.shanghaien.state import State

GAME = "shanghaien"
Numbers = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("strength.md")
APP = typer.Typer(pretty_exceptions_enable=False)
Rounds = Annotated[int, typer.Option(help="Rounds; in each, the first player sits at each seat once.", min=2)]
Workers = Annotated[int | None, typer.Option(help="Processes.", min=1)]
Named = Annotated[str, typer.Option(help="The game.")]
Seats = Annotated[int, typer.Option(help="Seats; all but the first player's are the second's.")]


def put(part: str, lines: list[str]) -> None:
    """Write a part of bench/strength.md with the title ``part``: replace the old part, or append a new one."""
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else "# The strength of the bots\n"
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


class Met(NamedTuple):
    """The result of one player against others.

    Each of the first three fields is a pair: a mean, and twice the standard error of the mean.

    ``share``: first places in percent; a shared place counts in part. ``before``: the share of the others that finish
    behind the player, in percent; equal ranks count half. ``points``: points above the others' mean. ``games``: the
    number of games. ``verdict``: a sentence on the test with ``aim``, or empty.
    """

    share: tuple[float, float]
    before: tuple[float, float]
    points: tuple[float, float]
    games: int
    verdict: str = ""


class Meeting(NamedTuple):
    """The parameters of a meeting: ``first`` plays one seat, and ``second`` plays all other seats.

    The meeting has at most ``rounds`` rounds. If ``aim`` is given, it stops as soon as a statistical test can
    answer: does ``first`` win ``aim`` percent of the games, or ``width`` percentage points less
    (:func:`spelunke.arena.rating.sequential`)? An interrupted meeting continues from ``file``.
    """

    game: str
    first: str
    second: str
    rounds: int
    seats: int = 2
    seed: int = 1
    workers: int | None = None
    aim: float | None = None
    width: float = 5.0
    file: Path | None = None


def rows_of(results: Sequence[Result], seats: int) -> Numbers:
    """Return a row for each pairing: the means of three numbers over its games.

    A pairing has a game for each rotation of the seats. All of them have the same luck.

    The numbers are first places in percent, the share of others that finish behind in percent, and points above the
    others' mean (see :class:`Met`).
    """
    rows = []
    for one in results:
        seat = one.seating.index(0)
        others = (sum(one.scores) - one.scores[seat]) / (seats - 1)
        share = 100 * (one.ranks[seat] == 1) / sum(rank == 1 for rank in one.ranks)
        rows.append((share, 50 + 50 * payoffs(one.ranks)[seat], one.scores[seat] - others))
    return np.array(rows).reshape(-1, seats, 3).mean(axis=1)


def meet(plan: Meeting) -> Met:
    """Play a meeting, and return its result. All rotations of the seats have the same luck."""
    job = Job(
        plan.game, (plan.first, *[plan.second] * (plan.seats - 1)), plan.seats, seed=plan.seed, budget=60.0
    )

    def stop(results: Sequence[Result]) -> bool:
        return plan.aim is not None and answer(results) != "open"

    def answer(results: Sequence[Result]) -> str:
        assert plan.aim is not None
        shares = rows_of(results, plan.seats)[:, 0] / 100
        return sequential(shares.tolist(), (plan.aim - plan.width) / 100, plan.aim / 100, surprise=0.5).answer

    def tell(results: Sequence[Result]) -> None:
        if len(results) // plan.seats % 10 == 9:
            print(len(results), np.round(rows_of(results, plan.seats).mean(axis=0), 1), flush=True)

    def spread(job: Job, todo: Iterable[Pairing]) -> Iterator[tuple[Result, ...]]:
        return play_here(job, todo, plan.workers)

    results = run(job, plan.rounds, plan.file, spread, stop, tell)
    rows = rows_of(results, plan.seats)
    mean, error = rows.mean(axis=0), 2 * rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    share, before, points = zip(mean.tolist(), error.tolist(), strict=True)
    verdict = ""
    if plan.aim is not None:
        verdict = {
            "better": f"It wins at least {plan.aim:g} %",
            "not better": f"It does not win {plan.aim:g} %",
            "open": f"Whether it wins {plan.aim:g} % is open",
        }[answer(results)]
        verdict += f" (against {plan.aim - plan.width:g} %, by a sequential test; errors 5 %)."
    return Met(share, before, points, len(results), verdict)


def heading(words: str, game: str, seats: int) -> str:
    """Return the title of a part of bench/strength.md.

    If the game is not Shanghaien, the title names the game and the number of seats.
    """
    where = "" if game == GAME else f"{find_game(game).title}, {seats} seats: "
    return where + words


@APP.command()
def duel(
    first: str,
    second: str,
    rounds: Rounds = 50,
    workers: Workers = None,
    game: Named = GAME,
    seats: Seats = 2,
    seed: int = 1,
    aim: Annotated[
        float | None, typer.Option(help="Stop when it is clear whether it wins this percentage.")
    ] = None,
    width: Annotated[float, typer.Option(help="... or this much less.")] = 5.0,
    file: Annotated[
        Path | None, typer.Option(help="Keep the games there, and go on from it.", dir_okay=False)
    ] = None,
) -> None:
    """Measure one player against another, which plays all other seats. A player is a level, or KIND:SETTING=VALUE."""
    met = meet(Meeting(game, first, second, rounds, seats, seed, workers, aim, width, file))
    lines = [
        f"{first} wins {met.share[0]:.1f} ± {met.share[1]:.1f} % of {met.games} games (a shared win counts in parts).",
    ]
    if game != GAME:
        lines.append(
            f"Even would be {100 / seats:.0f} %. It finishes before {met.before[0]:.1f} ± {met.before[1]:.1f} % of the "
            f"others, {met.points[0]:+.1f} ± {met.points[1]:.1f} points to their mean."
        )
    if met.verdict:
        lines.append(met.verdict)
    put(heading(f"{first} against {second}", game, seats), lines)


def games_of(game: Game, stronger: str, weaker: str, seats: int) -> str:
    """Return the name of the file for the games between two levels.

    The name contains a hash of the levels' settings and of the learned values, but not of the code. After a change of
    the code, measure all levels again in another folder.
    """
    digest = hashlib.sha256(json.dumps([game.levels[stronger], game.levels[weaker]], sort_keys=True).encode())
    for file in learned_files(game):
        digest.update(file.name.encode() + file.read_bytes())
    return f"{game.name}-{stronger}-{weaker}-{seats}-{digest.hexdigest()[:12]}.jsonl"


def learned_files(game: Game) -> list[Path]:
    """Return the files in a game's folder that contain learned values."""
    package = find_spec(game.package)
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent
    found = [file for end in ("json", "npz") for file in folder.rglob(f"*.{end}")]
    inside = [file.relative_to(folder) for file in (*found, *folder.rglob("weights.py"))]
    return [
        folder / file for file in sorted(inside) if file.parts[0] != "tests" and file.name != "problems.json"
    ]


@APP.command()
def ladder(
    rounds: Rounds = 50,
    workers: Workers = None,
    game: Named = GAME,
    seats: Seats = 2,
    keep: Folder = None,
) -> None:
    """Measure each level against the next lower level."""
    if keep:
        make_folder(keep)
    card = find_game(game)
    names = list(card.levels)
    lines = [
        "| level | against | wins, % | finishes before, % of the others | points to their mean | games |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for weaker, stronger in itertools.pairwise(names):
        file = keep / games_of(card, stronger, weaker, seats) if keep else None
        met = meet(Meeting(game, stronger, weaker, rounds, seats, workers=workers, file=file))
        lines.append(
            f"| {stronger} | {weaker} | {met.share[0]:.1f} ± {met.share[1]:.1f} "
            f"| {met.before[0]:.1f} ± {met.before[1]:.1f} | {met.points[0]:+.1f} ± {met.points[1]:.1f} | {met.games} |"
        )
        print(lines[-1], flush=True)
    put(
        heading("levels", game, seats) if game != GAME else "Levels",
        [
            *lines,
            "",
            "A shared win counts in parts; ± is two standard errors over games that share their luck.",
        ],
    )


def fair_game(players: tuple[str, str], seed: int, number: int, swap: bool) -> tuple[float, float]:
    """Return the first player's payoff in a game, and the same payoff minus the luck of the dice.

    The luck of a roll is the learned value of the position after it, minus the mean over all rolls. The mean luck is
    zero, even if the learned values are wrong. So the subtraction does not change the mean payoff.
    """
    from spelunke.arena.shared import SharedChance
    from spelunke.bots.levels import seat_player
    from spelunke.games.shanghaien.bots import oracle
    from spelunke.games.shanghaien.state import ROLLING

    game, judge = find_game(GAME), oracle("learned")
    match, chance = Match(game), SharedChance(seed, number, 0)
    bots = [seat_player(game, name) for name in (players[::-1] if swap else players)]
    streams = [seed_stream(seed, number, 1, int(swap), seat) for seat in range(2)]
    luck = 0.0
    while not match.over:
        if match.chance:
            rolled = cast("State", match.state).phase == ROLLING
            before = float(judge.rolls(cast("State", match.state)).mean()) if rolled else 0.0
            match.apply_chance(chance.decide(match))
            luck += judge.value(cast("State", match.state)) - before if rolled else 0.0
        else:
            seat = match.actors[0]
            match.act(seat, bots[seat].choose(match.view(seat), match.legal(seat), streams[seat]))
    outcome = match.outcome
    assert outcome is not None
    payoff = payoffs(outcome.ranks)[0]
    sign = -1 if swap else 1
    return sign * payoff, sign * (payoff - luck)


@APP.command()
def edge(first: str, second: str, rounds: Rounds = 50, start: int = 0, seed: int = 1) -> None:
    """Compare two players without the luck of the dice.

    A comparison that includes this luck needs several times as many games for the same precision.
    """
    pairs = []
    for number in range(start, start + rounds):
        games = [fair_game((first, second), seed, number, swap) for swap in (False, True)]
        pairs.append(np.mean(games, axis=0))
        if number % 5 == 4:
            print(len(pairs), *(f"{50 + 50 * x:.1f}" for x in np.mean(pairs, axis=0)), flush=True)
    shares = 50 + 50 * np.mean(pairs, axis=0)
    errors = 100 * np.std(pairs, axis=0, ddof=1) / np.sqrt(rounds)
    put(
        f"{first} against {second}, without the luck of the dice",
        [
            f"{first} wins {shares[1]:.1f} ± {errors[1]:.1f} % without the luck of the dice in {2 * rounds} games;",
            f"with the luck, {shares[0]:.1f} ± {errors[0]:.1f} %.",
        ],
    )


@APP.command()
def values(positions: int = 20, games: int = 4, seed: int = 9) -> None:
    """Compare the learned values of positions between rounds with the results of games from these positions."""
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
    """Measure the times to solve a round and to choose a move, and the memory of solved rounds."""
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
            if number and len(legal) > 1:  # the kernels are compiled in the first game
                took.append(1000 * (time.thread_time() - begun))
            match.act(seat, choice)
    marks = np.percentile(took, [50, 99, 100])
    told = (
        f"A choice of the strongest level: median {marks[0]:.1f} ms, 99th percentile {marks[1]:.0f} ms, "
        f"longest {marks[2]:.0f} ms ({len(took)} choices; processor time of one core)."
    )
    lines += [told, "", f"Solved rounds in memory at the end: {oracle('learned').size / 1e6:.0f} MB."]
    put("Timings", lines)


def _solver_times() -> list[str]:
    """Return the rows of the table with the times of the solver."""
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
    run_app(APP)
