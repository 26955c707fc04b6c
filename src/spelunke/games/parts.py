"""The parts of a game's folder besides its rules, as core, records, house and bots use them.

Each is a module; ``A``, ``C``, ``E``, ``V`` and ``S`` are the game's own actions, outcomes of chance, events,
views and state.
What a game may offer beyond these is on one page: :mod:`spelunke.games.hooks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spelunke.core.values import Action, ChanceOutcome, Event, State, Stream, View

A = TypeVar("A", bound=Action)
C = TypeVar("C", bound=ChanceOutcome)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)
S = TypeVar("S", bound=State)
A_contra = TypeVar("A_contra", bound=Action, contravariant=True)
E_contra = TypeVar("E_contra", bound=Event, contravariant=True)
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class Moves(Protocol[A, C, S_contra]):
    """``moves``: the codec between typed actions and outcomes of chance and their numbers in the kernels, total
    both ways."""

    def encode(self, action: A, s: S_contra | None = None) -> tuple[int, ...]:
        """The numbers that play this action: one, or the small steps of a large move.

        Raises KeyError where nothing has that value, IllegalMove for a large move that would be legal in part only.
        """
        ...

    def decode(self, number: int) -> A:
        """The action of this number."""
        ...

    def encode_chance(self, chance: C) -> int:
        """The number of an outcome of chance."""
        ...

    def decode_chance(self, number: int) -> C:
        """The outcome of chance of this number."""
        ...


class Events(Protocol[E, A_contra, S_contra]):
    """``events``: what happened, as one viewer may know it, and the sentence that tells it."""

    def tell(
        self, before: S_contra, seat: int, deed: A_contra | ChanceOutcome, after: S_contra, viewer: int | None
    ) -> tuple[E, ...]:
        """The events of one ply for a viewer (a seat, None: a spectator, ALL); ``seat`` is CHANCE for chance."""
        ...

    def say(self, event: E, names: Sequence[str], translate: Callable[[str], str]) -> str:
        """The event in one sentence; ``names`` by seat."""
        ...


class Notation(Protocol[A, C, S]):
    """``notation``: move text and position text. Read leniently, written one way."""

    def write(self, action: A) -> str:
        """The move text."""
        ...

    def parse(self, text: str, s: S | None = None) -> A:
        """The action that a text means, in this state where it depends on one. Raises BadText."""
        ...

    def write_chance(self, chance: C) -> str:
        """The text of an outcome of chance."""
        ...

    def parse_chance(self, text: str, s: S | None = None) -> C:
        """The outcome of chance that a text means. Raises BadText."""
        ...

    def write_position(self, s: S) -> dict[str, object]:
        """The position in the game's own words, as JSON values."""
        ...

    def parse_position(self, text: dict[str, object], where: str = "") -> S:
        """The state that a position means. Raises BadPosition with the place and the reason."""
        ...


class Views(Protocol[V, S]):
    """``view``: what a seat may see, by allow-list; what fits to it; and the same as numbers for learning
    programs."""

    __name__: str
    FEATURES: int
    """How many numbers ``features`` writes."""

    def view(self, s: S, seat: int | None) -> V:
        """What the seat (None: a spectator) may see."""
        ...

    def imagine(self, seen: V, stream: Stream) -> S:
        """A full state that fits the view, what is hidden filled in at random; moves ``stream`` in place."""
        ...

    def feature_names(self) -> tuple[str, ...]:
        """What each of the numbers is."""
        ...

    def features(self, s: S, seat: int, out: npt.NDArray[np.float32]) -> None:
        """A kernel: write what the seat sees as FEATURES numbers of about 0 to 1."""
        ...


class Knowledge(Protocol[S_contra]):
    """``knowledge``: kernels that judge positions, for bots."""

    __name__: str

    def worth(self, s: S_contra, seat: int) -> float:
        """What a position promises the seat against the others, in points."""
        ...

    def quiescent(self, s: S_contra) -> bool:
        """Whether a search does better to judge here than to look on: much chance lies ahead."""
        ...


Levels = Mapping[str, Mapping[str, str | int | float | bool]]
"""The named strengths of ``levels.toml``, with their settings."""

Players = Mapping[str, Mapping[str, tuple[str, str]]]
"""By level, who plays at it (``players.toml``): by name a face in words, and a sentence on how they play."""
