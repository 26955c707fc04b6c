"""Records that kernels work on besides the state: sums and sets of bits too large for its cells, and rows of a table.

``SPAN = scratch(Span)`` makes the record type from an annotated class, ``np.zeros(8, SPAN)`` eight of them. A record is
no more than a place in its array, and a compiled kernel frees an array after the last statement that names it. So a
kernel that makes one record makes an array of one, hands on the array, and writes ``work[0].best`` itself; only a
kernel that was handed the array may say ``w = work[0]``.
"""

from __future__ import annotations

from typing import Annotated, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import RESERVED, Cells

Long: TypeAlias = int
"""A scalar field, int64."""
Longs: TypeAlias = npt.NDArray[np.int64]
"""An array field, int64; its shape stands in ``Annotated[Longs, 5]``."""
R_co = TypeVar("R_co", covariant=True)


class Rows(Protocol[R_co]):
    """An array of records, for the type checker."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> R_co: ...


def scratch(shape: type) -> np.dtype[np.void]:
    """The record type of an annotated class: ``Long`` is an int64, ``Longs`` and ``Cells`` with sizes are blocks.

    Raises TypeError for other annotations and for a name that ``np.record`` has a method of.
    """
    fields: list[tuple[str, object] | tuple[str, object, tuple[int, ...]]] = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        kinds = {Longs: np.int64, Cells: np.int16}
        if name in RESERVED:
            raise TypeError(f"{shape.__name__}.{name}: np.record has a method of that name; choose another")
        if hint is int:
            fields.append((name, np.int64))
        elif get_origin(hint) is Annotated and get_args(hint)[0] in kinds:
            fields.append((name, kinds[get_args(hint)[0]], get_args(hint)[1:]))
        else:
            raise TypeError(f"{shape.__name__}.{name}: declare it as Long, or as Annotated[Longs, sizes...]")
    return np.dtype((np.record, fields))
