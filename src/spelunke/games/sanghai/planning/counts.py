"""Counts of a hand's cards: wild cards, natural cards, and cards of each rank."""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai.state import BLACK_TWO_CLUBS, BLACK_TWO_SPADES, JOKER, wide


@kernel
def wilds_in(h: Numbers, black: int) -> int:
    """Return the number of wild cards in the counts. If ``black`` is 1, black twos are wild."""
    w = wide(h[JOKER])
    if black != 0:
        w += h[BLACK_TWO_SPADES] + h[BLACK_TWO_CLUBS]
    return w


@kernel
def strip_wilds(h: Numbers, black: int, g: Numbers) -> None:
    """Copy the counts of the natural cards from ``h`` to ``g``. If ``black`` is 1, black twos are wild."""
    for kind in range(len(h)):
        g[kind] = h[kind]
    g[JOKER] = 0
    if black != 0:
        g[BLACK_TWO_SPADES] = 0
        g[BLACK_TWO_CLUBS] = 0


@kernel
def count_ranks(g: Numbers, c: Numbers) -> None:
    """Write the number of cards of each rank into ``c`` (int16[13])."""
    for rank in range(13):
        c[rank] = g[rank] + g[rank + 13] + g[rank + 26] + g[rank + 39]
