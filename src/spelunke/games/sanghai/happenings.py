"""What can happen at a table of Sanghai, as typed events; who is told what: :mod:`.events`."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import msgspec

from spelunke.games.sanghai.cards import Card, Meld


class DealerChosen(msgspec.Struct, frozen=True, tag="dealer"):
    """The first dealer (N-A27)."""

    seat: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """A card was dealt; ``card`` is None for everybody but its owner."""

    quiet: ClassVar[bool] = True

    seat: int
    card: Card | None


class RoundBegins(msgspec.Struct, frozen=True, tag="round"):
    """All cards are dealt; the eldest hand plays first."""

    mark: ClassVar[bool] = True

    lap: int
    sets: int
    runs: int
    length: int
    seat: int


class Declined(msgspec.Struct, frozen=True, tag="stock"):
    """The player on turn draws from the stock."""

    quiet: ClassVar[bool] = True

    seat: int


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A card came from the stock; ``card`` is None for everybody but the drawer. ``why``: ``turn`` or ``hep``."""

    seat: int
    card: Card | None
    why: str


class NothingDrawn(msgspec.Struct, frozen=True, tag="nothing"):
    """The stock is empty and there is nothing to shuffle (N-C6)."""

    seat: int


class Took(msgspec.Struct, frozen=True, tag="took"):
    """The player on turn took the discard."""

    seat: int
    card: Card


class Called(msgspec.Struct, frozen=True, tag="hep"):
    """A seat called for the discard. ``tied``: at the same time as the first."""

    seat: int
    card: Card
    tied: bool


class Passed(msgspec.Struct, frozen=True, tag="pass"):
    """The viewer's own pass; nobody else is told."""

    quiet: ClassVar[bool] = True

    seat: int


class AllAnswered(msgspec.Struct, frozen=True, tag="answered"):
    """Nobody owes an answer any more: ``seat`` may draw. In a live window only he is told."""

    quiet: ClassVar[bool] = True

    seat: int


class VoteCast(msgspec.Struct, frozen=True, tag="vote"):
    """The viewer's own sealed vote; nobody else is told before all have voted."""

    seat: int
    choice: int


class VotesCounted(msgspec.Struct, frozen=True, tag="votes"):
    """All have voted: each voter and his choice."""

    votes: tuple[tuple[int, int], ...]


class HepWon(msgspec.Struct, frozen=True, tag="won"):
    """A called card went to its caller; ``heps`` are the cards that he has won in this round."""

    seat: int
    card: Card
    heps: int


class CardStays(msgspec.Struct, frozen=True, tag="stays"):
    """It was called, but nobody gets it."""

    card: Card


class Reshuffled(msgspec.Struct, frozen=True, tag="shuffle"):
    """The pile became the new stock, all but its top card (N-R10)."""

    cards: int


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    """The melds of a contract under their numbers, all together or, played card by card, each when it is complete."""

    seat: int
    melds: tuple[tuple[int, Meld], ...]


class Stepped(msgspec.Struct, frozen=True, tag="step"):
    """A small step of a laying that is played card by card: a meld is begun, or gets a card."""

    quiet: ClassVar[bool] = True

    seat: int
    meld: int
    card: Card | None


class Added(msgspec.Struct, frozen=True, tag="added"):
    """A card was added to a meld; ``stands`` is what a wild card stands for in a run."""

    seat: int
    card: Card
    meld: int
    stands: Card | None


class Swapped(msgspec.Struct, frozen=True, tag="swapped"):
    """A card took the place of a wild card."""

    seat: int
    card: Card
    meld: int
    got: Card


class Discarded(msgspec.Struct, frozen=True, tag="discarded"):
    """The turn ended with this card."""

    seat: int
    card: Card
    left: int


class RoundScored(msgspec.Struct, frozen=True, tag="scored"):
    """The round is over: who won it, the points of all, and the cards that they were left with."""

    mark: ClassVar[bool] = True

    lap: int
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    why: str
    """``out``, ``stock`` (N-A21) or ``turns`` (N-C7)."""


Event: TypeAlias = (
    DealerChosen | Dealt | RoundBegins | Declined | Drew | NothingDrawn | Took | Called | Passed | AllAnswered
    | VoteCast | VotesCounted | HepWon | CardStays | Reshuffled | Laid | Stepped | Added | Swapped | Discarded
    | RoundScored
)  # fmt: skip
