"""The reasons why a move is not allowed now, as clauses for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from spelunke.core.words import plain
from spelunke.games.sanghai import moves, state
from spelunke.games.sanghai.cards import JOKER_TEXT, Meld, is_wild, kind_of, spread
from spelunke.games.sanghai.contracts import contract_of, explain_contract
from spelunke.games.sanghai.laying import must_leave_one
from spelunke.games.sanghai.sentences import SIGNS
from spelunke.games.sanghai.state import State

# Refusals of modules that the kernels import. They are marked here for the catalogues.
# Translators: a reason: the contract is too small or too large. Numbers of sets and runs may be 0 and 1.
CONTRACT = plain.within(
    "refusal",
    "your melds (sets: {set}, runs: {run}) are not those of this round's contract (sets: {sets}, runs: {runs})",
)
LAID = plain("you can lay the contract only once in a round")


def explain_refusal(action: moves.Action, s: State) -> str:
    """Return the reason why an action is not allowed, as a clause. If no reason is known, return an empty text.

    The reason uses only facts that the acting seat may know, such as its own hand.
    """
    in_window = s.phase == state.WINDOW
    match action:
        case _ if s.phase == state.VOTING:
            return "vote for one of the players who called at the same time"
        case moves.Take() if s.phase == state.OPENING:
            return "nothing has been discarded yet; the first draw of a round is from the stock"
        case moves.Take() if in_window:
            return "only the next player may take the discard; call hep, or pass"
        case moves.Stock() if in_window:
            return "until all have answered, nobody can draw from the stock"
        case moves.Take() | moves.Stock():
            return "you have drawn a card already; lay, add, or discard"
        case moves.Hep() | moves.Pass() if not in_window:
            return "at the moment there is no discard to call for"
        case moves.Hep(tied=True):
            return "this call can't count as simultaneous with an earlier call: write 'hep' instead of 'hep tied'"
        case moves.Hep() | moves.Pass():
            return _explain_call(s)
        case moves.Vote():
            return "there is nothing to vote on"
        case moves.Wait():
            return ""
        case _ if in_window or s.phase == state.OPENING:
            return "you can do this only in your turn, after you have drawn a card"
        case moves.Discard(card) | moves.Put(card) if s.hand[int(s.turn), kind_of(card)] == 0:
            return f"you don't hold this card: {card}"
        case moves.LayDown():
            return _explain_laying(action, s)
        case moves.Close(order) if order:
            return "you can choose the order of the melds only in the last step of laying them"
        case moves.Add(card, meld):
            why = _explain_touch(s, card, meld)
            if not why and s.held[int(s.turn)] < 2:
                return "you must keep your last card to discard it"
            return why or _explain_misfit(card, meld)
        case moves.Swap(card, meld):
            if not s.options[state.JOKER_SWAP]:
                return "at this table wild cards can't be swapped out"
            return _explain_touch(s, card, meld) or f"no wild card in meld {meld} stands for {card}"
        case _:
            return ""


def _explain_call(s: State) -> str:
    return (
        "you can't call or pass now: you have answered already, you discarded the card, you are the next "
        "player, you have laid the contract, or you have no calls left"
    )


def _explain_touch(s: State, card: str, meld: int) -> str:
    seat = int(s.turn)
    if s.phase != state.TURN:
        return "finish laying the contract first"
    if not s.laid[seat]:
        return "you have to lay the contract before you may add to melds"
    if s.fresh and not s.options[state.LAYOFF_SAME_TURN]:
        return "at this table you may not add cards in the turn in which you lay your contract"
    if meld > s.melds:
        return f"there is no meld {meld}; number of melds on the table: {int(s.melds)}"
    if s.hand[seat, kind_of(card)] == 0:
        return f"you don't hold this card: {card}"
    return ""


def _explain_misfit(card: str, meld: int) -> str:
    card = card if card == JOKER_TEXT else f"{card[:-1].upper()}{SIGNS[card[-1]]}"
    return f"{card} doesn't fit meld {meld}"


def _explain_laying(action: moves.LayDown, s: State) -> str:
    other = explain_contract(action.melds, s)
    if other:
        return other
    seat = int(s.turn)
    black = bool(s.options[state.BLACK_TWOS_WILD])
    missing = Counter(action.used) - Counter(spread(s.hand[seat]))
    if missing:
        return f"you don't hold these cards: {' '.join(sorted(missing.elements()))}"
    contract = contract_of(s)
    for meld in action.melds:
        least = 3 if meld.form == "set" else contract.length
        if len(meld.cards) < least:
            if meld.form == "set":
                return f"a set needs at least {least} cards"
            return f"a run needs at least {least} cards"
        if all(meld.wild):
            return "each meld needs at least one natural card"
        if any(wild and not is_wild(card, black) for card, wild in zip(meld.cards, meld.wild, strict=True)):
            return (
                "in one of your sets, the cards don't fit together"
                if meld.form == "set"
                else "in one of your runs, the cards don't fit together"
            )
    left = int(s.held[seat]) - len(action.used)
    if left < 1:
        return "one card must be left to discard"
    if must_leave_one(s) and left != 1:
        return "in the last round you may only lay if exactly one card is left to discard"
    if (
        s.options[state.DISTINCT_SETS]
        and len({m.rank for m in action.melds if m.form == "set"}) < contract.sets
    ):
        return "at this table the sets that you lay must differ in rank"
    if s.options[state.NO_ADJACENT_RUNS] and _touch([meld for meld in action.melds if meld.form == "run"]):
        return "at this table two runs of the same suit must have a gap between them"
    return ""


def _touch(runs: Sequence[Meld]) -> bool:
    return any(
        one.suit == other.suit and one.low <= other.high + 1 and other.low <= one.high + 1
        for one, other in combinations(runs, 2)
    )
