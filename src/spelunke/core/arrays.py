"""Arrays that exist only during one call of a kernel, which is a function that Numba can compile.

The kernel reserves them on its own stack (:mod:`spelunke.core.stacked`), so nothing is allocated or freed on the heap.
These arrays work on a processor, in a browser and on a GPU. Each length must be a literal number or a constant of the
kernel's own module. The kernel may pass such an array to other kernels, but must not return it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Shape: TypeAlias = "int | tuple[int, ...]"


def zeros(shape: Shape, kind: npt.DTypeLike) -> Any:
    """Return an array of zeros with this shape and NumPy type."""
    return np.zeros(shape, kind)


def empty(shape: Shape, kind: npt.DTypeLike) -> Any:
    """Return an array of this shape and NumPy type, with undefined contents."""
    return np.empty(shape, kind)
