"""Draw the points of a game as an SVG chart: a stepped line per seat, with the beginning of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from spelunke.boards.markup import html, join

WIDTH, HEIGHT = 600, 150
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 10, 18
STRIPS = 24
"""The maximum number of links in the chart, for pages without scripts. With scripts, a click finds the exact ply."""


class Chart:
    """The coordinates of plies and points in the chart."""

    def __init__(self, points: Sequence[tuple[int, ...]]) -> None:
        self.points = points
        self.plies = max(1, len(points) - 1)
        every = [value for row in points for value in row]
        self.low, self.high = min(0, *every), max(1, *every)

    def x(self, ply: float) -> float:
        """Return the x coordinate of a ply."""
        return place_x(ply, self.plies)

    def y(self, value: float) -> float:
        """Return the y coordinate at which a number of points is drawn."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.low) / (self.high - self.low)

    def stair(self, seat: int) -> str:
        """Return the SVG path of a seat's points. The line is horizontal between changes."""
        at = self.points[0][seat]
        path = [f"M{short(self.x(0))} {short(self.y(at))}"]
        for ply, row in enumerate(self.points):
            if row[seat] != at:
                at = row[seat]
                path.append(f"H{short(self.x(ply))}V{short(self.y(at))}")
        return "".join([*path, f"H{short(self.x(self.plies))}"])


def short(value: float) -> str:
    """Return a coordinate rounded to a tenth."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def place_x(ply: float, plies: int) -> float:
    """Return the x coordinate of a ply in a chart of `plies` plies."""
    return LEFT + (WIDTH - LEFT - RIGHT) * ply / plies


def render_scale(marks: Iterable[tuple[float, object]]) -> Markup:
    """Draw a scale at the left edge: each number or text at its y coordinate."""
    return join(
        html('<text class="scale" x="{}" y="{}">{}</text>', LEFT - 6, short(y), text) for y, text in marks
    )


def render_rounds(rounds: Sequence[int], plies: int) -> Markup:
    """Draw a vertical line at the beginning of each round."""
    return join(
        html('<path class="round" d="M{} {}V{}"/>', short(place_x(at, plies)), TOP, HEIGHT - BOTTOM)
        for at in rounds
    )


def render_strips(plies: int, href: Callable[[int], str]) -> Markup:
    """Cover the whole chart with invisible vertical strips. Each strip is a link to the ply at its middle."""
    count = min(STRIPS, plies)
    wide = (WIDTH - LEFT - RIGHT) / count
    return join(
        html(
            '<a href="{}" tabindex="-1"><rect x="{}" y="0" width="{}" height="{}"/></a>',
            href(round((k + 0.5) * plies / count)),
            short(LEFT + k * wide),
            short(wide),
            HEIGHT,
        )
        for k in range(count)
    )


def render_chart(
    points: Sequence[tuple[int, ...]], rounds: Sequence[int], ply: int, href: Callable[[int], str]
) -> Markup:
    """Draw the chart with a mark at this ply. Screen readers skip the chart: the page shows its numbers as text."""
    chart = Chart(points)
    lines = join(
        html('<path class="line s{}" d="{}"/>', seat, chart.stair(seat)) for seat in range(len(points[0]))
    )
    marks = join(
        html(
            '<circle class="dot s{}" cx="{}" cy="{}" r="5"/>',
            seat,
            short(chart.x(ply)),
            short(chart.y(value)),
        )
        for seat, value in enumerate(points[ply])
    )
    levels = sorted({chart.low, (chart.low + chart.high) // 2, chart.high})
    return html(
        '<svg class="chart" viewBox="0 0 {width} {height}" data-plies="{plies}" data-from="{left}" data-to="{right}" aria-hidden="true">'
        '<path class="floor" d="M{left} {zero}H{right}"/>{scale}{begins}{lines}<path class="now" d="M{at} {top}V{bottom}"/>{marks}{strips}</svg>',
        width=WIDTH,
        height=HEIGHT,
        plies=chart.plies,
        left=LEFT,
        right=WIDTH - RIGHT,
        zero=short(chart.y(0)),
        at=short(chart.x(ply)),
        top=TOP - 6,
        bottom=HEIGHT - BOTTOM,
        scale=render_scale((chart.y(value), value) for value in levels),
        begins=render_rounds(rounds, chart.plies),
        lines=lines,
        marks=marks,
        strips=render_strips(chart.plies, href),
    )


def render_swatch(seat: int) -> Markup:
    """Draw a short sample of a seat's line in the chart, for the place beside the player's name."""
    return html(
        '<svg class="chart swatch" viewBox="0 0 28 10" aria-hidden="true"><path class="line s{}" d="M0 5H28"/></svg>',
        seat,
    )
