"""The base types of a game's typed objects: actions, outcomes of chance, events, views.

People, files, sockets and bots handle only these objects, which are frozen and typed by their game. Core,
house and pages pass them on without reading them.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int16]
"""Actions, outcomes, weights or points, as kernels write them."""
Stream: TypeAlias = npt.NDArray[np.int64]
"""A fast stream of chance (``core.chance.seed_stream``); each draw moves it in place."""
Pool: TypeAlias = npt.NDArray[np.void]
"""State records in one array."""


class State:
    """The root of every game's state record; ``layout()`` makes the record type from its annotations.

    At run time a value is a ``np.record``, which offers the same attributes. The class exists for the type checker.
    """

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The record type."""
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """Return the record's bytes: the key of a position."""
        raise NotImplementedError


class Action(msgspec.Struct, frozen=True):
    """An action of a seat."""


class ChanceOutcome(msgspec.Struct, frozen=True):
    """An outcome of chance."""


class Event(msgspec.Struct, frozen=True):
    """Something that happened, in the game's words, as one viewer may know it."""

    @property
    def detail(self) -> bool:
        """Whether only the whole log shows the event, because it is one of many or the next event repeats it."""
        return False

    @property
    def heading(self) -> bool:
        """Whether the event begins (or ends) a part of the log: a round, an hour."""
        return False


class Detail(Event, frozen=True):
    """An event that only the whole log shows."""

    @property
    def detail(self) -> bool:
        """See :class:`Event`."""
        return True


class Heading(Event, frozen=True):
    """An event that begins (or ends) a part of the log."""

    @property
    def heading(self) -> bool:
        """See :class:`Event`."""
        return True


class View(msgspec.Struct, frozen=True):
    """A game as one seat may see it; ``seat`` is None for a spectator. Each game adds its own fields."""

    seat: int | None
