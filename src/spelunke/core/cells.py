"""A state record read once, for views, which read many of its fields."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TypeVar, cast

import numpy as np

from spelunke.core.values import State

S = TypeVar("S", bound=State)


def cells(s: S) -> S:
    """The same cells on a plain object, to be read only: numbers as ints, blocks as arrays. Kernels take the record.

    A field of an ``np.record`` costs 5 microseconds each time that it is asked for, and all of them together 10 here.
    """
    record = cast(np.record, s)
    return cast(S, SimpleNamespace(**dict(zip(record.dtype.names or (), record.item(), strict=True))))
