"""The settings of the playouts that estimate the values of a game's positions.

This module has a default for each setting. A game can override any of these defaults.
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
"""The numbers of a seat's successive actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The numbers of playouts, alternatives and worlds (full states that fit a seat's view) in an analysis."""

    worlds: int = 16
    """For each decision, the number of random worlds: full states that fit the seat's view."""
    first: int = 24
    """The number of playouts of each alternative in the first pass."""
    keep: int = 3
    """The number of alternatives in the second pass.

    If the played action is not among them, it is added. If no alternative was played, a safer alternative is added
    (:meth:`Playouts.safer`).
    """
    last: int = 96
    """The number of playouts of each alternative in the second pass."""
    here: int = 96
    """The number of playouts that estimate the value of a position."""
    chance: int = 480
    """The number of playouts of a position in which chance decides, divided among the outcomes.

    Each outcome has at least 6 playouts.
    """
    secret: int = 8192
    """The number of playouts of a secret choice, divided among all combinations of the seats' choices.

    Each combination has at least one playout.
    """
    regret: int = 64
    """The number of playouts of each secret choice against the real choices of the others."""


class Playouts(Generic[S, A, V]):
    """The settings of a game's playouts. The game's hook ``playouts`` returns them.

    By default, all choices in a playout are random, and the playout lasts until the end of the game.
    """

    kernels: str = ""
    """The dotted name of the module with the game's own ``answer``, ``stage`` and ``forecast``.

    If the module lacks one of these kernels (:mod:`spelunke.core.contract`), a default is used.
    """
    parts: int = 1
    """The number of parts (counted by ``stage``) after which a playout ends. Then ``forecast`` estimates the result."""
    redeals: bool = False
    """Whether the module ``kernels`` has its own ``redeal``. If not, ``imagine`` makes worlds from the seat's view."""
    foresees: bool = False
    """Whether ``forecast`` is also valid in the middle of a part.

    If it is, the luck and the chart of a game use only the forecast, without playouts.
    """
    slack: float = 0.0
    """An alternative is played out only if its first estimate is at most this far below the best first estimate.

    The played action is always played out.
    """
    doubt: float | None = None
    """The probability that the playouts are wrong because one given player plays differently.

    Each other player who still has a choice has this probability, independently of the others. If the playouts are
    wrong, all seats count as equally likely to win. ``bench/searches.py calibration`` measures the probability. If
    ``doubt`` is None, the probability follows from the number of playouts, or is 0 if ``foresees`` is true.
    """
    most: int = 6
    """The most alternatives that are played out. If the played action is not among them, it is added."""

    budget: Budget = Budget()
    """The budget of an analysis. By default, the analysis of a whole game takes seconds."""

    def candidates(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """Return the actions to evaluate, each with a first estimate of its value. Higher is better.

        ``seen`` is the view of the seat that decides, and ``legal`` are its legal actions. The estimates use only this
        view. Only the actions with the best estimates get playouts. If many actions are similar, a game may return only
        the best of them.
        """
        return [(action, 0.0) for action in legal]

    def first_look(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """Return actions of a seat, each with an estimate of its value that needs no playouts. Higher is better.

        A player who asks for advice sees the best of these actions while the playouts are still running. ``seen`` is
        the view of the seat, and ``legal`` are its legal actions. The estimates use only this view.
        """
        return self.candidates(seen, legal)

    def same(self, one: A, other: A) -> bool:
        """Return whether two actions have the same effect."""
        return one == other

    def safer(self, one: A, other: A) -> bool:
        """Return whether to recommend ``one`` rather than ``other`` if playouts can't show which is better.

        A reason can be, for example, that ``one`` risks fewer points than ``other``.
        """
        return False

    def counts_together(self, s: S) -> bool:
        """Return whether an analysis counts the next chance event as part of a larger one, such as a deal."""
        return False

    def before_sealing(self, s: S) -> S | None:
        """Return the position at the beginning of a secret choice, or None if no secret choice is in progress.

        In a secret choice, each seat seals its actions: they stay hidden until the last seat has chosen.
        """
        return None

    def sealed_by(self, s: S, seat: int) -> Steps:
        """Return the actions that the seat has sealed in the current secret choice, encoded as ints."""
        return ()
