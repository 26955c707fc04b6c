"""Interfaces of the modules in a game's folder, for use by other layers.

Each class describes one module. :mod:`spelunke.core.contract` describes the module ``rules``, and
:mod:`spelunke.games.hooks` the optional parts of a game. The type variables ``A``, ``C``, ``E``, ``V`` and ``S``
stand for the game's own types: its actions, outcomes of chance, events, views and states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Action, ChanceOutcome, Event, State, Stream, View
from spelunke.core.words import Translator

A = TypeVar("A", bound=Action)
C = TypeVar("C", bound=ChanceOutcome)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)
S = TypeVar("S", bound=State)
A_contra = TypeVar("A_contra", bound=Action, contravariant=True)
E_contra = TypeVar("E_contra", bound=Event, contravariant=True)
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Moves(Protocol[A, C, S_contra]):
    """The module ``moves``: it converts actions and outcomes of chance to kernel numbers, and back.

    A kernel number is the integer that stands for an action or an outcome of chance in kernels, the functions that
    can be compiled.
    """

    def encode(self, action: A, s: S_contra | None = None) -> tuple[int, ...]:
        """Return the kernel numbers that play this action. A large move has one number for each of its small steps.

        Raise KeyError if the action has no number, and IllegalMove if only a part of a large move would be
        legal.
        """
        ...

    def decode(self, number: int) -> A:
        """Return the action for which this integer stands in kernels (compiled functions)."""
        ...

    def encode_chance(self, chance: C) -> int:
        """Return the kernel number of an outcome of chance."""
        ...

    def decode_chance(self, number: int) -> C:
        """Return the outcome of chance for which this integer stands in kernels (compiled functions)."""
        ...


class Events(Protocol[E, A_contra, S_contra]):
    """The module ``events``: it describes a ply by events that one viewer may know, and writes a sentence for each."""

    def tell(
        self, before: S_contra, seat: int, deed: A_contra | ChanceOutcome, after: S_contra, viewer: int | None
    ) -> tuple[E, ...]:
        """Return the events of one ply as a viewer may know them.

        ``viewer`` is a seat, None for a spectator, or ALL for a viewer from whom nothing is hidden.

        ``deed`` is the action or the outcome of chance. ``seat`` is CHANCE for an outcome of chance.
        """
        ...

    def say(self, event: E, names: Sequence[str], translate: Translator) -> str:
        """Return one sentence for the event. ``names`` has the player's name for each seat."""
        ...


class Notation(Protocol[A, C, S]):
    """The module ``notation``: moves and positions as text.

    It reads several forms of a text, but writes only one.
    """

    def write(self, action: A) -> str:
        """Return an action as move text."""
        ...

    def parse(self, text: str, s: S | None = None) -> A:
        """Return the action that a move text means. Raise BadText if there is none.

        Some texts can be parsed only if the state is given.
        """
        ...

    def write_chance(self, chance: C) -> str:
        """Return an outcome of chance as text."""
        ...

    def parse_chance(self, text: str, s: S | None = None) -> C:
        """Return the outcome of chance that a text means. Raise BadText if there is none."""
        ...

    def write_position(self, s: S) -> dict[str, object]:
        """Return a state as a position text: JSON values in the game's own words."""
        ...

    def parse_position(self, text: dict[str, object], where: str = "") -> S:
        """Return the state that the contents of a position text describe.

        If they describe no possible state, raise BadPosition with the reason and the place: the name of the wrong
        field. If the contents are wrong as a whole, the place is ``where``.
        """
        ...


class Views(Protocol[V, S]):
    """The module ``view``: views, random states that fit a view, and numeric features.

    A view is the part of a state that a seat may see. Its fields list every visible fact; all else is hidden.
    """

    __name__: str
    FEATURES: int
    """The number of values that ``features`` writes."""

    def view(self, s: S, seat: int | None) -> V:
        """Return the view of the seat; None is a spectator."""
        ...

    def imagine(self, seen: V, stream: Stream) -> S:
        """Return a full state that fits the view, with random hidden parts.

        ``stream`` is the state of a random number generator. The function changes it in place.
        """
        ...

    def feature_names(self) -> tuple[str, ...]:
        """Return the names of the features, in their order."""
        ...

    def features(self, s: S, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write the features of the seat's view into ``out`` (float32[FEATURES], values from about 0 to 1).

        The function must be a kernel (:func:`spelunke.core.kernel.kernel`).
        """
        ...


class Knowledge(Protocol[S_contra]):
    """The module ``knowledge``: kernels that evaluate positions, for bots."""

    __name__: str

    def worth(self, s: S_contra, seat: int) -> float:
        """Return an estimate of the seat's final lead in points over the mean of the other seats."""
        ...

    def quiescent(self, s: S_contra) -> bool:
        """Return whether a search should stop at this position and evaluate it.

        A game should return True if the next outcomes are very uncertain, for example while cards are being dealt.
        """
        ...


Levels = Mapping[str, Mapping[str, str | int | float | bool]]
"""The bot levels in ``levels.toml``: for each level's name, its settings."""

Players = Mapping[str, Mapping[str, tuple[str, str]]]
"""The bots in ``players.toml`` by level and by name: the face of each bot, and a sentence about its play."""
