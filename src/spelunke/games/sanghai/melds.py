"""Kernels that add cards to melds on the table and swap wild cards out (N-R5, N-R8, N-A13 to N-A17)."""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.state import State, card_at, give_openly, is_wild, lose, wild_cell, wild_kind


@kernel
def may_add(s: State, seat: int) -> bool:
    """Return whether the seat may change melds: it laid before this turn, or an option allows it now (N-R5, N-A17)."""
    return bool(s.laid[seat] != 0 and (s.fresh == 0 or s.options[state.LAYOFF_SAME_TURN] != 0))


@kernel
def fits(s: State, kind: int, m: int, end: int) -> bool:
    """Return whether a card of that kind may be added to meld ``m``; ``end`` 0: a set, 1: below a run, 2: above it."""
    wild = is_wild(s, kind)
    if s.form[m] == state.SET:
        return bool(end == 0 and (wild or kind % 13 == s.what[m]))
    if end == 0:
        return False
    place = s.high[m] + 1 if end == 2 else s.low[m] - 1
    if place < 1 or place > state.PLACES:
        return False
    return wild or kind == card_at(s.what[m], place)


@kernel
def legal_additions(s: State, seat: int, out: Numbers, n: int) -> int:
    """List each kind in the hand with each meld that it fits, in ascending order.

    A card to discard must stay (N-R11).
    """
    if s.held[seat] < 2:
        return n
    for kind in range(state.KINDS):
        if s.hand[seat, kind] == 0:
            continue
        for m in range(s.melds):
            for end in range(3):
                if fits(s, kind, m, end):
                    out[n] = state.ADD + (32 * kind + m) * 3 + end
                    n += 1
    return n


@kernel
def add(s: State, seat: int, kind: int, m: int, end: int) -> None:
    """Add a card to a meld."""
    lose(s, seat, kind)
    if s.form[m] == state.SET:
        if kind != state.JOKER and kind % 13 == s.what[m]:
            s.cells[m, kind // 13] += 1
        else:
            s.cells[m, 4 + wild_cell(kind)] += 1
            s.wilds += 1
        return
    if end == 2:
        s.high[m] += 1
        place = s.high[m]
    else:
        s.low[m] -= 1
        place = s.low[m]
    if kind == card_at(s.what[m], place):
        s.cells[m, place - 1] = state.NATURAL
    else:
        s.cells[m, place - 1] = state.WILD + wild_cell(kind)
        s.wilds += 1


@kernel
def swaps_out(s: State, kind: int, m: int, way: int) -> bool:
    """Return whether a card of that kind may replace a wild card of meld ``m`` (option joker_swap).

    ``way`` 0: at its place in a run, or a joker of a set; 1: the ace on top of a run; 2 and 3: a set's black two.
    """
    if s.form[m] == state.SET:
        if way == 1 or kind % 13 != s.what[m]:
            return False
        return bool(s.cells[m, 4 if way == 0 else 3 + way] > 0)
    if kind // 13 != s.what[m] or way > 1 or (way == 1 and kind % 13 != 0):
        return False
    place = state.PLACES if way == 1 else kind % 13 + 1
    return bool(s.low[m] <= place <= s.high[m] and s.cells[m, place - 1] >= state.WILD)


@kernel
def legal_swaps(s: State, seat: int, out: Numbers, n: int) -> int:
    """List each natural card with each wild card that it can replace, ascending."""
    for kind in range(state.JOKER):
        if s.hand[seat, kind] == 0:
            continue
        for m in range(s.melds):
            for way in range(4):
                if swaps_out(s, kind, m, way):
                    out[n] = state.SWAP + (32 * kind + m) * 4 + way
                    n += 1
    return n


@kernel
def swap(s: State, seat: int, kind: int, m: int, way: int) -> None:
    """Put a natural card in the place of a wild one, which goes to the hand."""
    lose(s, seat, kind)
    if s.form[m] == state.SET:
        cell = 0 if way == 0 else way - 1
        s.cells[m, kind // 13] += 1
        s.cells[m, 4 + cell] -= 1
        give_openly(s, seat, wild_kind(cell))
        return
    place = state.PLACES if way == 1 else kind % 13 + 1
    found = s.cells[m, place - 1] - state.WILD
    s.cells[m, place - 1] = state.NATURAL
    give_openly(s, seat, wild_kind(found))
