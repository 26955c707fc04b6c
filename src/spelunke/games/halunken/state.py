"""The state record, and the numbers of its phases, actions and outcomes of chance.

Figures have the numbers of their seats; Black Jack is 4. Movement cards have numbers from 1; in a set of eight,
Rum is 8. Fields are 0 to 13, clockwise. An hour is a round.

Face-down sailors have no order. The state stores only how many of them each tavern has. ``unseen`` contains every
sailor that nobody has seen yet.
"""

from __future__ import annotations

from typing import Annotated, Final

from spelunke.core import values
from spelunke.core.kernel import Cell, Cells, layout
from spelunke.core.option import Value
from spelunke.games.halunken import GAME
from spelunke.games.halunken.sailors import SAILORS


def _number_of(option: str, value: Value) -> int:
    """Return the number that encodes this value of the option in a state."""
    return GAME.option(option).encode(value)[0]


FIELDS: Final = 14
HOURS: Final = 8
JACK: Final = 4
"""Black Jack's number among the figures."""
FIGURES: Final = 5
RUM: Final = 8
NOBODY: Final = -1
CAPTAIN_CARDS: Final = 0xFF
"""The mask of a captain's eight movement cards."""
JACK_CARDS: Final = 0xFFF
"""The mask of Black Jack's twelve cards (H-R1)."""

# The index of each option in the field ``options``.
MODE: Final = GAME.slot("mode")
MATCH: Final = GAME.slot("match")
ROB_COUNT: Final = GAME.slot("rob_count")
BID_COLOUR_TIEBREAK: Final = GAME.slot("bid_colour_tiebreak")
BJ2_PASS_THEFT: Final = GAME.slot("bj2_pass_theft")
BJ2_RUM_UNHIRED: Final = GAME.slot("bj2_rum_unhired")
TACTICAL_BJ_34: Final = GAME.slot("tactical_bj_34")
BJ_PEEK: Final = GAME.slot("bj_peek")
AUTO_PLACE: Final = GAME.slot("auto_place")
TIEBREAK: Final = GAME.slot("tiebreak")

# The numbers of some option values, for comparisons in kernels.
BEGINNER: Final = _number_of("mode", "beginner")
STANDARD: Final = _number_of("mode", "standard")
TWO: Final = _number_of("mode", "two_player")
THREE_GAMES: Final = _number_of("match", 3)
BEFORE: Final = _number_of("rob_count", "before")
OPENER_CHOOSES: Final = _number_of("bj2_rum_unhired", "opener_chooses")
STAY: Final = _number_of("bj2_rum_unhired", "stay")
BY_CARDS: Final = _number_of("tiebreak", "cards")

# Phases.
FIRST: Final = 0  # chance decides the first seat
STRAYING: Final = 1  # chance decides the field of a captain (option auto_place)
PLACING: Final = 2
MEETING: Final = 3  # chance decides the first sailor of the captain that was just placed
TURNING: Final = 4  # chance decides the fourteen open sailors
HIDING: Final = 5  # a seat places Black Jack
PEEKING: Final = 6  # chance decides Black Jack's card, before the bidding
BIDDING: Final = 7
CHOOSING: Final = 8  # all seats choose at once
FLIPPING: Final = 9  # chance decides Black Jack's card
NAMING: Final = 10
FALLING: Final = 11  # chance decides the number of an unhired Rum
OPENING: Final = 12  # chance decides the next sailor of a pile
LANDED: Final = 13
PASSING: Final = 14
PICKING: Final = 15  # the hirer openly picks Black Jack's card
FINISHED: Final = 16

SETTING_UP: Final = (FIRST, STRAYING, PLACING, MEETING, TURNING, HIDING)
"""The phases of the set-up, before the first hour of a game."""

# Stages of an hour after the reveal: the steps between two decisions.
REST: Final = -1
NEXT: Final = 0
OVERTAKING: Final = 1
RECRUITING: Final = 2
MEETING_OTHER: Final = 3
PUSHING: Final = 4

# Actions.
PLACE_AT: Final = 0  # + field
PASS: Final = 14
BID: Final = 15  # + sailor
CARD: Final = 57  # + card - 1
JACK_CARD: Final = 65  # + card - 1, or + JACK_RUM
JACK_RUM: Final = 12
"""The offset of Rum in a block of numbers for Black Jack's cards. Offsets 0 to 11 are his cards 1 to 12."""
TAKE_BACK: Final = 78
TAKE_BACK_JACK: Final = 79
NAME: Final = 80  # + number - 1
ROB: Final = 87  # + sailor
FISH: Final = ROB + SAILORS  # + sailor in the harbour
GIVE: Final = FISH + SAILORS  # + sailor
DECLINE: Final = GIVE + SAILORS
ACTIONS = 214

# Outcomes of chance.
BEGINS: Final = 0  # + seat
STRAYS: Final = 4  # + field
SEEN: Final = 18  # + sailor
FLIPPED: Final = 60  # + card - 1, or + JACK_RUM
FALLS: Final = 73  # + number - 1
OUTCOMES = 80

LONGEST = 3 * 640
"""An upper bound for the plies of a match: three games, each with at most 24 plies for the set-up and 75 for each hour.
"""


class State(values.State):
    """The record of one match. The docstring of this module describes its numbers."""

    seats: Cell
    options: Annotated[Cells, GAME.slots]  # encoded
    # match
    games: Cell
    total: Annotated[Cells, 4]
    total_crew: Annotated[Cells, 4]
    best: Annotated[Cells, 4]
    # game
    phase: Cell
    hour: Cell
    first: Cell
    turn: Cell
    opener: Cell
    hirer: Cell
    offer: Cell
    bidder: Cell
    passed: Cell  # a bit for each seat
    field: Annotated[Cells, 5]
    cards: Annotated[Cells, 5]  # a bit for each movement card that is not laid yet
    sealed: Annotated[Cells, 5]  # chosen cards that are still secret
    laid: Annotated[Cells, 5]
    named: Cell
    # a bit for each figure that still has to take a sailor, and for each that still has to move
    staying: Cell
    moving: Cell
    mover: Cell
    took: Cell
    opening: Cell  # the field whose next sailor is turned up
    queue: Annotated[Cells, 4]  # the overtaken captains that nobody has robbed or spared yet, in order
    # sailors
    top: Annotated[Cells, 14]
    under: Annotated[Cells, 14]
    crew: Annotated[Cells, 4, 4]
    hands: Annotated[Cells, 4]  # the size of each crew
    harbour: Annotated[Cells, 4]
    afloat: Cell  # the number of sailors in the harbour
    unseen: Annotated[Cells, 4]
    dark: Cell  # the number of unseen sailors


STATE = layout(State)
