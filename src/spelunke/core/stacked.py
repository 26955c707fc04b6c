"""Teach Numba to compile the arrays of :mod:`spelunke.core.arrays`, which a kernel reserves on its own stack.

Importing this module needs Numba. If Numba is in use, :mod:`spelunke.core.kernel` imports this module.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from numba.core import cgutils, types
from numba.core.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

from spelunke.core.arrays import empty, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numba.core.typing.context import BaseContext

ALIGNED = 16


class Value(Protocol):
    """A value in the code that LLVM builds."""

    align: int


class Builder(Protocol):
    """LLVM's code builder. This module only passes it on."""


class Context(Protocol):
    """Numba's context of the target machine."""

    def get_data_type(self, kind: types.Type) -> object:
        """Return LLVM's type for a type of Numba."""
        ...

    def get_abi_sizeof(self, element: object) -> int:
        """Return the size in bytes of a value of the type ``element``."""
        ...

    def get_constant(self, kind: types.Type, number: int) -> Value:
        """Return a constant number as a value of LLVM."""
        ...


class Signature(Protocol):
    """The types of a call. This is the part of Numba's own class that this module uses."""

    args: tuple[types.Type, ...]
    return_type: types.Array


def shape_of(count: types.Type) -> tuple[int, ...] | None:
    """Return the shape of the array that a call of ``zeros`` or ``empty`` makes, or None if the compiler can't know it.

    ``count`` is the type of the call's first argument. The shape is known if the argument is a literal number or a
    tuple of literal numbers.
    """
    if isinstance(count, types.IntegerLiteral):
        return (count.literal_value,)
    if isinstance(count, types.BaseTuple) and all(isinstance(one, types.IntegerLiteral) for one in count):
        return tuple(one.literal_value for one in count)
    return None


@type_callable(empty)
@type_callable(zeros)
def _typed(context: BaseContext) -> Callable[..., types.Type | None]:
    def typer(count: types.Type, kind: types.Type) -> types.Type | None:
        shape = shape_of(count)
        if shape is None or not hasattr(kind, "dtype"):
            return None
        return types.Array(kind.dtype, len(shape), "C")

    return typer


@lower_builtin(empty, types.Any, types.Any)
def lower_empty(context: Context, builder: Builder, sig: Signature, args: tuple[Value, ...]) -> Value:
    """Write the code for a call of ``empty`` in a kernel. The code reserves the array on the kernel's stack.

    The array is freed when the kernel returns.
    """
    return _place(context, builder, sig, clear=False)


@lower_builtin(zeros, types.Any, types.Any)
def lower_zeros(context: Context, builder: Builder, sig: Signature, args: tuple[Value, ...]) -> Value:
    """Write the code for a call of ``zeros`` in a kernel.

    The code reserves the array on the kernel's stack, and fills it with zeros. If the kernel runs the code several
    times, for example in a loop, it fills the same array again each time.
    """
    return _place(context, builder, sig, clear=True)


def _place(context: Context, builder: Builder, sig: Signature, clear: bool) -> Value:
    kind = sig.return_type
    shape = shape_of(sig.args[0])
    assert shape is not None
    element = context.get_data_type(kind.dtype)
    size, count = context.get_abi_sizeof(element), math.prod(shape)

    def constant(number: int) -> Value:
        return context.get_constant(types.intp, number)

    place: Value = cgutils.alloca_once(builder, element, size=constant(max(1, count)))
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
    value: Value = found._getvalue()
    return value
