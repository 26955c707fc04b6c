"""The types of events of Sanghai. :mod:`.events` decides which viewers see an event."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.sanghai.cards import Card, Meld


class DealerChosen(values.Event, frozen=True, tag="dealer"):
    """The first dealer was chosen (N-A27)."""

    seat: int


class Dealt(values.Detail, frozen=True, tag="dealt"):
    """A card was dealt. Only its owner sees ``card``; others see None."""

    seat: int
    card: Card | None


class RoundBegins(values.Heading, frozen=True, tag="round"):
    """All cards are dealt. The eldest hand plays first."""

    lap: int
    sets: int
    runs: int
    length: int
    seat: int


class Declined(values.Detail, frozen=True, tag="stock"):
    """The player on turn chose to draw from the stock."""

    seat: int


class Drew(values.Event, frozen=True, tag="drew"):
    """A card came from the stock. Only the drawer sees ``card``; others see None.

    ``why``: ``turn``, or ``hep`` for a call.
    """

    seat: int
    card: Card | None
    why: str


class NothingDrawn(values.Event, frozen=True, tag="nothing"):
    """A card was to be drawn, but the stock is empty and there are no cards to shuffle (N-C6)."""

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
    """The viewer passed. Only the viewer sees this event."""

    seat: int


class AllAnswered(values.Detail, frozen=True, tag="answered"):
    """All seats have answered, and ``seat`` may draw. In an open window, only that seat sees this event."""

    seat: int


class VoteCast(values.Event, frozen=True, tag="vote"):
    """The viewer cast a sealed vote. Until all have voted, only the viewer sees this event."""

    seat: int
    choice: int


class VotesCounted(values.Event, frozen=True, tag="votes"):
    """All have voted. ``votes`` pairs each voter with the chosen seat."""

    votes: tuple[tuple[int, int], ...]


class HepWon(values.Event, frozen=True, tag="won"):
    """The called card went to a seat that called it.

    ``heps``: the number of cards that the seat has won in this round.
    """

    seat: int
    card: Card
    heps: int


class CardStays(values.Event, frozen=True, tag="stays"):
    """A card was called, but no seat gets it."""

    card: Card


class Reshuffled(values.Event, frozen=True, tag="shuffle"):
    """All cards of the pile but the top one became the new stock (N-R10)."""

    cards: int


class Laid(values.Event, frozen=True, tag="laid"):
    """Melds of a contract were laid, with their numbers.

    If the contract is laid at once, the event has all melds. If it is laid card by card, there is an event
    for each complete meld.
    """

    seat: int
    melds: tuple[tuple[int, Meld], ...]


class Stepped(values.Detail, frozen=True, tag="step"):
    """A seat made a small step of a laying card by card: it began a meld, or added a card to it."""

    seat: int
    meld: int
    card: Card | None


class Added(values.Event, frozen=True, tag="added"):
    """A card was added to a meld.

    ``stands``: if a wild card was added to a run, the card for which it stands.
    """

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
    """A seat discarded this card, which ended its turn."""

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
    """The reason for the end: ``out``, ``stock`` (N-A21) or ``turns`` (N-C7)."""


Event: TypeAlias = (
    DealerChosen | Dealt | RoundBegins | Declined | Drew | NothingDrawn | Took | Called | Passed | AllAnswered
    | VoteCast | VotesCounted | HepWon | CardStays | Reshuffled | Laid | Stepped | Added | Swapped | Discarded
    | RoundScored
)  # fmt: skip
