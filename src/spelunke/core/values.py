"""What a game's typed objects have in common: actions, outcomes of chance, events, views.

Everything that a person, a file, a socket or a bot author touches is one of these, frozen and typed by its game; core,
house and pages hand them on without looking inside.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int16]
"""Actions, outcomes, weights or points, as kernels write them."""
Stream: TypeAlias = npt.NDArray[np.int64]
"""A fast stream of chance (``core.chance.seed_stream``); who takes from it moves it in place."""
Pool: TypeAlias = npt.NDArray[np.void]
"""State records side by side."""


class State:
    """The root of every game's state record; ``layout()`` makes the record type from its annotations.

    A value is a ``np.record`` at run time, which serves what stands here; the class is what kernels are typed by.
    """

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The record type."""
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """The record's bytes: the key of a position."""
        raise NotImplementedError


class Action(msgspec.Struct, frozen=True):
    """What a seat does."""


class ChanceOutcome(msgspec.Struct, frozen=True):
    """What chance brings."""


class Event(msgspec.Struct, frozen=True):
    """What happened, in the game's words, as one viewer may know it."""

    @property
    def detail(self) -> bool:
        """Whether only the whole log tells it: one of many, or told again by the next."""
        return False

    @property
    def heading(self) -> bool:
        """Whether a part of the log begins (or ends) with it: a round, an hour."""
        return False


class Detail(Event, frozen=True):
    """An event that only the whole log tells."""

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
    """What one seat may see of a game; ``seat`` is None for a spectator. Each game adds its own fields."""

    seat: int | None
