"""The two extra cards, which two options add: the card “sharks or exchange”, and the crazy captain."""

from __future__ import annotations

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers
from spelunke.games.shanghaien.reckoning import place_of
from spelunke.games.shanghaien.state import (
    CRAZY,
    CRAZY_CAPTAIN,
    EXCHANGE,
    EXTRA,
    LEFT,
    OBJECT,
    OBJECTING,
    PLAY_CRAZY,
    RIGHT,
    ROLLED,
    ROUNDS,
    SHARKS,
    SHARKS_EXCHANGE,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.turns import end_turn, lay


@kernel
def hand_out_extras(s: State, seat: int) -> None:
    """Give the seat the extra cards that the options provide at the start of a game."""
    s.hand[seat, EXTRA] = s.options[SHARKS_EXCHANGE]
    s.hand[seat, CRAZY] = s.options[CRAZY_CAPTAIN]


@hot
def extras_legal(s: State, seat: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, the actions that play an extra card after this roll.

    Return the next free index.
    """
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
    if s.hand[seat, CRAZY] > 0 and s.tavern < ROUNDS - 1 and not s.may_object[1 - seat]:
        out[n] = PLAY_CRAZY
        n += 1
    return n


@kernel
def sharks_legal(s: State, end: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, the actions that lay a rolled die and turn its card face down.

    Skip dice whose card is face down already. If the end of the row for card 1 is not chosen yet, the actions also
    choose it: the end ``end``. Otherwise ``end`` is 0. Return the next free index.
    """
    toward = end if end != UNFIXED else s.end
    if not s.down[place_of(s.low - 1, toward)]:
        out[n] = SHARKS + 6 * end + s.low - 1
        n += 1
    if s.high != s.low and not s.down[place_of(s.high - 1, toward)]:
        out[n] = SHARKS + 6 * end + s.high - 1
        n += 1
    return n


@kernel
def play_extra(s: State, seat: int, action: int) -> None:
    """Play an extra card: sharks, exchange or the crazy captain."""
    if action < EXCHANGE:
        s.hand[seat, EXTRA] -= 1
        block = (action - SHARKS) // 6
        value = action - SHARKS - 6 * block + 1
        if block > 0:
            s.end = block
        s.down[place_of(value - 1, s.end)] = 1
        lay(s, seat, value)
        end_turn(s)
    elif action < PLAY_CRAZY:
        s.hand[seat, EXTRA] -= 1
        s.dice[seat, action - EXCHANGE] -= 1
        s.placed[seat] -= 1
        lay(s, seat, s.low)
        lay(s, seat, s.high)
        end_turn(s)
    else:
        s.hand[seat, CRAZY] -= 1
        s.may_object[seat] = 1


@hot
def asks_objection(s: State, seat: int) -> bool:
    """Return whether the other seat's crazy captain may object before this seat lays a die."""
    if not s.may_object[1 - seat]:
        return False
    return s.tricked == 0 and s.low != s.high and s.phase == ROLLED


@hot
def name_die(s: State, value: int) -> None:
    """Announce the die that the seat wants to lay, so that the other seat can object."""
    s.named = value
    s.phase = OBJECTING


@hot
def answer_objection(s: State, action: int) -> None:
    """Lay the announced die and end the turn. If the other seat objects, lay the other rolled die instead."""
    lay(s, s.turn, s.low + s.high - s.named if action == OBJECT else s.named)
    end_turn(s)
