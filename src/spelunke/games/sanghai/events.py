"""What happened at a table of Sanghai, in the game's words, each viewer told what he may know and nothing besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from spelunke.core.contract import ALL
from spelunke.games.sanghai import moves, table
from spelunke.games.sanghai.cards import (
    JOKER_TEXT,
    SUITS,
    Card,
    Meld,
    card_of,
    kind_of,
    meld_at,
    role_at,
    spread,
)


class DealerChosen(msgspec.Struct, frozen=True, tag="dealer"):
    """The first dealer (N-A27)."""

    seat: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """A card was dealt; ``card`` is None for everybody but its owner."""

    seat: int
    card: Card | None


class RoundBegins(msgspec.Struct, frozen=True, tag="round"):
    """All cards are dealt; the eldest hand plays first."""

    lap: int
    sets: int
    runs: int
    length: int
    seat: int


class Declined(msgspec.Struct, frozen=True, tag="stock"):
    """The player on turn draws from the stock."""

    seat: int


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A card came from the stock; ``card`` is None for everybody but the drawer. ``why``: ``turn`` or ``hep``."""

    seat: int
    card: Card | None
    why: str


class NothingDrawn(msgspec.Struct, frozen=True, tag="nothing"):
    """The stock is empty and there is nothing to shuffle (N-C6)."""

    seat: int


class Took(msgspec.Struct, frozen=True, tag="took"):
    """The player on turn took the discard."""

    seat: int
    card: Card


class Called(msgspec.Struct, frozen=True, tag="hep"):
    """A seat called for the discard. ``tied``: at the same time as the first."""

    seat: int
    card: Card
    tied: bool


class Passed(msgspec.Struct, frozen=True, tag="pass"):
    """The viewer's own pass; nobody else is told."""

    seat: int


class AllAnswered(msgspec.Struct, frozen=True, tag="answered"):
    """Nobody owes an answer any more: ``seat`` may draw. In a live window only he is told."""

    seat: int


class VoteCast(msgspec.Struct, frozen=True, tag="vote"):
    """The viewer's own sealed vote; nobody else is told before all have voted."""

    seat: int
    choice: int


class VotesCounted(msgspec.Struct, frozen=True, tag="votes"):
    """All have voted: each voter and his choice."""

    votes: tuple[tuple[int, int], ...]


class HepWon(msgspec.Struct, frozen=True, tag="won"):
    """A called card went to its caller; ``heps`` are the cards that he has won in this round."""

    seat: int
    card: Card
    heps: int


class CardStays(msgspec.Struct, frozen=True, tag="stays"):
    """It was called, but nobody gets it."""

    card: Card


class Reshuffled(msgspec.Struct, frozen=True, tag="shuffle"):
    """The pile became the new stock, all but its top card (N-R10)."""

    cards: int


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    """A contract was laid; the melds under their numbers."""

    seat: int
    melds: tuple[tuple[int, Meld], ...]


class Stepped(msgspec.Struct, frozen=True, tag="step"):
    """A small step of a laying that is played card by card."""

    seat: int
    meld: int
    card: Card | None


class Added(msgspec.Struct, frozen=True, tag="added"):
    """A card was added to a meld; ``stands`` is what a wild card stands for in a run."""

    seat: int
    card: Card
    meld: int
    stands: Card | None


class Swapped(msgspec.Struct, frozen=True, tag="swapped"):
    """A card took the place of a wild card."""

    seat: int
    card: Card
    meld: int
    got: Card


class Discarded(msgspec.Struct, frozen=True, tag="discarded"):
    """The turn ended with this card."""

    seat: int
    card: Card
    left: int


class RoundScored(msgspec.Struct, frozen=True, tag="scored"):
    """The round is over: who won it, the points of all, and the cards that they were left with."""

    lap: int
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    why: str
    """``out``, ``stock`` (N-A21) or ``turns`` (N-C7)."""


Event: TypeAlias = (
    DealerChosen | Dealt | RoundBegins | Declined | Drew | NothingDrawn | Took | Called | Passed | AllAnswered
    | VoteCast | VotesCounted | HepWon | CardStays | Reshuffled | Laid | Stepped | Added | Swapped | Discarded
    | RoundScored
)  # fmt: skip


def tell(before: Any, seat: int, deed: Any, after: Any, viewer: int | None) -> tuple[Event, ...]:
    """What this ply lets the viewer know: the deed, and what followed from it."""
    turn = int(before.turn)
    match deed:
        case moves.Dealer(dealer):
            return (DealerChosen(dealer),)
        case moves.Deal(card):
            return _card_came(before, card, after, viewer)
        case moves.Lucky(_):
            return _settled(before, after)
        case moves.Wait():
            return ()
        case moves.Pass():
            own = (Passed(seat),) if viewer in (seat, ALL) else ()
            return (*own, *_revealed(before, after), *_answered(after, viewer))
        case moves.Hep(tied):
            if before.sequenced:
                sealed = viewer in (seat, ALL)
                own_call = (Called(seat, card_of(int(before.top)), False),) if sealed else ()
                return (*own_call, *_revealed(before, after, None if viewer == ALL else viewer))
            return (Called(seat, card_of(int(before.top)), tied),)
        case moves.Stock():
            head: tuple[Event, ...] = () if before.phase == table.OPENING else (Declined(turn),)
            return (*head, *_settled(before, after))
        case moves.Take():
            return (Took(turn, card_of(int(before.top))),)
        case moves.Vote(choice):
            cast = (VoteCast(seat, choice),) if viewer in (seat, ALL) else ()
            if after.phase == table.VOTING:
                return cast
            ballots = [(k, int(before.ballot[k])) for k in range(int(before.seats)) if before.ballot[k] >= 0]
            return (*cast, VotesCounted(tuple(sorted([*ballots, (seat, choice)]))), *_settled(before, after))
        case moves.LayDown():
            laid = [(m + 1, meld_at(after, m)) for m in range(int(before.melds), int(after.melds))]
            return (Laid(seat, tuple((number, meld) for number, meld in laid if meld)),)
        case moves.OpenSet() | moves.OpenRun() | moves.Close():
            return (Stepped(seat, int(before.melds) + 1, None),)
        case moves.Put(card):
            return (Stepped(seat, int(before.melds) + 1, card),)
        case moves.Add(card, number, end):
            stands = None
            if end is not None:
                m = number - 1
                place = int(after.high[m]) if end == "high" else int(after.low[m])
                home = role_at(SUITS[int(after.what[m])], place)
                stands = None if home == card else home
            return (Added(seat, card, number, stands),)
        case moves.Swap(card, number, out):
            return (Swapped(seat, card, number, _swapped_out(before, after, seat, out)),)
        case moves.Discard(card):
            left = int(before.held[seat]) - 1
            return (Discarded(seat, card, left), *_scored(before, after, (seat, card, -1)))
    raise TypeError(deed)


def _swapped_out(before: Any, after: Any, seat: int, out: str | None) -> Card:
    if out in ("2s", "2c"):
        return out
    gained = [k for k in range(table.KINDS) if after.hand[seat, k] > before.hand[seat, k]]
    return card_of(gained[0]) if gained else JOKER_TEXT


def _card_came(before: Any, card: Card, after: Any, viewer: int | None) -> tuple[Event, ...]:
    """A card from the stock: dealt, for a call, or drawn."""
    if before.phase == table.DEALING:
        seat = (int(before.dealer) + 1 + int(before.dealt)) % int(before.seats)
        dealt = Dealt(seat, card if viewer in (seat, ALL) else None)
        if after.phase != table.OPENING:
            return (dealt,)
        begins = RoundBegins(
            int(after.lap) + 1,
            int(table.sets_wanted(after)),
            int(table.runs_wanted(after)),
            int(table.run_length(after)),
            int(after.turn),
        )
        return (dealt, begins)
    owed = before.phase == table.PENALTY
    seat = int(before.owing) if owed else int(before.turn)
    drew = Drew(seat, card if viewer in (seat, ALL) else None, "hep" if owed else "turn")
    return (drew, *_went_on(before, after, (seat, card, 1)))


def _revealed(before: Any, after: Any, viewer: int | None = None) -> tuple[Event, ...]:
    """In a window where all answer first, the calls become known with the last answer."""
    n = int(after.seats)
    if not after.sequenced or any(after.answer[k] == table.ASKED for k in range(n)):
        return ()
    callers = sorted(int(c) for c in after.caller[: int(after.callers)])
    card = card_of(int(after.top))
    return tuple(Called(caller, card, len(callers) > 1) for caller in callers)


def _answered(after: Any, viewer: int | None) -> tuple[Event, ...]:
    """That the last pass completed the window; a last call is heard by everybody who needs to know."""
    turn = int(after.turn)
    if any(after.answer[k] == table.ASKED for k in range(int(after.seats))):
        return ()
    if after.sequenced:
        told = viewer != ALL and not after.callers
    else:
        told = viewer == turn
    return (AllAnswered(turn),) if told else ()


Change: TypeAlias = "tuple[int, Card, int] | None"
"""A seat whose hand this ply changed, by which card, and whether it came (1) or went (-1)."""


def _settled(before: Any, after: Any) -> tuple[Event, ...]:
    """What became of the calls when the stock was chosen, and what followed."""
    if before.phase == table.OPENING or after.phase in (table.VOTING, table.TYING):
        return ()
    card = card_of(int(before.top))
    winner = _winner(before, after)
    found: list[Event] = []
    if winner is not None:
        found.append(HepWon(winner, card, int(before.heps[winner]) + 1))
    elif before.callers:
        found.append(CardStays(card))
    return (*found, *_went_on(before, after, None if winner is None else (winner, card, 1)))


def _winner(before: Any, after: Any) -> int | None:
    """Who got the called card; where the round ended in that moment, his points tell."""
    for k in range(int(before.seats)):
        if after.lap == before.lap and after.phase != table.FINISHED:
            if after.heps[k] > before.heps[k]:
                return k
        elif int(after.sheet[int(before.lap), k]) != int(table.hand_points(before, k)):
            return k
    return None


def _went_on(before: Any, after: Any, change: Change) -> tuple[Event, ...]:
    found: list[Event] = []
    same = after.lap == before.lap and after.phase != table.FINISHED
    if same and after.shuffled > before.shuffled:
        found.append(Reshuffled(int(after.stocked)))
    elif same and after.phase == table.TURN and before.phase != table.DRAWING:
        found.append(NothingDrawn(int(after.turn)))
    found.extend(_scored(before, after, change))
    return tuple(found)


def _scored(before: Any, after: Any, change: Change) -> tuple[Event, ...]:
    """The count of a round that this ply ended, with the hands at its end."""
    if after.lap == before.lap and after.phase != table.FINISHED:
        return ()
    lap = int(before.lap)
    n = int(before.seats)
    hands = before.hand.copy()
    if change is not None:
        seat, card, step = change
        hands[seat, kind_of(card)] += step
    winner = int(after.won[lap])
    why = "out" if winner >= 0 else "turns" if change is not None and change[2] < 0 else "stock"
    return (
        RoundScored(
            lap=lap + 1,
            winner=winner if winner >= 0 else None,
            points=tuple(int(after.sheet[lap, k]) for k in range(n)),
            totals=tuple(int(sum(int(row[k]) for row in after.sheet[: lap + 1])) for k in range(n)),
            hands=tuple(spread(hands[k]) for k in range(n)),
            why=why,
        ),
    )


SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def name_card(card: Card, translate: Callable[[str], str]) -> str:
    """A card as a sentence calls it: 7♠, joker."""
    if card == JOKER_TEXT:
        return translate("joker")
    return card[:-1].upper() + SIGNS[card[-1]]


def name_meld(meld: Meld, translate: Callable[[str], str]) -> str:
    """A meld as a sentence calls it."""
    if meld.form == "run" and not any(meld.wild):
        return f"{name_card(meld.cards[0], translate)}–{name_card(meld.cards[-1], translate)}"
    words = []
    for card, role, wild in zip(meld.cards, meld.stands, meld.wild, strict=True):
        shown = name_card(card, translate)
        words.append(f"{shown} ({name_card(role, translate)})" if wild and role != JOKER_TEXT else shown)
    return " ".join(words)


def say(event: Event, names: Sequence[str], translate: Callable[[str], str]) -> str:
    """One sentence."""
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
            text = _("{name} draws a card.") if why == "turn" else _("{name} draws a card for the call.")
            return text.format(name=names[seat])
        case Drew(seat, str(card), why):
            text = _("{name} draws {card}.") if why == "turn" else _("{name} draws {card} for the call.")
            return text.format(name=names[seat], card=name_card(card, _))
        case NothingDrawn(seat):
            return _("There is nothing left for {name} to draw.").format(name=names[seat])
        case Took(seat, card):
            return _("{name} takes {card}.").format(name=names[seat], card=name_card(card, _))
        case Called(seat, card, tied):
            text = _("{name}: hep! for {card}, at the same time.") if tied else _("{name}: hep! for {card}.")
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
            return _("{name} gets {card} by hep ({count} this round).").format(
                name=names[seat], card=name_card(card, _), count=heps
            )
        case CardStays(card):
            return _("Nobody gets {card}.").format(card=name_card(card, _))
        case Reshuffled(cards):
            return _("The discards are shuffled: {count} cards.").format(count=cards)
        case Laid(seat, melds):
            each = ", ".join(f"{number}: {name_meld(meld, _)}" for number, meld in melds)
            return _("{name} lays {melds}.").format(name=names[seat], melds=each)
        case Stepped(seat, meld, None):
            return _("{name} lays meld {number}.").format(name=names[seat], number=meld)
        case Stepped(seat, meld, str(card)):
            return _("{name} puts {card} to meld {number}.").format(
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
        case Discarded(seat, card, left):
            text = _("{name} discards {card}.") if left else _("{name} discards {card} and is out!")
            return text.format(name=names[seat], card=name_card(card, _))
        case RoundScored(lap, winner, points, _totals, _hands, why):
            each = ", ".join(f"{names[k]} {p}" for k, p in enumerate(points))
            if winner is not None:
                head = _("{name} wins round {lap}.").format(name=names[winner], lap=lap)
            elif why == "stock":
                head = _("Round {lap} ends: the cards have run out.").format(lap=lap)
            else:
                head = _("Round {lap} ends: it has lasted too long.").format(lap=lap)
            return f"{head} {each}."
    raise TypeError(event)


def name_contract(sets: int, runs: int, length: int, translate: Callable[[str], str]) -> str:
    """A contract in words: 2 sets and 1 run."""
    _ = translate
    parts = []
    if sets:
        parts.append(_("1 set") if sets == 1 else _("{count} sets").format(count=sets))
    if runs:
        run = _("1 run") if runs == 1 else _("{count} runs").format(count=runs)
        parts.append(run if length == 4 else _("{runs} of {length}").format(runs=run, length=length))
    return _(" and ").join(parts)
