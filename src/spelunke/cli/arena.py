"""The command ``spelunke arena``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import GameName, Json, Options, Seats, check_writable, find_card, parse_options
from spelunke.cli.output import out, progress, write_json
from spelunke.cli.words import house_words
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from spelunke.arena.match import Job, Result, Spread
    from spelunke.arena.rating import Rating, Verdict


Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...",
        help="Each player is a level of the game, a bot such as greedy:depth=4, or process:COMMAND for a program.",
    ),
]
Rounds = Annotated[
    int,
    typer.Option(
        "--rounds",
        "-n",
        metavar="N",
        help="The maximum number of rounds. In each round, the players rotate through all seats.",
        min=1,
    ),
]


def arena(
    game: GameName,
    players: Players,
    rounds: Rounds = 100,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The seed of chance. The same seed gives the same games, unless a player is an external program or "
            "has a time limit.",
        ),
    ] = 1,
    seats: Seats = None,
    option: Options = None,
    until_clear: Annotated[
        bool,
        typer.Option(
            "--until-clear", help="Stop once it is clear whether the first player is better than the others."
        ),
    ] = False,
    edge: Annotated[
        float,
        typer.Option(
            metavar="X",
            help="Test whether the first player's mean payoff is X rather than 0. Payoffs go from -1 to 1.",
            min=0.001,
        ),
    ] = 0.1,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="Save every game in this file. A later run does not play these games again.",
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratings as SVG.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="The number of processes. By default, one for each core.", min=1),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster ('local' starts one).")
    ] = None,
    budget: Annotated[
        float,
        typer.Option(
            metavar="S", help="The time limit in seconds for each move of a program.", min=0.001, max=3600
        ),
    ] = 1.0,
    json: Json = False,
) -> None:
    """Let bots play each other with swapped seats and the same luck for all, and rate them.

    [dim]spelunke arena GAME LEVEL LEVEL --rounds 200 --until-clear[/dim]
    """
    from spelunke.arena.match import Job, check_job, options_of
    from spelunke.arena.rating import judge, rate

    card = find_card(game)
    count = seats if seats is not None else card.usual_seats
    job = Job(game, tuple(players), count, options_of(parse_options(option)), seed, budget)
    check_job(job)
    _check_files(file, plot)
    results, known = _run(job, rounds, file, _spread(workers, cluster), edge if until_clear else None)
    ratings = rate(job, results)
    verdict = judge(job, results, edge)
    if plot:
        from spelunke.arena.plot import plot_ratings

        plot.write_text(
            plot_ratings(
                _.many("{game}: {n} game", "{game}: {n} games", len(results)).format(
                    game=card.title, n=len(results)
                ),
                ratings,
            ),
            encoding="utf-8",
        )
    if json:
        write_json(_measured(job, results, ratings, verdict))
        return
    _show(job, card.title, results, ratings)
    _say(job, results, verdict, edge)
    _tell_files(file, plot, known)


def _check_files(file: Path | None, plot: Path | None) -> None:
    if file and plot and file.resolve() == plot.resolve():
        raise BadInput("the games and the picture need two different files", str(plot))
    for path in (file, plot):
        if path is not None:
            check_writable(str(path))


def _run(
    job: Job, rounds: int, file: Path | None, spread: Spread, clear: float | None
) -> tuple[tuple[Result, ...], int]:
    """Return all results, and the number of results that were already in the file.

    This number counts only the results up to the first pairing that the file lacks.

    ``clear`` is a difference of mean payoffs, or None. If ``clear`` is given, stop as soon as the results show whether
    the first player is better by at least this difference.
    """
    from spelunke.arena.match import pairings, run
    from spelunke.arena.rating import judge

    total = sum(1 for _ in pairings(job, rounds)) * job.seats
    known: list[int] = []
    with progress(_("Playing"), total) as (bar, task):

        def tell(results: Sequence[Result]) -> None:
            known[:] = known or [len(results)]  # at the first call: the results in the file
            bar.update(
                task,
                completed=len(results),
                note=_.many("{done} of {n} game", "{done} of {n} games", total).format(
                    done=f"{len(results):,}", n=f"{total:,}"
                ),
            )

        def stop(results: Sequence[Result]) -> bool:
            return judge(job, results, clear or 0.0).answer != "open"

        results = run(job, rounds, file, spread, None if clear is None else stop, tell)
    return results, known[0] if known else 0


def _spread(workers: int | None, cluster: str | None) -> Spread:
    from spelunke.arena.match import play_here

    if cluster is not None:
        from spelunke.arena.cluster import spread_over

        return spread_over(None if cluster == "local" else cluster)
    return lambda job, todo: play_here(job, todo, workers)


def _measured(
    job: Job, results: tuple[Result, ...], ratings: tuple[Rating, ...], verdict: Verdict
) -> dict[str, object]:
    import msgspec

    found: dict[str, object] = {"job": msgspec.to_builtins(job), "games": len(results)}
    found["ratings"] = msgspec.to_builtins(ratings)
    found["verdict"] = msgspec.to_builtins(verdict)
    found["faults"] = [result.fault for result in results if result.fault]
    return found


def _show(job: Job, title: str, results: tuple[Result, ...], ratings: tuple[Rating, ...]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from spelunke.arena.match import pairings

    pairs = len({result.pairing for result in results})
    rounds = -(-pairs // sum(1 for _pairing in pairings(job, 1)))
    played = _.many("{n} game", "{n} games", len(results)).format(n=f"{len(results):,}")
    table = Table(
        title=_("{game}, {games}, rounds: {rounds}, seed: {seed}").format(
            game=title, games=played, rounds=f"{rounds:,}", seed=job.seed
        ),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column(_("player"), overflow="fold")
    for name in (_("mean payoff"), _("rating (Elo)"), _("games")):
        table.add_column(name, justify="right", no_wrap=True)
    for r in ratings:
        numbers = (
            f"{r.score:+.3f} ± {r.score_error:.3f}",
            f"{r.rating:+.0f} ± {r.error:3.0f}",
            f"{r.games:,}",
        )
        table.add_row(escape(r.player), *numbers)
    console = out()
    console.print(table)
    told = _(
        "± is two standard errors. A player who is always first has a mean payoff of 1, one who is always last has -1."
    )
    console.print(told, style="dim")


def _say(job: Job, results: tuple[Result, ...], verdict: Verdict, edge: float) -> None:
    """Print the result in one sentence.

    If a program failed in any game, also print the number of these games, and the first failure.
    """
    console = out()
    if len(job.players) == 2:
        answer = {
            "better": _("{name} is better than {other}."),
            "not better": _("{name} is not better than {other} by {edge} or more."),
            "open": _(
                "It is not clear yet whether {name} is better than {other} by {edge} or more: play more rounds."
            ),
        }[verdict.answer]
    else:
        answer = {
            "better": _("{name} is better than the others."),
            "not better": _("{name} is not better than the others by {edge} or more."),
            "open": _(
                "It is not clear yet whether {name} is better than the others by {edge} or more: play more rounds."
            ),
        }[verdict.answer]
    console.print(answer.format(name=job.players[0], other=job.players[-1], edge=f"{edge:g}"), markup=False)
    faults = [result.fault for result in results if result.fault]
    if faults:
        told = _.many(
            "In {n} game a program failed, and a random move was played instead. The first failure: {fault}",
            "In {n} games a program failed, and a random move was played instead. The first failure: {fault}",
            len(faults),
        )
        console.print(told.format(n=f"{len(faults):,}", fault=house_words().refusal(faults[0])), markup=False)


def _tell_files(file: Path | None, plot: Path | None, known: int) -> None:
    console = out()
    if file:
        told = (
            _.many(
                "The games are stored in {file}; {n} of them was already there.",
                "The games are stored in {file}; {n} of them were already there.",
                known,
            )
            if known
            else _("The games are stored in {file}.")
        )
        console.print(told.format(file=file, n=f"{known:,}"), markup=False)
    if plot:
        console.print(_("The ratings are drawn in {file}.").format(file=plot), markup=False)
