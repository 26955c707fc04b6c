"""Draw ratings: the history as a chart, with the margin of error as a band, and ratings in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from spelunke.boards.markup import html, join
from spelunke.house.ratings import RatingLine, RatingPoint
from spelunke.web.parts.chart import short
from spelunke.web.words import translate as _

WIDTH, HEIGHT = 600, 180
LEFT, RIGHT, TOP, BOTTOM = 46, 8, 10, 12
STEP = 100
"""The distance between horizontal lines, in rating points. On a high chart, the distance is a multiple of this."""


def render_history(points: Sequence[RatingPoint]) -> Markup:
    """Draw a person's rating after each game. If there are fewer than two games, draw nothing."""
    if len(points) < 2:
        return html("")
    low = min(one.points - one.either_side for one in points) // STEP * STEP
    high = -(-max(one.points + one.either_side for one in points) // STEP) * STEP

    def x(number: int) -> str:
        return short(LEFT + (WIDTH - LEFT - RIGHT) * number / (len(points) - 1))

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    upper = [f"{x(k)} {short(y(one.points + one.either_side))}" for k, one in enumerate(points)]
    lower = [f"{x(k)} {short(y(one.points - one.either_side))}" for k, one in enumerate(points)]
    line = [f"{x(k)} {short(y(one.points))}" for k, one in enumerate(points)]
    every = max(1, round((high - low) / STEP / 4))
    marks = range(low, high + 1, STEP * every)
    grid = "".join(f"M{LEFT} {short(y(mark))}H{WIDTH - RIGHT}" for mark in marks)
    return html(
        '<svg class="chart rating-chart" viewBox="0 0 {w} {h}" role="img" aria-label="{said}">'
        '<path class="floor" d="{grid}"/>{scale}<path class="band" d="M{band}Z"/><path class="line s0" d="M{line}"/>'
        '<circle class="dot s0" cx="{cx}" cy="{cy}" r="5"/></svg>',
        w=WIDTH,
        h=HEIGHT,
        said=say_history(points),
        grid=grid,
        scale=join(
            html('<text class="scale" x="{}" y="{}">{}</text>', LEFT - 6, short(y(mark) + 4), mark)
            for mark in marks
        ),
        band="L".join([*upper, *reversed(lower)]),
        line="L".join(line),
        cx=x(len(points) - 1),
        cy=short(y(points[-1].points)),
    )


def say_history(points: Sequence[RatingPoint]) -> str:
    """Return the history in two sentences, for readers who don't see the chart."""
    later = len(points) - 1  # the first rating is the one after the first game
    said = _.many(
        "The chart of the rating begins at {first} and ends at {last}, {n} game later. The lowest value is {low}, and the highest {high}.",
        "The chart of the rating begins at {first} and ends at {last}, {n} games later. The lowest value is {low}, and the highest {high}.",
        later,
    )
    values = [one.points for one in points]
    return said.format(first=values[0], last=values[-1], n=later, low=min(values), high=max(values))


def say_interval(line: RatingLine) -> str:
    """Return the interval in which a person's true rating probably is, in words."""
    return _("between {low} and {high}").format(
        low=line.points - line.either_side, high=line.points + line.either_side
    )
