"""Kernels for discards, calls, votes, draws, and the ends of rounds (N-C1 to N-C7).

The window is the time after a discard in which other seats may call for the card.
"""

from __future__ import annotations

from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers
from spelunke.games.sanghai import state
from spelunke.games.sanghai.state import (
    State,
    copies,
    forget,
    give,
    give_openly,
    hand_points,
    hep_limit,
    lose,
    rounds,
    wide,
)


@kernel
def open_window(s: State, giver: int) -> None:
    """Put the player after ``giver`` on turn, and open the window for calls. ``giver`` has discarded the card.

    Any seat except these two may answer if it has neither laid nor used up its calls (N-R14, N-R16).
    """
    s.phase = state.WINDOW
    s.giver = giver
    s.turn = (giver + 1) % s.seats
    clear_calls(s)
    limit = hep_limit(s)
    for seat in range(s.seats):
        if seat != giver and seat != s.turn and s.laid[seat] == 0 and s.heps[seat] < limit:
            s.answer[seat] = state.ASKED


@kernel
def clear_calls(s: State) -> None:
    """Clear the calls, answers, votes and owed penalty cards."""
    s.answer[:] = 0
    s.caller[:] = state.NONE
    s.callers = 0
    s.tied = 0
    s.waits = 0
    s.ballot[:] = state.NONE
    s.owed = 0
    s.owing = state.NONE


@kernel
def asked(s: State) -> int:
    """Return, as bits, the seats that still have to call for the discard or pass."""
    who = 0
    for seat in range(s.seats):
        if s.answer[seat] == state.ASKED:
            who |= 1 << seat
    return who


@kernel
def window_actors(s: State) -> int:
    """Return, as bits, the seats that may act in the window for calls (N-C1).

    The seats that still have to call or pass may act. The player on turn may act after all these seats have answered.
    If the option ``hep_window`` is ``live`` and the player on turn has not chosen to wait for the answers, the player
    on turn may act at once.
    """
    who = asked(s)
    if who == 0 or (s.options[state.HEP_WINDOW] == 0 and s.waits == 0):
        who |= 1 << int(s.turn)
    return who


@kernel
def legal_answers(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's choices in the window for calls into ``out``, in ascending order. Return their count."""
    if seat == s.turn:
        if asked(s) == 0:
            out[0] = state.STOCK
            out[1] = state.TAKE
            return 2
        if s.options[state.HEP_WINDOW] != 0 or s.waits != 0:
            return 0
        out[0] = state.TAKE
        out[1] = state.WAIT
        return 2
    if s.answer[seat] != state.ASKED:
        return 0
    out[0] = state.HEP
    live = s.options[state.HEP_WINDOW] == 0
    if live and s.options[state.HEP_PRIORITY] == 0 and 0 < s.callers == s.tied:  # N-C2
        out[1] = state.HEP_TIED
        out[2] = state.PASS
        return 3
    out[1] = state.PASS
    return 2


@kernel
def answer_call(s: State, seat: int, action: int) -> None:
    """Record a call or a pass. Both are final (N-C1)."""
    if action == state.PASS:
        s.answer[seat] = state.PASSED
        return
    s.answer[seat] = state.CALLED
    s.caller[s.callers] = seat
    s.callers += 1
    if action == state.HEP_TIED or s.callers == 1 or s.options[state.HEP_WINDOW] != 0:
        s.tied += 1


@kernel
def voters(s: State) -> int:
    """Return, as bits, the seats that made no call and haven't voted yet (N-C4)."""
    who = 0
    for seat in range(s.seats):
        if s.answer[seat] != state.CALLED and s.ballot[seat] == state.NONE:
            who |= 1 << seat
    return who


@kernel
def legal_votes(s: State, seat: int, out: Numbers) -> int:
    """Write the votes for the tied callers into ``out``, in ascending order. Return their count."""
    if not voters(s) >> seat & 1:
        return 0
    n = 0
    for other in range(s.seats):
        for k in range(s.tied):
            if s.caller[k] == other:
                out[n] = state.VOTE + other
                n += 1
    return n


@kernel
def vote(s: State, seat: int, choice: int) -> None:
    """Record a sealed vote. After the last vote, the card goes to the winner (N-C4).

    If several seats that called have the most votes, the card stays on the pile.
    """
    s.ballot[seat] = choice
    if voters(s) != 0:
        return
    best = 0
    leader = wide(state.NONE)
    for k in range(s.tied):
        votes = 0
        for other in range(s.seats):
            if s.ballot[other] == s.caller[k]:
                votes += 1
        if votes > best:
            best = votes
            leader = wide(s.caller[k])
        elif votes == best:
            leader = wide(state.NONE)
    award(s, leader)


@kernel
def nearest(s: State, count: int) -> int:
    """Return the seat nearest after the player on turn, among the first ``count`` seats that called for the discard.

    If no seat called, return NONE.
    """
    for distance in range(1, s.seats):
        seat = (s.turn + distance) % s.seats
        for k in range(count):
            if s.caller[k] == seat:
                return wide(seat)
    return wide(state.NONE)


@kernel
def choose_stock(s: State) -> None:
    """Let the player on turn decline the discard, and settle the calls before the draw (N-C3).

    If a vote or chance must first decide between tied callers, only begin the phase for this decision.
    """
    # these facts become public now: the seats that could have called, and those that did
    for seat in range(s.seats):
        if seat == s.turn or s.answer[seat] == state.PASSED:
            s.let_go[seat, s.top] += 1
    winner = wide(state.NONE)
    if s.options[state.HEP_PRIORITY] != 0:  # N-C12
        winner = nearest(s, wide(s.callers))
    elif s.tied == 1:
        winner = wide(s.caller[0])
    elif s.tied > 1:
        if s.options[state.HEP_TIE] == state.BY_VOTE:
            s.phase = state.VOTING
            return
        if s.options[state.HEP_TIE] == state.BY_CHANCE:
            s.phase = state.TYING
            return
        if s.options[state.HEP_TIE] != state.NOBODY:
            winner = nearest(s, wide(s.tied))
    award(s, winner)


@kernel
def award(s: State, seat: int) -> None:
    """Give the called card to ``seat``, which won it. If ``seat`` is NONE, leave the card on the pile.

    Then go on with the draw of the penalty cards, or of the card for the player on turn (:func:`go_on`).
    """
    clear_calls(s)
    s.giver = state.NONE
    if seat != state.NONE:
        give_openly(s, seat, s.top)
        uncover(s)
        s.heps[seat] += 1
        s.owing = seat
        s.owed = s.options[state.HEP_PENALTY]
    go_on(s)


@kernel
def uncover(s: State) -> None:
    """Remove the top card from the pile."""
    s.pile[s.top] -= 1
    s.piled -= 1
    s.top = s.under
    s.under = state.NONE


@kernel
def cover(s: State, kind: int) -> None:
    """Put a card on top of the pile."""
    s.pile[kind] += 1
    s.piled += 1
    s.under = s.top
    s.top = kind


@kernel
def restock(s: State) -> int:
    """Return 1 if a card can be drawn, 0 if there is none (N-C6), and -1 if the round must end (N-A21).

    If the stock is empty and the rules allow it, move all cards of the pile except the top card into the stock.
    """
    if s.stocked > 0:
        return 1
    if s.piled <= 1:
        return 0
    if s.options[state.RESHUFFLE_LIMIT] > 0 and s.shuffled >= s.options[state.RESHUFFLE_LIMIT]:
        return -1
    for kind in range(state.KINDS):
        s.stock[kind] += s.pile[kind]
        s.pile[kind] = 0
    s.stocked = s.piled - 1
    s.stock[s.top] -= 1
    s.pile[s.top] = 1
    s.piled = 1
    s.under = state.NONE
    s.shuffled += 1
    return 1


@kernel
def go_on(s: State) -> None:
    """Begin the next draw: of a penalty card if one is owed, else of the card for the player on turn (N-C3, N-C5).

    If no card can be drawn, begin the turn without a draw (N-C6), or end the round (N-A21).
    """
    ready = restock(s)
    if ready < 0:
        end_round(s, state.NONE)
    elif ready == 0:  # penalty cards lapse, and nothing is drawn (N-C6)
        begin_turn(s)
    else:
        s.phase = state.PENALTY if s.owed > 0 else state.DRAWING


@kernel
def apply_drawn(s: State, kind: int) -> None:
    """Give a card from the stock to a seat, and go on.

    If penalty cards are owed, the seat that owes them gets the card, and the next draw begins. Otherwise the player
    on turn gets the card, and continues the turn.
    """
    s.stock[kind] -= 1
    s.stocked -= 1
    if s.phase == state.PENALTY:
        give(s, s.owing, kind)
        s.owed -= 1
        go_on(s)
    else:
        give(s, s.turn, kind)
        begin_turn(s)


@kernel
def take(s: State) -> None:
    """Give the top discard to the player on turn. Calls for it have no effect (N-R14)."""
    give_openly(s, s.turn, s.top)
    uncover(s)
    begin_turn(s)


@kernel
def begin_turn(s: State) -> None:
    """Begin the part of the turn that follows the draw."""
    clear_calls(s)
    s.phase = state.TURN
    s.giver = state.NONE
    s.fresh = 0
    s.wilds = 0


@kernel
def end_turn(s: State, seat: int, kind: int) -> None:
    """Discard a card.

    Then end the round if the hand is empty (N-R11, N-A23), or if the limit of turns is reached (N-C7). Otherwise
    open the window for calls.
    """
    lose(s, seat, kind)
    s.thrown[seat, kind] += 1
    cover(s, kind)
    s.turns += 1
    out = s.held[seat] == 0
    if out or s.turns >= state.TURN_LIMIT * s.seats:
        end_round(s, seat if out else state.NONE)
    else:
        open_window(s, seat)


@kernel
def end_round(s: State, winner: int) -> None:
    """Score all hands (N-R12), with the winner's bonus of the option ``go_out_blind_bonus``.

    Then begin the next round, or end the game. If the round has no winner, ``winner`` is NONE.
    """
    for seat in range(s.seats):
        s.sheet[s.lap, seat] = hand_points(s, seat)
        s.down[s.lap, seat] = s.laid[seat]
    if winner != state.NONE and s.options[state.BLIND_BONUS] != 0 and s.fresh != 0:
        s.sheet[s.lap, winner] = -25 if s.wilds > 0 else -50
    s.won[s.lap] = winner
    forget(s)
    s.dealer = (s.dealer + 1) % s.seats
    if s.lap + 1 < rounds(s):
        s.lap += 1
        begin_round(s)
    else:
        s.phase = state.FINISHED


@kernel
def begin_round(s: State) -> None:
    """Take back all cards and put them into a new stock (N-R3)."""
    for kind in range(state.KINDS):
        s.stock[kind] = copies(s, kind)
    s.stocked = 52 * s.options[state.PACKS] + copies(s, state.JOKER)
    s.pile[:] = 0
    s.piled = 0
    s.top = state.NONE
    s.under = state.NONE
    s.hand[:] = 0
    s.held[:] = 0
    s.heps[:] = 0
    s.laid[:] = 0
    forget(s)
    s.melds = 0
    s.owner[:] = state.NONE
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
    s.giver = state.NONE
    s.turn = (s.dealer + 1) % s.seats
    clear_calls(s)
    s.phase = state.DEALING


@kernel
def apply_tie(s: State, outcome: int) -> None:
    """Give the discard to the seat that chance chose among the tied callers."""
    award(s, wide(outcome - state.LUCKY))
