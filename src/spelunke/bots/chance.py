"""The bot that plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from spelunke.core.chance import below
from spelunke.core.values import Action, Stream, View
from spelunke.games.game import Game

A = TypeVar("A", bound=Action)


class ChanceBot:
    """A bot that chooses at random. Every legal action has the same probability."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, view: View, legal: Sequence[A], stream: Stream) -> A:
        """Return a random legal action (:class:`spelunke.core.bot.Bot`)."""
        return legal[int(below(stream, len(legal)))]
