"""Kernels that add cards to melds on the table, and that swap wild cards out (N-R5, N-R8, N-A13 to N-A17)."""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.state import State, card_at, give_openly, is_wild, lose, wild_cell, wild_kind


@kernel
def may_add(s: State, seat: int) -> bool:
    """Return whether the seat may add to melds on the table (N-R5, N-A17).

    The seat must have laid its contract before this turn, or in this turn if an option allows that.
    """
    return bool(s.laid[seat] != 0 and (s.fresh == 0 or s.options[state.LAYOFF_SAME_TURN] != 0))


@kernel
def fits(s: State, kind: int, m: int, end: int) -> bool:
    """Return whether a card of ``kind`` may be added to meld ``m``.

    ``end`` is 0 for a set, 1 for the lower end of a run, and 2 for its upper end.
    """
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
    """Write the possible additions into ``out`` from index ``n`` on, in ascending order. Return the next free index.

    There is an addition for each kind in the hand and each end of a meld that the kind fits. If the hand has fewer than
    2 cards, there is none, because the seat must keep a card to discard (N-R11).
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
    """Move a card from the seat's hand to a meld. ``end`` is as in :func:`fits`."""
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
    """Return whether a card of ``kind`` may replace a wild card of meld ``m`` (option joker_swap).

    ``way`` chooses the wild card. In a set, 0 is a joker, 2 is a two of spades, and 3 is a two of clubs. In a run,
    0 is the wild card at the place of the replacing card, and 1 is the wild card at the place of the high ace.
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
    """Write the possible swaps into ``out`` from index ``n`` on, in ascending order. Return the next free index.

    There is a swap for each kind in the hand and each wild card that it can replace.
    """
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
    """Put a natural card in the place of a wild card, and the wild card into the hand."""
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
