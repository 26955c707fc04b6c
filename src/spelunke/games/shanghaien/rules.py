"""The rules of Shanghaien as kernels on one state record: the seats to act, the legal actions, and their effects.

The parts are in other modules. ``state`` defines the record. ``rounds`` has set-up and rounds; ``turns``,
``tricks`` and ``extras`` have the actions of a turn. ``deck`` has the outcomes of chance, and ``reckoning`` the
settlement and points.
"""

from __future__ import annotations

from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import hot
from spelunke.core.values import Numbers
from spelunke.games.shanghaien.extras import answer_objection, asks_objection, name_die
from spelunke.games.shanghaien.rounds import shanghai
from spelunke.games.shanghaien.state import (
    ALLOW,
    DICE,
    DIRECT,
    DIRECTING,
    DOUBLES_REROLL,
    FINISHED,
    LEFT,
    NUDGE,
    NUDGED,
    OBJECT,
    OBJECTING,
    PLACE,
    REROLL,
    ROLL,
    ROLLED,
    SHANGHAI,
    TURN,
    UNFIXED,
    State,
)
from spelunke.games.shanghaien.tricks import play_trick, tricks_legal
from spelunke.games.shanghaien.turns import end_turn, lay, roll

KERNELS = {
    "state": "VERSION STATE ACTIONS OUTCOMES LONGEST",
    "rounds": "start",
    "deck": "chances apply_chance sample_chance",
    "reckoning": "result",
}
"""The parts of the contract (:mod:`spelunke.core.contract`) that are defined in other modules of this game.

A key is the name of a module. Its value has the names of functions and constants.
"""


@hot
def actors(s: State) -> int:
    """Return a bit mask with the seat to act: the seat on turn, or the seat whose crazy captain may object.

    If no seat is to act, return CHANCE or OVER.
    """
    if s.phase == TURN or DIRECTING <= s.phase <= NUDGED:
        return 1 << int(s.turn)
    if s.phase == OBJECTING:
        return 2 >> int(s.turn)
    if s.phase == FINISHED:
        return OVER
    return CHANCE


@hot
def legal(s: State, seat: int, out: Numbers) -> int:
    """Write the seat's legal actions into ``out`` in ascending order. Return their count."""
    n = 0
    if s.phase == TURN:
        if seat != s.turn:
            return 0
        if s.placed[seat] <= DICE - 2:  # S-R9
            out[n] = ROLL
            n += 1
        if s.placed[seat] >= 2:  # S-R12; with 0 or 1 die left, Shanghai is the only action (S-R13, S-A9)
            out[n] = SHANGHAI
            n += 1
        return n
    if s.phase == OBJECTING:
        if seat == s.turn:
            return 0
        out[0] = OBJECT
        out[1] = ALLOW
        return 2
    if seat != s.turn:
        return 0
    if s.phase == ROLLED:
        if s.options[DOUBLES_REROLL] and s.low == s.high and not s.rerolled and not s.tricked:
            out[n] = REROLL
            n += 1
        if s.end != UNFIXED:
            n = place_legal(PLACE, s.low, s.high, out, n)
        else:
            n = place_legal(PLACE + 6, s.low, s.high, out, n)
            n = place_legal(PLACE + 12, s.low, s.high, out, n)
        if not s.spent[seat]:  # S-R18
            n = tricks_legal(s, seat, out, n)
        return n
    if s.phase == NUDGED:
        if s.end != UNFIXED:
            return place_legal(PLACE, s.named, s.named, out, 0)
        n = place_legal(PLACE + 6, s.named, s.named, out, 0)
        return place_legal(PLACE + 12, s.named, s.named, out, n)
    if s.phase == DIRECTING:
        out[0] = DIRECT
        out[1] = DIRECT + 1
        return 2
    return 0


@hot
def place_legal(first: int, low: int, high: int, out: Numbers, n: int) -> int:
    """Write into ``out``, from index ``n``, an action for each of the two rolled dice, or only one for equal dice.

    ``first`` is the action for a die that shows 1. Return the next free index (S-R10).
    """
    out[n] = first + low - 1
    if high == low:
        return n + 1
    out[n + 1] = first + high - 1
    return n + 2


@hot
def play(s: State, seat: int, action: int) -> None:
    """Play a legal action, in place."""
    if action == ROLL:
        roll(s)
    elif action == SHANGHAI:
        shanghai(s, seat)
    elif action < REROLL:
        s.end = LEFT + action - DIRECT
        s.phase = ROLLED
    elif action == REROLL:
        s.rerolled = 1
        roll(s)
    elif action < NUDGE:
        block = (action - PLACE) // 6
        value = action - PLACE - 6 * block + 1
        if block > 0:
            s.end = block
        if asks_objection(s, seat):
            name_die(s, value)
        else:
            lay(s, seat, value)
            end_turn(s)
    elif action >= OBJECT:
        answer_objection(s, action)
    else:
        play_trick(s, seat, action)
