"""What a game tells newcomers about its board: what its signs mean, and what each choice does."""

from __future__ import annotations

from typing import NamedTuple


class Sign(NamedTuple):
    """A sign on the board: a CSS selector that finds it there, what it is called, and what it means."""

    where: str
    name: str
    text: str


class Meaning(NamedTuple):
    """A choice that a seat has now: what it is called, what it does, and the move texts of its controls."""

    choice: str
    text: str
    moves: tuple[str, ...]
