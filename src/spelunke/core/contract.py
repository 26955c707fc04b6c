"""The contract of a game's rules module, and the stubs that generic kernels are written against.

A rules module has the constants of :class:`Rules` and the kernels below, under these names. Its ``KERNELS`` may name
other modules of its folder that contain some of them (:func:`spelunke.core.kernel.homes`). :func:`revise` is needed
only if choices are sealed, :func:`variants` only if an action can be done in several ways. A generic kernel (playout,
perft, vector steps) imports the stubs from here. :func:`spelunke.core.kernel.bind` loads a copy of it with one game's
kernels in their place, so that the compiler can inline the calls.

``s`` is always one state record (``STATE``), changed in place if the kernel's docstring says so.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers, State, Stream

CHANCE = -1
"""Seat number of chance."""
TOGETHER = -2
"""A pseudo-seat for several seats that act at once, for interfaces that need a single number."""
OVER = -4
"""The seat number after the end of the game."""
ALL = -9
"""A viewer who may see everything: for finished games and for the verifiable log."""

Layout = np.dtype[np.void]
"""The record type of a game's state."""
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Rules(Protocol[S_contra]):
    """A module that holds the rules of one game."""

    __name__: str
    VERSION: int
    """The version of the rules. It increases if the same moves lead to another result.

    Each record names its version.
    """
    STATE: Layout
    """Layout of the state record."""
    ACTIONS: int
    """The number of actions; actions are the numbers below it."""
    OUTCOMES: int
    """The number of outcomes of chance; outcomes are the numbers below it.

    Different kinds of chance share no number.
    """
    LONGEST: int
    """The most plies (actions and chance outcomes) that a game can take; changes of sealed choices don't count."""

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
"""The number of features that :func:`features` writes (from a game's ``view``)."""


def start(s: State, setup: Numbers) -> None:
    """Fill ``s`` in place from ``setup``: the number of seats, then the encoded options."""
    raise NotImplementedError


def actors(s: State) -> int:
    """Return a bit for each seat that may act now (several act together), or ``CHANCE``, or ``OVER``."""
    raise NotImplementedError


def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order and return their number (0: it may not act now).

    For the choice of a list over a mask, see docs/why/lists.md.
    """
    raise NotImplementedError


def play(s: State, seat: int, action: int) -> None:
    """Play a legal action; change ``s`` in place."""
    raise NotImplementedError


def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of the next chance and their weights (integers > 0); return their number."""
    raise NotImplementedError


def apply_chance(s: State, outcome: int) -> None:
    """Apply this outcome of chance; change ``s`` in place."""
    raise NotImplementedError


def sample_chance(s: State, stream: Stream) -> int:
    """Draw an outcome from exactly the distribution of :func:`chances`; advance the stream."""
    raise NotImplementedError


def revise(s: State, seat: int, out: Numbers) -> int:
    """Write the changes that a seat can make to its sealed choice while another seat of the same moment still
    has to choose.

    Format and order are as in :func:`legal`. A game without sealed choices leaves this out. These actions are never
    among :func:`legal`. Playouts and searches follow only ``actors`` and ``legal``. They would never end if they
    could change choices again and again. ``play`` plays these actions too.
    """
    raise NotImplementedError


def variants(s: State, seat: int, out: Numbers) -> int:
    """Write the variants of the actions in :func:`legal`. A variant is the same action, but gives something
    on the table another name.

    Format and order are as in :func:`legal`. A game without variants leaves this out. Variants are never
    among :func:`legal`, so that playouts, searches and perft don't count one action several times. ``play``
    plays them too.
    """
    raise NotImplementedError


def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write each seat's points and rank after the end (1 is best; shared places 1, 1, 3)."""
    raise NotImplementedError


def worth(s: State, seat: int) -> float:
    """Return the value of a position for the seat against the others, in points (from a game's ``knowledge``)."""
    raise NotImplementedError


def quiescent(s: State) -> bool:
    """Return whether a search should stop and evaluate here, because the next outcomes are very uncertain
    (from ``knowledge``).
    """
    raise NotImplementedError


def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write ``FEATURES`` numbers of about 0 to 1 that describe what the seat can see (from a game's ``view``)."""
    raise NotImplementedError


def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick, sensible choice of the seat, for playouts; ``out`` is scratch space for actions.

    For searches it is in the game's ``knowledge.py``, for analyses in its ``playouts.py``.
    """
    raise NotImplementedError


def stage(s: State) -> int:
    """Return the number of the current part of the game. It never falls. A playout ends after a given number
    of parts.

    For searches it is in the game's ``knowledge.py``, for analyses in its ``playouts.py``.
    """
    raise NotImplementedError


def value(s: State, seat: int) -> float:
    """Return the seat's expected payoff (1 to -1) at the beginning of a part of the game (from ``knowledge``).

    After the end, return a much smaller bonus, so that a search can choose between equal payoffs.
    """
    raise NotImplementedError


def redeal(s: State, seat: int, stream: Stream) -> None:
    """Deal again in place what the seat can't know; do nothing if it knows everything (from a game's ``playouts``)."""
    raise NotImplementedError


def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write each seat's expected final points, where more is better; return the usual error of these numbers as a
    standard deviation (from a game's ``playouts``).
    """
    raise NotImplementedError
