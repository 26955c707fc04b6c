"""Make :mod:`spelunke.core.arrays` work in CUDA kernels, with arrays in the local memory of each thread."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from numba.core import cgutils
from numba.cuda import cudadecl, cudaimpl

from spelunke.core.arrays import empty, zeros

if TYPE_CHECKING:
    from spelunke.core.stacked import Builder, Context, Signature, Value

    class Array(Protocol):
        """An array in LLVM code that Numba generates."""

        data: Value

    class CudaContext(Context, Protocol):
        """Numba's context of the CUDA target."""

        def make_array(self, kind: object) -> Callable[[CudaContext, Builder, Value], Array]:
            """Return a function that makes the LLVM struct for an array of this type."""
            ...


TYPES = cudadecl.types


@functools.cache
def register() -> None:
    """Make ``zeros`` and ``empty`` known to Numba's CUDA compiler. A second call does nothing."""
    for function, clear in ((zeros, True), (empty, False)):
        kind = type(f"Cuda_{function.__name__}", (cudadecl.Cuda_array_decl,), {"key": function})
        cudadecl.registry.register(kind)
        cudadecl.registry.register_global(function, TYPES.Function(kind))
        for shape in (TYPES.IntegerLiteral, TYPES.BaseTuple):
            cudaimpl.lower(function, shape, TYPES.Any)(functools.partial(_place, clear))


def _place(
    clear: bool, context: CudaContext, builder: Builder, sig: Signature, args: tuple[Value, ...]
) -> Value:
    shape = sig.args[0]
    one = isinstance(shape, TYPES.IntegerLiteral)
    make = cudaimpl.cuda_local_array_integer if one else cudaimpl.cuda_local_array_tuple
    found: Value = make(context, builder, sig, args)
    if clear:
        kind = sig.return_type
        count = shape.literal_value if one else math.prod(length.literal_value for length in shape)
        size = count * context.get_abi_sizeof(context.get_data_type(kind.dtype))
        array = context.make_array(kind)(context, builder, found)
        cgutils.memset(builder, array.data, context.get_constant(TYPES.intp, size), 0)
    return found
