"""The contract of a game's rules module, and the stubs that generic kernels call.

A rules module has the constants of :class:`Rules` and kernels with the names of the functions below. If some of these
constants and kernels are in other modules of the same folder, the constant ``KERNELS`` of the rules module lists them
(:func:`spelunke.core.kernel.homes`). A game needs :func:`revise` only if it has sealed choices, and :func:`variants`
only if an action has variants. Some functions below do not belong to the rules but to another module of a game, for
example ``knowledge``. Their docstrings name that module.

A generic kernel (playout, perft, vector steps) imports the functions below, which are only stubs.
:func:`spelunke.core.kernel.bind` loads a copy of the generic kernel in which one game's kernels replace the stubs. So
the compiler can inline the calls.

In each kernel, ``s`` is one state record of the type ``STATE``. A kernel changes the record only if its docstring says
so.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Numbers, State, Stream

CHANCE = -1
"""The seat number of chance."""
TOGETHER = -2
"""A pseudo-seat for several seats that act at once, for interfaces that need a single number."""
OVER = -4
"""The value that takes the place of seats after the end of the game, for example in :func:`actors`."""
ALL = -9
"""The seat number of a viewer who may see everything: for finished games and for the verifiable log."""

Layout = np.dtype[np.void]
"""The record type of a game's state."""
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Rules(Protocol[S_contra]):
    """A module that holds the rules of one game."""

    __name__: str
    VERSION: int
    """The version of the rules. It increases with each change that gives the same moves another result.

    Each record of a game contains the version of its rules.
    """
    STATE: Layout
    """The layout of the state record."""
    ACTIONS: int
    """The number of different actions. An action is a number from 0 to ``ACTIONS - 1``."""
    OUTCOMES: int
    """The number of different outcomes of chance. An outcome is a number from 0 to ``OUTCOMES - 1``.

    Each kind of chance, for example dice or a card, has its own numbers.
    """
    LONGEST: int
    """The most plies (actions and outcomes of chance) of a game. Changes of sealed choices don't count."""

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
"""The number of features that :func:`features` writes. A game defines both in its module ``view``."""


def start(s: State, setup: Numbers) -> None:
    """Fill ``s`` in place from ``setup``, which has the number of seats, then the encoded options."""
    raise NotImplementedError


def actors(s: State) -> int:
    """Return a bit mask of the seats that may act now (bit 0 is seat 0), or ``CHANCE``, or ``OVER``."""
    raise NotImplementedError


def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order. Return their number, 0 if the seat may not act.

    For the reasons why this is a list and not a mask, see docs/why/lists.md.
    """
    raise NotImplementedError


def play(s: State, seat: int, action: int) -> None:
    """Play a legal action; change ``s`` in place."""
    raise NotImplementedError


def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of the next chance event and their weights (integers > 0). Return their number."""
    raise NotImplementedError


def apply_chance(s: State, outcome: int) -> None:
    """Apply this outcome of chance; change ``s`` in place."""
    raise NotImplementedError


def sample_chance(s: State, stream: Stream) -> int:
    """Draw an outcome from exactly the distribution of :func:`chances`; advance the stream."""
    raise NotImplementedError


def revise(s: State, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions that change a seat's sealed choice, in ascending order. Return their number.

    A seat can change its choice until all seats that choose at the same time have chosen. :func:`legal` does not list
    these actions: playouts and searches use :func:`legal`, and would never end if they could change choices again and
    again. :func:`play` plays these actions too. A game without sealed choices does not have this kernel.
    """
    raise NotImplementedError


def variants(s: State, seat: int, out: Numbers) -> int:
    """Write the variants of the seat's legal actions into ``out`` in ascending order. Return their number.

    A variant has the same effect as a legal action, except that something on the table gets another name. For example,
    a meld gets another number. :func:`legal` does not list variants, so that playouts, searches and perft don't count
    one action several times. :func:`play` plays variants too. A game without variants does not have this kernel.
    """
    raise NotImplementedError


def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write the points and ranks of all seats into ``points`` and ``ranks``. The game must be over.

    Rank 1 is best. Equal seats share a rank: 1, 1, 3.
    """
    raise NotImplementedError


def worth(s: State, seat: int) -> float:
    """Return the seat's estimated lead in points over the mean of the other seats.

    A game defines this kernel in its module ``knowledge``.
    """
    raise NotImplementedError


def quiescent(s: State) -> bool:
    """Return whether a search should stop and evaluate this position, because the next outcomes are very uncertain.

    A game defines this kernel in its module ``knowledge``.
    """
    raise NotImplementedError


def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write the seat's view into ``out`` as ``FEATURES`` numbers from about 0 to 1.

    A game defines this kernel in its module ``view``.
    """
    raise NotImplementedError


def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick, sensible action of the seat, for playouts. ``out`` is scratch space for actions.

    A game can have two kernels of this name: one in its module ``knowledge`` for searches, and one in its module
    ``playouts`` for analyses.
    """
    raise NotImplementedError


def stage(s: State) -> int:
    """Return the number of the current part of the game. The number never decreases during a game.

    A playout ends after a given number of parts. A game can have two kernels of this name: one in its module
    ``knowledge`` for searches, and one in its module ``playouts`` for analyses.
    """
    raise NotImplementedError


def value(s: State, seat: int) -> float:
    """Return the seat's expected payoff, from 1 to -1. The state must be at the beginning of a part of the game.

    After the end of the game, return a bonus near 0 instead. A search adds the bonus to the payoff, to choose between
    equal payoffs. A game defines this kernel in its module ``knowledge``.
    """
    raise NotImplementedError


def redeal(s: State, seat: int, stream: Stream) -> None:
    """Draw random values for all facts that are hidden from the seat. The values fit what the seat sees.

    Change ``s`` in place. If nothing is hidden from the seat, do nothing. A game defines this kernel in its module
    ``playouts``.
    """
    raise NotImplementedError


def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write an estimate of each seat's final points into ``points``; more is better.

    Return the standard deviation of the final points from these estimates. A game defines this kernel in its module
    ``playouts``.
    """
    raise NotImplementedError
