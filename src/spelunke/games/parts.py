"""The parts of a game's folder besides its rules, as core, records, house and bots use them.

Each is a module; ``A``, ``C``, ``E``, ``V`` and ``S`` are the game's own actions, outcomes of chance, events, views
and state. The optional parts are in :mod:`spelunke.games.hooks`.
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
    """``moves``: the one-to-one mapping between typed actions or outcomes of chance and the kernels' numbers."""

    def encode(self, action: A, s: S_contra | None = None) -> tuple[int, ...]:
        """Return the numbers that play this action: one, or the small steps of a large move.

        Raise KeyError if the action has no number, and IllegalMove if a large move would be legal only in
        part.
        """
        ...

    def decode(self, number: int) -> A:
        """Return the action of this number."""
        ...

    def encode_chance(self, chance: C) -> int:
        """Return the number of an outcome of chance."""
        ...

    def decode_chance(self, number: int) -> C:
        """Return the outcome of chance of this number."""
        ...


class Events(Protocol[E, A_contra, S_contra]):
    """``events``: the events of a ply as one viewer may see them, and a sentence for each."""

    def tell(
        self, before: S_contra, seat: int, deed: A_contra | ChanceOutcome, after: S_contra, viewer: int | None
    ) -> tuple[E, ...]:
        """Return the events of one ply for a viewer (a seat, None: a spectator, ALL). ``seat`` is CHANCE for chance."""
        ...

    def say(self, event: E, names: Sequence[str], translate: Translator) -> str:
        """Return one sentence for the event. ``names`` by seat."""
        ...


class Notation(Protocol[A, C, S]):
    """``notation``: move text and position text. Parsing is lenient; writing is canonical."""

    def write(self, action: A) -> str:
        """Return the move text."""
        ...

    def parse(self, text: str, s: S | None = None) -> A:
        """Return the action that a text means. Some texts need the state. Raise BadText if there is no such
        action.
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
    """``view``: the part of a state that a seat may see (by allow-list), full states that fit a view, and numeric
    features.
    """

    __name__: str
    FEATURES: int
    """The number of values that ``features`` writes."""

    def view(self, s: S, seat: int | None) -> V:
        """Return the view of the seat (None: a spectator)."""
        ...

    def imagine(self, seen: V, stream: Stream) -> S:
        """Return a full state that fits the view, with the hidden parts drawn at random. Change ``stream`` in place."""
        ...

    def feature_names(self) -> tuple[str, ...]:
        """Return the name of each feature."""
        ...

    def features(self, s: S, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write the seat's view as FEATURES numbers of about 0 to 1 into ``out``. This is a kernel."""
        ...


class Knowledge(Protocol[S_contra]):
    """``knowledge``: kernels that evaluate positions, for bots."""

    __name__: str

    def worth(self, s: S_contra, seat: int) -> float:
        """Return the expected result of the seat against the others, in points."""
        ...

    def quiescent(self, s: S_contra) -> bool:
        """Return whether a search should evaluate here instead of searching deeper, because the next outcomes
        are very uncertain.
        """
        ...


Levels = Mapping[str, Mapping[str, str | int | float | bool]]
"""The named strengths of ``levels.toml``, with their settings."""

Players = Mapping[str, Mapping[str, tuple[str, str]]]
"""The bots of each level (``players.toml``): by name, a description of the face, and a sentence on how the
bot plays.
"""
