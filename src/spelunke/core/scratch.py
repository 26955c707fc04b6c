"""Make record types for the scratch space of kernels.

A field of such a record can have 64 bits, for example for a sum or a bit set. A field of a state has only 16 bits.
``SPAN = scratch(Span)`` makes the record type from an annotated class, and ``zeros(8, SPAN)`` makes eight
records (:mod:`spelunke.core.arrays`).

A record does not keep its array alive. Numba frees an array of ``np.zeros`` after the last statement that names
the array. So if a kernel creates an array, it must name the array in each use: ``work[0].best``. Only a kernel that
receives the array as an argument may store a record in a variable: ``w = work[0]``.
"""

from __future__ import annotations

from typing import Annotated, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from spelunke.core.fields import Field, record_type
from spelunke.core.kernel import RESERVED, Cells

Long: TypeAlias = int
"""A scalar field, int64."""
Longs: TypeAlias = npt.NDArray[np.int64]
"""An array field, int64, declared with its shape: ``Annotated[Longs, 5]``."""
R_co = TypeVar("R_co", covariant=True)


class Rows(Protocol[R_co]):
    """An array of records, for the type checker."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> R_co: ...


def scratch(shape: type) -> np.dtype[np.void]:
    """Return the record type for the annotations of a class.

    ``Long`` becomes an int64. ``Annotated[Longs, 5]`` becomes an array of 5 int64, and ``Annotated[Cells, 5]`` an
    array of 5 int16. Raise TypeError for other annotations, and for a field with the name of an attribute of
    ``np.record``.
    """
    fields: list[Field] = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        kinds: dict[object, type[np.generic]] = {Longs: np.int64, Cells: np.int16}
        if name in RESERVED:
            raise TypeError(f"{shape.__name__}.{name}: np.record has a method of that name; choose another")
        if hint is int:
            fields.append((name, np.int64))
        elif get_origin(hint) is Annotated and get_args(hint)[0] in kinds:
            fields.append((name, kinds[get_args(hint)[0]], get_args(hint)[1:]))
        else:
            raise TypeError(f"{shape.__name__}.{name}: declare it as Long, or as Annotated[Longs, sizes...]")
    return record_type(*fields)
