"""The types of events of Halunken und Spelunken, in the game's words."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.halunken.cards import Sailor, Step


class FirstSeat(values.Event, frozen=True, tag="first"):
    """The seat that places its captain first."""

    seat: int


class Placed(values.Event, frozen=True, tag="placed"):
    """A figure was placed on its first field. Figure 4 is Black Jack.

    ``seat`` is None if chance placed it.
    """

    figure: int
    field: int
    seat: int | None


class Met(values.Event, frozen=True, tag="met"):
    """The crew of a captain got its first sailor."""

    seat: int
    sailor: Sailor


class TurnedUp(values.Detail, frozen=True, tag="turned"):
    """A tavern turned up its next sailor."""

    field: int
    sailor: Sailor


class Peeked(values.Event, frozen=True, tag="peeked"):
    """Black Jack's card was shown before the bidding (option ``bj_peek``)."""

    card: Step


class Passed(values.Event, frozen=True, tag="passed"):
    """A seat passed instead of making an offer."""

    seat: int


class Offered(values.Event, frozen=True, tag="offered"):
    """A seat offered a sailor for Black Jack."""

    seat: int
    sailor: Sailor


class Hired(values.Event, frozen=True, tag="hired"):
    """The auction is over. ``seat`` has paid ``sailor`` into the harbour.

    If both are None, nobody hired Black Jack.
    """

    seat: int | None
    sailor: Sailor | None


class Sealed(values.Event, frozen=True, tag="sealed"):
    """A seat chose a card face down, for its captain or for Black Jack. Only the owner sees this event."""

    seat: int
    card: Step
    jack: bool


class TookBack(values.Event, frozen=True, tag="took-back"):
    """A seat took its sealed card back into its hand. Only the owner sees this event."""

    seat: int
    jack: bool


class Ready(values.Detail, frozen=True, tag="ready"):
    """A seat has made all its choices, or has taken a choice back."""

    seat: int
    ready: bool


class Revealed(values.Event, frozen=True, tag="revealed"):
    """All cards are open.

    ``cards`` pairs figures and cards; ``cancelled`` are the figures whose cards cancel each other.
    """

    hour: int
    cards: tuple[tuple[int, Step], ...]
    cancelled: tuple[int, ...]


class Flipped(values.Event, frozen=True, tag="flipped"):
    """Black Jack's card was flipped, or picked by its hirer. If it was flipped, ``seat`` is None.

    ``cancelled`` is as in :class:`Revealed`.
    """

    card: Step
    seat: int | None
    cancelled: tuple[int, ...]


class Named(values.Event, frozen=True, tag="named"):
    """A number was named for the Rum of this figure. ``seat`` is None if chance named the number."""

    figure: int
    number: int
    seat: int | None


class Collected(values.Event, frozen=True, tag="collected"):
    """A figure that stays took the top sailor of its tavern. If the tavern was empty, ``sailor`` is None.

    If ``seat`` is None, the sailor went into the harbour.
    """

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Walked(values.Event, frozen=True, tag="walked"):
    """A figure moved. ``overtaken`` are the captains whom Black Jack robs next."""

    figure: int
    start: int
    field: int
    overtaken: tuple[int, ...]


class Recruited(values.Event, frozen=True, tag="recruited"):
    """A figure arrived and took the top sailor of the tavern. If the tavern was empty, ``sailor`` is None.

    If ``seat`` is None, the sailor went into the harbour.
    """

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Robbed(values.Event, frozen=True, tag="robbed"):
    """A seat took a sailor from the seat ``victim``. ``jack``: Black Jack robbed on the seat's behalf."""

    seat: int
    victim: int
    sailor: Sailor
    jack: bool


class Fished(values.Event, frozen=True, tag="fished"):
    """A seat took a sailor out of the harbour."""

    seat: int
    sailor: Sailor


class Gave(values.Event, frozen=True, tag="gave"):
    """A seat handed Black Jack a sailor, which went into the harbour."""

    seat: int
    sailor: Sailor


class Declined(values.Event, frozen=True, tag="declined"):
    """A seat took nothing, although it could have robbed ``prey``.

    If ``prey`` is None, it could only have fished.
    """

    seat: int
    prey: int | None


class Displaced(values.Event, frozen=True, tag="displaced"):
    """A figure made room for another one that arrived."""

    figure: int
    start: int
    field: int


class HourBegan(values.Heading, frozen=True, tag="hour"):
    """An hour from 1 to 8 begins. ``opener`` opens the bidding; it is None if there is no bidding."""

    hour: int
    opener: int | None


class Counted(values.Heading, frozen=True, tag="counted"):
    """A game was counted: its points, the totals of the match, and the seats with the highest total so far.

    ``single``: the match has only this game.
    """

    game: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ahead: tuple[int, ...]
    single: bool = False


SetUp: TypeAlias = FirstSeat | Placed | Met | TurnedUp | Peeked
Auction: TypeAlias = Passed | Offered | Hired
Cards: TypeAlias = Sealed | TookBack | Ready | Revealed | Flipped | Named
Way: TypeAlias = Collected | Walked | Recruited | Robbed | Fished | Gave | Declined | Displaced
Hour: TypeAlias = HourBegan | Counted
Event: TypeAlias = SetUp | Auction | Cards | Way | Hour
