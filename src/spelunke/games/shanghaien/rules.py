"""The rules of Shanghaien as kernels on one record. Nothing else decides what is legal or what happens.

Cards are kinds: ``4 * nation + value - 1`` for the 32 kinds of sailors (S-R2), then the tricks of :class:`Trick`.
Dice on cards are counted by the card's number of this round, 1 to 6 (index 0 to 5), not by its place on the table.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import Cell, Cells, hot, kernel, layout

VERSION = 1
NATIONS: Final = 8
SAILORS: Final = 32
PM1: Final = 0
BOTH: Final = 1
AGAIN: Final = 2
EXTRA: Final = 3
CRAZY: Final = 4
KINDS: Final = 35
"""Kinds of cards that are dealt: 32 sailors, then ±1, both dice, roll again."""
NOTHING: Final = -1
ROUNDS: Final = 8
DICE: Final = 6

# Which end of the row is card 1 (S-R8).
UNFIXED: Final = 0
LEFT: Final = 1
RIGHT: Final = 2

# Phases.
DEALING: Final = 0
DRAWING_STARTER: Final = 1
TURN: Final = 2
ROLLING: Final = 3
DIRECTING: Final = 4
ROLLED: Final = 5
NUDGED: Final = 6
OBJECTING: Final = 7
FINISHED: Final = 8

# Actions. Values and nations count from 0 inside a block.
ROLL: Final = 0
SHANGHAI: Final = 1
DIRECT: Final = 2  # + 0 left, + 1 right
REROLL: Final = 4
PLACE: Final = 5  # + 6 * end + value - 1; end 0 once it is fixed
NUDGE: Final = 23  # + resulting value - 1
PLACE_BOTH: Final = 29  # + end
ROLL_AGAIN: Final = 32
JOKER: Final = 33  # + 3 * nation + trick
SHARKS: Final = 57  # + 6 * end + value - 1
EXCHANGE: Final = 75  # + number of the card left - 1
CRAZY_CAPTAIN: Final = 81
OBJECT: Final = 82
ALLOW: Final = 83
ACTIONS = 84

# Outcomes of chance.
DEAL: Final = 0  # + kind
STARTER: Final = 35  # + seat
FALL: Final = 37  # + index of the pair of dice
OUTCOMES = 58
LONGEST = 3 * (49 + ROUNDS * 11 * 9)

# Option values, in the order of the card.
AFTER_FIRST_ROLL: Final = 1
UNUSED_TRICKS: Final = 1
NOT_STARTER: Final = 2
BEST_OF_THREE: Final = 1
SUM_OF_THREE: Final = 2

COPIES = np.array([1, 1, 2, 1], np.int16)
"""How many sailors of values 1 to 4 a nation has (S-R2)."""
PAIRS = np.array([(a, b) for a in range(1, 7) for b in range(a, 7)], np.int16)
"""The 21 pairs of dice, lower die first; doubles weigh 1, others 2 (S-R4)."""
PAIR_OF = np.array([[0] * 7 for _ in range(7)], np.int16)
for _index, (_low, _high) in enumerate(PAIRS):
    PAIR_OF[_low, _high] = PAIR_OF[_high, _low] = _index
PAIR_OF_TWO = np.array([PAIR_OF[a, b] for a in range(1, 7) for b in range(1, 7)], np.int16)
"""The pair that each of the 36 falls of two dice makes."""


class State:
    """One match. ``hand`` counts tricks by kind; ``joker`` those laid with a nation, by the kind they were.

    ``unseen`` and ``left`` count the deck (see :func:`count_deck`).
    """

    # options
    start_trick: Cell
    sharks_exchange: Cell
    crazy_captain: Cell
    doubles_reroll: Cell
    direction_timing: Cell
    split: Annotated[Cells, 3]
    tiebreak: Cell
    first_starter: Cell
    match: Cell
    # match
    games: Cell
    wins: Annotated[Cells, 2]
    total: Annotated[Cells, 2]
    spare: Annotated[Cells, 2]
    opener: Cell
    first_opener: Cell
    # game
    phase: Cell
    tavern: Cell
    starter: Cell
    turn: Cell
    dealt: Cell
    end: Cell
    unseen: Cell
    low: Cell
    high: Cell
    named: Cell
    tricked: Cell
    rerolled: Cell
    row: Annotated[Cells, 6]
    down: Annotated[Cells, 6]
    placed: Annotated[Cells, 2]
    spent: Annotated[Cells, 2]
    crazy: Annotated[Cells, 2]
    dice: Annotated[Cells, 2, 6]
    hand: Annotated[Cells, 2, 5]
    crew: Annotated[Cells, 2, 8, 4]
    joker: Annotated[Cells, 2, 8, 3]
    deck: Annotated[Cells, 35]
    left: Annotated[Cells, 9]


STATE = layout(State)
Numbers = npt.NDArray[np.int16]


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


@kernel
def count_deck(s: Any) -> None:
    """Bring what is counted of the deck in step with it: ``left`` by nation (tricks last), ``unseen`` in all."""
    s.unseen = 0
    s.left[:] = 0
    for kind in range(KINDS):
        s.left[kind >> 2] += s.deck[kind]
        s.unseen += s.deck[kind]


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


@hot
def place_of(number: int, end: int) -> int:
    """Index on the table (0 is L1) of the card with this number (0 is 1), when that end is 1 (S-R8)."""
    return number if end == LEFT else 5 - number


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
def taker(s: Any, number: int) -> int:
    """Who gets the card of that number (index from 0) if the round ends now, or NOTHING (S-R14, S-R15)."""
    mine = s.dice[0, number]
    theirs = s.dice[1, number]
    if mine > theirs:
        return 0
    if theirs > mine:
        return 1
    if mine == 0:
        return NOTHING
    balance = neighbour_pips(s, 0, number) - neighbour_pips(s, 1, number)
    if balance > 0:
        return 0
    if balance < 0:
        return 1
    return NOTHING


@hot
def neighbour_pips(s: Any, seat: int, number: int) -> int:
    """Pips of the seat's dice at the neighbouring cards (S-R14, S-A19)."""
    pips = 0
    if number > 0:
        pips += s.dice[seat, number - 1] * number
    if number < 5:
        pips += s.dice[seat, number + 1] * (number + 2)
    return pips


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
def strength(s: Any, seat: int, nation: int) -> int:
    """Sum of the seat's sailors of that nation, jokers counting 2 (S-R21)."""
    total = 0
    for value in range(4):
        total += (value + 1) * s.crew[seat, nation, value]
    for trick in range(3):
        total += 2 * s.joker[seat, nation, trick]
    return total


@kernel
def unplayed(s: Any, seat: int) -> int:
    """Trick cards in the seat's hand; each is worth a point (S-R26, S-A21)."""
    total = 0
    for trick in range(5):
        total += s.hand[seat, trick]
    return total


@kernel
def gain(mine: int, theirs: int) -> int:
    """What a nation is worth to me when the crews meet (S-R25)."""
    if theirs == 0:
        return mine
    if mine > theirs:
        return theirs
    return 0


@kernel
def points(s: Any, seat: int) -> int:
    """The seat's points if the game ended now (S-R25, S-R26)."""
    total = unplayed(s, seat)
    for nation in range(NATIONS):
        total += gain(strength(s, seat, nation), strength(s, 1 - seat, nation))
    return total


@kernel
def survey(
    s: Any, strengths: Numbers, gains: Numbers, takers: Numbers, pips: Numbers, scores: Numbers
) -> None:
    """All that a view tells of a state in one call: by seat and nation, by card number, by seat and number, by seat.

    Shapes: (2, 8), (2, 8), (6,), (2, 6), (2,); filled in place.
    """
    for seat in range(2):
        scores[seat] = points(s, seat)
        for nation in range(NATIONS):
            strengths[seat, nation] = strength(s, seat, nation)
            gains[seat, nation] = gain(strength(s, seat, nation), strength(s, 1 - seat, nation))
        for number in range(6):
            pips[seat, number] = neighbour_pips(s, seat, number)
    for number in range(6):
        takers[number] = taker(s, number)


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


@kernel
def break_tie(s: Any, mine: int, theirs: int, opener: int) -> int:
    """Positive for seat 0, negative for seat 1, 0 for a shared win (S-A14)."""
    if s.tiebreak == UNUSED_TRICKS:
        return mine - theirs
    if s.tiebreak == NOT_STARTER:
        return -1 if opener == 0 else 1
    return 0


@kernel
def result(s: Any, scores: Numbers, ranks: Numbers) -> None:
    """Points (best of three: games won) and ranks of a finished match."""
    if s.match == BEST_OF_THREE:
        scores[0] = s.wins[0]
        scores[1] = s.wins[1]
        balance = s.wins[0] - s.wins[1]
    else:
        scores[0] = s.total[0]
        scores[1] = s.total[1]
        balance = s.total[0] - s.total[1]
        if balance == 0:
            balance = break_tie(s, s.spare[0], s.spare[1], s.first_opener)
    ranks[0] = 1 if balance >= 0 else 2
    ranks[1] = 1 if balance <= 0 else 2


@kernel
def chances(s: Any, outcomes: Numbers, weights: Numbers) -> int:
    """The next card by its unseen copies, the starter, or a roll of two dice (S-R4)."""
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
def land(s: Any, outcome: int) -> None:
    """Chance has decided."""
    if outcome >= FALL:
        s.low = PAIRS[outcome - FALL, 0]
        s.high = PAIRS[outcome - FALL, 1]
        if s.end == UNFIXED and s.direction_timing == AFTER_FIRST_ROLL:
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
def draw(s: Any, stream: npt.NDArray[np.int64]) -> int:
    """An outcome with the weights of :func:`chances`."""
    if s.phase == ROLLING:
        return FALL + PAIR_OF_TWO[below(stream, 36)]  # type: ignore[no-any-return]
    if s.phase == DEALING:
        return next_card(s, below(stream, s.unseen))
    return STARTER + below(stream, 2)


@hot
def next_card(s: Any, nth: int) -> int:
    """The kind of the ``nth`` unseen card, counted from 0 by nation and value.

    Without branches: which card comes can't be predicted, and a wrong guess of the processor costs more than all this.
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
    return kind + (nth >= one) + (nth >= two) + (nth >= three)  # type: ignore[no-any-return]
