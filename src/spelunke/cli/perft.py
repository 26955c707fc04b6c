"""The command ``spelunke perft``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import GameName, Json, Options, Seats, read_position, set_table
from spelunke.cli.output import aside, out, progress, waiting, write_json
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from spelunke.core.count import Depth


def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Option("--depth", "-d", metavar="N", help="The depth in plies.", min=0, max=200)
    ] = 2,
    position: Annotated[
        str | None, typer.Option(metavar="FILE", help="Begin at the position in this file, not at the start.")
    ] = None,
    moves: Annotated[
        str, typer.Option(metavar="'MOVE; MOVE'", help="Moves and outcomes of chance to play first.")
    ] = "",
    seats: Seats = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Count all continuations up to a given number of plies: sequences, different positions, exact probabilities.

    [bold]mass[/] is the sum of the probabilities of all sequences. The probability of
    a sequence is the product of the probabilities of its outcomes of chance.
    [bold]over[/] is the probability that a game of random moves is over at this depth.
    [bold]digest[/] identifies the set of positions.

    [dim]spelunke perft GAME --depth 3[/dim]
    """
    from spelunke.core.count import perft as count
    from spelunke.records.position import apply

    if position and (seats is not None or option):
        raise BadInput(
            "the file of the position sets the number of seats and the game's options: leave out --seats and --option",
            "--option" if seats is None else "--seats",
        )
    match = read_position(position, game) if position else set_table(game, seats, option)
    apply(match, moves)
    rows: list[dict[str, object]] = []
    console = out()
    if not json:
        depth_, sequences, positions = _("depth"), _("sequences"), _("positions")
        mass, over = _("mass"), _("over")
        console.print(
            f"{depth_:>5} {sequences:>15} {positions:>10} {mass:>18} {over:>9}  digest",
            style="bold",
        )
    begun = time.perf_counter()
    with waiting(_("Compiling the rules …")):
        counted = count(match.game.rules, match.state, 0)
        next(counted)
    with progress(_("Counting"), depth) as (bar, task):

        def tick(done: int, whole: int) -> None:
            bar.update(
                task,
                completed=len(rows) - 1 + done / whole,
                note=_("depth {n}: {share}").format(n=len(rows), share=f"{done / whole:.0%}"),
            )

        for row in count(match.game.rules, match.state, depth, tick):
            seconds = round(time.perf_counter() - begun, 3)
            rows.append(_plain(row, seconds))
            if not json:
                with aside(bar):
                    console.print(_line(row))
    if json:
        write_json({"game": match.game.name, "rules": match.game.version, "depths": rows})


def _plain(row: Depth, seconds: float) -> dict[str, object]:
    return {
        "depth": row.depth,
        "sequences": row.sequences,
        "positions": row.positions,
        "mass": str(row.mass),
        "over": str(row.over),
        "digest": row.digest,
        "seconds": seconds,
    }


def _line(row: Depth) -> str:
    exact = str(row.mass)
    mass = exact if len(exact) <= 18 else f"{float(row.mass):.12g}"
    return (
        f"{row.depth:>5} {row.sequences:>15,} {row.positions:>10,} {mass:>18} "
        f"{float(row.over):>9.6f}  {row.digest}"
    )
