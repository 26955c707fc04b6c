"""The base classes of a game's typed objects: actions, outcomes of chance, events, views.

Each game defines its own frozen subclasses. Bots, records, pages and the command line use these objects instead of
numbers. The packages ``core``, ``house`` and ``web`` pass them on without reading their fields.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int16]
"""An int16 array that kernels read or write, for example with actions, outcomes, weights or points."""
Stream: TypeAlias = npt.NDArray[np.int64]
"""A fast random stream, as ``core.chance.seed_stream`` returns it. Each draw changes the stream in place."""
Pool: TypeAlias = npt.NDArray[np.void]
"""An array of state records."""


class State:
    """The base class of every game's state record, for the type checker.

    ``layout()`` makes the record type from the annotations of a subclass. At run time a state is an ``np.record``
    with the same attributes.
    """

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The record type."""
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """Return the bytes of the record, which can serve as a key of the position."""
        raise NotImplementedError


class Action(msgspec.Struct, frozen=True):
    """An action of a seat."""


class ChanceOutcome(msgspec.Struct, frozen=True):
    """An outcome of chance."""


class Event(msgspec.Struct, frozen=True):
    """An entry of the game's log: one effect of an action or of chance.

    It contains only what its viewer (one seat or the spectators) may know.
    """

    @property
    def detail(self) -> bool:
        """Whether the short log omits the event, because many events are similar or the next event repeats it."""
        return False

    @property
    def heading(self) -> bool:
        """Whether the event begins or ends a part of the log, for example a round."""
        return False


class Detail(Event, frozen=True):
    """An event that the short log omits. The whole log shows it."""

    @property
    def detail(self) -> bool:
        """Always true: the short log omits this event."""
        return True


class Heading(Event, frozen=True):
    """An event that begins or ends a part of the log, for example a round."""

    @property
    def heading(self) -> bool:
        """Always true: this event begins or ends a part of the log."""
        return True


class View(msgspec.Struct, frozen=True):
    """The part of a game that one seat or a spectator may see. Each game adds its own fields.

    ``seat`` is None for a spectator.
    """

    seat: int | None
