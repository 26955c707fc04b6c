"""The trick cards: in each round, a seat may play one of them, for its effect or as a joker (S-R18 to S-R24)."""

from __future__ import annotations

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers
from spelunke.games.shanghaien.extras import extras_legal, play_extra
from spelunke.games.shanghaien.state import (
    AGAIN,
    BOTH,
    JOKER,
    LEFT,
    NATIONS,
    NUDGE,
    NUDGED,
    PLACE_BOTH,
    PM1,
    RIGHT,
    ROLL_AGAIN,
    SHARKS,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.turns import end_turn, lay, roll


@hot
def tricks_legal(s: State, seat: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, the tricks that the seat may play after this roll.

    Extra cards count as tricks. Return the next free index (S-R18 to S-R24).
    """
    if s.hand[seat, PM1] > 0:
        for value in range(1, 7):  # S-R22, S-A5: if both dice can become the same value, this is one action
            out[n] = NUDGE + value - 1
            n += (abs(value - s.low) == 1) | (
                abs(value - s.high) == 1
            )  # always written, but counted only if it is legal: so the code has no branch
    if s.hand[seat, BOTH] > 0:
        if s.end != UNFIXED:
            out[n] = PLACE_BOTH
            n += 1
        else:
            out[n] = PLACE_BOTH + LEFT
            out[n + 1] = PLACE_BOTH + RIGHT
            n += 2
    if s.hand[seat, AGAIN] > 0:
        out[n] = ROLL_AGAIN
        n += 1
    if s.hand[seat, PM1] + s.hand[seat, BOTH] + s.hand[seat, AGAIN] > 0:
        for nation in range(NATIONS):
            crewed = has_sailor(s, seat, nation)  # S-R21, S-A7
            for trick in range(3):
                out[n] = JOKER + 3 * nation + trick
                n += crewed & (s.hand[seat, trick] > 0)
    return extras_legal(s, seat, out, n)


@hot
def has_sailor(s: State, seat: int, nation: int) -> bool:
    """Return whether the seat has a sailor of that nation. Jokers don't count."""
    sailors = 0
    for value in range(4):
        sailors += s.crew[seat, nation, value]
    return sailors > 0


@kernel
def play_trick(s: State, seat: int, action: int) -> None:
    """Mark the seat's captain as used in this round (S-R18), and apply the trick."""
    s.spent[seat] = 1
    s.tricked = 1
    if action < PLACE_BOTH:
        s.hand[seat, PM1] -= 1
        s.named = action - NUDGE + 1
        s.phase = NUDGED
    elif action < ROLL_AGAIN:
        s.hand[seat, BOTH] -= 1
        if action > PLACE_BOTH:
            s.end = action - PLACE_BOTH
        lay(s, seat, s.low)
        lay(s, seat, s.high)  # S-A10, S-A12
        end_turn(s)
    elif action == ROLL_AGAIN:
        s.hand[seat, AGAIN] -= 1
        roll(s)
    elif action < SHARKS:
        nation = (action - JOKER) // 3
        trick = action - JOKER - 3 * nation
        s.hand[seat, trick] -= 1
        s.joker[seat, nation, trick] += 1
    else:
        play_extra(s, seat, action)
