"""Plot ratings as SVG, with a row and an error bar for each player."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from spelunke.arena.rating import Rating

WIDTH, ROW, LEFT, RIGHT, TOP = 760, 34, 190, 130, 48
LONGEST = 20
"""The most characters of a name. Longer names, such as commands of programs, are cut."""


def plot_ratings(title: str, ratings: Sequence[Rating]) -> str:
    """Return an SVG document with the ratings. There must be at least one rating.

    The document is readable without colour. Screen readers read its title.
    """
    marks = _marks(min(r.rating - r.error for r in ratings), max(r.rating + r.error for r in ratings))
    low, high = marks[0], marks[-1]
    bottom = TOP + ROW * len(ratings) + 8
    height = bottom + 52

    def x(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    scale = "".join(
        f'<line x1="{x(mark):.1f}" y1="{TOP}" x2="{x(mark):.1f}" y2="{bottom}" stroke="#dde"/>'
        f'<text x="{x(mark):.1f}" y="{bottom + 18}" text-anchor="middle">{mark:g}</text>'
        for mark in marks
    )
    rows = []
    for k, r in enumerate(ratings):
        y = TOP + ROW * k + ROW / 2
        name = r.player if len(r.player) <= LONGEST else f"{r.player[: LONGEST - 1]}…"
        rows.append(
            f'<text x="{LEFT - 12}" y="{y + 5:.1f}" text-anchor="end">{escape(name)}</text>'
            f'<line x1="{x(r.rating - r.error):.1f}" y1="{y:.1f}" x2="{x(r.rating + r.error):.1f}" y2="{y:.1f}" '
            'stroke="#2f5d8a" stroke-width="3" stroke-linecap="round"/>'
            f'<circle cx="{x(r.rating):.1f}" cy="{y:.1f}" r="6" fill="#2f5d8a"/>'
            f'<text x="{WIDTH - 16}" y="{y + 5:.1f}" text-anchor="end">{r.rating:+.0f} ± {r.error:.0f}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="14" fill="#223">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text x="16" y="28" font-size="17" font-weight="600">{escape(title)}</text>'
        f'{scale}<line x1="{LEFT}" y1="{bottom}" x2="{WIDTH - RIGHT}" y2="{bottom}" stroke="#889"/>{"".join(rows)}'
        f'<text x="{middle}" y="{bottom + 40}" text-anchor="middle">'
        "rating (Elo) ± two standard errors</text></svg>\n"
    )


def _marks(low: float, high: float) -> list[float]:
    """Return evenly spaced round numbers for the marks of a scale that contains ``low`` and ``high``."""
    span = max(high - low, 1e-3)
    power = 10.0 ** math.floor(math.log10(span))
    step = next(power * k for k in (0.2, 0.5, 1.0, 2.0) if span / (power * k) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * k for k in range(first, max(last, first + 1) + 1)]
