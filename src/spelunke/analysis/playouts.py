"""How positions of a game are played out to find what they are worth; what a game doesn't say has a default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from spelunke.core.values import Action, State, View

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)
Steps: TypeAlias = tuple[int, ...]
"""The numbers of what a seat does, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How many playouts are spent on what."""

    worlds: int = 16
    """Deals that the seat could take to be true, for each decision."""
    first: int = 24
    """Playouts of each alternative at the first look."""
    keep: int = 3
    """So many alternatives are looked at again, and the one that was played."""
    last: int = 96
    """Playouts of each of these."""
    here: int = 96
    """Playouts of a position as such."""
    chance: int = 480
    """Playouts of a chance, shared by its outcomes."""
    secret: int = 8192
    """Playouts of a secret choice, shared by all ways in which it can fall."""
    regret: int = 64
    """Playouts of each card against what the others laid."""


class Playouts(Generic[S, A, V]):
    """What a game tells of its playouts (hook ``playouts``); by default all is played to the end at random."""

    kernels: str = ""
    """The module (dotted name) with the game's own ``answer``, ``stage`` and ``forecast``
    (:mod:`spelunke.core.contract`); those that it lacks have defaults."""
    parts: int = 1
    """So many parts of the game on (as ``stage`` counts them) a playout ends, and ``forecast`` says the rest."""
    redeals: bool = False
    """Whether the module has a ``redeal`` of its own; else worlds are imagined one by one from the view."""
    foresees: bool = False
    """Whether ``forecast`` holds in the midst of a part too: then luck and the chart of a game come from it alone."""
    slack: float = 0.0
    """An alternative whose first look is worse than the best by more than this is not played out."""
    doubt: float | None = None
    """In so many games (a share) one other player who still has a choice spoils what playouts say, by playing
    otherwise: then all are as likely to win. Measured (``bench/searches.py calibration``). None: as much as the number
    of playouts leaves open, and nothing where ``forecast`` holds everywhere."""
    most: int = 6
    """At most so many alternatives are played out, and the one that was played."""

    budget: Budget = Budget()
    """How much is spent for a whole game's analysis in some seconds."""

    def candidates(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """What the seat may do, each with what a first look says of it: higher is better. By its view alone."""
        return [(action, 0.0) for action in legal]

    def first_look(self, seen: V, legal: Sequence[A]) -> Sequence[tuple[A, float]]:
        """What a coach ranks the moves by before anything is worked out: higher is better. By the view alone."""
        return self.candidates(seen, legal)

    def same(self, one: A, other: A) -> bool:
        """Whether two actions do the same thing."""
        return one == other

    def counts_together(self, s: S) -> bool:
        """Whether chance is in the midst of several outcomes that are told as one (a deal)."""
        return False

    def before_sealing(self, s: S) -> S | None:
        """The position before anybody sealed a secret choice, where such a choice is being made."""
        return None

    def sealed_by(self, s: S, seat: int) -> Steps:
        """What the seat has sealed in such a position."""
        return ()
