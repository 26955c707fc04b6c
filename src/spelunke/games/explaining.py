"""Types for the explanations that newcomers read: the signs on a board, and the choices of a seat."""

from __future__ import annotations

from typing import NamedTuple


class Sign(NamedTuple):
    """A sign on the board: the CSS selector that matches it, its name, and its meaning."""

    where: str
    name: str
    text: str


class Meaning(NamedTuple):
    """A choice that a seat has now: its name, its effect, and the move texts of its buttons."""

    choice: str
    text: str
    moves: tuple[str, ...]
