"""One sentence for each event of Sanghai, and the names of cards and melds in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from spelunke.core.letters import likes_own_letters
from spelunke.core.words import Translator
from spelunke.games.sanghai.cards import JOKER_TEXT, Card, Meld
from spelunke.games.sanghai.happenings import (
    Added,
    AllAnswered,
    Called,
    CardStays,
    DealerChosen,
    Dealt,
    Declined,
    Discarded,
    Drew,
    Event,
    HepWon,
    Laid,
    NothingDrawn,
    Passed,
    Reshuffled,
    RoundBegins,
    RoundScored,
    Stepped,
    Swapped,
    Took,
    VoteCast,
    VotesCounted,
)

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
JOKER_SIGN = "★"
LETTERS = "JQKA"
"""The letters of jack, queen, king and ace in English and in moves.

Those of other languages have the same order.
"""


def name_card(card: Card, translate: Translator) -> str:
    """Return the name of a card, as used in sentences: ``7♠`` or ``joker``."""
    if card == JOKER_TEXT:
        return translate("joker")
    return name_rank(card[:-1], translate) + SIGNS[card[-1]]


def say_lack(number: int, translate: Translator) -> str:
    """Say how many cards a hand lacks for its contract."""
    if number == 0:
        return translate("Your contract is complete.")
    told = translate.many(
        "You lack {n} card for the contract.", "You lack {n} cards for the contract.", number
    )
    return told.format(n=number)


def name_rank(rank: str, translate: Translator) -> str:
    """Return a rank, as used in sentences: ``7`` or ``Q``. The letters are those that the reader prefers."""
    known = LETTERS.find(rank.upper())
    if known < 0 or not likes_own_letters(translate):
        return rank.upper()
    return own_letters(translate)[known]


def own_letters(translate: Translator) -> tuple[str, ...]:
    """Return the letters of jack, queen, king and ace in the reader's language."""
    within = translate.within
    # Translators: the letter on a card, as it is printed in your country; English J, Q, K, A if there is none.
    jack, queen = within("letter on a card", "J"), within("letter on a card", "Q")
    return jack, queen, within("letter on a card", "K"), within("letter on a card", "A")


def name_meld(meld: Meld, translate: Translator) -> str:
    """Return the name of a meld, as used in sentences."""
    if meld.form == "run" and not any(meld.wild):
        return f"{name_card(meld.cards[0], translate)}–{name_card(meld.cards[-1], translate)}"
    words = []
    for card, role, wild in zip(meld.cards, meld.stands, meld.wild, strict=True):
        shown = name_card(card, translate)
        words.append(f"{shown} ({name_card(role, translate)})" if wild and role != JOKER_TEXT else shown)
    return " ".join(words)


def say(event: Event, names: Sequence[str], translate: Translator) -> str:
    """Return one sentence for the event. ``names`` has the player's name for each seat."""
    match event:
        case (
            DealerChosen()
            | Dealt()
            | RoundBegins()
            | Declined()
            | Drew()
            | NothingDrawn()
            | Took()
            | Reshuffled()
        ):
            return _say_deal(event, names, translate)
        case Called() | Passed() | AllAnswered() | VoteCast() | VotesCounted() | HepWon() | CardStays():
            return _say_call(event, names, translate)
        case Laid() | Stepped() | Added() | Swapped():
            return _say_meld(event, names, translate)
        case Discarded() | RoundScored():
            return _say_end(event, names, translate)


def _say_deal(
    event: DealerChosen | Dealt | RoundBegins | Declined | Drew | NothingDrawn | Took | Reshuffled,
    names: Sequence[str],
    translate: Translator,
) -> str:
    """Return the sentence about a card that a seat gets, or about the beginning of a round."""
    _ = translate
    match event:
        case DealerChosen(seat):
            return _("{name} deals first.").format(name=names[seat])
        case Dealt(seat, None):
            return _("{name} is dealt a card.").format(name=names[seat])
        case Dealt(seat, str(card)):
            return _("{name} is dealt {card}.").format(name=names[seat], card=name_card(card, _))
        case RoundBegins(lap, sets, runs, length, seat):
            return _("Round {lap}: {contract}. {name} begins.").format(
                lap=lap, contract=name_contract(sets, runs, length, _), name=names[seat]
            )
        case Declined(seat):
            return _("{name} draws from the stock.").format(name=names[seat])
        case Drew(seat, None, why):
            text = (
                _("{name} draws a card.") if why == "turn" else _("{name} draws a penalty card for the call.")
            )
            return text.format(name=names[seat])
        case Drew(seat, str(card), why):
            text = (
                _("{name} draws {card}.")
                if why == "turn"
                else _("{name} draws {card} as a penalty card for the call.")
            )
            return text.format(name=names[seat], card=name_card(card, _))
        case NothingDrawn(seat):
            return _("There is nothing left for {name} to draw.").format(name=names[seat])
        case Took(seat, card):
            return _("{name} takes {card}.").format(name=names[seat], card=name_card(card, _))
        case Reshuffled(cards):
            return _.many(
                "The discards are shuffled into a new stock: {count} card.",
                "The discards are shuffled into a new stock: {count} cards.",
                cards,
            ).format(count=cards)
    raise TypeError(event)


def _say_call(
    event: Called | Passed | AllAnswered | VoteCast | VotesCounted | HepWon | CardStays,
    names: Sequence[str],
    translate: Translator,
) -> str:
    """Return the sentence about a call for the discard."""
    _ = translate
    match event:
        case Called(seat, card, tied):
            text = (
                _("{name} calls hep for {card} at the same time as another player.")
                if tied
                else _("{name} calls hep for {card}.")
            )
            return text.format(name=names[seat], card=name_card(card, _))
        case Passed(seat):
            return _("{name} passes.").format(name=names[seat])
        case AllAnswered(seat):
            return _("All have answered: {name} may draw.").format(name=names[seat])
        case VoteCast(seat, choice):
            return _("{name} votes for {other}.").format(name=names[seat], other=names[choice])
        case VotesCounted(votes):
            each = ", ".join(f"{names[voter]} → {names[choice]}" for voter, choice in votes)
            return _("The votes: {votes}.").format(votes=each)
        case HepWon(seat, card, heps):
            return _("{name} gets {card} by hep (calls won this round: {count}).").format(
                name=names[seat], card=name_card(card, _), count=heps
            )
        case CardStays(card):
            return _("Nobody gets {card}.").format(card=name_card(card, _))


def _say_meld(event: Laid | Stepped | Added | Swapped, names: Sequence[str], translate: Translator) -> str:
    """Return the sentence about cards that a seat puts on the table."""
    _ = translate
    match event:
        case Laid(seat, melds):
            each = ", ".join(f"{number}: {name_meld(meld, _)}" for number, meld in melds)
            return _("{name} lays {melds}.").format(name=names[seat], melds=each)
        case Stepped(seat, meld, None):
            return _("{name} begins meld {number}.").format(name=names[seat], number=meld)
        case Stepped(seat, meld, str(card)):
            return _("{name} puts {card} into meld {number}.").format(
                name=names[seat], card=name_card(card, _), number=meld
            )
        case Added(seat, card, meld, None):
            return _("{name} adds {card} to meld {number}.").format(
                name=names[seat], card=name_card(card, _), number=meld
            )
        case Added(seat, card, meld, str(stands)):
            return _("{name} adds {card} to meld {number} as {role}.").format(
                name=names[seat], card=name_card(card, _), number=meld, role=name_card(stands, _)
            )
        case Swapped(seat, card, meld, got):
            return _("{name} swaps {card} into meld {number} and takes {got}.").format(
                name=names[seat], card=name_card(card, _), number=meld, got=name_card(got, _)
            )
    raise TypeError(event)


def _say_end(event: Discarded | RoundScored, names: Sequence[str], translate: Translator) -> str:
    """Return the sentence about the end of a turn or of a round."""
    _ = translate
    match event:
        case Discarded(seat, card, left):
            text = _("{name} discards {card}.") if left else _("{name} discards {card}, their last card!")
            return text.format(name=names[seat], card=name_card(card, _))
        case RoundScored(points=points):
            each = ", ".join(f"{names[k]}: {p}" for k, p in enumerate(points))
            return f"{say_why(event, names, translate)} {each}."


def say_why(event: RoundScored, names: Sequence[str], translate: Translator) -> str:
    """Return the sentence about the end of a round, without its points."""
    _ = translate
    if event.winner is not None:
        return _("{name} wins round {lap}.").format(name=names[event.winner], lap=event.lap)
    if event.why == "stock":
        return _("Round {lap} ends: the stock is empty, and the discards can't be shuffled again.").format(
            lap=event.lap
        )
    return _("Round {lap} ends: it has lasted too long.").format(lap=event.lap)


def name_contract(sets: int, runs: int, length: int, translate: Translator) -> str:
    """Return a contract in words, such as ``2 sets and 1 run``."""
    _ = translate
    parts = []
    if sets:
        # Translators: a set: cards of one rank. A run: a sequence in one suit.
        parts.append(_.many("{count} set", "{count} sets", sets).format(count=sets))
    if runs:
        text = (
            _.many("{count} run", "{count} runs", runs)
            if length == 4
            # Translators: {length} is the number of cards in each run.
            else _.many("{count} run of {length}", "{count} runs of {length}", runs)
        )
        parts.append(text.format(count=runs, length=length))
    return _.list(parts)
