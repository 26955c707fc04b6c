"""The rules of Halunken und Spelunken, as kernels on one state record.

Only the kernels of this module and of the modules named below decide which actions are legal, and what they do.

:mod:`.state` defines the record and all numbers. :mod:`.sailors` defines the sailors. :mod:`.choices` lists the legal
actions. :mod:`.hours` sets up and scores a game. :mod:`.walking` moves the figures after a reveal.
"""

from __future__ import annotations

from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.halunken import state
from spelunke.games.halunken.choices import jack_card, list_jacks, may_name, ready
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
from spelunke.games.halunken.state import BEGINNER, FIELDS, FIGURES, JACK, MODE, NOBODY, REST, RUM, TWO, State
from spelunke.games.halunken.walking import after_opening, figure_at, fish, forget, resolve, rob, sink, walk

VERSION = 1
KERNELS = {"state": "STATE ACTIONS OUTCOMES LONGEST", "choices": "legal revise"}


@kernel
def start(s: State, setup: Numbers) -> None:
    """Set up a match. ``setup`` has the number of seats, then the encoded options."""
    s.seats = setup[0]
    # a loop, because assigning a slice would take 3 % of the time of a random game
    for slot in range(len(s.options)):
        s.options[slot] = setup[1 + slot]
    s.games = 0
    for seat in range(4):
        s.total[seat] = 0
        s.total_crew[seat] = 0
        s.best[seat] = 0
    begin(s)


@hot
def actors(s: State) -> int:
    """Return a bit mask of the seats to act, or CHANCE or OVER.

    During the secret choice, these are the seats that still have to choose a card. Otherwise, the mask has only the
    seat on turn.
    """
    if s.phase == state.CHOOSING:
        who = 0
        for seat in range(s.seats):
            if not ready(s, seat):
                who |= 1 << seat
        return who
    if s.turn != NOBODY and s.phase != state.MEETING and s.phase != state.STRAYING:
        return 1 << int(s.turn)
    if s.phase == state.FINISHED:
        return OVER
    return CHANCE


@hot
def play(s: State, seat: int, action: int) -> None:
    """Play a legal action. Then continue until a seat or chance must decide."""
    walk(s, play_alone(s, seat, action))


@hot
def play_alone(s: State, seat: int, action: int) -> int:
    """Play an action in place, without its consequences, such as the moves of the figures after a reveal.

    Return the stage of the hour (such as NEXT) from which :func:`.walking.walk` continues, or REST if a seat or chance
    must decide first.
    """
    if action >= state.ROB:
        return take_or_give(s, seat, action)
    if action >= state.NAME:
        s.named = action - state.NAME + 1
        s.turn = NOBODY
        return state.NEXT
    if action >= state.CARD:
        return choose(s, seat, action)
    if action >= state.PASS:
        bid(s, seat, action)
    elif s.phase == state.PLACING:
        s.field[seat] = action - state.PLACE_AT
        s.phase = state.MEETING
    else:
        s.field[JACK] = action - state.PLACE_AT
        s.opener = owner_of_extreme(s, True)
        open_hour(s)
    return REST


@hot
def bid(s: State, seat: int, action: int) -> None:
    """Record a pass or an offer.

    Then set the next seat to bid, or end the bidding (H-R18, H-R25, H-A17, H-C7).
    """
    if action == state.PASS:
        s.passed |= 1 << seat
    else:
        s.offer = action - state.BID
        s.bidder = seat
    following = (seat + 1) % s.seats
    if s.options[MODE] == TWO:
        if action == state.PASS:
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
    s.phase = state.CHOOSING


@hot
def choose(s: State, seat: int, action: int) -> int:
    """Seal a card, change it, or take it back. After the last seat has sealed, reveal all cards (H-R7, H-R26, H-C4).

    In the phase ``PICKING``, lay Black Jack's card face up instead. Return the stage of the hour (such as NEXT) from
    which :func:`.walking.walk` continues, or REST if a seat or chance must decide first.
    """
    if s.phase == state.PICKING:
        lay_jack(s, jack_card(action - state.JACK_CARD))
        s.turn = NOBODY
        return state.NEXT
    if action == state.TAKE_BACK:
        s.sealed[seat] = 0
    elif action == state.TAKE_BACK_JACK:
        s.sealed[JACK] = 0
    elif action >= state.JACK_CARD:
        s.sealed[JACK] = jack_card(action - state.JACK_CARD)
    else:
        s.sealed[seat] = action - state.CARD + 1
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
    if s.options[MODE] == TWO and s.hirer == NOBODY:  # H-R29
        s.phase = state.FLIPPING
        return REST
    return resolve(s)


@hot
def lay_jack(s: State, card: int) -> None:
    """Lay a card of Black Jack face up, and remove it from his remaining cards."""
    s.laid[JACK] = card
    s.cards[JACK] ^= 1 << (card - 1)


@hot
def take_or_give(s: State, seat: int, action: int) -> int:
    """Take or give a sailor, or decline. Return the stage of the hour from which :func:`.walking.walk` continues."""
    if action == state.DECLINE:
        pass
    elif action >= state.GIVE:
        sink(s, seat, action - state.GIVE)
    elif action >= state.FISH:
        fish(s, seat, action - state.FISH)
    else:
        sailor = action - state.ROB
        victim = 0
        while not holds(s.crew[victim], sailor):
            victim += 1
        rob(s, victim, seat, sailor)
    s.turn = NOBODY
    if s.phase == state.LANDED:
        return state.PUSHING
    forget(s)
    return state.OVERTAKING


@hot
def apply_chance(s: State, outcome: int) -> None:
    """Apply an outcome of chance. Then continue until a seat or chance must decide."""
    walk(s, chance_alone(s, outcome))


@hot
def chance_alone(s: State, outcome: int) -> int:
    """Apply an outcome of chance in place, without its consequences, such as the moves of the figures.

    Return the stage of the hour (such as NEXT) from which :func:`.walking.walk` continues, or REST if a seat or chance
    must decide first.
    """
    if outcome >= state.FALLS:
        s.named = outcome - state.FALLS + 1
        return state.NEXT
    if outcome >= state.FLIPPED:
        lay_jack(s, jack_card(outcome - state.FLIPPED))
        if s.phase == state.PEEKING:
            s.turn = s.opener
            s.phase = state.BIDDING
            return REST
        return resolve(s) if s.options[MODE] == TWO else state.NEXT
    if outcome >= state.SEEN:
        return see(s, outcome - state.SEEN)
    if outcome >= state.STRAYS:
        s.field[s.turn] = outcome - state.STRAYS
        s.phase = state.MEETING
    else:
        s.first = outcome - state.BEGINS
        s.turn = s.first
        s.phase = state.STRAYING if s.options[state.AUTO_PLACE] else state.PLACING
    return REST


@kernel
def see(s: State, sailor: int) -> int:
    """Turn up a face-down sailor: a captain's first sailor, or the new top sailor of a tavern.

    Return the stage of the hour from which :func:`.walking.walk` continues, or REST if a seat or chance must decide
    first (H-R5, H-R6, H-R12, H-C1).
    """
    leave(s.unseen, sailor)
    s.dark -= 1
    if s.phase == state.MEETING:
        seat = s.turn
        s.under[s.field[seat]] -= 1
        join(s.crew[seat], sailor)
        s.hands[seat] += 1
        following = (seat + 1) % s.seats
        if following != s.first:
            s.turn = following
            s.phase = state.STRAYING if s.options[state.AUTO_PLACE] else state.PLACING
        else:
            s.turn = NOBODY
            s.opening = 0
            s.phase = state.TURNING
        return REST
    tavern = s.opening
    s.top[tavern] = sailor
    s.under[tavern] -= 1
    s.opening = NOBODY
    if s.phase == state.OPENING:
        return after_opening(s)
    if tavern < FIELDS - 1:
        s.opening = tavern + 1
    elif s.options[MODE] == BEGINNER:
        open_hour(s)
    else:
        s.turn = owner_of_extreme(s, False)
        s.phase = state.HIDING
    return REST


@kernel
def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of chance and their weights, which are all equal. Return their count."""
    n = 0
    if s.phase == state.FIRST:
        for seat in range(s.seats):
            outcomes[n] = state.BEGINS + seat
            n += 1
    elif s.phase == state.STRAYING:
        for field in range(FIELDS):
            if figure_at(s, field, NOBODY) == NOBODY:
                outcomes[n] = state.STRAYS + field
                n += 1
    elif s.phase == state.PEEKING or s.phase == state.FLIPPING:
        n = list_jacks(s, state.FLIPPED, 0, outcomes, n)
    elif s.phase == state.FALLING:
        for number in range(1, RUM):
            if may_name(s, number):
                outcomes[n] = state.FALLS + number - 1
                n += 1
    else:
        n = list_sailors(s.unseen, state.SEEN, outcomes, n)
    for k in range(n):
        weights[k] = 1
    return n


@hot
def sample_chance(s: State, stream: Stream) -> int:
    """Draw an outcome at random. The outcomes have the weights that :func:`chances` gives.

    To avoid listing the outcomes, the kernel draws random numbers until one of them is a possible outcome. But if few
    sailors are unseen, it draws one of these sailors directly.
    """
    if s.phase == state.FIRST:
        return state.BEGINS + below(stream, int(s.seats))
    if s.phase == state.STRAYING:
        while True:
            field = below(stream, FIELDS)
            if figure_at(s, field, NOBODY) == NOBODY:
                return state.STRAYS + field
    if s.phase == state.PEEKING or s.phase == state.FLIPPING:
        while True:
            card = below(stream, 12)
            if (s.cards[JACK] >> card) & 1:
                return state.FLIPPED + (
                    state.JACK_RUM if s.options[MODE] == TWO and card == RUM - 1 else card
                )
    if s.phase == state.FALLING:
        while True:
            number = below(stream, 7)
            if may_name(s, number + 1):
                return state.FALLS + number
    if s.dark > 16:
        while True:
            sailor = below(stream, SAILORS)
            if holds(s.unseen, sailor):
                return state.SEEN + sailor
    left = below(stream, int(s.dark))  # few sailors are unseen: draw one of them directly
    for colour in range(COLOURS):
        mask = int(s.unseen[colour])
        while mask:
            if left == 0:
                return int(state.SEEN + SAILOR[colour, PLACE[(mask & -mask) % 19]])
            left -= 1
            mask &= mask - 1
    return state.SEEN


@kernel
def result(s: State, points: Numbers, ranks: Numbers) -> None:
    """Write each seat's total into ``points``, and its rank into ``ranks``. The match must be over.

    Rules: H-R15, H-R23, H-A24.
    """
    for seat in range(s.seats):
        points[seat] = s.total[seat]
        ranks[seat] = 1
        for other in range(s.seats):
            ahead = s.total[other] - s.total[seat]
            if ahead == 0 and s.options[state.TIEBREAK] == state.BY_CARDS:
                ahead = s.total_crew[other] - s.total_crew[seat]
                if ahead == 0:
                    ahead = s.best[other] - s.best[seat]
            if ahead > 0:
                ranks[seat] += 1
