"""Position text of Sanghai: a complete JSON object in the game's words.

Impossible positions are refused with a reason. The stock consists of all cards that are in no hand, no meld
and not in the pile, so the text need not list them. If the text has a field ``stock``, only those cards are
the stock. The other unlisted cards are then under the pile. Seats count from 0, rounds and melds from 1.
"""

from __future__ import annotations

import msgspec

from spelunke.core.option import OptionsText


class SeatText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One seat: the hand as cards with spaces, cards won by calling, whether it has laid, and its answer and vote.

    The text may also list what all saw of the seat in this round: cards of its hand that it openly took,
    cards that it discarded, and cards that it did not take. They are not computed from the other fields.
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
    """A meld in move text, and its owner."""

    owner: int
    cards: str


class RoundText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A finished round: points by seat, the winner, and the seats that laid."""

    points: list[int]
    winner: int | None = None
    laid: list[int] = []


class LayingText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A laying that is played card by card: the melds still wanted, and the current step."""

    sets: int
    runs: int
    least_rank: int = 0
    least_run: int = 0
    open: str = ""
    """``set 7`` or ``run 4d`` while the meld has no card yet; else ``last meld``."""


class PositionText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A position. ``phase`` is one of the phases of a View."""

    seats: list[SeatText]
    options: OptionsText = {}
    round: int = 1
    phase: str = "turn"
    dealer: int | None = None
    turn: int | None = None
    pile: str = ""
    """The top card is last, and the card under it is next to last. The order of the other cards does not
    matter.
    """
    top_taken: bool = False
    """Whether a card was taken off the pile in this turn. Then only the top card of the pile is known."""
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
