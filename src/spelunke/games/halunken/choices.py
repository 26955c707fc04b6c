"""What a seat may choose in Halunken und Spelunken, as kernels: cards, bids, sailors, fields, names for Rum."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import hot, kernel
from spelunke.games.halunken.sailors import COLOUR, COLOURS, NONE, PLACE, SAILOR, VALUE, list_sailors
from spelunke.games.halunken.state import (
    BID,
    BIDDING,
    CARD,
    CHOOSING,
    DECLINE,
    FIELDS,
    FIGURES,
    FISH,
    GIVE,
    HIDING,
    JACK,
    JACK_CARD,
    JACK_RUM,
    LANDED,
    NAME,
    NAMING,
    NOBODY,
    PASS,
    PASSING,
    PICKING,
    PLACE_AT,
    PLACING,
    ROB,
    RUM,
    TAKE_BACK,
    TAKE_BACK_JACK,
    TWO,
)
from spelunke.games.halunken.walking import figure_at, may_fish, prey_of, shows

Numbers = npt.NDArray[np.int16]


@hot
def commands(s: Any, seat: int) -> bool:
    """Whether the seat seals Black Jack's card besides its own (H-R26)."""
    return s.mode == TWO and s.hirer == seat  # type: ignore[no-any-return]


@hot
def ready(s: Any, seat: int) -> bool:
    """Whether the seat has sealed all that it is to choose."""
    return s.sealed[seat] > 0 and (s.sealed[JACK] > 0 or not commands(s, seat))


@hot
def list_cards(cards: int, besides: int, out: Numbers, n: int) -> int:
    """Write the captain's cards of the mask as actions, but for ``besides``."""
    for card in range(1, RUM + 1):
        if (cards >> (card - 1)) & 1 and card != besides:
            out[n] = CARD + card - 1
            n += 1
    return n


@hot
def list_jacks(s: Any, first: int, besides: int, out: Numbers, n: int) -> int:
    """Write Black Jack's cards as numbers from ``first`` on, but for ``besides``."""
    for card in range(1, 13):
        if (s.cards[JACK] >> (card - 1)) & 1 and card != besides:
            out[n] = first + (JACK_RUM if card == RUM and s.mode == TWO else card - 1)
            n += 1
    return n


@hot
def jack_card(number: int) -> int:
    """The card that this number in a block of Black Jack's cards means."""
    return RUM if number == JACK_RUM else number + 1


@hot
def bid_legal(s: Any, seat: int, out: Numbers) -> int:
    """Pass, and each sailor of the crew that outbids the last offer (H-R18, H-A18)."""
    out[0] = PASS
    n = 1
    value = 0
    colour_of_offer = -1
    if s.offer != NONE:
        value = int(VALUE[s.offer])
        if s.bid_colour:
            colour_of_offer = int(COLOUR[s.offer])
    for colour in range(COLOURS):
        least = value - 1 if colour < colour_of_offer else value
        mask = int(s.crew[seat, colour]) >> least << least
        while mask:
            bit = mask & -mask
            out[n] = BID + SAILOR[colour, PLACE[bit % 19]]
            n += 1
            mask ^= bit
    return n


@hot
def may_name(s: Any, number: int) -> bool:
    """Whether Rum may become this number: no other figure shows it (H-A12, H-C5)."""
    free = True
    for figure in range(FIGURES):
        if shows(s, figure) == number:
            free = False
    return free


@hot
def legal(s: Any, seat: int, out: Numbers) -> int:
    """The seat's legal actions, ascending."""
    n = 0
    if s.phase == CHOOSING:
        if seat < s.seats and s.sealed[seat] == 0:
            n = list_cards(s.cards[seat], 0, out, n)
        if commands(s, seat) and s.sealed[JACK] == 0:
            n = list_jacks(s, JACK_CARD, 0, out, n)
        return n
    if seat != s.turn:
        return 0
    if s.phase == BIDDING:
        return bid_legal(s, seat, out)
    if s.phase == LANDED:
        return landed_legal(s, seat, out)
    if s.phase == PASSING:
        if s.hirer == NOBODY:
            return list_sailors(s.crew[seat], GIVE, out, 0)
        n = list_sailors(s.crew[s.queue[0]], ROB, out, 0)
        out[n] = DECLINE
        return n + 1
    if s.phase == NAMING:
        for number in range(1, RUM):
            if may_name(s, number):
                out[n] = NAME + number - 1
                n += 1
        return n
    if s.phase == PICKING:
        return list_jacks(s, JACK_CARD, 0, out, 0)
    if s.phase == PLACING or s.phase == HIDING:
        for field in range(FIELDS):
            if figure_at(s, field, NOBODY) == NOBODY:
                out[n] = PLACE_AT + field
                n += 1
    return n


@hot
def landed_legal(s: Any, seat: int, out: Numbers) -> int:
    """Where the mover met somebody: whom to rob, fish or hand over, or nothing (H-R13, H-R22, H-C3)."""
    occupant = figure_at(s, s.field[s.mover], s.mover)
    if s.mover == JACK and s.hirer == NOBODY:
        return list_sailors(s.crew[seat], GIVE, out, 0)
    n = 0
    prey = prey_of(s, occupant)
    if prey != NOBODY:
        n = list_sailors(s.crew[prey], ROB, out, n)
    if may_fish(s, occupant):
        n = list_sailors(s.harbour, FISH, out, n)
    out[n] = DECLINE
    return n + 1


@kernel
def revise(s: Any, seat: int, out: Numbers) -> int:
    """How the seat may change what it sealed until the last is in: another card, or taken back (H-C4)."""
    if s.phase != CHOOSING or seat >= s.seats:
        return 0
    n = 0
    mine = s.sealed[seat] > 0
    jacks = commands(s, seat) and s.sealed[JACK] > 0
    if mine:
        n = list_cards(s.cards[seat], s.sealed[seat], out, n)
    if jacks:
        n = list_jacks(s, JACK_CARD, s.sealed[JACK], out, n)
    if mine:
        out[n] = TAKE_BACK
        n += 1
    if jacks:
        out[n] = TAKE_BACK_JACK
        n += 1
    return n
