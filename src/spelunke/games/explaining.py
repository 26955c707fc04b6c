"""Types for explanations to new players: the signs on a board, and the choices of a seat."""

from __future__ import annotations

from typing import NamedTuple


class Sign(NamedTuple):
    """A sign on the board: the CSS selector that finds it, its name, and its meaning."""

    where: str
    name: str
    text: str


class Meaning(NamedTuple):
    """A choice that a seat has now: its name, its effect, and the texts of the moves by which the seat can make it.

    If there are several moves, a list shows them, and ``names`` has a name for each. A name may be empty.
    """

    choice: str
    text: str
    moves: tuple[str, ...]
    names: tuple[str, ...] = ()
