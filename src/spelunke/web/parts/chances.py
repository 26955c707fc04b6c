"""Draw the chance to win as a chart. Each error has a sign that links to its position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from markupsafe import Markup

from spelunke.analysis.analysis import Analysis, Mark, Moment
from spelunke.boards.markup import NOTHING, html, join
from spelunke.core.words import plain
from spelunke.web.parts.chart import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    place_x,
    render_rounds,
    render_scale,
    render_strips,
    short,
)
from spelunke.web.words import translate as _

MARKS: dict[Mark, str] = {
    "blunder": plain("Blunder"),
    "mistake": plain("Mistake"),
    "inaccuracy": plain("Inaccuracy"),
}
SHAPES: dict[Mark, str] = {
    "blunder": "M-6 -6h12v12h-12z",
    "mistake": "M0 -7l7 12.5h-14z",
    "inaccuracy": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
}
"""The paths of the signs for each kind of error. The kinds differ in shape, not only in colour."""


def render_sign(mark: Mark) -> Markup:
    """Draw the sign of a kind of error. Screen readers skip the sign, because words beside it name the kind."""
    return html(
        '<svg class="an-sign {0}" viewBox="-8 -8 16 16" aria-hidden="true"><path d="{1}"/></svg>',
        mark,
        SHAPES[mark],
    )


def render_legend(shown: Collection[Mark]) -> Markup:
    """Draw the sign of each kind of error in `shown`, with its meaning. If there are none, draw nothing."""
    signs = join(html("<li>{} {}</li>", render_sign(mark), _(MARKS[mark])) for mark in MARKS if mark in shown)
    return html('<ul class="an-legend small">{}</ul>', signs) if shown else NOTHING


class _Plane:
    """The coordinates of plies and chances in the chart."""

    def __init__(self, plies: int) -> None:
        self.plies = max(1, plies)

    def x(self, ply: float) -> float:
        return place_x(ply, self.plies)

    @staticmethod
    def y(chance: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, max(0.0, chance))

    def line(self, curve: Sequence[Moment], seat: int) -> str:
        return "L".join(f"{short(self.x(m.ply))} {short(self.y(m.chance[seat]))}" for m in curve)


def _areas(plane: _Plane, curve: Sequence[Moment]) -> Markup:
    """Draw a line for each seat.

    If there are two seats, draw only one line. The area below the line has the colour of seat 0, and the area above the
    line has the colour of seat 1.
    """
    if len(curve[0].chance) != 2:
        return join(
            html('<path class="line s{}" d="M{}"/>', seat, plane.line(curve, seat))
            for seat in range(len(curve[0].chance))
        )
    line, left, right = plane.line(curve, 0), short(plane.x(0)), short(plane.x(plane.plies))
    return html(
        '<path class="area s1" d="M{left} {top}L{line}L{right} {top}z"/><path class="area s0" d="M{left} {bottom}L{line}L{right} {bottom}z"/>'
        '<path class="line s0" d="M{line}"/>',
        left=left,
        right=right,
        top=TOP,
        bottom=HEIGHT - BOTTOM,
        line=line,
    )


def render_chances(
    found: Analysis, rounds: Sequence[int], ply: int, href: Callable[[int], str], label: str
) -> Markup:
    """Draw the chart with a mark at this ply. Screen readers skip the chart: the page shows its numbers as text."""
    curve = found.curve
    plane = _Plane(curve[-1].ply)
    by_ply = {moment.ply: moment for moment in curve}
    here = by_ply.get(ply, curve[-1])
    signs = join(
        html(
            '<a href="{}" data-at="{}" tabindex="-1"><path class="an-sign {}" transform="translate({} {})" d="{}"/></a>',
            href(one.ply),
            one.ply,
            one.mark,
            short(plane.x(one.ply)),
            short(
                plane.y(
                    by_ply[one.ply].chance[0] if len(here.chance) == 2 else by_ply[one.ply].chance[one.seat]
                )
            ),
            SHAPES[one.mark],
        )
        for one in found.decisions
        if one.mark
    )
    dots = join(
        html(
            '<circle class="dot s{}" cx="{}" cy="{}" r="5"/>',
            seat,
            short(plane.x(ply)),
            short(plane.y(chance)),
        )
        for seat, chance in enumerate(here.chance[: 1 if len(here.chance) == 2 else None])
    )
    return html(
        '<svg class="chart chances" viewBox="0 0 {width} {height}" data-plies="{plies}" data-from="{left}" data-to="{right}" aria-hidden="true">'
        '<title>{label}</title>{areas}{begins}<path class="floor" d="M{left} {middle}H{right}"/>{scale}'
        '<path class="now" d="M{at} {top}V{bottom}"/>{dots}{strips}{signs}</svg>',
        width=WIDTH,
        height=HEIGHT,
        plies=plane.plies,
        left=LEFT,
        right=WIDTH - RIGHT,
        label=label,
        areas=_areas(plane, curve),
        begins=render_rounds(rounds, plane.plies),
        middle=short(plane.y(0.5)),
        scale=render_scale((plane.y(chance), f"{100 * chance:.0f}") for chance in (0.0, 0.5, 1.0)),
        at=short(plane.x(ply)),
        top=TOP - 6,
        bottom=HEIGHT - BOTTOM,
        dots=dots,
        strips=render_strips(plane.plies, href),
        signs=signs,
    )
