"""Convert a state record to a plain object, for views that read many of its fields."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TypeVar, cast

import numpy as np

from spelunke.core.values import State

S = TypeVar("S", bound=State)


def cells(s: S) -> S:
    """Return the record's cells on a plain object, to be read only: numbers as ints, blocks as arrays. Kernels need the
    record itself.

    Reading one field of an ``np.record`` costs 5 microseconds; this function reads all of them in 10.
    """
    record = cast(np.record, s)
    return cast(S, SimpleNamespace(**dict(zip(record.dtype.names or (), record.item(), strict=True))))
