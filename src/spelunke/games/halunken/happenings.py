"""The types of events in the log of Halunken und Spelunken."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.halunken.cards import Sailor, Step


class FirstSeat(values.Event, frozen=True, tag="first"):
    """Chance chose the seat that places its captain first."""

    seat: int


class Placed(values.Event, frozen=True, tag="placed"):
    """A figure was placed on its first field. Figure 4 is Black Jack.

    ``seat`` is the seat that placed the figure, or None for chance.
    """

    figure: int
    field: int
    seat: int | None


class Met(values.Event, frozen=True, tag="met"):
    """A captain's crew got its first sailor (H-R5)."""

    seat: int
    sailor: Sailor


class TurnedUp(values.Detail, frozen=True, tag="turned"):
    """The next sailor of a tavern was turned up."""

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
    """The auction ended: ``seat`` hired Black Jack and paid ``sailor`` into the harbour.

    If both are None, nobody hired Black Jack.
    """

    seat: int | None
    sailor: Sailor | None


class Sealed(values.Event, frozen=True, tag="sealed"):
    """A seat chose a card face down, for its captain or for Black Jack (``jack``).

    Only that seat and viewers who may see everything get this event.
    """

    seat: int
    card: Step
    jack: bool


class TookBack(values.Event, frozen=True, tag="took-back"):
    """A seat took back a sealed card: its own, or Black Jack's (``jack``).

    Only that seat and viewers who may see everything get this event.
    """

    seat: int
    jack: bool


class Ready(values.Detail, frozen=True, tag="ready"):
    """A seat has made all its choices. If ``ready`` is False, the seat has taken one of them back."""

    seat: int
    ready: bool


class Revealed(values.Event, frozen=True, tag="revealed"):
    """All chosen cards were revealed.

    ``cards`` has pairs of a figure and its card. ``cancelled`` are the figures whose cards cancel each other.
    """

    hour: int
    cards: tuple[tuple[int, Step], ...]
    cancelled: tuple[int, ...]


class Flipped(values.Event, frozen=True, tag="flipped"):
    """Black Jack's card was turned up: chance drew it (``seat`` is None), or the seat that hired him picked it.

    ``cancelled`` are the figures whose cards cancel each other.
    """

    card: Step
    seat: int | None
    cancelled: tuple[int, ...]


class Named(values.Event, frozen=True, tag="named"):
    """The number for this figure's Rum card was chosen by a seat or by chance. If by chance, ``seat`` is None."""

    figure: int
    number: int
    seat: int | None


class Collected(values.Event, frozen=True, tag="collected"):
    """A figure that does not move in this hour took the top sailor of its tavern.

    If the tavern was empty, ``sailor`` is None. ``seat`` got the sailor. If ``seat`` is None, the sailor went into the
    harbour.
    """

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Walked(values.Event, frozen=True, tag="walked"):
    """A figure moved from ``start`` to ``field``.

    ``overtaken`` are the captains that Black Jack overtook, in order, except his hirer's captain (H-R20, H-R21).
    Each of them may now lose a sailor, unless its crew is too small.
    """

    figure: int
    start: int
    field: int
    overtaken: tuple[int, ...]


class Recruited(values.Event, frozen=True, tag="recruited"):
    """A figure arrived and took the top sailor of the tavern. If the tavern was empty, ``sailor`` is None.

    ``seat`` got the sailor. If ``seat`` is None, the sailor went into the harbour.
    """

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Robbed(values.Event, frozen=True, tag="robbed"):
    """A seat took a sailor from the seat ``victim``. ``jack`` is True if Black Jack robbed for the seat."""

    seat: int
    victim: int
    sailor: Sailor
    jack: bool


class Fished(values.Event, frozen=True, tag="fished"):
    """A seat took a sailor out of the harbour."""

    seat: int
    sailor: Sailor


class Gave(values.Event, frozen=True, tag="gave"):
    """A seat had to give up a sailor to Black Jack. The sailor went into the harbour."""

    seat: int
    sailor: Sailor


class Declined(values.Event, frozen=True, tag="declined"):
    """A seat took nothing, although it could have robbed the seat ``prey``.

    If ``prey`` is None, the seat could only have taken a sailor out of the harbour.
    """

    seat: int
    prey: int | None


class Displaced(values.Event, frozen=True, tag="displaced"):
    """A figure had to make room for another figure that arrived on its field."""

    figure: int
    start: int
    field: int


class HourBegan(values.Heading, frozen=True, tag="hour"):
    """An hour (a round) began.

    ``hour`` is its number, from 1 to 8. ``opener`` is the seat that opens the bidding, or None without bidding.
    """

    hour: int
    opener: int | None


class Counted(values.Heading, frozen=True, tag="counted"):
    """A game ended and was counted.

    ``points`` has each seat's points in this game, and ``totals`` its points in the match so far. ``ahead`` has the
    seats with the highest total. ``single`` is True if the match has only this game.
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
