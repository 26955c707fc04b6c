"""Generic kernel that lists the actions with which a seat changes its sealed choice (``revise`` in the contract).

A sealed choice is hidden from the other players until all seats have chosen.
"""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import revise
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Revise(Protocol):
    """The kernels of this module, as :func:`spelunke.core.kernel.bind` returns them for one game."""

    def revise_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...


@kernel
def revise_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write the actions that change the seat's sealed choice in ``pool[i]`` into ``out``. Return their number."""
    return revise(pool[i], seat, out)
