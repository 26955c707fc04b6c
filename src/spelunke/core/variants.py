"""List the variants of a seat's legal actions, with a kernel that works for each game with variants.

A variant has the same effect as a legal action, except that something on the table gets another name. The kernel calls
the function ``variants`` of the game's rules (:func:`spelunke.core.contract.variants`).
"""

from __future__ import annotations

from typing import Protocol

from spelunke.core.contract import variants
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool


class Variants(Protocol):
    """The kernel of this module, as :func:`spelunke.core.kernel.bind` returns it for one game."""

    def variants_at(self, pool: Pool, i: int, seat: int, out: Numbers) -> int: ...


@kernel
def variants_at(pool: Pool, i: int, seat: int, out: Numbers) -> int:
    """Write the variants of the seat's legal actions into ``out``. Return the number of variants.

    The state is ``pool[i]``. A variant has the same effect as a legal action, but gives another name to something on
    the table.
    """
    return variants(pool[i], seat, out)
