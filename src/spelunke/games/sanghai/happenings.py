"""The types of events of Sanghai. :mod:`.events` decides which events a viewer may know."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.sanghai.cards import Card, Meld


class DealerChosen(values.Event, frozen=True, tag="dealer"):
    """The first dealer was chosen (N-A27)."""

    seat: int


class Dealt(values.Detail, frozen=True, tag="dealt"):
    """A card was dealt to a seat.

    Only that seat and the whole log (the viewer ALL) get ``card``. For other viewers, it is None.
    """

    seat: int
    card: Card | None


class RoundBegins(values.Heading, frozen=True, tag="round"):
    """All cards of a round are dealt. The player after the dealer plays first."""

    lap: int
    sets: int
    runs: int
    length: int
    seat: int


class Declined(values.Detail, frozen=True, tag="stock"):
    """The player on turn chose the stock, and so declined the discard (N-C3)."""

    seat: int


class Drew(values.Event, frozen=True, tag="drew"):
    """A seat got a card from the stock.

    Only that seat and the whole log (the viewer ALL) get ``card``. For other viewers, it is None.
    ``why`` is ``turn`` for the draw of a turn, or ``hep`` for the penalty after a call.
    """

    seat: int
    card: Card | None
    why: str


class NothingDrawn(values.Event, frozen=True, tag="nothing"):
    """A seat should get a card, but the stock is empty and there are no discards to reshuffle (N-C6)."""

    seat: int


class Took(values.Event, frozen=True, tag="took"):
    """The player on turn took the top discard."""

    seat: int
    card: Card


class Called(values.Event, frozen=True, tag="hep"):
    """A seat called for the discard.

    With the option ``hep_window`` at ``live``, ``tied`` is True if the call counts as simultaneous with the first call.
    With ``hep_window`` at ``sequenced``, the seat that called and the whole log (the viewer ALL) get the event at the
    time of the call, and its ``tied`` is False. All other viewers get the event only when all seats have answered. For
    these viewers, ``tied`` is True if several seats called.
    """

    seat: int
    card: Card
    tied: bool


class Passed(values.Detail, frozen=True, tag="pass"):
    """A seat chose not to call for the discard. Only that seat and the whole log (the viewer ALL) get this event."""

    seat: int


class AllAnswered(values.Detail, frozen=True, tag="answered"):
    """All seats have answered, and ``seat`` may draw now.

    With the option ``hep_window`` at ``live`` (N-C1), only that seat sees this event.
    """

    seat: int


class VoteCast(values.Event, frozen=True, tag="vote"):
    """A seat cast a sealed vote. Only that seat and the whole log (the viewer ALL) get this event.

    After the last vote, all viewers get :class:`VotesCounted`.
    """

    seat: int
    choice: int


class VotesCounted(values.Event, frozen=True, tag="votes"):
    """All seats that may vote have voted. ``votes`` has pairs of a voter and the seat that got the vote."""

    votes: tuple[tuple[int, int], ...]


class HepWon(values.Event, frozen=True, tag="won"):
    """A seat won the card that it had called for.

    ``heps`` is the number of cards that the seat has won by calls in this round.
    """

    seat: int
    card: Card
    heps: int


class CardStays(values.Event, frozen=True, tag="stays"):
    """Nobody gets the card, although at least one seat called for it."""

    card: Card


class Reshuffled(values.Event, frozen=True, tag="shuffle"):
    """All cards of the pile except the top one became the new stock (N-R10)."""

    cards: int


class Laid(values.Event, frozen=True, tag="laid"):
    """Melds of a contract were laid. Each has its number on the table.

    If the contract is laid at once, the event has all melds. If it is laid card by card, each complete meld has
    an event of its own. But if the last step changes the numbers of the melds, the event of this step has all
    melds of the contract.
    """

    seat: int
    melds: tuple[tuple[int, Meld], ...]


class Stepped(values.Detail, frozen=True, tag="step"):
    """A seat made a small step of laying its contract: it began a meld, or put a card into the begun meld."""

    seat: int
    meld: int
    card: Card | None


class Added(values.Event, frozen=True, tag="added"):
    """A card was added to a meld.

    ``stands`` is the card that a wild card in a run stands for, else None.
    """

    seat: int
    card: Card
    meld: int
    stands: Card | None


class Swapped(values.Event, frozen=True, tag="swapped"):
    """A natural card replaced a wild card of a meld."""

    seat: int
    card: Card
    meld: int
    got: Card


class Discarded(values.Event, frozen=True, tag="discarded"):
    """A seat discarded a card and ended its turn."""

    seat: int
    card: Card
    left: int


class RoundScored(values.Heading, frozen=True, tag="scored"):
    """A round ended: its winner, the points of all seats, and the cards left in their hands."""

    lap: int
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    why: str
    """The reason for the end: ``out`` (a seat discarded its last card), ``stock`` (N-A21) or ``turns`` (N-C7)."""


Event: TypeAlias = (
    DealerChosen | Dealt | RoundBegins | Declined | Drew | NothingDrawn | Took | Called | Passed | AllAnswered
    | VoteCast | VotesCounted | HepWon | CardStays | Reshuffled | Laid | Stepped | Added | Swapped | Discarded
    | RoundScored
)  # fmt: skip
