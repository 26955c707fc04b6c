"""Adding to melds on the table and swapping wild cards out of them (N-R5, N-R8, N-A13 to N-A17)."""

from __future__ import annotations

from typing import Any

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.table import (
    ADD,
    JOKER,
    KINDS,
    NATURAL,
    PLACES,
    SET,
    SWAP,
    WILD,
    Numbers,
    card_at,
    give,
    is_wild,
    lose,
    wild_cell,
    wild_kind,
)


@kernel
def may_add(s: Any, seat: int) -> bool:
    """Whether the seat may touch melds now: it has laid, and not in this turn where that is an option (N-R5, N-A17)."""
    return s.laid[seat] != 0 and (s.fresh == 0 or s.same_turn != 0)


@kernel
def fits(s: Any, kind: int, m: int, end: int) -> bool:
    """Whether a card of that kind may be added to meld ``m``; ``end`` 0: a set, or below a run; 1: above it."""
    wild = is_wild(s, kind)
    if s.form[m] == SET:
        return end == 0 and (wild or kind % 13 == s.what[m])
    place = s.high[m] + 1 if end else s.low[m] - 1
    if place < 1 or place > PLACES:
        return False
    return wild or kind == card_at(s.what[m], place)


@kernel
def legal_additions(s: Any, seat: int, out: Numbers, n: int) -> int:
    """Each kind in the hand to each meld that it fits, ascending; a card to discard must stay (N-R11)."""
    if s.held[seat] < 2:
        return n
    for kind in range(KINDS):
        if s.hand[seat, kind] == 0:
            continue
        for m in range(s.melds):
            if fits(s, kind, m, 0):
                out[n] = ADD + (32 * kind + m) * 2
                n += 1
            if fits(s, kind, m, 1):
                out[n] = ADD + (32 * kind + m) * 2 + 1
                n += 1
    return n


@kernel
def add(s: Any, seat: int, kind: int, m: int, end: int) -> None:
    """Put a card to a meld."""
    lose(s, seat, kind)
    if s.form[m] == SET:
        if kind != JOKER and kind % 13 == s.what[m]:
            s.cells[m, kind // 13] += 1
        else:
            s.cells[m, 4 + wild_cell(kind)] += 1
            s.wilds += 1
        return
    if end:
        s.high[m] += 1
        place = s.high[m]
    else:
        s.low[m] -= 1
        place = s.low[m]
    if kind == card_at(s.what[m], place):
        s.cells[m, place - 1] = NATURAL
    else:
        s.cells[m, place - 1] = WILD + wild_cell(kind)
        s.wilds += 1


@kernel
def swaps_out(s: Any, kind: int, m: int, which: int) -> bool:
    """Whether a card of that kind may replace a wild card of meld ``m`` (option joker_swap).

    In a run ``which`` 1 means the ace on top; in a set it is the wild card taken: 0 joker, 1 and 2 black twos.
    """
    if s.form[m] == SET:
        return kind % 13 == s.what[m] and s.cells[m, 4 + which] > 0
    if kind // 13 != s.what[m] or which > 1:
        return False
    if which == 1 and kind % 13 != 0:
        return False
    place = PLACES if which == 1 else kind % 13 + 1
    return s.low[m] <= place <= s.high[m] and s.cells[m, place - 1] >= WILD


@kernel
def legal_swaps(s: Any, seat: int, out: Numbers, n: int) -> int:
    """Each natural card against each wild card that it can replace, ascending."""
    for kind in range(JOKER):
        if s.hand[seat, kind] == 0:
            continue
        for m in range(s.melds):
            for which in range(3):
                if swaps_out(s, kind, m, which):
                    out[n] = SWAP + (32 * kind + m) * 3 + which
                    n += 1
    return n


@kernel
def swap(s: Any, seat: int, kind: int, m: int, which: int) -> None:
    """Put a natural card in the place of a wild one, which comes to the hand."""
    lose(s, seat, kind)
    if s.form[m] == SET:
        s.cells[m, kind // 13] += 1
        s.cells[m, 4 + which] -= 1
        give(s, seat, wild_kind(which))
        return
    place = PLACES if which == 1 else kind % 13 + 1
    cell = s.cells[m, place - 1] - WILD
    s.cells[m, place - 1] = NATURAL
    give(s, seat, wild_kind(cell))
