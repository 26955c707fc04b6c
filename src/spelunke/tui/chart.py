"""The chart and the numbers of an analysis, as text."""

from __future__ import annotations

from rich.text import Text

from spelunke.analysis.analysis import Analysis, Decision
from spelunke.tui.desk import Line
from spelunke.tui.words import translate as _

BARS = " ▁▂▃▄▅▆▇█"
AXIS = 5
"""The number of columns for the percentages at the left."""


def draw_chart(analysis: Analysis, seat: int, ply: int, width: int, height: int) -> Text:
    """Return a chart of a seat's chance to win in the course of the game.

    The chart has ``width`` columns and ``height`` lines. The first line marks the errors of all seats with ``!``,
    and the place of ``ply`` with ``▼``. In the other lines, each column after the percentages is a bar.
    """
    columns, rows = max(1, width - AXIS), height - 1
    last = max(1, len(analysis.curve) - 1)
    marked = {decision.ply * (columns - 1) // last for decision in analysis.decisions if decision.mark}
    here = min(columns - 1, ply * (columns - 1) // last)
    heights = []
    for column in range(columns):
        moment = analysis.curve[min(last, -(-column * last // max(1, columns - 1)))]
        heights.append(round(min(1.0, max(0.0, moment.chance[seat])) * rows * 8))
    out = Text(" " * AXIS, no_wrap=True)
    for column in range(columns):
        out.append("▼" if column == here else "!" if column in marked else " ", "bold")
    for row in range(rows):
        label = "100%" if row == 0 else "0%" if row == rows - 1 else ""
        out.append("\n" + label.rjust(AXIS - 1) + " ", "dim")
        for column, full in enumerate(heights):
            part = min(8, max(0, full - (rows - 1 - row) * 8))
            out.append(BARS[part], "reverse" if column == here else "bold" if column in marked else "")
    return out


def find_decision(analysis: Analysis, ply: int) -> Decision | None:
    """Return the analysed decision of this ply. Return None if there is no decision, or if it had only one choice."""
    return next((found for found in analysis.decisions if found.ply == ply and not found.forced), None)


def list_totals(analysis: Analysis, names: tuple[str, ...]) -> list[Line]:
    """Return the errors and the luck of each seat, and then the turning points with their plies."""
    lines = []
    for total in analysis.totals:
        text = _(
            "{name} · decisions: {decisions} · errors: {errors} · cost: {cost} · luck: {luck}"
            " (percentage points of the chance to win)"
        )
        told = text.format(
            name=names[total.seat],
            errors=sum(total.marks.values()),
            decisions=total.decisions,
            cost=f"{100 * total.cost_chance:.1f}",
            luck=f"{100 * total.luck_chance:+.1f}".replace("-", "−"),
        )
        lines.append(Line(total.seat + 1, told))
    if analysis.turning_points:
        lines.append(Line(0, _("Turning points"), "heading"))
    lines += [
        Line(
            point.ply + 1,
            f"{point.text}  "
            + ", ".join(
                f"{name} {100 * gain:+.0f} %".replace("-", "−")
                for name, gain in zip(names, point.gain, strict=True)
            ),
        )
        for point in analysis.turning_points
    ]
    return lines
