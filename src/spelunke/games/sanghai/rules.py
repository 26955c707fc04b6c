"""The rules of Sanghai as kernels on one record. Nothing else decides what is legal or what happens.

The words are spread over modules: ``table`` (state), ``planner`` (what a hand lacks), ``laying`` (contracts card by
card), ``melds`` (additions and swaps), ``window`` (calls and drawing). This is the door to them all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import kernel
from spelunke.games.sanghai.laying import legal_steps, may_lay, step
from spelunke.games.sanghai.melds import add, legal_additions, legal_swaps, may_add, swap
from spelunke.games.sanghai.state import (
    ACTIONS,
    ADD,
    CARD,
    DEALER,
    DEALING,
    DISCARD,
    DRAWING,
    FINISHED,
    JOKER,
    KINDS,
    LONGEST,
    LUCKY,
    NONE,
    OPEN_SET,
    OPENING,
    OUTCOMES,
    PENALTY,
    SEATING,
    STATE,
    STOCK,
    SWAP,
    TAKE,
    TURN,
    TYING,
    VERSION,
    VOTE,
    VOTING,
    WAIT,
    WINDOW,
    cards_dealt,
    copies,
    give,
)
from spelunke.games.sanghai.window import (
    answer_call,
    begin_round,
    choose_stock,
    end_turn,
    go_on,
    land_drawn,
    land_tie,
    legal_answers,
    legal_votes,
    take,
    vote,
    voters,
    window_actors,
)

__all__ = [
    "ACTIONS",
    "LONGEST",
    "OUTCOMES",
    "STATE",
    "VERSION",
    "actors",
    "apply_chance",
    "chances",
    "legal",
    "play",
    "result",
    "sample_chance",
    "start",
]

Numbers = npt.NDArray[np.int16]


@kernel
def start(s: Any, setup: Numbers) -> None:
    """Set the table; chance chooses the first dealer (N-A27)."""
    s.seats = setup[0]
    s.packs = setup[1]
    s.jokers = setup[2]
    s.sequenced = setup[3]
    s.by_seat = setup[4]
    s.tie = setup[5]
    s.tie_ms = setup[6]
    s.limit = setup[7]
    s.penalty = setup[8]
    s.swaps = setup[9]
    s.black = setup[10]
    s.joker_points = 15 if setup[11] == 0 else 25 if setup[11] == 1 else 50
    s.face_ten = setup[12]
    s.ace_points = 14 + setup[13]
    s.at_once = setup[14]
    s.blind = setup[15]
    s.schedule = setup[16]
    s.distinct = setup[17]
    s.apart = setup[18]
    s.same_turn = setup[19]
    s.reshuffles = setup[20]
    s.deal_needed = setup[21]
    s.open_pile = setup[22]
    s.seconds = setup[23]
    s.lap = 0
    s.dealer = 0
    s.sheet[:] = 0
    s.won[:] = NONE
    s.down[:] = 0
    s.sets_left = 0
    s.runs_left = 0
    s.least_rank = 0
    s.least_run = 0
    begin_round(s)
    s.dealer = NONE
    s.turn = NONE
    s.phase = SEATING


@kernel
def actors(s: Any) -> int:
    """Who acts: the player on turn, all who are asked or vote, chance, or nobody."""
    phase = s.phase
    if phase == WINDOW:
        return window_actors(s)
    if phase >= TURN:
        if phase == FINISHED:
            return OVER
        return 1 << int(s.turn)
    if phase == OPENING:
        return 1 << int(s.turn)
    if phase == VOTING:
        return voters(s)
    return CHANCE


@kernel
def legal(s: Any, seat: int, out: Numbers) -> int:
    """The seat's legal actions, ascending."""
    phase = s.phase
    if phase == WINDOW:
        return legal_answers(s, seat, out)
    if phase == VOTING:
        return legal_votes(s, seat, out)
    if seat != s.turn or phase == FINISHED:
        return 0
    if phase == OPENING:  # N-R6, N-C9
        out[0] = STOCK
        return 1
    if phase > TURN:
        return legal_steps(s, seat, out, 0)
    if phase != TURN:
        return 0
    n = 0
    for kind in range(KINDS):  # N-A18: any card
        if s.hand[seat, kind] > 0:
            out[n] = DISCARD + kind
            n += 1
    if s.laid[seat] == 0:
        if may_lay(s, seat):
            n = legal_steps(s, seat, out, n)
    elif may_add(s, seat):
        n = legal_additions(s, seat, out, n)
        if s.swaps != 0:
            n = legal_swaps(s, seat, out, n)
    return n


@kernel
def play(s: Any, seat: int, action: int) -> None:
    """Play a legal action."""
    if s.phase == WINDOW:
        if action == STOCK:
            choose_stock(s)
        elif action == TAKE:
            take(s)
        elif action == WAIT:
            s.waits = 1
        else:
            answer_call(s, seat, action)
    elif action == STOCK:
        go_on(s)
    elif action < DISCARD:
        vote(s, seat, action - VOTE)
    elif action < OPEN_SET:
        end_turn(s, seat, action - DISCARD)
    elif action < ADD:
        step(s, seat, action)
    elif action < SWAP:
        spot = (action - ADD) // 3
        add(s, seat, spot >> 5, spot & 31, (action - ADD) % 3)
    else:
        spot = (action - SWAP) >> 2
        swap(s, seat, spot >> 5, spot & 31, (action - SWAP) & 3)


@kernel
def chances(s: Any, outcomes: Numbers, weights: Numbers) -> int:
    """The next card by its copies in the stock, the first dealer, or one of the tied callers."""
    n = 0
    if s.phase == SEATING:
        for seat in range(s.seats):
            outcomes[n] = DEALER + seat
            weights[n] = 1
            n += 1
    elif s.phase == TYING:
        for seat in range(s.seats):
            for k in range(s.tied):
                if s.caller[k] == seat:
                    outcomes[n] = LUCKY + seat
                    weights[n] = 1
                    n += 1
    elif s.phase == DEALING or s.phase == PENALTY or s.phase == DRAWING:
        for kind in range(KINDS):
            if s.stock[kind] > 0:
                outcomes[n] = CARD + kind
                weights[n] = s.stock[kind]
                n += 1
    return n


@kernel
def apply_chance(s: Any, outcome: int) -> None:
    """Chance has decided."""
    if s.phase == SEATING:
        s.dealer = outcome - DEALER
        s.turn = (s.dealer + 1) % s.seats
        s.phase = DEALING
    elif s.phase == TYING:
        land_tie(s, outcome)
    elif s.phase == DEALING:
        s.stock[outcome] -= 1
        s.stocked -= 1
        give(s, (s.dealer + 1 + s.dealt) % s.seats, outcome)
        s.dealt += 1
        if s.dealt == s.seats * cards_dealt(s):
            s.phase = OPENING
    else:
        land_drawn(s, outcome)


@kernel
def sample_chance(s: Any, stream: npt.NDArray[np.int64]) -> int:
    """An outcome with the weights of :func:`chances`."""
    if s.phase == SEATING:
        return DEALER + below(stream, s.seats)
    if s.phase == TYING:
        left = below(stream, s.tied)
        for seat in range(s.seats):
            for k in range(s.tied):
                if s.caller[k] == seat:
                    if left == 0:
                        return LUCKY + seat
                    left -= 1
    cards = 52 * int(s.packs)
    total = cards + copies(s, JOKER)
    if 4 * s.stocked >= total:  # of all cards, take one until it lies in the stock
        while True:
            slot = below(stream, total)
            if slot < cards:
                kind = slot % 52
                nth = slot // 52
            else:
                kind = JOKER
                nth = slot - cards
            if s.stock[kind] > nth:
                return kind
    left = below(stream, s.stocked)
    for kind in range(KINDS):
        left -= int(s.stock[kind])
        if left < 0:
            return kind
    return JOKER


@kernel
def result(s: Any, points: Numbers, ranks: Numbers) -> None:
    """Points of all rounds; the lowest total wins, then more rounds won, then more rounds laid (N-R13, N-A22)."""
    wins = np.zeros(8, np.int64)
    laid = np.zeros(8, np.int64)
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
def rounds_played(s: Any) -> int:
    """Rounds that have been scored."""
    return int(s.lap) + (1 if s.phase == FINISHED else 0)
