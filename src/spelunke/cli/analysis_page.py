"""Draw an analysis as SVG, or as an HTML page without scripts or external resources."""

from __future__ import annotations

from html import escape

from spelunke.analysis.analysis import Analysis, Decision
from spelunke.cli.alternatives import (
    name_mark,
    say_marks,
    shown_alternatives,
    write_alternative,
    write_lost,
    write_method,
)
from spelunke.cli.words import translate as _

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 960, 320, 48, 24, 36
COLOURS = {"blunder": "#b3261e", "mistake": "#b5651d", "inaccuracy": "#8a7400"}
SHAPES = {"blunder": "■", "mistake": "▲", "inaccuracy": "●"}
STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fbf9f4; --line: #c9c4b8; --seat: #2f5d8a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e4da; --paper: #171c24; --line: #414a57; --seat: #7fb2e5; }
}
body { margin: 0 auto; max-width: 62rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; }
tr:target { outline: 2px solid var(--seat); }
"""


def _x(found: Analysis, ply: int) -> float:
    last = max(1, found.curve[-1].ply)
    return LEFT + (WIDTH - LEFT - 12) * ply / last


def _y(chance: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(1.0, max(0.0, chance)))


def _chart(found: Analysis, link: bool) -> str:
    """Return a chart of the first seat's chance to win at each ply, with a sign for each marked decision.

    If ``link`` is true, each sign is a link to its decision on the page.
    """
    points = " ".join(f"{_x(found, m.ply):.1f},{_y(m.chance[0]):.1f}" for m in found.curve)
    chances = {m.ply: m.chance[0] for m in found.curve}
    parts = [
        f'<line x1="{LEFT}" x2="{WIDTH - 12}" y1="{_y(at):.1f}" y2="{_y(at):.1f}" stroke="#8888" '
        f'stroke-dasharray="{"0" if at == 0.5 else "2 4"}"/>'
        f'<text x="{LEFT - 8}" y="{_y(at) + 4:.1f}" text-anchor="end">{100 * at:.0f}</text>'
        for at in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    seen = 0
    for moment in found.curve:
        if moment.part != seen:
            seen = moment.part
            x = _x(found, moment.ply)
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#8886"/>'
                f'<text x="{x + 4:.1f}" y="{HEIGHT - BOTTOM + 18}">{seen}</text>'
            )
    parts.append(f'<polyline points="{points}" fill="none" stroke="#3f7cb5" stroke-width="2.5"/>')
    for decision in found.decisions:
        if decision.mark:
            sign = (
                f'<text x="{_x(found, decision.ply):.1f}" y="{_y(chances[decision.ply]) + 5:.1f}" '
                f'text-anchor="middle" fill="{COLOURS[decision.mark]}">{SHAPES[decision.mark]}'
                f"<title>{escape(_tell(found, decision))}</title></text>"
            )
            parts.append(f'<a href="#ply-{decision.ply}">{sign}</a>' if link else sign)
    title = _("Chance to win (%) by ply: {name}").format(name=found.seats[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="currentColor">'
        f'<title>{escape(title)}</title><text x="{LEFT}" y="15">{escape(title)}</text>{"".join(parts)}</svg>'
    )


def draw_chances(found: Analysis) -> str:
    """Return a chart of the first seat's chance to win, as an SVG document."""
    background = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    picture = _chart(found, link=False).replace('fill="currentColor">', f'fill="#222">{background}', 1)
    return picture + "\n"


def _tell(found: Analysis, decision: Decision) -> str:
    return _("{name}: {move}, {mark}, cost {cost}; best move: {best}").format(
        name=found.seats[decision.seat],
        move=decision.played,
        mark=name_mark(decision.mark or ""),
        cost=f"{100 * decision.cost_chance:.1f} %",
        best=decision.alternatives[0].move,
    )


def write_page(found: Analysis, title: str) -> str:
    """Return the analysis as an HTML document."""
    names = " – ".join(escape(name) for name in found.seats)
    numbers, decisions, luck = _("The game in numbers"), _("Decisions"), _("Luck")
    marks = "; ".join(f"{SHAPES[name]} {escape(name_mark(name))}" for name in found.thresholds)
    return (
        f'<!doctype html>\n<html lang="{_.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: {names}</title><style>{STYLE}</style></head><body>"
        f"<h1>{escape(title)}: {names}</h1><p>{escape(write_method(found))}</p>{_chart(found, link=True)}"
        f"<p>{marks}. {escape(say_marks(found))}</p>"
        f"<h2>{numbers}</h2>{_totals(found)}<h2>{decisions}</h2>{_decisions(found)}"
        f"<h2>{luck}</h2>{_luck(found)}</body></html>\n"
    )


def _row(cells: list[str], tag: str = "td", numbers: int = 0, name: str = "") -> str:
    """Return a row of a table.

    The cells from index ``numbers`` on have the class ``number``. If ``numbers`` is 0, no cell has this class. ``name``
    is the id of the row, or empty.
    """
    body = "".join(
        f'<{tag} class="number">{cell}</{tag}>' if numbers and k >= numbers else f"<{tag}>{cell}</{tag}>"
        for k, cell in enumerate(cells)
    )
    return f'<tr id="{name}">{body}</tr>' if name else f"<tr>{body}</tr>"


def _totals(found: Analysis) -> str:
    totals = found.totals
    rows = [
        [_("Decisions (forced)"), *(f"{t.decisions} ({t.forced})" for t in totals)],
        *([f"{SHAPES[m]} {name_mark(m)}", *(str(t.marks[m]) for t in totals)] for m in found.thresholds),
        [_("Wins given away by decisions"), *(f"{t.cost_chance:.2f}" for t in totals)],
        [_("Points given away by decisions"), *(f"{t.cost_points:.1f}" for t in totals)],
        [_("Average loss per unforced decision"), *(write_lost(t) for t in totals)],
        [_("Wins gained by luck"), *(f"{t.luck_chance:+.2f}" for t in totals)],
        [_("Points gained by luck"), *(f"{t.luck_points:+.1f}" for t in totals)],
    ]
    if found.leads is not None:
        leads, without_luck = found.leads
        rows += [
            [_("Lead at the end"), *(f"{lead:+g}" for lead in leads)],
            [_("Lead without luck"), *(f"{lead:+.1f}" for lead in without_luck)],
        ]
    head = _row(["", *map(escape, found.seats)], "th", 1)
    return (
        f"<table><thead>{head}</thead><tbody>{''.join(_row(row, numbers=1) for row in rows)}</tbody></table>"
    )


def _decisions(found: Analysis) -> str:
    head = _row([_("Ply"), _("Round"), _("Who"), _("Played"), _("Cost"), _("Points"), _("Best")], "th")
    rows = []
    for d in found.decisions:
        if d.forced:
            continue
        best = ", ".join(escape(write_alternative(a)) for a in shown_alternatives(d, 3))
        sign = f"{SHAPES[d.mark]} {name_mark(d.mark)} " if d.mark else ""
        cells = [
            str(d.ply),
            str(d.part),
            escape(found.seats[d.seat]),
            escape(d.played),
            f"{sign}{100 * d.cost_chance:.1f} %" + (f" ± {100 * d.cost_error:.1f}" if d.cost_error else ""),
            f"{d.cost_points:.1f}",
            best,
        ]
        rows.append(_row(cells, name=f"ply-{d.ply}"))
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'


def _luck(found: Analysis) -> str:
    head = _row([_("Ply"), _("Round"), _("Outcome of chance"), *map(escape, found.seats)], "th")
    rows = [
        _row([str(one.ply), str(one.part), escape(one.outcome), *(f"{100 * c:+.1f} %" for c in one.chance)])
        for one in found.luck
        if max(map(abs, one.chance)) >= 0.0005
    ]
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
