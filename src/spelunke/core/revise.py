"""List the actions that change a seat's sealed choice, with a kernel that works for each game with sealed choices.

A sealed choice is hidden from the other players until all seats have chosen. The kernel calls the function ``revise``
of the game's rules (:func:`spelunke.core.contract.revise`).
"""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import revise
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Revise(Protocol):
    """The kernel of this module, as :func:`spelunke.core.kernel.bind` returns it for one game."""

    def revise_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...


@kernel
def revise_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions that change the seat's sealed choice in ``pool[i]``. Return their number."""
    return revise(pool[i], seat, out)
