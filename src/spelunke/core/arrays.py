"""Scratch arrays that exist during one call of a kernel.

They are made on the stack of the kernel (:mod:`spelunke.core.stacked`), so nothing is allocated or freed on
the heap. This works on a processor, in a browser and on a GPU. The lengths are literal numbers or constants
of the kernel's own module. The kernel may pass such an array on, but must not return it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Shape: TypeAlias = "int | tuple[int, ...]"


def zeros(shape: Shape, kind: npt.DTypeLike) -> Any:
    """Return an array of zeros."""
    return np.zeros(shape, kind)


def empty(shape: Shape, kind: npt.DTypeLike) -> Any:
    """Return an array with undefined contents."""
    return np.empty(shape, kind)
