"""The rules of Sanghai as kernels (functions that Numba can compile) on one state record.

Only these kernels decide which actions are legal and what each action does.

Parts of the rules are in other modules. :mod:`.state` defines the record. :mod:`.turns` has calls, draws, discards, and
the ends of rounds. :mod:`.laying` lays contracts card by card. :mod:`.melds` adds cards to melds, and swaps wild
cards out of them. :mod:`.planning` finds the cards that a hand lacks.
"""

from __future__ import annotations

import numpy as np

from spelunke.core.arrays import zeros
from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.sanghai import laying, melds, state, turns
from spelunke.games.sanghai.state import State

KERNELS = {"state": "VERSION STATE ACTIONS OUTCOMES LONGEST"}


@kernel
def variants(s: State, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions that complete a laying and number its melds in an unusual order (N-C10).

    Return the count of these actions. The usual action numbers the melds in the order in which they were laid.
    """
    return laying.legal_orders(s, seat, out)


@kernel
def start(s: State, setup: Numbers) -> None:
    """Set up a game. Chance then chooses the first dealer (N-A27)."""
    s.seats = setup[0]
    for k in range(1, len(setup)):
        s.options[k - 1] = setup[k]
    s.lap = 0
    s.dealer = 0
    s.sheet[:] = 0
    s.won[:] = state.NONE
    s.down[:] = 0
    s.sets_left = 0
    s.runs_left = 0
    s.least_rank = 0
    s.least_run = 0
    turns.begin_round(s)
    s.dealer = state.NONE
    s.turn = state.NONE
    s.phase = state.SEATING


@kernel
def actors(s: State) -> int:
    """Return, as bits, the seats that are to act: the player on turn, the seats that may answer, or the voters.

    If the option ``hep_window`` is ``live``, these can be the player on turn and the seats that may answer a discard,
    all at the same time. If no seat is to act, return CHANCE or OVER.
    """
    phase = s.phase
    if phase == state.WINDOW:
        return turns.window_actors(s)
    if phase >= state.TURN:
        if phase == state.FINISHED:
            return OVER
        return 1 << int(s.turn)
    if phase == state.OPENING:
        return 1 << int(s.turn)
    if phase == state.VOTING:
        return turns.voters(s)
    return CHANCE


@kernel
def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order. Return their count."""
    phase = s.phase
    if phase == state.WINDOW:
        return turns.legal_answers(s, seat, out)
    if phase == state.VOTING:
        return turns.legal_votes(s, seat, out)
    if seat != s.turn or phase == state.FINISHED:
        return 0
    if phase == state.OPENING:  # N-R6, N-C9
        out[0] = state.STOCK
        return 1
    if phase > state.TURN:
        return laying.legal_steps(s, seat, out, 0)
    if phase != state.TURN:
        return 0
    n = 0
    for kind in range(state.KINDS):  # N-A18: any card may be discarded
        if s.hand[seat, kind] > 0:
            out[n] = state.DISCARD + kind
            n += 1
    if s.laid[seat] == 0:
        if laying.may_lay(s, seat):
            n = laying.legal_steps(s, seat, out, n)
    elif melds.may_add(s, seat):
        n = melds.legal_additions(s, seat, out, n)
        if s.options[state.JOKER_SWAP] != 0:
            n = melds.legal_swaps(s, seat, out, n)
    return n


@kernel
def play(s: State, seat: int, action: int) -> None:
    """Play a legal action, in place."""
    if s.phase == state.WINDOW:
        if action == state.STOCK:
            turns.choose_stock(s)
        elif action == state.TAKE:
            turns.take(s)
        elif action == state.WAIT:
            s.waits = 1
        else:
            turns.answer_call(s, seat, action)
    elif action == state.STOCK:
        turns.go_on(s)
    elif action < state.DISCARD:
        turns.vote(s, seat, action - state.VOTE)
    elif action < state.OPEN_SET:
        turns.end_turn(s, seat, action - state.DISCARD)
    elif action < state.ADD or action >= state.CLOSE_AS:
        laying.step(s, seat, action)
    elif action < state.SWAP:
        spot = (action - state.ADD) // 3
        melds.add(s, seat, spot >> 5, spot & 31, (action - state.ADD) % 3)
    else:
        spot = (action - state.SWAP) >> 2
        melds.swap(s, seat, spot >> 5, spot & 31, (action - state.SWAP) & 3)


@kernel
def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of chance into ``outcomes``, and their weights into ``weights``. Return their count.

    The outcomes are the possible first dealers, the seats whose calls are tied, or the cards in the stock, weighted by
    their copies.
    """
    n = 0
    if s.phase == state.SEATING:
        for seat in range(s.seats):
            outcomes[n] = state.DEALER + seat
            weights[n] = 1
            n += 1
    elif s.phase == state.TYING:
        for seat in range(s.seats):
            for k in range(s.tied):
                if s.caller[k] == seat:
                    outcomes[n] = state.LUCKY + seat
                    weights[n] = 1
                    n += 1
    elif s.phase == state.DEALING or s.phase == state.PENALTY or s.phase == state.DRAWING:
        for kind in range(state.KINDS):
            if s.stock[kind] > 0:
                outcomes[n] = state.CARD + kind
                weights[n] = s.stock[kind]
                n += 1
    return n


@kernel
def apply_chance(s: State, outcome: int) -> None:
    """Apply an outcome of chance, in place."""
    if s.phase == state.SEATING:
        s.dealer = outcome - state.DEALER
        s.turn = (s.dealer + 1) % s.seats
        s.phase = state.DEALING
    elif s.phase == state.TYING:
        turns.apply_tie(s, outcome)
    elif s.phase == state.DEALING:
        s.stock[outcome] -= 1
        s.stocked -= 1
        state.give(s, (s.dealer + 1 + s.dealt) % s.seats, outcome)
        s.dealt += 1
        if s.dealt == s.seats * state.cards_dealt(s):
            s.phase = state.OPENING
    else:
        turns.apply_drawn(s, outcome)


@kernel
def sample_chance(s: State, stream: Stream) -> int:
    """Draw an outcome at random. The outcomes have the weights that :func:`chances` gives."""
    if s.phase == state.SEATING:
        return state.DEALER + below(stream, s.seats)
    if s.phase == state.TYING:
        left = below(stream, s.tied)
        for seat in range(s.seats):
            for k in range(s.tied):
                if s.caller[k] == seat:
                    if left == 0:
                        return state.LUCKY + seat
                    left -= 1
    cards = 52 * int(s.options[state.PACKS])
    total = cards + state.copies(s, state.JOKER)
    # while the stock is large, draw from all cards until the drawn card is in the stock
    if 4 * s.stocked >= total:
        while True:
            slot = below(stream, total)
            if slot < cards:
                kind = slot % 52
                nth = slot // 52
            else:
                kind = state.JOKER
                nth = slot - cards
            if s.stock[kind] > nth:
                return kind
    left = below(stream, s.stocked)
    for kind in range(state.KINDS):
        left -= int(s.stock[kind])
        if left < 0:
            return kind
    return state.JOKER


@kernel
def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write each seat's points into ``points``, and its rank into ``ranks`` (N-R13, N-A22).

    The lowest total wins. A tie goes to the seat that won more rounds, then to the seat that laid in more rounds.
    """
    wins = zeros(8, np.int64)
    laid = zeros(8, np.int64)
    for seat in range(s.seats):
        total = 0
        for lap in range(rounds_played(s)):
            total += int(s.sheet[lap, seat])
            laid[seat] += s.down[lap, seat]
            if s.won[lap] == seat:
                wins[seat] += 1
        points[seat] = total
    for seat in range(s.seats):
        rank = 1
        for other in range(s.seats):
            if points[other] != points[seat]:
                if points[other] < points[seat]:
                    rank += 1
            elif wins[other] != wins[seat]:
                if wins[other] > wins[seat]:
                    rank += 1
            elif laid[other] > laid[seat]:
                rank += 1
        ranks[seat] = rank


@kernel
def rounds_played(s: State) -> int:
    """Return the number of rounds that have been scored."""
    return int(s.lap) + (1 if s.phase == state.FINISHED else 0)
