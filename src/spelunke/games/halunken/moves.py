"""Typed actions and outcomes of chance, and their numbers in the kernels; total both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from spelunke.core import values
from spelunke.core.errors import BadText
from spelunke.games.halunken.cards import ALL_SAILORS, Sailor, Step, parse_sailor, step_of
from spelunke.games.halunken.state import BIDDING, CHOOSING, FIELDS, HIDING, LANDED, NAMING, PASSING, PLACING


class Place(values.Action, frozen=True, tag="place"):
    """Put the own captain, or Black Jack, on this free field (H-R5, H-R16)."""

    field: int


class Pass(values.Action, frozen=True, tag="pass"):
    """Make no offer (H-R18)."""


class Bid(values.Action, frozen=True, tag="bid"):
    """Offer a sailor of the own crew for Black Jack (H-R18)."""

    sailor: Sailor


class Choose(values.Action, frozen=True, tag="card"):
    """Seal the own movement card, or another one in its place (H-R7)."""

    card: Step


class ChooseJack(values.Action, frozen=True, tag="jack"):
    """Choose Black Jack's card: sealed with two players (H-R26), open by ``tactical_bj_34``."""

    card: Step


class TakeBack(values.Action, frozen=True, tag="take back"):
    """Take a sealed card back until the last is in: the own, or Black Jack's (H-C4)."""

    jack: bool = False


class Name(values.Action, frozen=True, tag="rum"):
    """Say which number Rum is (H-R8)."""

    number: int


class Rob(values.Action, frozen=True, tag="rob"):
    """Take this sailor from the captain who was met or overtaken (H-R13, H-R20, H-R27, H-R28)."""

    sailor: Sailor


class Fish(values.Action, frozen=True, tag="harbour"):
    """Take this sailor out of the harbour (H-R22)."""

    sailor: Sailor


class Give(values.Action, frozen=True, tag="give"):
    """Hand this sailor over; he goes into the harbour (H-R21)."""

    sailor: Sailor


class Decline(values.Action, frozen=True, tag="decline"):
    """Take nothing (H-A7, H-A15, H-A25)."""


Action: TypeAlias = Place | Pass | Bid | Choose | ChooseJack | TakeBack | Name | Rob | Fish | Give | Decline

TABLE: tuple[Action, ...] = (
    *(Place(field) for field in range(FIELDS)),
    Pass(),
    *(Bid(sailor) for sailor in ALL_SAILORS),
    *(Choose(step_of(card)) for card in range(1, 9)),
    *(ChooseJack(card) for card in range(1, 13)),
    ChooseJack("rum"),
    TakeBack(),
    TakeBack(jack=True),
    *(Name(number) for number in range(1, 8)),
    *(Rob(sailor) for sailor in ALL_SAILORS),
    *(Fish(sailor) for sailor in ALL_SAILORS),
    *(Give(sailor) for sailor in ALL_SAILORS),
    Decline(),
)
"""Every action at the place of its number; a test holds it against the kernels' constants."""
NUMBERS = {action: number for number, action in enumerate(TABLE)}


def encode(action: Action, s: Any = None) -> tuple[int, ...]:
    """The numbers that play this action (one, in this game); raises KeyError where nothing has that value."""
    return (NUMBERS[action],)


def decode(number: int) -> Action:
    """The action of this number."""
    return TABLE[number]


class First(values.ChanceOutcome, frozen=True, tag="first"):
    """The seat that places its captain first (H-A4)."""

    seat: int


class Stray(values.ChanceOutcome, frozen=True, tag="field"):
    """The field on which a captain starts (option ``auto_place``)."""

    field: int


class Seen(values.ChanceOutcome, frozen=True, tag="sailor"):
    """The sailor that is turned up (H-R5, H-R6, H-R12)."""

    sailor: Sailor


class Flip(values.ChanceOutcome, frozen=True, tag="flip"):
    """Black Jack's card that is flipped (H-R20, H-R29)."""

    card: Step


class Falls(values.ChanceOutcome, frozen=True, tag="number"):
    """The number of an unhired Rum (H-A37)."""

    number: int


Chance: TypeAlias = First | Stray | Seen | Flip | Falls
OUTCOMES: tuple[Chance, ...] = (
    *(First(seat) for seat in range(4)),
    *(Stray(field) for field in range(FIELDS)),
    *(Seen(sailor) for sailor in ALL_SAILORS),
    *(Flip(card) for card in range(1, 13)),
    Flip("rum"),
    *(Falls(number) for number in range(1, 8)),
)
OUTCOME_NUMBERS = {chance: number for number, chance in enumerate(OUTCOMES)}


def encode_chance(chance: Chance) -> int:
    """The number of an outcome of chance."""
    return OUTCOME_NUMBERS[chance]


def decode_chance(number: int) -> Chance:
    """The outcome of chance of this number."""
    return OUTCOMES[number]


ASKED = {
    PLACING: "a captain is put on a free field now",
    HIDING: "Black Jack is put on a free field now",
    BIDDING: "now somebody bids for Black Jack or passes",
    CHOOSING: "now everybody chooses a movement card",
    NAMING: "now the number of the Rum is named",
    LANDED: "two figures met, and that is settled first",
    PASSING: "Black Jack overtook a captain, and that is settled first",
}


def explain(action: Action, s: Any) -> str:
    """Why an action is not allowed in this state, in a clause; empty when there is nothing more to say."""
    from spelunke.games.halunken import rules
    from spelunke.games.halunken.cards import sailor_of
    from spelunke.games.halunken.sailors import holds

    phase = int(s.phase)
    match action:
        case Place(field) if phase in (PLACING, HIDING):
            return f"somebody stands on field {field}; choose a free one"
        case Bid(sailor) if phase == BIDDING:
            if not holds(s.crew[int(s.turn)], sailor.number):
                return "only a sailor of one's own crew can be offered"
            return f"it must be more than the last offer, {sailor_of(int(s.offer))}"
        case Choose() | ChooseJack() if phase == CHOOSING:
            return "that card has been used, or it isn't this seat's to choose"
        case TakeBack() if phase == CHOOSING:
            return "nothing is sealed that could be taken back"
        case Name(number) if phase == NAMING:
            return f"another figure shows {number}; Rum must be a number that nobody laid"
        case Rob() | Fish() | Give() if phase in (LANDED, PASSING):
            return "that sailor isn't to be had here"
        case Decline() if phase in (LANDED, PASSING) and rules.actors(s) > 0:
            return "one sailor must be handed over"
        case _:
            return ASKED.get(phase, "")


def stand(orders: Any, view: Any, legal: Sequence[Action]) -> Action | None:
    """What a seat's standing orders do now, or None to leave it to the seat: the rising bid.

    ``orders`` is a mapping: ``up_to`` names the highest sailor to be offered (``grey 9``), or ``pass`` to let Black
    Jack go. The cheapest legal sailor that is not above it is offered, else the seat passes. Anything else that
    orders hold is left alone; orders that can't be read do nothing.
    """
    if not isinstance(orders, Mapping) or Pass() not in legal:
        return None
    text = orders.get("up_to")
    if not isinstance(text, str) or not text.strip():
        return None
    if text.strip().lower() == "pass":
        return Pass()
    try:
        limit = parse_sailor(text)
    except BadText:
        return None
    if view.bidder == view.seat:
        return None
    bids = [action for action in legal if isinstance(action, Bid) and _rank(action.sailor) <= _rank(limit)]
    return min(bids, key=lambda bid: _rank(bid.sailor)) if bids else Pass()


def _rank(sailor: Sailor) -> tuple[int, int]:
    return (sailor.value, -sailor.colour.number)
