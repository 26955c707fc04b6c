"""Types for explanations to new players: the signs on a board, and the choices of a seat."""

from __future__ import annotations

from typing import NamedTuple, Self


class InFavour(str):
    """A reason that speaks for a move.

    If it says how many points the move brings, ``points`` is this number, so that moves can be compared.
    """

    __slots__ = ("points",)
    points: int | None

    def __new__(cls, text: str, points: int | None = None) -> Self:
        """Return a reason with this text."""
        made = super().__new__(cls, text)
        made.points = points
        return made


class Against(str):
    """A reason that speaks against a move. A reason that speaks neither for nor against a move is a plain ``str``."""

    __slots__ = ()


class Sign(NamedTuple):
    """A sign on the board: the CSS selector that finds it, its name, and its meaning."""

    where: str
    name: str
    text: str


class Meaning(NamedTuple):
    """A choice that a seat has now: its name, and its effect in words.

    ``moves`` has the text of each move that carries out the choice. ``names`` has a name for each of these moves (some
    names can be empty texts), or is empty.
    """

    choice: str
    text: str
    moves: tuple[str, ...]
    names: tuple[str, ...] = ()
