"""Generic kernel for games in which one action has several variants (see ``variants`` in the contract)."""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import variants
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Variants(Protocol):
    """This module as :func:`spelunke.core.kernel.bind` loads it for one game."""

    def variants_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...


@kernel
def variants_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write the seat's variants into ``out`` and return their number."""
    return variants(pool[i], seat, out)
