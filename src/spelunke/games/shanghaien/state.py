"""The state of a match of Shanghaien as one record, and the constants that the rules use.

A card is stored as the number of its kind. The 32 kinds of sailors (S-R2) come first, with the numbers
``4 * nation + value - 1``; then come the tricks. A tavern is the row of six cards of one round.

In a round, each card of the row has a number from 1 to 6. Dice on cards are stored by this number (index 0 to 5),
not by the card's place on the table.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from spelunke.core import values
from spelunke.core.kernel import Cell, Cells, layout
from spelunke.games.shanghaien import GAME

VERSION = 1
NATIONS: Final = 8
SAILORS: Final = 32
PM1: Final = 0
BOTH: Final = 1
AGAIN: Final = 2
EXTRA: Final = 3
CRAZY: Final = 4
KINDS: Final = 35
"""The number of kinds in the deck: 32 kinds of sailors, then ±1, both dice, and roll again."""
NOTHING: Final = -1
ROUNDS: Final = 8
DICE: Final = 6

# The end of the row at which card 1 lies (S-R8).
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

# Actions. Within a block, values and nations count from 0.
ROLL: Final = 0
SHANGHAI: Final = 1
DIRECT: Final = 2  # + 0 left, + 1 right
REROLL: Final = 4
PLACE: Final = 5  # + 6 * end + value - 1; end is 0 if the direction is fixed
NUDGE: Final = 23  # + changed value - 1
PLACE_BOTH: Final = 29  # + end
ROLL_AGAIN: Final = 32
JOKER: Final = 33  # + 3 * nation + trick
SHARKS: Final = 57  # + 6 * end + value - 1
EXCHANGE: Final = 75  # + number of the card that the die leaves - 1
PLAY_CRAZY: Final = 81
OBJECT: Final = 82
ALLOW: Final = 83
ACTIONS = 84

# Outcomes of chance.
DEAL: Final = 0  # + kind
STARTER: Final = 35  # + seat
FALL: Final = 37  # + index in PAIRS
OUTCOMES = 58
LONGEST = 3 * (49 + ROUNDS * 11 * 9)

# The index of each option in the field ``options``.
START_TRICK: Final = GAME.slot("start_trick")
SHARKS_EXCHANGE: Final = GAME.slot("sharks_exchange")
CRAZY_CAPTAIN: Final = GAME.slot("crazy_captain")
DOUBLES_REROLL: Final = GAME.slot("doubles_reroll")
DIRECTION_TIMING: Final = GAME.slot("direction_timing")
TRICK_SPLIT: Final = GAME.slot("trick_split")
TIEBREAK: Final = GAME.slot("tiebreak")
FIRST_STARTER: Final = GAME.slot("first_starter")
MATCH: Final = GAME.slot("match")


def _value(option: str, word: str) -> int:
    """Return the number that encodes this value of the option in a state."""
    return GAME.option(option).encode(word)[0]


AFTER_FIRST_ROLL: Final = _value("direction_timing", "after_first_roll")
UNUSED_TRICKS: Final = _value("tiebreak", "unused_tricks")
NOT_STARTER: Final = _value("tiebreak", "not_starter")
SINGLE: Final = _value("match", "single")
BEST_OF_THREE: Final = _value("match", "best_of_three")
STARTS_WITH = np.array([_value("start_trick", word) for word in ("pm1", "both", "again")], np.int16)
"""For each trick, the value of the option ``start_trick`` that gives this trick to both seats at the start."""

COPIES = np.array([1, 1, 2, 1], np.int16)
"""For each value from 1 to 4, the number of cards with this value in a nation (S-R2)."""
PAIRS = np.array([(a, b) for a in range(1, 7) for b in range(a, 7)], np.int16)
"""The 21 pairs of two dice, lower die first. The weight of a double is 1, that of other pairs 2 (S-R4)."""
PAIR_OF = np.array([[0] * 7 for _ in range(7)], np.int16)
for _index, (_low, _high) in enumerate(PAIRS):
    PAIR_OF[_low, _high] = PAIR_OF[_high, _low] = _index
PAIR_OF_TWO = np.array([PAIR_OF[a, b] for a in range(1, 7) for b in range(1, 7)], np.int16)
"""For each of the 36 rolls of a first and a second die, the index of the pair in ``PAIRS``."""


class State(values.State):
    """The record of one match.

    ``hand`` counts each seat's trick cards by kind. ``joker`` counts the trick cards that were laid as sailors, by
    seat, nation and kind. ``unseen`` is the number of cards in the deck. ``left`` has this number for each nation; its
    last entry is for the trick cards. ``may_object`` is 1 for a seat that has played its crazy captain in this round.
    """

    options: Annotated[Cells, GAME.slots]
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
    may_object: Annotated[Cells, 2]
    dice: Annotated[Cells, 2, 6]
    hand: Annotated[Cells, 2, 5]
    crew: Annotated[Cells, 2, 8, 4]
    joker: Annotated[Cells, 2, 8, 3]
    deck: Annotated[Cells, 35]
    left: Annotated[Cells, 9]


STATE = layout(State)
