"""The rules of Halunken und Spelunken as kernels on one record. Nothing else decides what is legal or what happens.

The record and all numbers are in :mod:`.state`, the sailors in :mod:`.sailors`, what may
be chosen in :mod:`.choices`, set-up and scoring in :mod:`.hours`,
what follows a reveal in :mod:`.walking`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import hot, kernel
from spelunke.games.halunken.choices import jack_card, legal, list_jacks, may_name, ready, revise
from spelunke.games.halunken.hours import begin, open_hour, owner_of_extreme
from spelunke.games.halunken.sailors import (
    COLOURS,
    NONE,
    PLACE,
    SAILOR,
    SAILORS,
    holds,
    join,
    leave,
    list_sailors,
)
from spelunke.games.halunken.state import (
    ACTIONS,
    BEGINNER,
    BEGINS,
    BID,
    BIDDING,
    BY_CARDS,
    CARD,
    CHOOSING,
    DECLINE,
    FALLING,
    FALLS,
    FIELDS,
    FIGURES,
    FINISHED,
    FIRST,
    FISH,
    FLIPPED,
    FLIPPING,
    GIVE,
    HIDING,
    JACK,
    JACK_CARD,
    JACK_RUM,
    LANDED,
    LONGEST,
    MEETING,
    NAME,
    NEXT,
    NOBODY,
    OPENING,
    OUTCOMES,
    OVERTAKING,
    PASS,
    PEEKING,
    PICKING,
    PLACE_AT,
    PLACING,
    PUSHING,
    REST,
    ROB,
    RUM,
    SEEN,
    STATE,
    STRAYING,
    STRAYS,
    TAKE_BACK,
    TAKE_BACK_JACK,
    TURNING,
    TWO,
)
from spelunke.games.halunken.walking import after_opening, figure_at, fish, forget, resolve, rob, sink, walk

VERSION = 1
Numbers = npt.NDArray[np.int16]

__all__ = [
    "ACTIONS",
    "LONGEST",
    "OUTCOMES",
    "STATE",
    "VERSION",
    "act",
    "actors",
    "apply_chance",
    "befall",
    "chances",
    "legal",
    "play",
    "result",
    "revise",
    "sample_chance",
    "start",
]


@kernel
def start(s: Any, setup: Numbers) -> None:
    """Set the table for a match."""
    s.seats = setup[0]
    s.mode = setup[1]
    s.match = setup[2]
    s.rob_count = setup[3]
    s.bid_colour = setup[4]
    s.pass_theft = setup[5]
    s.rum_unhired = setup[6]
    s.tactical = setup[7]
    s.peek = setup[8]
    s.auto_place = setup[9]
    s.tiebreak = setup[10]
    s.for_two = setup[11]
    s.games = 0
    for seat in range(4):
        s.total[seat] = 0
        s.total_crew[seat] = 0
        s.best[seat] = 0
    begin(s)


@hot
def actors(s: Any) -> int:
    """Who is asked: the seat on turn, all who have yet to choose a card, chance, or nobody."""
    if s.phase == CHOOSING:
        who = 0
        for seat in range(s.seats):
            if not ready(s, seat):
                who |= 1 << seat
        return who
    if s.turn != NOBODY and s.phase != MEETING and s.phase != STRAYING:
        return 1 << int(s.turn)
    if s.phase == FINISHED:
        return OVER
    return CHANCE


@hot
def play(s: Any, seat: int, action: int) -> None:
    """Play a legal action."""
    walk(s, act(s, seat, action))


@hot
def act(s: Any, seat: int, action: int) -> int:
    """The action alone, in place; returns the stage from which the hour goes on by itself."""
    if action >= ROB:
        return take_or_give(s, seat, action)
    if action >= NAME:
        s.named = action - NAME + 1
        s.turn = NOBODY
        return NEXT
    if action >= CARD:
        return choose(s, seat, action)
    if action >= PASS:
        bid(s, seat, action)
    elif s.phase == PLACING:
        s.field[seat] = action - PLACE_AT
        s.phase = MEETING
    else:
        s.field[JACK] = action - PLACE_AT
        s.opener = owner_of_extreme(s, True)
        open_hour(s)
    return REST


@hot
def bid(s: Any, seat: int, action: int) -> None:
    """Pass or offer; who goes on, or who has hired (H-R18, H-R25, H-A17, H-C7)."""
    if action == PASS:
        s.passed |= 1 << seat
    else:
        s.offer = action - BID
        s.bidder = seat
    following = (seat + 1) % s.seats
    if s.mode == TWO:
        if action == PASS:
            done = s.bidder != NOBODY or (s.passed >> following) & 1 == 1
        else:
            done = s.passed != 0
    else:
        done = following == s.opener
    if not done:
        s.turn = following
        return
    if s.bidder != NOBODY:
        sink(s, s.bidder, s.offer)
        s.hirer = s.bidder
        s.opener = s.bidder  # H-R19, H-A21
    s.offer = NONE
    s.bidder = NOBODY
    s.passed = 0
    s.turn = NOBODY
    s.phase = CHOOSING


@hot
def choose(s: Any, seat: int, action: int) -> int:
    """Seal a card, another card, or none; when the last is in, all lie open (H-R7, H-R26, H-C4)."""
    if s.phase == PICKING:
        lay_jack(s, jack_card(action - JACK_CARD))
        s.turn = NOBODY
        return NEXT
    if action == TAKE_BACK:
        s.sealed[seat] = 0
    elif action == TAKE_BACK_JACK:
        s.sealed[JACK] = 0
    elif action >= JACK_CARD:
        s.sealed[JACK] = jack_card(action - JACK_CARD)
    else:
        s.sealed[seat] = action - CARD + 1
    for other in range(s.seats):
        if not ready(s, other):
            return REST
    for other in range(s.seats):
        s.laid[other] = s.sealed[other]
        s.cards[other] ^= 1 << (s.sealed[other] - 1)
    if s.sealed[JACK]:
        lay_jack(s, s.sealed[JACK])
    for figure in range(FIGURES):
        s.sealed[figure] = 0
    if s.mode == TWO and s.hirer == NOBODY:  # H-R29
        s.phase = FLIPPING
        return REST
    return resolve(s)


@hot
def lay_jack(s: Any, card: int) -> None:
    s.laid[JACK] = card
    s.cards[JACK] ^= 1 << (card - 1)


@hot
def take_or_give(s: Any, seat: int, action: int) -> int:
    """Rob, fish from the harbour, give, or decline; then the hour goes on."""
    if action == DECLINE:
        pass
    elif action >= GIVE:
        sink(s, seat, action - GIVE)
    elif action >= FISH:
        fish(s, seat, action - FISH)
    else:
        sailor = action - ROB
        victim = 0
        while not holds(s.crew[victim], sailor):
            victim += 1
        rob(s, victim, seat, sailor)
    s.turn = NOBODY
    if s.phase == LANDED:
        return PUSHING
    forget(s)
    return OVERTAKING


@hot
def apply_chance(s: Any, outcome: int) -> None:
    """Chance has decided."""
    walk(s, befall(s, outcome))


@hot
def befall(s: Any, outcome: int) -> int:
    """The outcome alone, in place; returns the stage from which the hour goes on by itself."""
    if outcome >= FALLS:
        s.named = outcome - FALLS + 1
        return NEXT
    if outcome >= FLIPPED:
        lay_jack(s, jack_card(outcome - FLIPPED))
        if s.phase == PEEKING:
            s.turn = s.opener
            s.phase = BIDDING
            return REST
        return resolve(s) if s.mode == TWO else NEXT
    if outcome >= SEEN:
        return see(s, outcome - SEEN)
    if outcome >= STRAYS:
        s.field[s.turn] = outcome - STRAYS
        s.phase = MEETING
    else:
        s.first = outcome - BEGINS
        s.turn = s.first
        s.phase = STRAYING if s.auto_place else PLACING
    return REST


@kernel
def see(s: Any, sailor: int) -> int:
    """A sailor is seen: a captain's first, one of fourteen, or a pile's next (H-R5, H-R6, H-R12, H-C1)."""
    leave(s.unseen, sailor)
    s.dark -= 1
    if s.phase == MEETING:
        seat = s.turn
        s.under[s.field[seat]] -= 1
        join(s.crew[seat], sailor)
        s.hands[seat] += 1
        following = (seat + 1) % s.seats
        if following != s.first:
            s.turn = following
            s.phase = STRAYING if s.auto_place else PLACING
        else:
            s.turn = NOBODY
            s.opening = 0
            s.phase = TURNING
        return REST
    tavern = s.opening
    s.top[tavern] = sailor
    s.under[tavern] -= 1
    s.opening = NOBODY
    if s.phase == OPENING:
        return after_opening(s)
    if tavern < FIELDS - 1:
        s.opening = tavern + 1
    elif s.mode == BEGINNER:
        open_hour(s)
    else:
        s.turn = owner_of_extreme(s, False)
        s.phase = HIDING
    return REST


@kernel
def chances(s: Any, outcomes: Numbers, weights: Numbers) -> int:
    """What chance can bring: all equally likely."""
    n = 0
    if s.phase == FIRST:
        for seat in range(s.seats):
            outcomes[n] = BEGINS + seat
            n += 1
    elif s.phase == STRAYING:
        for field in range(FIELDS):
            if figure_at(s, field, NOBODY) == NOBODY:
                outcomes[n] = STRAYS + field
                n += 1
    elif s.phase == PEEKING or s.phase == FLIPPING:
        n = list_jacks(s, FLIPPED, 0, outcomes, n)
    elif s.phase == FALLING:
        for number in range(1, RUM):
            if may_name(s, number):
                outcomes[n] = FALLS + number - 1
                n += 1
    else:
        n = list_sailors(s.unseen, SEEN, outcomes, n)
    for k in range(n):
        weights[k] = 1
    return n


@hot
def sample_chance(s: Any, stream: npt.NDArray[np.int64]) -> int:
    """An outcome with the weights of :func:`chances`: try all numbers of the kind until one is possible."""
    if s.phase == FIRST:
        return BEGINS + below(stream, int(s.seats))
    if s.phase == STRAYING:
        while True:
            field = below(stream, FIELDS)
            if figure_at(s, field, NOBODY) == NOBODY:
                return STRAYS + field
    if s.phase == PEEKING or s.phase == FLIPPING:
        while True:
            card = below(stream, 12)
            if (s.cards[JACK] >> card) & 1:
                return FLIPPED + (JACK_RUM if s.mode == TWO and card == RUM - 1 else card)
    if s.phase == FALLING:
        while True:
            number = below(stream, 7)
            if may_name(s, number + 1):
                return FALLS + number
    if s.dark > 16:
        while True:
            sailor = below(stream, SAILORS)
            if holds(s.unseen, sailor):
                return SEEN + sailor
    left = below(stream, int(s.dark))  # few are unseen: count to one of them
    for colour in range(COLOURS):
        mask = int(s.unseen[colour])
        while mask:
            if left == 0:
                return SEEN + SAILOR[colour, PLACE[(mask & -mask) % 19]]  # type: ignore[no-any-return]
            left -= 1
            mask &= mask - 1
    return SEEN


@kernel
def result(s: Any, points: Numbers, ranks: Numbers) -> None:
    """Totals and ranks of a finished match (H-R15, H-R23, H-A24)."""
    for seat in range(s.seats):
        points[seat] = s.total[seat]
        ranks[seat] = 1
        for other in range(s.seats):
            ahead = s.total[other] - s.total[seat]
            if ahead == 0 and s.tiebreak == BY_CARDS:
                ahead = s.total_crew[other] - s.total_crew[seat]
                if ahead == 0:
                    ahead = s.best[other] - s.best[seat]
            if ahead > 0:
                ranks[seat] += 1
