"""What can happen at a table of Halunken und Spelunken: the events, in the game's words."""

from __future__ import annotations

from typing import TypeAlias

from spelunke.core import values
from spelunke.games.halunken.cards import Sailor, Step


class FirstSeat(values.Event, frozen=True, tag="first"):
    """The seat that places its captain first."""

    seat: int


class Placed(values.Event, frozen=True, tag="placed"):
    """A figure (4 is Black Jack) stands on its first field; ``seat`` is None where chance decided."""

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
    """No offer."""

    seat: int


class Offered(values.Event, frozen=True, tag="offered"):
    """An offer for Black Jack."""

    seat: int
    sailor: Sailor


class Hired(values.Event, frozen=True, tag="hired"):
    """The auction is over; ``seat`` paid ``sailor`` into the harbour, or nobody hired Black Jack."""

    seat: int | None
    sailor: Sailor | None


class Sealed(values.Event, frozen=True, tag="sealed"):
    """For the owner alone: the card that lies face down now, for his captain or for Black Jack."""

    seat: int
    card: Step
    jack: bool


class TookBack(values.Event, frozen=True, tag="took-back"):
    """For the owner alone: a sealed card is in hand again."""

    seat: int
    jack: bool


class Ready(values.Detail, frozen=True, tag="ready"):
    """A seat's lamp: all that it is to choose is chosen, or not any more."""

    seat: int
    ready: bool


class Revealed(values.Event, frozen=True, tag="revealed"):
    """All cards lie open: pairs of figure and card, and the figures whose cards cancel each other."""

    hour: int
    cards: tuple[tuple[int, Step], ...]
    cancelled: tuple[int, ...]


class Flipped(values.Event, frozen=True, tag="flipped"):
    """Black Jack's card: flipped (``seat`` None) or picked by his hirer. ``cancelled`` as in :class:`Revealed`."""

    card: Step
    seat: int | None
    cancelled: tuple[int, ...]


class Named(values.Event, frozen=True, tag="named"):
    """The figure's Rum counts as this number; ``seat`` is None where chance named it."""

    figure: int
    number: int
    seat: int | None


class Collected(values.Event, frozen=True, tag="collected"):
    """A figure that stays takes the top sailor of its tavern, or finds none; ``seat`` None is: into the harbour."""

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Walked(values.Event, frozen=True, tag="walked"):
    """A figure moves; ``overtaken`` are captains with whom Black Jack settles next."""

    figure: int
    start: int
    field: int
    overtaken: tuple[int, ...]


class Recruited(values.Event, frozen=True, tag="recruited"):
    """On arrival a figure takes the top sailor, or finds none; ``seat`` None is: into the harbour."""

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Robbed(values.Event, frozen=True, tag="robbed"):
    """A seat takes a sailor from another; ``jack``: Black Jack did it for him."""

    seat: int
    victim: int
    sailor: Sailor
    jack: bool


class Fished(values.Event, frozen=True, tag="fished"):
    """A seat takes a sailor out of the harbour."""

    seat: int
    sailor: Sailor


class Gave(values.Event, frozen=True, tag="gave"):
    """A seat hands Black Jack a sailor, who goes into the harbour."""

    seat: int
    sailor: Sailor


class Declined(values.Event, frozen=True, tag="declined"):
    """A seat takes nothing, though it might have robbed ``prey`` (None: it could only fish)."""

    seat: int
    prey: int | None


class Displaced(values.Event, frozen=True, tag="displaced"):
    """A figure gives way to the one that came."""

    figure: int
    start: int
    field: int


class HourBegan(values.Heading, frozen=True, tag="hour"):
    """Hour 1 to 8; ``opener`` is None where nobody bids."""

    hour: int
    opener: int | None


class Counted(values.Heading, frozen=True, tag="counted"):
    """A game was counted: points of this game, totals of the match, and whose total is the highest so far.

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
