"""The playouts that estimate the values of a game's positions. Everything that a game doesn't define has a
default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from spelunke.core.values import Action, State, View

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)
Steps: TypeAlias = tuple[int, ...]
"""The numbers of a seat's actions, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The number of playouts for each purpose."""

    worlds: int = 16
    """The number of sampled deals that fit the seat's view, for each decision."""
    first: int = 24
    """Playouts of each alternative in the first pass."""
    keep: int = 3
    """The number of alternatives in the second pass, besides the one that was played."""
    last: int = 96
    """Playouts of each alternative in the second pass."""
    here: int = 96
    """Playouts of a position itself."""
    chance: int = 480
    """Playouts of a position in which chance decides, shared by the outcomes."""
    secret: int = 8192
    """Playouts of a secret choice, shared by all combinations of choices."""
    regret: int = 64
    """Playouts of each secret choice against the real choices of the others."""


class Playouts(Generic[S, A, V]):
    """A game's definition of its playouts (hook ``playouts``); by default all is played to the end at random."""

    kernels: str = ""
    """The module (dotted name) with the game's own ``answer``, ``stage`` and ``forecast``
    (:mod:`spelunke.core.contract`); if the module lacks one of them, a default is used.
    """
    parts: int = 1
    """The number of parts (counted by ``stage``) after which a playout ends; ``forecast`` estimates the rest."""
    redeals: bool = False
    """Whether the module has its own ``redeal``; otherwise worlds are imagined one by one from the view."""
    foresees: bool = False
    """Whether ``forecast`` is valid in the middle of a part too. Then luck and the chart of a game use it alone."""
    slack: float = 0.0
    """An alternative whose first estimate is worse than the best by more than this is not played out."""
    doubt: float | None = None
    """The share of games in which the playouts are wrong because another player plays differently. It counts
    once for each other player who still has a choice.

    In these games all seats count as equally likely to win. ``bench/searches.py calibration`` measures the share.
    None: the share follows from the number of playouts, and is 0 if ``forecast`` is valid everywhere.
    """
    most: int = 6
    """The most alternatives that are played out, besides the one that was played."""

    budget: Budget = Budget()
    """The budget for analysing a whole game within seconds."""

    def candidates(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """Return the seat's actions with a first estimate of each, from its view alone; higher is better."""
        return [(action, 0.0) for action in legal]

    def first_look(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """Return the ranking that a coach uses before any search, from the view alone; higher is better."""
        return self.candidates(seen, legal)

    def same(self, one: A, other: A) -> bool:
        """Return whether two actions have the same effect."""
        return one == other

    def counts_together(self, s: S) -> bool:
        """Return whether chance is in the middle of a series of outcomes that are shown as one, for example
        of a deal.
        """
        return False

    def before_sealing(self, s: S) -> S | None:
        """Return the position before any seat sealed its choice, if a secret choice is being made, else None."""
        return None

    def sealed_by(self, s: S, seat: int) -> Steps:
        """Return the numbers of the seat's sealed actions in a position in which a secret choice is being made."""
        return ()
