"""The rules of Shanghaien as kernels on one record. Nothing else decides what is legal or what happens.

The turn is told here; what it rests on stands beside: ``state`` (the record), ``choices`` (dice and tricks), ``deck``
(chance), ``reckoning`` (settlement and points). All their names are names of this module.
"""

from __future__ import annotations

from typing import Any

from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import hot, kernel
from spelunke.games.shanghaien.choices import has_sailor, place_legal, sharks_legal, tricks_legal
from spelunke.games.shanghaien.deck import apply_chance, chances, count_deck, next_card, sample_chance
from spelunke.games.shanghaien.reckoning import (
    break_tie,
    gain,
    neighbour_pips,
    place_of,
    points,
    result,
    strength,
    survey,
    taker,
    unplayed,
)
from spelunke.games.shanghaien.state import (
    ACTIONS,
    AFTER_FIRST_ROLL,
    AGAIN,
    ALLOW,
    BEST_OF_THREE,
    BOTH,
    COPIES,
    CRAZY,
    CRAZY_CAPTAIN,
    DEAL,
    DEALING,
    DICE,
    DIRECT,
    DIRECTING,
    DRAWING_STARTER,
    EXCHANGE,
    EXTRA,
    FALL,
    FINISHED,
    JOKER,
    KINDS,
    LEFT,
    LONGEST,
    NATIONS,
    NOT_STARTER,
    NOTHING,
    NUDGE,
    NUDGED,
    OBJECT,
    OBJECTING,
    OUTCOMES,
    PAIR_OF,
    PAIR_OF_TWO,
    PAIRS,
    PLACE,
    PLACE_BOTH,
    PM1,
    REROLL,
    RIGHT,
    ROLL,
    ROLL_AGAIN,
    ROLLED,
    ROLLING,
    ROUNDS,
    SAILORS,
    SHANGHAI,
    SHARKS,
    STARTER,
    STATE,
    SUM_OF_THREE,
    TURN,
    UNFIXED,
    UNUSED_TRICKS,
    VERSION,
    Numbers,
    State,
)

__all__ = [
    "ACTIONS",
    "AFTER_FIRST_ROLL",
    "AGAIN",
    "ALLOW",
    "BEST_OF_THREE",
    "BOTH",
    "COPIES",
    "CRAZY",
    "CRAZY_CAPTAIN",
    "DEAL",
    "DEALING",
    "DICE",
    "DIRECT",
    "DIRECTING",
    "DRAWING_STARTER",
    "EXCHANGE",
    "EXTRA",
    "FALL",
    "FINISHED",
    "JOKER",
    "KINDS",
    "LEFT",
    "LONGEST",
    "NATIONS",
    "NOTHING",
    "NOT_STARTER",
    "NUDGE",
    "NUDGED",
    "OBJECT",
    "OBJECTING",
    "OUTCOMES",
    "PAIRS",
    "PAIR_OF",
    "PAIR_OF_TWO",
    "PLACE",
    "PLACE_BOTH",
    "PM1",
    "REROLL",
    "RIGHT",
    "ROLL",
    "ROLLED",
    "ROLLING",
    "ROLL_AGAIN",
    "ROUNDS",
    "SAILORS",
    "SHANGHAI",
    "SHARKS",
    "STARTER",
    "STATE",
    "SUM_OF_THREE",
    "TURN",
    "UNFIXED",
    "UNUSED_TRICKS",
    "VERSION",
    "Numbers",
    "State",
    "actors",
    "apply_chance",
    "begin",
    "break_tie",
    "chances",
    "clear_roll",
    "clear_tavern",
    "count_deck",
    "end_game",
    "end_turn",
    "gain",
    "has_sailor",
    "lay",
    "legal",
    "neighbour_pips",
    "next_card",
    "open_tavern",
    "place_legal",
    "place_of",
    "play",
    "play_trick",
    "points",
    "result",
    "roll",
    "sample_chance",
    "shanghai",
    "sharks_legal",
    "start",
    "strength",
    "survey",
    "taker",
    "tricks_legal",
    "unplayed",
]


@kernel
def start(s: Any, setup: Numbers) -> None:
    """Set the table (S-R1 to S-R4)."""
    s.start_trick = setup[1]
    s.sharks_exchange = setup[2]
    s.crazy_captain = setup[3]
    s.doubles_reroll = setup[4]
    s.direction_timing = setup[5]
    for trick in range(3):
        s.split[trick] = setup[6 + trick]
    s.tiebreak = setup[9]
    s.first_starter = setup[10]
    s.match = setup[11]
    s.games = 0
    s.wins[:] = 0
    s.total[:] = 0
    s.spare[:] = 0
    s.opener = NOTHING
    s.first_opener = NOTHING
    begin(s)


@kernel
def begin(s: Any) -> None:
    """Shuffle anew and deal the first tavern of a game; captains, dice and extra cards go back to their owners."""
    for kind in range(SAILORS):
        s.deck[kind] = COPIES[kind & 3]
    for trick in range(3):
        s.deck[SAILORS + trick] = s.split[trick]
    count_deck(s)
    s.hand[:] = 0
    s.crew[:] = 0
    s.joker[:] = 0
    for seat in range(2):
        if s.start_trick == 1:
            s.hand[seat, AGAIN] = 1
        elif s.start_trick == 2:
            s.hand[seat, PM1] = 1
        elif s.start_trick == 3:
            s.hand[seat, BOTH] = 1
        s.hand[seat, EXTRA] = s.sharks_exchange
        s.hand[seat, CRAZY] = s.crazy_captain
    if s.games > 0:
        s.opener = 1 - s.opener  # S-A13
    elif s.first_starter > 0:
        s.opener = s.first_starter - 1
        s.first_opener = s.opener
    s.starter = s.opener
    s.tavern = 0
    open_tavern(s)


@hot
def open_tavern(s: Any) -> None:
    """Begin to deal six new cards (S-R17)."""
    clear_tavern(s)
    s.phase = DEALING
    s.turn = max(s.starter, 0)


@hot
def clear_tavern(s: Any) -> None:
    """Dice and captains return to their owners; no card is left in the row (S-R17)."""
    s.row[:] = NOTHING
    s.down[:] = 0
    s.placed[:] = 0
    s.spent[:] = 0
    s.crazy[:] = 0
    s.dice[:] = 0
    s.dealt = 0
    s.end = UNFIXED
    clear_roll(s)


@hot
def clear_roll(s: Any) -> None:
    """Forget the rolled dice and what was done with them in this turn."""
    s.low = 0
    s.high = 0
    s.named = 0
    s.tricked = 0
    s.rerolled = 0


@hot
def actors(s: Any) -> int:
    """Who acts: the seat on turn, the captain who may object, chance, or nobody."""
    if s.phase == TURN or DIRECTING <= s.phase <= NUDGED:
        return 1 << int(s.turn)
    if s.phase == OBJECTING:
        return 2 >> int(s.turn)
    if s.phase == FINISHED:
        return OVER
    return CHANCE


@hot
def legal(s: Any, seat: int, out: Numbers) -> int:
    """The seat's legal actions, ascending."""
    n = 0
    if s.phase == TURN:
        if seat != s.turn:
            return 0
        if s.placed[seat] <= DICE - 2:  # S-R9
            out[n] = ROLL
            n += 1
        if s.placed[seat] >= 2:  # S-R12; with 0 or 1 die left it is all there is (S-R13, S-A9)
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
        if s.doubles_reroll and s.low == s.high and not s.rerolled and not s.tricked:
            out[n] = REROLL
            n += 1
        if s.end != UNFIXED:
            n = place_legal(s, PLACE, s.low, s.high, out, n)
        else:
            n = place_legal(s, PLACE + 6, s.low, s.high, out, n)
            n = place_legal(s, PLACE + 12, s.low, s.high, out, n)
        if not s.spent[seat]:  # S-R18
            n = tricks_legal(s, seat, out, n)
        return n
    if s.phase == NUDGED:
        if s.end != UNFIXED:
            return place_legal(s, PLACE, s.named, s.named, out, 0)
        n = place_legal(s, PLACE + 6, s.named, s.named, out, 0)
        return place_legal(s, PLACE + 12, s.named, s.named, out, n)
    if s.phase == DIRECTING:
        out[0] = DIRECT
        out[1] = DIRECT + 1
        return 2
    return 0


@hot
def play(s: Any, seat: int, action: int) -> None:
    """Play a legal action."""
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
        if s.crazy[1 - seat] and not s.tricked and s.low != s.high and s.phase == ROLLED:
            s.named = value
            s.phase = OBJECTING
        else:
            lay(s, seat, value)
            end_turn(s)
    elif action == OBJECT:
        lay(s, s.turn, s.low + s.high - s.named)
        end_turn(s)
    elif action == ALLOW:
        lay(s, s.turn, s.named)
        end_turn(s)
    else:
        play_trick(s, seat, action)


@hot
def roll(s: Any) -> None:
    """Two dice leave the hand; the old result, if any, is gone (S-R24)."""
    s.low = 0
    s.high = 0
    s.phase = ROLLING


@kernel
def play_trick(s: Any, seat: int, action: int) -> None:
    """Spend the captain (S-R18) and let the trick act."""
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
    elif action < EXCHANGE:
        s.hand[seat, EXTRA] -= 1
        block = (action - SHARKS) // 6
        value = action - SHARKS - 6 * block + 1
        if block > 0:
            s.end = block
        s.down[place_of(value - 1, s.end)] = 1
        lay(s, seat, value)
        end_turn(s)
    elif action < CRAZY_CAPTAIN:
        s.hand[seat, EXTRA] -= 1
        s.dice[seat, action - EXCHANGE] -= 1
        s.placed[seat] -= 1
        lay(s, seat, s.low)
        lay(s, seat, s.high)
        end_turn(s)
    else:
        s.hand[seat, CRAZY] -= 1
        s.crazy[seat] = 1


@hot
def lay(s: Any, seat: int, value: int) -> None:
    """One own die to the card of that number (S-R10)."""
    s.dice[seat, value - 1] += 1
    s.placed[seat] += 1


@hot
def end_turn(s: Any) -> None:
    """The other seat's turn begins (S-R7)."""
    clear_roll(s)
    s.turn = 1 - s.turn
    s.phase = TURN


@hot
def shanghai(s: Any, seat: int) -> None:
    """End the round: settle each card on its own, open the next tavern or end the game (S-R14 to S-R17)."""
    for number in range(6):
        place = place_of(number, s.end)
        winner = taker(s, number)
        if winner != NOTHING and not s.down[place]:
            kind = s.row[place]
            if kind < SAILORS:
                s.crew[winner, kind >> 2, kind & 3] += 1
            else:
                s.hand[winner, kind - SAILORS] += 1
    s.tavern += 1
    s.starter = 1 - seat
    if s.tavern < ROUNDS:
        open_tavern(s)
    else:
        end_game(s)


@kernel
def end_game(s: Any) -> None:
    """Count a finished game; begin the next of the match, or end it."""
    mine = points(s, 0)
    theirs = points(s, 1)
    balance = mine - theirs
    if balance == 0:  # S-A14
        balance = break_tie(s, unplayed(s, 0), unplayed(s, 1), s.opener)
    if balance > 0:
        s.wins[0] += 1
    elif balance < 0:
        s.wins[1] += 1
    s.total[0] += mine
    s.total[1] += theirs
    s.spare[0] += unplayed(s, 0)
    s.spare[1] += unplayed(s, 1)
    s.games += 1
    if s.match == 0 or s.games == 3 or (s.match == BEST_OF_THREE and (s.wins[0] == 2 or s.wins[1] == 2)):
        clear_tavern(s)
        s.phase = FINISHED
    else:
        begin(s)
