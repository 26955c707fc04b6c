"""Generic kernel for games with sealed choices: the changes that a seat can still make (``revise`` in the contract)."""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import revise
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Revise(Protocol):
    """This module as :func:`spelunke.core.kernel.bind` loads it for one game."""

    def revise_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...


@kernel
def revise_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write the seat's changes into ``out`` and return their number."""
    return revise(pool[i], seat, out)
