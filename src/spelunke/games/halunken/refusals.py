"""The reasons why an action is not allowed, as clauses for the person who tried it."""

from __future__ import annotations

from spelunke.core.words import plain
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

# Translators: A refusal: a clause without a capital letter and a full stop.
ASKED: dict[int, str] = {
    state.PLACING: plain("now a player puts a captain on a free field"),
    state.HIDING: plain("now a player puts Black Jack on a free field"),
    state.BIDDING: plain("now a player bids for Black Jack or passes"),
    state.CHOOSING: plain("now everybody chooses a movement card"),
    state.NAMING: plain("now a player names the number of the Rum"),
    state.LANDED: plain("two figures met, and a player has to decide about that first"),
    state.PASSING: plain("Black Jack overtook a captain, and a player has to decide about that first"),
}
"""For most phases in which a seat decides, a clause that names the decision."""


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
