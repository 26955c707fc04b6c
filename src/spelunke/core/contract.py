"""What the rules module of a game offers, and the stubs that generic kernels are written against.

A rules module has the constants of :class:`Rules` and the kernels below, under these very names, or says in its
``KERNELS`` which module of its folder has them (:func:`spelunke.core.kernel.homes`); :func:`revise` only where choices
are sealed, :func:`variants` only where an action can be done in several ways. A generic kernel (playout, perft, vector
steps) imports the stubs from here; :func:`spelunke.core.kernel.bind` loads it anew with one game's kernels in their
place, so that the compiler sees through the call.

``s`` is always one state record (``STATE``), changed in place where a kernel's contract says so.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers, State, Stream

CHANCE = -1
"""Seat number of chance."""
TOGETHER = -2
"""Stands for several seats that act at once, where an interface wants a single number."""
OVER = -4
"""Seat number when nothing is left to play."""
ALL = -9
"""A viewer from whom nothing is hidden: for finished games and for the verifiable log."""

Layout = np.dtype[np.void]
"""The record type of a game's state."""
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Rules(Protocol[S_contra]):
    """A module that holds the rules of one game."""

    __name__: str
    VERSION: int
    """Counts up when the same moves would lead elsewhere; records are pinned to it."""
    STATE: Layout
    """Layout of the state record."""
    ACTIONS: int
    """Actions are the numbers below this."""
    OUTCOMES: int
    """Outcomes of chance are the numbers below this; different kinds of chance never share a number."""
    LONGEST: int
    """No game takes more plies (moves and chance outcomes) than this; changes of sealed choices don't count."""

    def start(self, s: S_contra, setup: Numbers) -> None: ...
    def actors(self, s: S_contra) -> int: ...
    def legal(self, s: S_contra, seat: int, out: Numbers) -> int: ...
    def play(self, s: S_contra, seat: int, action: int) -> None: ...
    def chances(self, s: S_contra, outcomes: Numbers, weights: Numbers) -> int: ...
    def apply_chance(self, s: S_contra, outcome: int) -> None: ...
    def sample_chance(self, s: S_contra, stream: Stream) -> int: ...
    def result(self, s: S_contra, points: Numbers, ranks: Numbers) -> None: ...


STATE: Layout = np.dtype([("none", np.int16)])
ACTIONS = 0
OUTCOMES = 0
LONGEST = 0
FEATURES = 0
"""How many numbers :func:`features` writes (from a game's ``view``)."""


def start(s: State, setup: Numbers) -> None:
    """Fill ``s`` in place from ``setup``: the number of seats, then the encoded options."""
    raise NotImplementedError


def actors(s: State) -> int:
    """A bit for each seat that may act now (several: together), or ``CHANCE``, or ``OVER``."""
    raise NotImplementedError


def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order; return how many (0: not asked to act).

    A list and not a mask: docs/why/lists.md.
    """
    raise NotImplementedError


def play(s: State, seat: int, action: int) -> None:
    """Play a legal action in place."""
    raise NotImplementedError


def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of the chance at hand and their weights (integers > 0); return how many."""
    raise NotImplementedError


def apply_chance(s: State, outcome: int) -> None:
    """Let chance take this outcome, in place."""
    raise NotImplementedError


def sample_chance(s: State, stream: Stream) -> int:
    """An outcome from exactly the distribution of :func:`chances`, by the fast stream."""
    raise NotImplementedError


def revise(s: State, seat: int, out: Numbers) -> int:
    """How a seat may change what it sealed, until the last of those acting together is in: as :func:`legal`, ascending.

    A game without sealed choices leaves this out. These are never among :func:`legal`, so that whoever only follows
    ``actors`` and ``legal`` (playouts, searches) comes to an end. ``play`` plays them.
    """
    raise NotImplementedError


def variants(s: State, seat: int, out: Numbers) -> int:
    """Other ways of doing what :func:`legal` lists, with another name for something on the table; as it, ascending.

    A game without them leaves this out. These are never among :func:`legal`, so that playouts, searches and perft don't
    count one thing many times. ``play`` plays them.
    """
    raise NotImplementedError


def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """When over: each seat's points and its rank (1 is best; shared places 1, 1, 3)."""
    raise NotImplementedError


def worth(s: State, seat: int) -> float:
    """What a position promises the seat against the others, in points (from a game's ``knowledge``)."""
    raise NotImplementedError


def quiescent(s: State) -> bool:
    """Whether a search does better to judge here than to look on: much chance lies ahead (from ``knowledge``)."""
    raise NotImplementedError


def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write what the seat sees as ``FEATURES`` numbers of about 0 to 1 (from a game's ``view``)."""
    raise NotImplementedError


def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """A quick and sensible choice of the seat, for playouts; ``out`` is scratch for actions.

    From ``knowledge`` for searches, from ``playouts`` for analyses.
    """
    raise NotImplementedError


def stage(s: State) -> int:
    """The part of the game, counted up; a playout ends so many parts on.

    From ``knowledge`` for searches, from ``playouts`` for analyses.
    """
    raise NotImplementedError


def value(s: State, seat: int) -> float:
    """The payoff (1 to -1) that the seat can expect, where a part of the game begins (from ``knowledge``).

    After the end: what a search should want beyond the payoff itself, much smaller.
    """
    raise NotImplementedError


def redeal(s: State, seat: int, stream: Stream) -> None:
    """Deal anew in place what the seat can't know; nothing where it knows all (from a game's ``playouts``)."""
    raise NotImplementedError


def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write what each seat may expect at the end, in points that are better the more they are; return how far each of
    these usually is off, as a standard deviation (from a game's ``playouts``)."""
    raise NotImplementedError
