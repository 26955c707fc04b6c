"""The reasons why an action is not allowed, as clauses for the person who tried it."""

from __future__ import annotations

from spelunke.games.halunken import state
from spelunke.games.halunken.cards import sailor_of
from spelunke.games.halunken.moves import (
    Action,
    Bid,
    Choose,
    ChooseJack,
    Decline,
    Fish,
    Give,
    Name,
    Place,
    Rob,
    TakeBack,
)
from spelunke.games.halunken.rules import actors
from spelunke.games.halunken.sailors import holds
from spelunke.games.halunken.state import State

ASKED: dict[int, str] = {
    state.PLACING: "a captain is put on a free field now",
    state.HIDING: "Black Jack is put on a free field now",
    state.BIDDING: "a seat bids for Black Jack or passes now",
    state.CHOOSING: "now everybody chooses a movement card",
    state.NAMING: "now the number of the Rum is named",
    state.LANDED: "two figures met, and that is settled first",
    state.PASSING: "Black Jack overtook a captain, and that is settled first",
}
"""For each phase, a clause that names the decision that is due."""


def explain_refusal(action: Action, s: State) -> str:
    """Return the reason why an action is not allowed in this state, as a clause.

    If no reason is known, return an empty text.
    """
    phase = int(s.phase)
    match action:
        case Place(field) if phase in (state.PLACING, state.HIDING):
            return f"field {field} is taken; choose a free one"
        case Bid(sailor) if phase == state.BIDDING:
            if not holds(s.crew[int(s.turn)], sailor.number):
                return "you can only offer a sailor of your own crew"
            offer = sailor_of(int(s.offer))
            return f"your offer must be higher than the last one, {offer.colour} {offer.value}"
        case Choose() | ChooseJack() if phase == state.CHOOSING:
            return "that card has been used, or this seat may not choose it"
        case TakeBack() if phase == state.CHOOSING:
            return "there is no card to take back"
        case Name(number) if phase == state.NAMING:
            return f"another figure has laid {number}; the Rum needs a number that nobody has laid"
        case Rob() | Fish() | Give() if phase in (state.LANDED, state.PASSING):
            return "you can't get that sailor here"
        case Decline() if phase in (state.LANDED, state.PASSING) and actors(s) > 0:
            return "you must hand over one sailor"
        case _:
            return ASKED.get(phase, "")
