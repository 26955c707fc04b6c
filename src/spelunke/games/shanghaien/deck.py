"""The outcomes of chance: the next card of the deck, the first starter, and a roll of two dice (S-R4)."""

from __future__ import annotations

from spelunke.core.chance import below
from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers, Stream
from spelunke.games.shanghaien.state import (
    AFTER_FIRST_ROLL,
    DEAL,
    DEALING,
    DIRECTING,
    DIRECTION_TIMING,
    DRAWING_STARTER,
    FALL,
    KINDS,
    NATIONS,
    NOTHING,
    PAIR_OF_TWO,
    PAIRS,
    ROLLED,
    ROLLING,
    STARTER,
    TURN,
    UNFIXED,
    State,
)


@kernel
def count_deck(s: State) -> None:
    """Count the cards of the deck, in place.

    Write the number of cards by nation (trick cards last) into ``s.left``, and the total into ``s.unseen``.
    """
    s.unseen = 0
    s.left[:] = 0
    for kind in range(KINDS):
        s.left[kind >> 2] += s.deck[kind]
        s.unseen += s.deck[kind]


@kernel
def chances(s: State, outcomes: Numbers, weights: Numbers) -> int:
    """Write the possible outcomes of chance and their weights (S-R4). Return their count.

    A card's weight is the number of its copies in the deck.
    """
    n = 0
    if s.phase == ROLLING:
        for pair in range(21):
            outcomes[n] = FALL + pair
            weights[n] = 1 if PAIRS[pair, 0] == PAIRS[pair, 1] else 2
            n += 1
    elif s.phase == DEALING:
        for kind in range(KINDS):
            if s.deck[kind] > 0:
                outcomes[n] = DEAL + kind
                weights[n] = s.deck[kind]
                n += 1
    elif s.phase == DRAWING_STARTER:
        for seat in range(2):
            outcomes[n] = STARTER + seat
            weights[n] = 1
            n += 1
    return n


@hot
def apply_chance(s: State, outcome: int) -> None:
    """Apply an outcome of chance, in place."""
    if outcome >= FALL:
        s.low = PAIRS[outcome - FALL, 0]
        s.high = PAIRS[outcome - FALL, 1]
        if s.end == UNFIXED and s.options[DIRECTION_TIMING] == AFTER_FIRST_ROLL:
            s.phase = DIRECTING
        else:
            s.phase = ROLLED
    elif outcome < STARTER:
        s.deck[outcome] -= 1
        s.left[outcome >> 2] -= 1
        s.unseen -= 1
        s.row[s.dealt] = outcome
        s.dealt += 1
        if s.dealt == 6:
            if s.starter == NOTHING:
                s.phase = DRAWING_STARTER
            else:
                s.turn = s.starter
                s.phase = TURN
    else:
        s.opener = outcome - STARTER
        s.first_opener = s.opener
        s.starter = s.opener
        s.turn = s.opener
        s.phase = TURN


@hot
def sample_chance(s: State, stream: Stream) -> int:
    """Draw an outcome at random. The outcomes have the weights that :func:`chances` gives."""
    if s.phase == ROLLING:
        pair: int = PAIR_OF_TWO[below(stream, 36)]
        return FALL + pair
    if s.phase == DEALING:
        return next_card(s, below(stream, s.unseen))
    return STARTER + below(stream, 2)


@hot
def next_card(s: State, nth: int) -> int:
    """Return the kind of the ``nth`` card in the deck, counted from 0 in the order of nations and values.

    The code avoids branches, because the processor can't predict the card, and one wrong prediction takes longer
    than the whole function. Instead of branches, the code adds the results of comparisons (0 or 1). The only ``if``
    statement contains just assignments, which need no branch in machine code.
    """
    nation = 0
    counted = 0
    before = 0
    for n in range(NATIONS):
        counted += s.left[n]
        if nth >= counted:
            nation = n + 1
            before = counted
    kind = 4 * nation
    one = before + s.deck[kind]
    two = one + s.deck[kind + 1]
    three = two + s.deck[kind + 2]
    found: int = kind + (nth >= one) + (nth >= two) + (nth >= three)
    return found
