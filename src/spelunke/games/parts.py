"""The modules of a game's folder besides its rules, as the other layers use them.

Each class describes a module. ``A``, ``C``, ``E``, ``V`` and ``S`` are the game's own actions, outcomes of
chance, events, views and state. The optional parts of a game are in :mod:`spelunke.games.hooks`.
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
    """The module ``moves``: it maps each typed action or outcome of chance to a number of the kernels, and back."""

    def encode(self, action: A, s: S_contra | None = None) -> tuple[int, ...]:
        """Return the numbers that play this action: one, or several if it is a large move of small steps.

        Raise KeyError if the action has no number, and IllegalMove if only a part of a large move would be
        legal.
        """
        ...

    def decode(self, number: int) -> A:
        """Return the action with this number."""
        ...

    def encode_chance(self, chance: C) -> int:
        """Return the number of an outcome of chance."""
        ...

    def decode_chance(self, number: int) -> C:
        """Return the outcome of chance with this number."""
        ...


class Events(Protocol[E, A_contra, S_contra]):
    """The module ``events``: the events of a ply as one viewer may see them, and a sentence for each."""

    def tell(
        self, before: S_contra, seat: int, deed: A_contra | ChanceOutcome, after: S_contra, viewer: int | None
    ) -> tuple[E, ...]:
        """Return the events of one ply for a viewer: a seat, None for a spectator, or ALL.

        ``seat`` is CHANCE if chance decided.
        """
        ...

    def say(self, event: E, names: Sequence[str], translate: Translator) -> str:
        """Return one sentence for the event. ``names`` are by seat."""
        ...


class Notation(Protocol[A, C, S]):
    """The module ``notation``: move text and position text. Parsing is lenient; writing is canonical."""

    def write(self, action: A) -> str:
        """Return the move text."""
        ...

    def parse(self, text: str, s: S | None = None) -> A:
        """Return the action that a text means. Raise BadText if there is none.

        Some texts can be parsed only if the state is given.
        """
        ...

    def write_chance(self, chance: C) -> str:
        """Return the text of an outcome of chance."""
        ...

    def parse_chance(self, text: str, s: S | None = None) -> C:
        """Return the outcome of chance that a text means. Raise BadText if there is none."""
        ...

    def write_position(self, s: S) -> dict[str, object]:
        """Return the position as JSON values, in the game's own words."""
        ...

    def parse_position(self, text: dict[str, object], where: str = "") -> S:
        """Return the state that a position means. Raise BadPosition with the place and the reason."""
        ...


class Views(Protocol[V, S]):
    """The module ``view``: views, states that fit a view, and numeric features.

    A view is the part of a state that a seat may see. The module lists each visible thing; all else is
    hidden.
    """

    __name__: str
    FEATURES: int
    """The number of values that ``features`` writes."""

    def view(self, s: S, seat: int | None) -> V:
        """Return the view of the seat (None: a spectator)."""
        ...

    def imagine(self, seen: V, stream: Stream) -> S:
        """Return a full state that fits the view. Draw its hidden parts at random.

        Change ``stream`` in place.
        """
        ...

    def feature_names(self) -> tuple[str, ...]:
        """Return the name of each feature."""
        ...

    def features(self, s: S, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write the seat's view into ``out`` as FEATURES numbers, each from about 0 to 1.

        This is a kernel.
        """
        ...


class Knowledge(Protocol[S_contra]):
    """The module ``knowledge``: kernels that evaluate positions, for bots."""

    __name__: str

    def worth(self, s: S_contra, seat: int) -> float:
        """Return the seat's expected lead over the others at the end, in points."""
        ...

    def quiescent(self, s: S_contra) -> bool:
        """Return whether a search should evaluate this position instead of searching deeper.

        This is useful if the next outcomes are very uncertain.
        """
        ...


Levels = Mapping[str, Mapping[str, str | int | float | bool]]
"""The levels of strength in ``levels.toml``, with their settings."""

Players = Mapping[str, Mapping[str, tuple[str, str]]]
"""The bots of each level (``players.toml``), by the bot's name.

Each bot has a description of its face, and a sentence on its way of playing.
"""
