"""The types of events of Sanghai. :mod:`.events` decides who may see which."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.sanghai.cards import Card, Meld


class DealerChosen(values.Event, frozen=True, tag="dealer"):
    """The first dealer (N-A27)."""

    seat: int


class Dealt(values.Detail, frozen=True, tag="dealt"):
    """A card was dealt. Only its owner sees ``card``; others see None."""

    seat: int
    card: Card | None


class RoundBegins(values.Heading, frozen=True, tag="round"):
    """All cards are dealt; the eldest hand plays first."""

    lap: int
    sets: int
    runs: int
    length: int
    seat: int


class Declined(values.Detail, frozen=True, tag="stock"):
    """The player on turn draws from the stock."""

    seat: int


class Drew(values.Event, frozen=True, tag="drew"):
    """A card came from the stock. Only the drawer sees ``card``; others see None. ``why``: ``turn`` or ``hep``."""

    seat: int
    card: Card | None
    why: str


class NothingDrawn(values.Event, frozen=True, tag="nothing"):
    """The stock is empty and there is nothing to shuffle (N-C6)."""

    seat: int


class Took(values.Event, frozen=True, tag="took"):
    """The player on turn took the discard."""

    seat: int
    card: Card


class Called(values.Event, frozen=True, tag="hep"):
    """A seat called for the discard. ``tied``: the call counts as simultaneous with the first one."""

    seat: int
    card: Card
    tied: bool


class Passed(values.Detail, frozen=True, tag="pass"):
    """The viewer's own pass, which nobody else sees."""

    seat: int


class AllAnswered(values.Detail, frozen=True, tag="answered"):
    """All seats have answered, and ``seat`` may draw. In a live window only that seat sees this event."""

    seat: int


class VoteCast(values.Event, frozen=True, tag="vote"):
    """The viewer's own sealed vote, which nobody else sees before all have voted."""

    seat: int
    choice: int


class VotesCounted(values.Event, frozen=True, tag="votes"):
    """All have voted: each voter and the choice."""

    votes: tuple[tuple[int, int], ...]


class HepWon(values.Event, frozen=True, tag="won"):
    """A called card went to its caller. ``heps`` are the cards that this seat has won in this round."""

    seat: int
    card: Card
    heps: int


class CardStays(values.Event, frozen=True, tag="stays"):
    """A card was called, but nobody gets it."""

    card: Card


class Reshuffled(values.Event, frozen=True, tag="shuffle"):
    """The pile became the new stock, all but its top card (N-R10)."""

    cards: int


class Laid(values.Event, frozen=True, tag="laid"):
    """The melds of a contract under their numbers: all together or, played card by card, each when it is complete."""

    seat: int
    melds: tuple[tuple[int, Meld], ...]


class Stepped(values.Detail, frozen=True, tag="step"):
    """A small step of a laying that is played card by card: a meld is begun, or gets a card."""

    seat: int
    meld: int
    card: Card | None


class Added(values.Event, frozen=True, tag="added"):
    """A card was added to a meld. ``stands`` is the card for which a wild card stands in a run."""

    seat: int
    card: Card
    meld: int
    stands: Card | None


class Swapped(values.Event, frozen=True, tag="swapped"):
    """A card took the place of a wild card."""

    seat: int
    card: Card
    meld: int
    got: Card


class Discarded(values.Event, frozen=True, tag="discarded"):
    """The turn ended with this card."""

    seat: int
    card: Card
    left: int


class RoundScored(values.Heading, frozen=True, tag="scored"):
    """The round is over: the winner, the points of all, and the cards left in their hands."""

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
