"""Ratings as a picture: one line per player with its error bar, as SVG of our own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from spelunke.arena.rating import Rating

WIDTH, ROW, LEFT, RIGHT, TOP = 720, 34, 190, 90, 48


def draw(title: str, ratings: Sequence[Rating]) -> str:
    """An SVG document; readable without colour, and for screen readers by its title and texts."""
    low = min(r.rating - r.error for r in ratings)
    high = max(r.rating + r.error for r in ratings)
    span = max(high - low, 1e-9)
    height = TOP + ROW * len(ratings) + 40

    def x(value: float) -> float:
        return LEFT + (value - low) / span * (WIDTH - LEFT - RIGHT)

    rows = []
    for k, r in enumerate(ratings):
        y = TOP + ROW * k + ROW / 2
        rows.append(
            f'<text x="{LEFT - 12}" y="{y + 5:.1f}" text-anchor="end">{escape(r.player)}</text>'
            f'<line x1="{x(r.rating - r.error):.1f}" y1="{y:.1f}" x2="{x(r.rating + r.error):.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{x(r.rating):.1f}" cy="{y:.1f}" r="5"/>'
            f'<text x="{WIDTH - 8}" y="{y + 5:.1f}" text-anchor="end">{r.rating:.1f} ± {r.error:.1f}</text>'
        )
    bottom = TOP + ROW * len(ratings) + 8
    marks = "".join(
        f'<text x="{x(low + span * k / 4):.1f}" y="{bottom + 18}" text-anchor="middle">{low + span * k / 4:.0f}</text>'
        for k in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="14" fill="#223">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text x="16" y="28" font-size="17" font-weight="600">{escape(title)}</text>'
        f'<g stroke="#2f5d8a" stroke-width="3">{"".join(rows)}</g>'.replace("<text ", '<text stroke="none" ')
        + f'<line x1="{LEFT}" y1="{bottom}" x2="{WIDTH - RIGHT}" y2="{bottom}" stroke="#889"/>{marks}</svg>\n'
    )
