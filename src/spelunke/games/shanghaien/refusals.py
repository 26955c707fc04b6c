"""The reasons why an action is not allowed, as clauses for people. The rules themselves give no reasons."""

from __future__ import annotations

from spelunke.games.shanghaien.cards import ENDS, End, Trick
from spelunke.games.shanghaien.moves import (
    Action,
    Direct,
    Joker,
    Nudge,
    Place,
    PlaceBoth,
    Roll,
    RollAgain,
    Shanghai,
    Sharks,
)
from spelunke.games.shanghaien.state import DIRECTING, NUDGED, OBJECTING, ROLLED, UNFIXED, State


def explain(action: Action, s: State) -> str:
    """Return the reason why an action is not allowed in this state, as a clause.

    If no reason is known, the clause is empty.
    """
    if s.phase == OBJECTING:
        return f"the other player wants to lay the {s.named}; object, or let it pass"
    if s.phase == DIRECTING:
        return "choose at which end of the row card 1 lies"
    rolled = s.phase in (ROLLED, NUDGED)
    match action:
        case Roll() if rolled:
            return "you have rolled; lay one of the dice"
        case Roll():
            return "you need two dice to roll; call Shanghai"
        case Shanghai() if rolled:
            return "you have rolled; lay one of the dice first"
        case Shanghai():
            return "to call Shanghai, you need at least two of your dice on cards"
        case Place(value, end) | Sharks(value, end) if rolled:
            return _explain_die(value, end, s)
        case Place() | Direct() | PlaceBoth() | Nudge() | RollAgain() | Joker() if not rolled:
            return "you have not rolled in this turn"
        case Nudge():
            return _explain_trick(Trick.PM1, s)
        case PlaceBoth():
            return _explain_trick(Trick.BOTH, s)
        case RollAgain():
            return _explain_trick(Trick.AGAIN, s)
        case Joker(using=using) if reason := _explain_trick(using, s):
            return reason
        case Joker():
            return "to play the card as a joker, you need a sailor of the named nation in your crew"
        case _:
            return ""


def _explain_die(value: int, end: End | None, s: State) -> str:
    """Return the reason why a die with this value can't be laid now, or an empty text if no reason is known.

    ``end`` is the end of the row that the move names for card 1, or None if it names none.
    """
    if s.phase == NUDGED and value != s.named:
        return f"the changed die shows {s.named} and must be laid"
    if s.phase != NUDGED and value not in (s.low, s.high):
        return f"the dice show {s.low} and {s.high}; lay one of them"
    if s.end == UNFIXED and end is None:
        return "the first die of the round decides where card 1 lies: add left or right"
    if s.end != UNFIXED and end is not None:
        return (
            "the left end was chosen for card 1 in this round: write the move without left or right"
            if ENDS[int(s.end)] is End.LEFT
            else "the right end was chosen for card 1 in this round: write the move without left or right"
        )
    return ""


def _explain_trick(trick: Trick, s: State) -> str:
    """Return the reason why the seat on turn can't play this card.

    If the seat has the card and has played no trick in this round, return an empty text.
    """
    if s.spent[s.turn]:
        return "you may play only one trick card in a round"
    if s.hand[s.turn, trick.number] == 0:
        return f"you have no {trick} card in hand"
    return ""
