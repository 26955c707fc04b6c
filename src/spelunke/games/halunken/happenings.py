"""The types of events of Halunken und Spelunken, in the game's words."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.halunken.cards import Sailor, Step


class FirstSeat(values.Event, frozen=True, tag="first"):
    """The seat that places its captain first."""

    seat: int


class Placed(values.Event, frozen=True, tag="placed"):
    """A figure (4 is Black Jack) is placed on its first field. ``seat`` is None if chance placed it."""

    figure: int
    field: int
    seat: int | None


class Met(values.Event, frozen=True, tag="met"):
    """A captain's starting sailor."""

    seat: int
    sailor: Sailor


class TurnedUp(values.Detail, frozen=True, tag="turned"):
    """A tavern shows its next sailor."""

    field: int
    sailor: Sailor


class Peeked(values.Event, frozen=True, tag="peeked"):
    """Black Jack's card is known before the bidding (option ``bj_peek``)."""

    card: Step


class Passed(values.Event, frozen=True, tag="passed"):
    """A seat passes instead of an offer."""

    seat: int


class Offered(values.Event, frozen=True, tag="offered"):
    """An offer for Black Jack."""

    seat: int
    sailor: Sailor


class Hired(values.Event, frozen=True, tag="hired"):
    """The auction is over. ``seat`` paid ``sailor`` into the harbour. If both are None, nobody hired Black Jack."""

    seat: int | None
    sailor: Sailor | None


class Sealed(values.Event, frozen=True, tag="sealed"):
    """A card lies face down now, for the captain or for Black Jack. Only its owner sees this event."""

    seat: int
    card: Step
    jack: bool


class TookBack(values.Event, frozen=True, tag="took-back"):
    """A sealed card is in hand again. Only its owner sees this event."""

    seat: int
    jack: bool


class Ready(values.Detail, frozen=True, tag="ready"):
    """A seat has made all its choices, or has taken one back."""

    seat: int
    ready: bool


class Revealed(values.Event, frozen=True, tag="revealed"):
    """All cards are open: pairs of figure and card, and the figures whose cards cancel each other."""

    hour: int
    cards: tuple[tuple[int, Step], ...]
    cancelled: tuple[int, ...]


class Flipped(values.Event, frozen=True, tag="flipped"):
    """Black Jack's card, flipped (``seat`` None) or picked by its hirer. ``cancelled`` as in :class:`Revealed`."""

    card: Step
    seat: int | None
    cancelled: tuple[int, ...]


class Named(values.Event, frozen=True, tag="named"):
    """The figure's Rum counts as this number. ``seat`` is None if chance named it."""

    figure: int
    number: int
    seat: int | None


class Collected(values.Event, frozen=True, tag="collected"):
    """A figure that stays takes the top sailor of its tavern, if any.

    If ``seat`` is None, the sailor goes into the harbour.
    """

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Walked(values.Event, frozen=True, tag="walked"):
    """A figure moves. ``overtaken`` are the captains whom Black Jack robs next."""

    figure: int
    start: int
    field: int
    overtaken: tuple[int, ...]


class Recruited(values.Event, frozen=True, tag="recruited"):
    """A figure arrives and takes the top sailor, if any. If ``seat`` is None, the sailor goes into the harbour."""

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Robbed(values.Event, frozen=True, tag="robbed"):
    """A seat takes a sailor from another. ``jack``: Black Jack robbed on the seat's behalf."""

    seat: int
    victim: int
    sailor: Sailor
    jack: bool


class Fished(values.Event, frozen=True, tag="fished"):
    """A seat takes a sailor out of the harbour."""

    seat: int
    sailor: Sailor


class Gave(values.Event, frozen=True, tag="gave"):
    """A seat hands Black Jack a sailor, which goes into the harbour."""

    seat: int
    sailor: Sailor


class Declined(values.Event, frozen=True, tag="declined"):
    """A seat takes nothing. It could have robbed ``prey``. If ``prey`` is None, it could only fish."""

    seat: int
    prey: int | None


class Displaced(values.Event, frozen=True, tag="displaced"):
    """A figure makes room for another that arrived."""

    figure: int
    start: int
    field: int


class HourBegan(values.Heading, frozen=True, tag="hour"):
    """An hour from 1 to 8 begins. ``opener`` is None if nobody bids."""

    hour: int
    opener: int | None


class Counted(values.Heading, frozen=True, tag="counted"):
    """A game was counted: its points, the totals of the match, and the seats with the highest total so far.

    ``single``: there is no other game in the match.
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
