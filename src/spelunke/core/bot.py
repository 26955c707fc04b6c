"""The interface of a bot: a bot gets a view and the legal actions, and chooses an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from spelunke.core.values import Action, Stream, View

A = TypeVar("A", bound=Action)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Bot(Protocol[V_contra, A]):
    """A player for one seat. A bot keeps no state between two choices, so any worker can call it."""

    def choose(self, view: V_contra, legal: Sequence[A], stream: Stream) -> A:
        """Return one of the legal actions, or a move of several steps whose first step is a legal action.

        ``legal`` is never empty. ``stream`` is the bot's own source of random numbers. Each draw changes the
        stream. The same view, actions and stream give the same choice, unless the bot has a time limit.
        """
        ...


AnyBot: TypeAlias = Bot[View, Action]
"""A bot of any game. The server and the arena use this type."""
BotMaker: TypeAlias = Callable[..., AnyBot]
"""A function that makes a bot from a ``Game`` and the settings of a level."""
