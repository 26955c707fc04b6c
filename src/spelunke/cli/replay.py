"""The command ``spelunke replay``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import File, Json, read_record, write_file
from spelunke.cli.output import out, write_json, write_line
from spelunke.cli.position import as_json
from spelunke.cli.table import render_board, tell_turn
from spelunke.cli.words import game_words
from spelunke.cli.words import translate as _

if TYPE_CHECKING:
    from spelunke.records.record import Record


def replay(
    file: File,
    until: Annotated[int | None, typer.Option(metavar="N", help="Stop after N plies.", min=0)] = None,
    log: Annotated[bool, typer.Option("--log/--no-log", help="Print the log, ply by ply.")] = True,
    position: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the position into this file, for `spelunke position`."),
    ] = None,
    json: Json = False,
) -> None:
    """Replay a record, and check every ply and the result against the rules.

    [dim]spelunke replay game.json --until 40[/dim]
    [dim]spelunke replay game.json --until 40 --position table.json[/dim]
    """
    from spelunke.records.position import write_position
    from spelunke.records.replay import replay as replay_record
    from spelunke.records.viewer import MatchViewer

    record = read_record(file)
    match = replay_record(record, until)
    if position is not None:
        write_file(position, write_position(match))
    names = [seat.name for seat in record.seats]
    told = MatchViewer(match, None, finished=True).history(names=names, translate=game_words(match.game))
    if json:
        plies = [
            {
                "ply": ply.number,
                "seat": ply.seat,
                "text": ply.text,
                "ms": record.plies[ply.number].ms,
                "told": [line.text for line in told if line.ply == ply.number],
            }
            for ply in match.plies
        ]
        result = record.result if match.ply == len(record.plies) else None
        write_json(
            {**as_json(match), "table": record.table, "names": names, "result": result, "plies": plies}
        )
        return
    console = out()
    if log:
        for line in told:
            write_line(console, f"{line.ply:4}  ", line.text)
    console.print(render_board(MatchViewer(match, None), names))
    console.print(
        _tell_end(record, names, whole=match.ply == len(record.plies)) or tell_turn(match, names),
        markup=False,
    )


def _tell_end(record: Record, names: list[str], *, whole: bool) -> str:
    """Return how the whole game ended without the rules, for example by a resignation, else an empty text."""
    result = record.result
    if not whole or result is None or result.reason == "played":
        return ""
    who = names[result.seat] if result.seat is not None else ""
    return {
        "resigned": _("{name} resigned.").format(name=who),
        "time": _("{name} ran out of time.").format(name=who),
        "left": _("{name} did not come back.").format(name=who),
        "called_off": _("The game was called off."),
        "agreed": _("The players agreed on a draw."),
    }[result.reason]
