"""The form of position texts of Sanghai: a JSON object in the game's words.

Impossible positions are refused with a reason. The stock consists of all cards that are in no hand, in no meld and
not in the pile, so the text need not list the stock. If the text has a field ``stock``, only the cards of this field
are in the stock. All other unlisted cards are then in the pile, below the listed cards of the pile. Seats are numbered
from 0, and rounds from 1.
"""

from __future__ import annotations

import msgspec

from spelunke.core.option import OptionsText


class SeatText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One seat: its hand, the number of cards won by calls, whether it has laid, and its answer and vote.

    Cards are separated by spaces. The text may also list the public facts of this round. ``taken`` are cards of
    the hand that the seat openly took. ``thrown`` are cards that it discarded, and ``let_go`` are cards that it
    could have had but did not take. These facts do not follow from the other fields.
    """

    hand: str = ""
    taken: str = ""
    thrown: str = ""
    let_go: str = ""
    heps: int = 0
    laid: bool = False
    answer: str = "none"
    vote: int | None = None


class MeldText(msgspec.Struct, forbid_unknown_fields=True):
    """A meld on the table: its cards, written as in a move text, and its owner."""

    owner: int
    cards: str


class RoundText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A finished round: the points of each seat, the winner, and the seats that laid."""

    points: list[int]
    winner: int | None = None
    laid: list[int] = []


class LayingText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A laying that is played card by card: the melds that are still to be laid, and the begun meld."""

    sets: int
    runs: int
    least_rank: int = 0
    least_run: int = 0
    open: str = ""
    """The begun meld: ``set 7`` or ``run 4d`` if it has no card yet, else ``last meld``.

    ``last meld`` means that the begun meld is the last meld on the table.
    """


class PositionText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A position as it is read and written. ``phase`` is the name of a phase, as in a player's view."""

    seats: list[SeatText]
    options: OptionsText = {}
    round: int = 1
    phase: str = "turn"
    dealer: int | None = None
    turn: int | None = None
    pile: str = ""
    """The cards of the pile.

    The top card is last, after the card under it. The order of the others does not matter.
    """
    top_taken: bool = False
    """Whether a seat took the top card off the pile in this turn. Then only the new top card is known."""
    stock: str | None = None
    melds: list[MeldText] = []
    finished: list[RoundText] = []
    discarder: int | None = None
    calls: list[int] = []
    tied: int | None = None
    waits: bool = False
    turns: int = 0
    reshuffles: int = 0
    laid_this_turn: bool = False
    wild_this_turn: int = 0
    owed: int = 0
    owed_to: int | None = None
    laying: LayingText | None = None
