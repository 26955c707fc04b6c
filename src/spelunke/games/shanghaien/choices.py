"""What may be done with two rolled dice: laying one of them, and the tricks (S-R10, S-R18 to S-R24)."""

from __future__ import annotations

from typing import Any

from spelunke.core.kernel import hot, kernel
from spelunke.games.shanghaien.reckoning import place_of
from spelunke.games.shanghaien.state import (
    AGAIN,
    BOTH,
    CRAZY,
    CRAZY_CAPTAIN,
    EXCHANGE,
    EXTRA,
    JOKER,
    LEFT,
    NATIONS,
    NUDGE,
    PLACE_BOTH,
    PM1,
    RIGHT,
    ROLL_AGAIN,
    ROUNDS,
    SHARKS,
    UNFIXED,
    Numbers,
)


@hot
def place_legal(s: Any, first: int, low: int, high: int, out: Numbers, n: int) -> int:
    """Laying either of two dice; equal dice are one action (S-R10)."""
    out[n] = first + low - 1
    if high == low:
        return n + 1
    out[n + 1] = first + high - 1
    return n + 2


@hot
def tricks_legal(s: Any, seat: int, out: Numbers, n: int) -> int:
    """The tricks that the seat may play after this roll (S-R18 to S-R24 and the extra cards)."""
    if s.hand[seat, PM1] > 0:
        for value in range(1, 7):  # S-R22, S-A5: two ways to one value are one action
            out[n] = NUDGE + value - 1
            n += (abs(value - s.low) == 1) | (
                abs(value - s.high) == 1
            )  # written, kept if it counts: no branch
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
    if s.hand[seat, EXTRA] > 0:
        if s.end != UNFIXED:
            n = sharks_legal(s, 0, out, n)
        else:
            n = sharks_legal(s, LEFT, out, n)
            n = sharks_legal(s, RIGHT, out, n)
        for number in range(6):
            if s.dice[seat, number] > 0:
                out[n] = EXCHANGE + number
                n += 1
    if s.hand[seat, CRAZY] > 0 and s.tavern < ROUNDS - 1 and not s.crazy[1 - seat]:
        out[n] = CRAZY_CAPTAIN
        n += 1
    return n


@kernel
def sharks_legal(s: Any, end: int, out: Numbers, n: int) -> int:
    """Dice whose card is not face down yet."""
    toward = end if end != UNFIXED else s.end
    if not s.down[place_of(s.low - 1, toward)]:
        out[n] = SHARKS + 6 * end + s.low - 1
        n += 1
    if s.high != s.low and not s.down[place_of(s.high - 1, toward)]:
        out[n] = SHARKS + 6 * end + s.high - 1
        n += 1
    return n


@hot
def has_sailor(s: Any, seat: int, nation: int) -> bool:
    """Whether the seat has a real sailor of that nation."""
    sailors = 0
    for value in range(4):
        sailors += s.crew[seat, nation, value]
    return sailors > 0
