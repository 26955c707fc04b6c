"""Kernels that list the legal choices of a seat: cards, bids, sailors, fields, and numbers for Rum."""

from __future__ import annotations

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers
from spelunke.games.halunken import state
from spelunke.games.halunken.sailors import COLOUR, COLOURS, NONE, PLACE, SAILOR, VALUE, list_sailors
from spelunke.games.halunken.state import FIELDS, FIGURES, JACK, MODE, NOBODY, RUM, TWO, State
from spelunke.games.halunken.walking import figure_at, may_fish, prey_of, shows


@hot
def commands(s: State, seat: int) -> bool:
    """Return whether the seat also seals a card for Black Jack: only the hirer in a two-player game does (H-R26)."""
    return s.options[MODE] == TWO and s.hirer == seat


@hot
def ready(s: State, seat: int) -> bool:
    """Return whether the seat has sealed all the cards that it must choose in this round.

    After the reveal no card is sealed, so the result is False.
    """
    return s.sealed[seat] > 0 and (s.sealed[JACK] > 0 or not commands(s, seat))


@hot
def list_cards(cards: int, besides: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, the actions that choose a movement card of the mask ``cards``.

    Skip the card with the number ``besides``. If ``besides`` is 0, skip none. Return the next free index.
    """
    for card in range(1, RUM + 1):
        if (cards >> (card - 1)) & 1 and card != besides:
            out[n] = state.CARD + card - 1
            n += 1
    return n


@hot
def list_jacks(s: State, first: int, besides: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, the actions or outcomes for Black Jack's remaining cards.

    ``first`` is the number of the action or outcome for his card 1. Skip the card with the number ``besides``. If
    ``besides`` is 0, skip none. Return the next free index.
    """
    for card in range(1, 13):
        if (s.cards[JACK] >> (card - 1)) & 1 and card != besides:
            out[n] = first + (state.JACK_RUM if card == RUM and s.options[MODE] == TWO else card - 1)
            n += 1
    return n


@hot
def jack_card(number: int) -> int:
    """Return the card of Black Jack that an action or an outcome of chance chooses.

    The actions (or outcomes) for his cards have consecutive numbers. ``number`` counts from the first of them: 0 to
    11 mean his cards 1 to 12, and ``JACK_RUM`` means Rum.
    """
    return RUM if number == state.JACK_RUM else number + 1


@hot
def bid_legal(s: State, seat: int, out: Numbers) -> int:
    """Write the legal bids into ``out``, and return their number (H-R18, H-A18).

    A seat may pass, or offer a sailor of its crew that outbids the last offer.
    """
    out[0] = state.PASS
    n = 1
    value = 0
    colour_of_offer = -1
    if s.offer != NONE:
        value = int(VALUE[s.offer])
        if s.options[state.BID_COLOUR_TIEBREAK]:
            colour_of_offer = int(COLOUR[s.offer])
    for colour in range(COLOURS):
        least = value - 1 if colour < colour_of_offer else value
        mask = int(s.crew[seat, colour]) >> least << least
        while mask:
            bit = mask & -mask
            out[n] = state.BID + SAILOR[colour, PLACE[bit % 19]]
            n += 1
            mask ^= bit
    return n


@hot
def may_name(s: State, number: int) -> bool:
    """Return whether a Rum may count as this number (H-A12, H-C5).

    A Rum may not count as the number of a card that another figure has laid. With 3 or 4 players, Black Jack's card
    does not restrict the number.
    """
    free = True
    for figure in range(FIGURES):
        if shows(s, figure) == number:
            free = False
    return free


@hot
def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order. Return their count."""
    n = 0
    if s.phase == state.CHOOSING:
        if seat < s.seats and s.sealed[seat] == 0:
            n = list_cards(s.cards[seat], 0, out, n)
        if commands(s, seat) and s.sealed[JACK] == 0:
            n = list_jacks(s, state.JACK_CARD, 0, out, n)
        return n
    if seat != s.turn:
        return 0
    if s.phase == state.BIDDING:
        return bid_legal(s, seat, out)
    if s.phase == state.LANDED:
        return landed_legal(s, seat, out)
    if s.phase == state.PASSING:
        if s.hirer == NOBODY:
            return list_sailors(s.crew[seat], state.GIVE, out, 0)
        n = list_sailors(s.crew[s.queue[0]], state.ROB, out, 0)
        out[n] = state.DECLINE
        return n + 1
    if s.phase == state.NAMING:
        for number in range(1, RUM):
            if may_name(s, number):
                out[n] = state.NAME + number - 1
                n += 1
        return n
    if s.phase == state.PICKING:
        return list_jacks(s, state.JACK_CARD, 0, out, 0)
    if s.phase == state.PLACING or s.phase == state.HIDING:
        for field in range(FIELDS):
            if figure_at(s, field, NOBODY) == NOBODY:
                out[n] = state.PLACE_AT + field
                n += 1
    return n


@hot
def landed_legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's choices into ``out``, after a figure has arrived on an occupied field. Return their number.

    The seat may rob a captain, take a sailor from the harbour, or take nothing. If Black Jack has arrived and nobody
    hired him, the captain on that field must give a sailor instead (H-R13, H-R22, H-A34, H-C3).
    """
    occupant = figure_at(s, s.field[s.mover], s.mover)
    if s.mover == JACK and s.hirer == NOBODY:
        return list_sailors(s.crew[seat], state.GIVE, out, 0)
    n = 0
    prey = prey_of(s, occupant)
    if prey != NOBODY:
        n = list_sailors(s.crew[prey], state.ROB, out, n)
    if may_fish(s, occupant):
        n = list_sailors(s.harbour, state.FISH, out, n)
    out[n] = state.DECLINE
    return n + 1


@kernel
def revise(s: State, seat: int, out: Numbers) -> int:
    """Write into ``out`` the actions that replace or take back the seat's sealed cards. Return their number.

    After the last seat has sealed, there are no such actions (H-C4).
    """
    if s.phase != state.CHOOSING or seat >= s.seats:
        return 0
    n = 0
    mine = s.sealed[seat] > 0
    jacks = commands(s, seat) and s.sealed[JACK] > 0
    if mine:
        n = list_cards(s.cards[seat], s.sealed[seat], out, n)
    if jacks:
        n = list_jacks(s, state.JACK_CARD, s.sealed[JACK], out, n)
    if mine:
        out[n] = state.TAKE_BACK
        n += 1
    if jacks:
        out[n] = state.TAKE_BACK_JACK
        n += 1
    return n
