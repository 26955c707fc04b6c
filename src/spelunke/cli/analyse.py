"""The command ``spelunke analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.alternatives import (
    name_mark,
    name_marks,
    say_marks,
    shown_alternatives,
    write_chance,
    write_lost,
    write_method,
    write_often,
)
from spelunke.cli.arguments import File, Json, check_writable, read_record, write_file
from spelunke.cli.output import out, progress, write_json
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from spelunke.analysis.analysis import Analysis, Decision

FEW = 5


def analyse(
    file: File,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every unforced decision, with its three best moves.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the analysis as an HTML page.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the first player's chance to win as SVG.")
    ] = None,
    json: Json = False,
) -> None:
    """Analyse a game: the cost of each decision, and the luck of each outcome of chance.

    [dim]spelunke analyse game.json --html game.html[/dim]
    """
    from spelunke.records.replay import replay
    from spelunke.solvers.analysis import analyse as analyse_match

    if html and svg and html.resolve() == svg.resolve():
        raise BadInput("the page and the picture need two different files", str(svg))
    for path in (html, svg):
        if path is not None:
            check_writable(str(path))
    record = read_record(file)
    match = replay(record)
    names = [seat.name for seat in record.seats]
    with progress(_("Analysing"), len(record.plies)) as (bar, task):
        found = analyse_match(match, names, record.table, lambda done, of: bar.update(task, completed=done))
    if html is not None or svg is not None:
        from spelunke.cli.analysis_page import draw_chances, write_page

        if svg is not None:
            write_file(str(svg), draw_chances(found).encode())
        if html is not None:
            write_file(str(html), write_page(found, match.game.title).encode())
    if json:
        write_json(found)
        return
    _show(found, match.game.title, everything)


def _show(found: Analysis, title: str, everything: bool) -> None:
    console = out()
    console.print(f"{title}: {', '.join(found.seats)}", style="bold", markup=False)
    console.print(write_method(found), style="dim", markup=False)
    _show_totals(console, found)
    told = [d for d in found.decisions if (not d.forced if everything else d.mark)]
    _show_decisions(console, found, told, 3 if everything else 2)
    _show_luck(console, found)


def _show_totals(console: Console, found: Analysis) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in found.seats:
        table.add_column(name, justify="right", overflow="fold")
    totals = found.totals
    rows = [
        (_("decisions (forced)"), [f"{t.decisions} ({t.forced})" for t in totals]),
        *((name_marks(name), [str(t.marks[name]) for t in totals]) for name in found.thresholds),
        (_("wins given away by errors"), [f"{t.cost_chance:.2f}" for t in totals]),
        (_("points given away by errors"), [f"{t.cost_points:.1f}" for t in totals]),
        (_("average loss per unforced decision"), [write_lost(t) for t in totals]),
        (_("wins gained by luck"), [f"{t.luck_chance:+.2f}" for t in totals]),
        (_("points gained by luck"), [f"{t.luck_points:+.1f}" for t in totals]),
    ]
    if found.leads is not None:
        leads, without_luck = found.leads
        rows += [
            (_("lead at the end"), [f"{lead:+g}" for lead in leads]),
            (_("lead without luck"), [f"{lead:+.1f}" for lead in without_luck]),
        ]
    for name, cells in rows:
        table.add_row(name, *cells)
    console.print(table)


def _show_decisions(console: Console, found: Analysis, told: list[Decision], width: int) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    if not told:
        console.print(_("No decision was costly enough to be marked."))
        return
    mixed = any(one.share is not None for d in told for one in d.alternatives)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name, left in (
        (_("ply"), False),
        (_("round"), False),
        (_("who"), True),
        (_("moves"), True),
        (_("to win"), False),
        (_("points"), False),
        *([(_("in 100"), False)] if mixed else []),
        (_("cost"), True),
    ):
        table.add_column(name, justify="left" if left else "right")
    for d in told:
        mine = next(a for a in d.alternatives if a.move == d.played)
        lines = [mine, *(a for a in shown_alternatives(d, width) if a.move != d.played)]
        cost = f"{100 * d.cost_chance:.1f} %" + (f" ±{100 * d.cost_error:.1f}" if d.cost_error else "")
        table.add_row(
            str(d.ply),
            str(d.part),
            escape(found.seats[d.seat]),
            escape("\n".join([d.played, *(f"  {a.move}" for a in lines[1:])])),
            "\n".join(write_chance(a.value) for a in lines),
            "\n".join("" if a.value.bounded else f"{a.value.points:+.1f}" for a in lines),
            *(["\n".join(write_often(a) for a in lines)] if mixed else []),
            f"{name_mark(d.mark)}\n{cost}" if d.mark else cost,
        )
    console.print(table)
    if mixed:
        console.print(
            _("in 100: the best play makes this secret choice this many times out of 100."),
            style="dim",
            markup=False,
        )


def _show_luck(console: Console, found: Analysis) -> None:
    luckiest = sorted(found.luck, key=lambda luck: -max(map(abs, luck.chance)))[:FEW]
    console.print(_("Where luck mattered most:"), style="bold")
    for luck in luckiest:
        seat = max(range(len(luck.chance)), key=lambda k: luck.chance[k])
        told = _("ply {ply}, round {part}: {outcome}, {gain} for {name}").format(
            ply=luck.ply,
            part=luck.part,
            outcome=luck.outcome,
            gain=f"{100 * luck.chance[seat]:+.1f} %",
            name=found.seats[seat],
        )
        console.print(f"  {told}", markup=False)
    console.print(say_marks(found), style="dim", markup=False)
