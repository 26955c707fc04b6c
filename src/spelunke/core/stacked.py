"""Teach Numba the arrays of :mod:`spelunke.core.arrays` that lie in the frame of the kernel that makes them.

Importing this module needs Numba; :mod:`spelunke.core.kernel` does it with Numba.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from numba.core import cgutils, types
from numba.core.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

from spelunke.core.arrays import empty, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

ALIGNED = 16


def shape_of(count: types.Type) -> tuple[int, ...] | None:
    """Return the lengths that a literal number or a tuple of them says, or None."""
    if isinstance(count, types.IntegerLiteral):
        return (count.literal_value,)
    if isinstance(count, types.BaseTuple) and all(isinstance(one, types.IntegerLiteral) for one in count):
        return tuple(one.literal_value for one in count)
    return None


@type_callable(empty)
@type_callable(zeros)
def _typed(context: Any) -> Callable[..., types.Type | None]:
    def typer(count: types.Type, kind: types.Type) -> types.Type | None:
        shape = shape_of(count)
        if shape is None or not hasattr(kind, "dtype"):
            return None
        return types.Array(kind.dtype, len(shape), "C")

    return typer


@lower_builtin(empty, types.Any, types.Any)
def lower_empty(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Write the code that takes an array of this kernel's frame; nothing is to be freed."""
    return _place(context, builder, sig, clear=False)


@lower_builtin(zeros, types.Any, types.Any)
def lower_zeros(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Write the same with zeros in it, each time that it is passed."""
    return _place(context, builder, sig, clear=True)


def _place(context: Any, builder: Any, sig: Any, clear: bool) -> Any:
    kind = sig.return_type
    shape = shape_of(sig.args[0])
    assert shape is not None
    element = context.get_data_type(kind.dtype)
    size, count = context.get_abi_sizeof(element), math.prod(shape)

    def constant(number: int) -> Any:
        return context.get_constant(types.intp, number)

    place = cgutils.alloca_once(builder, element, size=constant(max(1, count)))
    place.align = ALIGNED
    if clear:
        cgutils.memset(builder, place, constant(size * count), 0)
    steps = [size * math.prod(shape[dimension + 1 :]) for dimension in range(len(shape))]
    found = make_array(kind)(context, builder)
    populate_array(
        found,
        data=place,
        shape=[constant(length) for length in shape],
        strides=[constant(one) for one in steps],
        itemsize=constant(size),
        meminfo=None,
    )
    return found._getvalue()
