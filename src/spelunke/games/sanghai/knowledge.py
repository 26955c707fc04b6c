"""What a hand promises, hints, and the bot that plays by the planner, from the view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core.game import Game
from spelunke.core.kernel import kernel
from spelunke.games.sanghai import moves, state
from spelunke.games.sanghai.arranging import read_plan
from spelunke.games.sanghai.cards import (
    Card,
    Meld,
    card_of,
    is_wild,
    kind_of,
    role_at,
)
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.orders import check_private
from spelunke.games.sanghai.planner import OF_ADD, OF_ONE, Numbers, Want, lacking, wish
from spelunke.games.sanghai.state import FINISHED, KINDS, hand_points, wide
from spelunke.games.sanghai.unloading import ROW, unload
from spelunke.games.sanghai.view import Contract, View

__all__ = [
    "BOTS",
    "Hint",
    "PlannerBot",
    "check_private",
    "helping",
    "hints",
    "lacks",
    "missing",
    "standing",
    "want_of",
    "warm",
    "worth",
]

LATE = 7.0
"""About how many points a card that still lacks costs, beside the hand itself: rounds end before it comes."""


@kernel
def worth(s: Any, seat: int) -> float:
    """Points of the others on average minus the seat's, with those that the hands threaten to cost in this round."""
    mine = 0.0
    others = 0.0
    for who in range(s.seats):
        value = 0.0
        for lap in range(state.rounds(s)):
            value += s.sheet[lap, who]
        if s.phase != FINISHED:
            value += threat(s, who)
        if who == seat:
            mine = value
        else:
            others += value
    return float(others / (s.seats - 1) - mine)


@kernel
def threat(s: Any, seat: int) -> float:
    """Points that the seat's hand is likely to cost in this round."""
    points = float(hand_points(s, seat))
    if s.laid[seat] != 0:
        return 0.6 * points
    h = np.empty(KINDS, np.int16)
    h[:] = s.hand[seat]
    far = lacking(h, wish_of(s), wide(99), h[:0])
    return 0.5 * points + LATE * min(far, 5)


@kernel
def survey(h: Numbers, want: Want, unseen: Numbers, worth_of: Numbers, out: npt.NDArray[np.float64]) -> None:
    """For each kind in the hand: how good the rest is without it (higher is better to discard); -1e9 elsewhere.

    Fewest missing first, then the unseen cards that help, then the points that go.
    """
    helps = np.zeros(KINDS, np.int16)
    for kind in range(KINDS):
        out[kind] = -1e9
        if h[kind] == 0:
            continue
        h[kind] -= 1
        far = lacking(h, want, wide(99), helps)
        outs = 0.0
        for other in range(KINDS):
            if helps[other] != 0:
                outs += unseen[other]
        h[kind] += 1
        out[kind] = -100.0 * far + 1.2 * outs + worth_of[kind]


class Hint(msgspec.Struct, frozen=True):
    """One thing that the planner knows of the viewer's own hand.

    ``kind``: ``missing`` (how many cards the contract lacks), ``helps`` (cards that would help), ``lay`` (a laying that
    gets rid of most), ``points`` (what it puts down, alone and with additions), ``best`` (a move text), ``calls``
    (no laying is possible this round without so many calls, N-A10).
    """

    kind: str
    number: int = 0
    more: int = 0
    cards: tuple[Card, ...] = ()
    text: str = ""


def counts_of(cards: Sequence[Card]) -> npt.NDArray[np.int16]:
    """Cards as counts over the kinds."""
    h = np.zeros(KINDS, np.int16)
    for card in cards:
        h[kind_of(card)] += 1
    return h


def want_of(setup: Sequence[int], contracts: Sequence[Contract], lap: int) -> Want:
    """What the planner is asked for in round ``lap`` (from 1) of a table with this setup."""
    contract = contracts[lap - 1]
    one = int(bool(setup[14]) and lap == len(contracts))
    black = int(bool(setup[10]))
    return wish(contract.sets, contract.runs, contract.length, black, setup[17], setup[18], one)


def lacks(cards: npt.NDArray[np.int16], want: Want) -> tuple[int, tuple[Card, ...]]:
    """How many cards these counts lack for what is wanted, and the kinds that lower that by one."""
    helps = np.zeros(KINDS, np.int16)
    far = int(lacking(cards, want, wide(99), helps))
    return far, tuple(card_of(k) for k in range(KINDS) if helps[k])


def warm() -> None:
    """Use each kernel of the planner once, so that nobody's first laying waits for a compiler."""
    h = counts_of(("7s", "7h", "7c", "4d", "5d", "6d", "7d", "2s", "*"))
    want = wish(1, 1, 4, 0, 0, 0, 0)
    worth = np.ones(KINDS, np.int16)
    lacks(h, want)
    survey(h, want, worth, worth, np.empty(KINDS, np.float64))
    plan = np.zeros((4, ROW), np.int16)
    unload(h, want, worth, np.zeros(13, np.int16), np.zeros((0, 3), np.int16), plan)


class Reader:
    """What the planner makes of a view: the contract, points and unseen cards, from nothing but the view."""

    def __init__(self, seen: View) -> None:
        self.seen = seen
        setup = seen.setup
        self.packs, self.jokers, self.black = setup[1], setup[2], bool(setup[10])
        self.want = want_of(setup, seen.contracts, seen.lap)
        joker = (15, 25, 50)[setup[11]]
        self.points = np.zeros(KINDS, np.int16)
        for kind in range(KINDS):
            rank = kind % 13 + 1
            plain = 14 + setup[13] if rank == 1 else 10 if rank > 10 and setup[12] else rank
            self.points[kind] = joker if is_wild(card_of(kind), self.black) else plain
        self.hand = counts_of(seen.hand)
        self.unseen = np.full(KINDS, self.packs, np.int16)
        self.unseen[state.JOKER] = self.packs * self.jokers
        open_cards: list[Card] = [*seen.hand, *(seen.discards or ((seen.top,) if seen.top else ()))]
        for entry in seen.melds:
            open_cards.extend(entry.meld.cards)
        for card in open_cards:
            self.unseen[kind_of(card)] -= 1
        np.maximum(self.unseen, 0, out=self.unseen)

    def lacks(self, cards: npt.NDArray[np.int16]) -> tuple[int, tuple[Card, ...]]:
        """Cards missing for the contract, and the kinds that help."""
        return lacks(cards, self.want)

    def plan(self, with_table: bool) -> tuple[int, tuple[Meld, ...]]:
        """The most points that can be put down (-1: the contract can't be laid), and the laying that does it."""
        sets = np.zeros(13, np.int16)
        rows: set[tuple[int, int, int]] = set()
        want = self.want.copy()
        if with_table and not want[OF_ONE]:
            want[OF_ADD] = 1
            for entry in self.seen.melds:
                meld = entry.meld
                if meld.form == "set":
                    sets[kind_of(meld.rank + "s")] = 1
                else:
                    rows.add(("shdc".index(meld.suit), meld.low, meld.high))
        runs = np.array(sorted(rows), np.int16).reshape(-1, 3)
        plan = np.zeros((4, ROW), np.int16)
        most = int(unload(self.hand, want, self.points, sets, runs, plan))
        return most, read_plan(plan, self.seen.hand, self.black) if most >= 0 else ()

    def arrange_most(self, cards: Sequence[Card]) -> tuple[Meld, ...]:
        """A laying of the contract from these cards that uses as many of them as can be, however many stay.

        One at least does, for it is looked for where not all have a place. Empty when there is none.
        """
        want = self.want.copy()
        want[OF_ONE] = 0
        plan = np.zeros((4, ROW), np.int16)
        nowhere = np.zeros((0, 3), np.int16)
        alike = np.ones(KINDS, np.int16)
        most = int(unload(counts_of(cards), want, alike, np.zeros(13, np.int16), nowhere, plan))
        return read_plan(plan, cards, self.black) if most >= 0 else ()

    def addable(self, card: Card) -> bool:
        """Whether a card fits a meld on the table."""
        if is_wild(card, self.black):
            return bool(self.seen.melds)
        for entry in self.seen.melds:
            meld = entry.meld
            if meld.form == "set":
                if card[:-1] == meld.rank:
                    return True
            elif card[-1] == meld.suit and (
                (meld.low > 1 and role_at(meld.suit, meld.low - 1) == card)
                or (meld.high < 14 and role_at(meld.suit, meld.high + 1) == card)
            ):
                return True
        return False


def missing(seen: View) -> int:
    """Cards that the viewer's hand lacks for the contract; 0 for who has laid."""
    if seen.seat is None or seen.laid[seen.seat]:
        return 0
    return Reader(seen).lacks(counts_of(seen.hand))[0]


def helping(seen: View) -> tuple[Card, ...]:
    """Cards that would help the viewer's hand."""
    if seen.seat is None or seen.laid[seen.seat]:
        return ()
    return Reader(seen).lacks(counts_of(seen.hand))[1]


def standing(seen: View, private: Any) -> Any:
    """What the seat's standing orders do in this view: a call, a pass, or None to leave it to the seat."""
    legal = (moves.Hep(), moves.Pass()) if seen.answer == "asked" and seen.phase == "window" else ()
    return moves.stand(private, seen, legal)


def window(s: Any) -> bool:
    """Whether a claim window is open now; who owes an answer and what silence means: :func:`.moves.silence`."""
    return bool(s.phase == state.WINDOW)


def silence(s: Any, seat: int) -> Any:
    """What the house plays for a seat whose window time has run out; see :func:`.moves.silence`."""
    return moves.silence(s, seat)


def hints(seen: View) -> tuple[Hint, ...]:
    """What the planner knows of the viewer's own hand, and the move that the bot would make; empty for spectators."""
    if seen.seat is None or not seen.hand or seen.phase in ("dealing", "dealer", "over"):
        return ()
    reader = Reader(seen)
    found: list[Hint] = []
    best = ""
    if not seen.laid[seen.seat]:
        far, helps = reader.lacks(reader.hand)
        found.append(Hint("missing", far))
        if helps:
            found.append(Hint("helps", cards=helps))
        drawn = seen.phase == "turn" and seen.turn == seen.seat
        short = seen.contract.cards + 1 - len(seen.hand) - (0 if drawn else 1)
        if short > 0:
            found.append(Hint("calls", short))
        if far == 0:
            alone, laying = reader.plan(False)
            most, _ = reader.plan(True)
            if alone >= 0:
                found.append(Hint("lay", text=" ".join(("lay", " | ".join(_texts(laying))))))
                found.append(Hint("points", alone, most))
                best = "lay" if drawn else ""
    if seen.phase == "turn" and seen.turn == seen.seat:
        found.append(Hint("best", text=best or f"discard {best_discard(reader)}"))
    return tuple(found)


def _texts(melds: Sequence[Meld]) -> list[str]:
    from spelunke.games.sanghai.cards import write_meld

    return [write_meld(meld) for meld in melds]


def best_discard(reader: Reader) -> Card:
    """The card that the hand misses least."""
    seen = reader.seen
    assert seen.seat is not None
    score = np.empty(KINDS, np.float64)
    if seen.laid[seen.seat]:
        score[:] = np.where(reader.hand > 0, reader.points.astype(np.float64), -1e9)
    else:
        survey(reader.hand, reader.want, reader.unseen, reader.points, score)
    for kind in np.flatnonzero(reader.hand):
        card = card_of(int(kind))
        if reader.addable(card) and any(seen.laid[k] for k in range(seen.seats) if k != seen.seat):
            score[kind] -= 6.0  # somebody could take it and add it, or keep it for that
        if is_wild(card, reader.black) and not seen.laid[seen.seat]:
            score[kind] -= 40.0
    return card_of(int(np.argmax(score)))


class PlannerBot:
    """Draws, calls, lays, adds and discards for what helps the contract and the score.

    ``care`` is how far it looks at points: 0 plays for the contract alone.
    """

    def __init__(self, game: Game, care: float = 1.0) -> None:
        self.game = game
        self.care = care

    def choose(self, view: View, legal: Sequence[Any], stream: npt.NDArray[np.int64]) -> Any:
        """One of the legal actions, or a whole laying."""
        if len(legal) == 1:
            return legal[0]
        reader = Reader(view)
        if moves.Hep() in legal:
            return moves.Hep() if self.wants_call(reader) else moves.Pass()
        if moves.Take() in legal:
            if self.wants_card(reader):
                return moves.Take()
            return moves.Stock() if moves.Stock() in legal else moves.Wait()
        if isinstance(legal[0], moves.Vote):
            return self.choose_vote(view, legal)
        if any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal):
            return self.choose_laying(reader, legal)
        swaps = [action for action in legal if isinstance(action, moves.Swap)]
        if swaps and len(view.hand) > 1:
            return swaps[0]
        added = self.choose_addition(reader, legal)
        if added is not None:
            return added
        if any(isinstance(action, moves.Discard) for action in legal):
            return moves.Discard(best_discard(reader))
        return legal[0]

    def wants_card(self, reader: Reader) -> bool:
        """Whether the player on turn takes the discard rather than a card from the stock."""
        seen = reader.seen
        assert seen.seat is not None
        assert seen.top is not None
        if seen.laid[seen.seat]:
            return reader.addable(seen.top) and len(seen.hand) > 0
        return seen.top in reader.lacks(reader.hand)[1]

    def wants_call(self, reader: Reader) -> bool:
        """Whether a card is worth a call: it must help, and the hand must need the size or be near."""
        seen = reader.seen
        assert seen.top is not None
        far, helps = reader.lacks(reader.hand)
        short = seen.contract.cards + 1 - (len(seen.hand) + 1)
        if seen.top in helps:
            return short > 0 or far <= 3 or seen.contract.cards >= 9
        if short <= 0:
            return False
        # The hand is too small whatever comes (N-A10): near the goal any card that costs little will do.
        cheap = int(reader.points[kind_of(seen.top)]) <= 6
        return is_wild(seen.top, reader.black) or (far == 0 and cheap)

    def choose_vote(self, view: View, legal: Sequence[Any]) -> Any:
        """The caller with the most points so far: he endangers nobody."""
        return max(legal, key=lambda action: (view.totals[action.seat], -action.seat))

    def choose_laying(self, reader: Reader, legal: Sequence[Any]) -> Any:
        """The laying that gets rid of most; card by card where the planner sees none (the last round at once)."""
        seen = reader.seen
        if seen.phase == "turn":
            most, laying = reader.plan(bool(seen.setup[19]))
            if most >= 0:
                return moves.LayDown(laying)
            return moves.Discard(best_discard(reader))
        return legal[-1]

    def choose_addition(self, reader: Reader, legal: Sequence[Any]) -> Any:
        """The dearest card that fits a meld, as long as one is left to discard; wild cards last."""
        adds = [action for action in legal if isinstance(action, moves.Add)]
        if not adds:
            return None
        hand = Counter(reader.seen.hand)
        return max(
            adds,
            key=lambda a: (
                not is_wild(a.card, reader.black),
                int(reader.points[kind_of(a.card)]),
                hand[a.card],
                -a.meld,
            ),
        )


BOTS = {"planner": PlannerBot}
