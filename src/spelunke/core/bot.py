"""What a bot is: it gets a view and the legal actions, and names one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from spelunke.core.values import Action, Stream, View

A = TypeVar("A", bound=Action)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Bot(Protocol[V_contra, A]):
    """A player for one seat. A bot holds nothing from one choice to the next, so any worker can ask it."""

    def choose(self, view: V_contra, legal: Sequence[A], stream: Stream) -> A:
        """One of the legal actions (never empty), or a larger move of the game that begins with one.

        ``stream`` is the bot's own chance and moves in place: same view, actions and stream, same choice.
        """
        ...


AnyBot: TypeAlias = Bot[View, Action]
"""A bot of whatever game, as house and arena hand it views and actions of that game."""
BotMaker: TypeAlias = Callable[..., AnyBot]
"""Makes a bot for a ``Game`` with the settings of a level."""
