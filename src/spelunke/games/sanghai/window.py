"""The window after each discard: calls, votes, and what follows when the stock is chosen (N-C1 to N-C7)."""

from __future__ import annotations

from typing import Any

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.state import (
    ASKED,
    BY_CHANCE,
    BY_VOTE,
    CALLED,
    DEALING,
    DRAWING,
    FINISHED,
    HEP,
    HEP_TIED,
    JOKER,
    KINDS,
    LUCKY,
    NOBODY,
    NONE,
    PASS,
    PASSED,
    PENALTY,
    STOCK,
    TAKE,
    TURN,
    TURN_LIMIT,
    TYING,
    VOTE,
    VOTING,
    WAIT,
    WINDOW,
    Numbers,
    copies,
    give,
    hand_points,
    hep_limit,
    rounds,
    wide,
)


@kernel
def open_window(s: Any, giver: int) -> None:
    """The next player is on turn; who has neither laid nor had his calls is asked (N-R14, N-R16)."""
    s.phase = WINDOW
    s.giver = giver
    s.turn = (giver + 1) % s.seats
    clear_calls(s)
    limit = hep_limit(s)
    for seat in range(s.seats):
        if seat != giver and seat != s.turn and s.laid[seat] == 0 and s.heps[seat] < limit:
            s.answer[seat] = ASKED


@kernel
def clear_calls(s: Any) -> None:
    """No calls, no answers, no votes."""
    s.answer[:] = 0
    s.caller[:] = NONE
    s.callers = 0
    s.tied = 0
    s.waits = 0
    s.ballot[:] = NONE
    s.owed = 0
    s.owing = NONE


@kernel
def asked(s: Any) -> int:
    """A bit for each seat that still owes an answer."""
    who = 0
    for seat in range(s.seats):
        if s.answer[seat] == ASKED:
            who |= 1 << seat
    return who


@kernel
def window_actors(s: Any) -> int:
    """Who may act in the window: those asked; the next player at any time (live) or after them (N-C1)."""
    who = asked(s)
    if who == 0 or (s.sequenced == 0 and s.waits == 0):
        who |= 1 << int(s.turn)
    return who


@kernel
def legal_answers(s: Any, seat: int, out: Numbers) -> int:
    """The seat's choices in the window, ascending."""
    if seat == s.turn:
        if asked(s) == 0:
            out[0] = STOCK
            out[1] = TAKE
            return 2
        if s.sequenced != 0 or s.waits != 0:
            return 0
        out[0] = TAKE
        out[1] = WAIT
        return 2
    if s.answer[seat] != ASKED:
        return 0
    out[0] = HEP
    if s.sequenced == 0 and s.by_seat == 0 and s.callers > 0 and s.tied == s.callers:  # N-C2
        out[1] = HEP_TIED
        out[2] = PASS
        return 3
    out[1] = PASS
    return 2


@kernel
def answer_call(s: Any, seat: int, action: int) -> None:
    """A seat calls or passes; both are final (N-C1)."""
    if action == PASS:
        s.answer[seat] = PASSED
        return
    s.answer[seat] = CALLED
    s.caller[s.callers] = seat
    s.callers += 1
    if action == HEP_TIED or s.callers == 1 or s.sequenced != 0:
        s.tied += 1


@kernel
def voters(s: Any) -> int:
    """A bit for each seat that made no call and hasn't voted yet (N-C4)."""
    who = 0
    for seat in range(s.seats):
        if s.answer[seat] != CALLED and s.ballot[seat] == NONE:
            who |= 1 << seat
    return who


@kernel
def legal_votes(s: Any, seat: int, out: Numbers) -> int:
    """One of the tied callers, ascending."""
    if not voters(s) >> seat & 1:
        return 0
    n = 0
    for other in range(s.seats):
        for k in range(s.tied):
            if s.caller[k] == other:
                out[n] = VOTE + other
                n += 1
    return n


@kernel
def vote(s: Any, seat: int, choice: int) -> None:
    """A sealed vote; the last one decides, and equal leaders leave the card where it is (N-C4)."""
    s.ballot[seat] = choice
    if voters(s) != 0:
        return
    best = 0
    leader = wide(NONE)
    for k in range(s.tied):
        votes = 0
        for other in range(s.seats):
            if s.ballot[other] == s.caller[k]:
                votes += 1
        if votes > best:
            best = votes
            leader = wide(s.caller[k])
        elif votes == best:
            leader = wide(NONE)
    award(s, leader)


@kernel
def nearest(s: Any, count: Any) -> Any:
    """The caller among the first ``count`` who sits nearest after the player on turn."""
    for distance in range(1, s.seats):
        seat = (s.turn + distance) % s.seats
        for k in range(count):
            if s.caller[k] == seat:
                return wide(seat)
    return wide(NONE)


@kernel
def choose_stock(s: Any) -> None:
    """The next player declines the discard: calls are settled before he draws (N-C3)."""
    winner = wide(NONE)
    if s.by_seat != 0:  # N-C12
        winner = nearest(s, wide(s.callers))
    elif s.tied == 1:
        winner = wide(s.caller[0])
    elif s.tied > 1:
        if s.tie == BY_VOTE:
            s.phase = VOTING
            return
        if s.tie == BY_CHANCE:
            s.phase = TYING
            return
        if s.tie != NOBODY:
            winner = nearest(s, wide(s.tied))
    award(s, winner)


@kernel
def award(s: Any, seat: int) -> None:
    """The called card to its winner, then what is drawn for it and by the player on turn."""
    clear_calls(s)
    s.giver = NONE
    if seat != NONE:
        give(s, seat, s.top)
        uncover(s)
        s.heps[seat] += 1
        s.owing = seat
        s.owed = s.penalty
    go_on(s)


@kernel
def uncover(s: Any) -> None:
    """The top card has left the pile."""
    s.pile[s.top] -= 1
    s.piled -= 1
    s.top = s.under
    s.under = NONE


@kernel
def cover(s: Any, kind: int) -> None:
    """A card on top of the pile."""
    s.pile[kind] += 1
    s.piled += 1
    s.under = s.top
    s.top = kind


@kernel
def restock(s: Any) -> int:
    """Whether a card can be drawn: 1 yes, 0 there is none (N-C6), -1 the round is to end (N-A21). May reshuffle."""
    if s.stocked > 0:
        return 1
    if s.piled <= 1:
        return 0
    if s.reshuffles > 0 and s.shuffled >= s.reshuffles:
        return -1
    for kind in range(KINDS):
        s.stock[kind] += s.pile[kind]
        s.pile[kind] = 0
    s.stocked = s.piled - 1
    s.stock[s.top] -= 1
    s.pile[s.top] = 1
    s.piled = 1
    s.under = NONE
    s.shuffled += 1
    return 1


@kernel
def go_on(s: Any) -> None:
    """Draw what is owed for a call, then the card of the player on turn (N-C3, N-C5)."""
    ready = restock(s)
    if ready < 0:
        end_round(s, NONE)
    elif ready == 0:  # what is owed lapses, and nothing is drawn (N-C6)
        begin_turn(s)
    else:
        s.phase = PENALTY if s.owed > 0 else DRAWING


@kernel
def land_drawn(s: Any, kind: int) -> None:
    """A card from the stock, owed for a call or drawn by the player on turn."""
    s.stock[kind] -= 1
    s.stocked -= 1
    if s.phase == PENALTY:
        give(s, s.owing, kind)
        s.owed -= 1
        go_on(s)
    else:
        give(s, s.turn, kind)
        begin_turn(s)


@kernel
def take(s: Any) -> None:
    """The player on turn takes the discard; calls come to nothing (N-R14)."""
    give(s, s.turn, s.top)
    uncover(s)
    begin_turn(s)


@kernel
def begin_turn(s: Any) -> None:
    """He has drawn."""
    clear_calls(s)
    s.phase = TURN
    s.giver = NONE
    s.fresh = 0
    s.wilds = 0


@kernel
def end_turn(s: Any, seat: int, kind: int) -> None:
    """Discard; the last card ends the round at once (N-R11, N-A23)."""
    s.hand[seat, kind] -= 1
    s.held[seat] -= 1
    cover(s, kind)
    s.turns += 1
    out = s.held[seat] == 0
    if out or s.turns >= TURN_LIMIT * s.seats:
        end_round(s, seat if out else NONE)
    else:
        open_window(s, seat)


@kernel
def end_round(s: Any, winner: int) -> None:
    """Score all hands (N-R12); then the next round, or the end."""
    for seat in range(s.seats):
        s.sheet[s.lap, seat] = hand_points(s, seat)
        s.down[s.lap, seat] = s.laid[seat]
    if winner != NONE and s.blind != 0 and s.fresh != 0:
        s.sheet[s.lap, winner] = -25 if s.wilds > 0 else -50
    s.won[s.lap] = winner
    s.dealer = (s.dealer + 1) % s.seats
    if s.lap + 1 < rounds(s):
        s.lap += 1
        begin_round(s)
    else:
        s.phase = FINISHED


@kernel
def begin_round(s: Any) -> None:
    """All cards into a new stock (N-R3)."""
    for kind in range(KINDS):
        s.stock[kind] = copies(s, kind)
    s.stocked = 52 * s.packs + copies(s, JOKER)
    s.pile[:] = 0
    s.piled = 0
    s.top = NONE
    s.under = NONE
    s.hand[:] = 0
    s.held[:] = 0
    s.heps[:] = 0
    s.laid[:] = 0
    s.melds = 0
    s.owner[:] = NONE
    s.form[:] = 0
    s.what[:] = 0
    s.low[:] = 0
    s.high[:] = 0
    s.cells[:] = 0
    s.dealt = 0
    s.turns = 0
    s.shuffled = 0
    s.fresh = 0
    s.wilds = 0
    s.giver = NONE
    s.turn = (s.dealer + 1) % s.seats
    clear_calls(s)
    s.phase = DEALING


@kernel
def land_tie(s: Any, outcome: int) -> None:
    """Chance decides between simultaneous calls."""
    award(s, wide(outcome - LUCKY))
