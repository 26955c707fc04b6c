"""The contract tray: it compares the picked cards with the contract of the round.

The planner finds cards that complete the picked cards to a contract. The tray arranges all these cards into sets
and runs. So each set and each run can show the cards that it still needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from spelunke.games.sanghai.aside import Aside, make_aside
from spelunke.games.sanghai.cards import JOKER_TEXT, Card, Meld, is_wild, order_of
from spelunke.games.sanghai.planning import arrange_into
from spelunke.games.sanghai.reader import Reader, counts_of
from spelunke.games.sanghai.view import View


class Slot(msgspec.Struct, frozen=True):
    """A set or run of the contract: the picked cards in it, and the cards that it still needs.

    ``stands`` has, for each picked card, the card that it stands for. A natural card stands for itself.
    ``missing`` is the number of cards that the set or run still needs. ``wants`` has cards that together would complete
    it. It never lists jokers. For a set, ``wants`` is only one of several choices, because other cards of the
    set's rank would complete it too. If no picked card is in the slot, ``wants`` is empty.
    """

    form: Literal["set", "run"]
    least: int
    cards: tuple[Card, ...]
    stands: tuple[Card, ...]
    missing: int
    wants: tuple[Card, ...]

    @property
    def done(self) -> bool:
        """Whether the picked cards complete the set or run."""
        return self.missing == 0


class Tray(msgspec.Struct, frozen=True):
    """The picked cards, compared with the contract.

    ``slots`` are the sets and runs of the contract, except the melds that are set aside (``aside``). ``spare``
    are picked cards that fit no slot.

    ``meld`` is True if the picked cards alone are a meld that can be set aside. ``amiss`` is True if the player
    tried to set the picked cards aside, but they are not such a meld. ``left`` is the number of cards that would stay
    in the hand after the draw and the laying. ``leaves`` is True if this number is allowed: at least one, or exactly
    one if the option ``last_round_at_once`` demands it. ``lays`` is True if the picked cards can be laid together with
    ``aside``: no card is missing, none is spare, and ``leaves`` is True.
    """

    picked: int
    missing: int
    slots: tuple[Slot, ...]
    spare: tuple[Card, ...]
    left: int
    leaves: bool
    lays: bool
    aside: tuple[Aside, ...] = ()
    meld: bool = False
    amiss: bool = False


def check_tray(
    seen: View, picked: Sequence[Card], aside: Sequence[Aside] = (), *, amiss: bool = False
) -> Tray | None:
    """Compare the picked cards with the contract of the round, and return the result. Ignore cards outside the hand.

    ``amiss`` is copied into the result (see :class:`Tray`).
    Each meld in ``aside`` fills one set or run of the contract, so its cards no longer count as cards of the hand.
    Return None for a viewer who has nothing to lay: a spectator, a seat that has laid, or any viewer while cards are
    dealt and after the end of the game.
    """
    if (
        seen.seat is None
        or seen.laid[seen.seat]
        or not seen.hand
        or seen.phase in ("dealing", "dealer", "over")
    ):
        return None
    held = Counter(seen.hand) - Counter(card for one in aside for card in one.meld.cards)
    cards = [card for card, count in Counter(picked).items() for _ in range(min(count, held[card]))]
    reader = Reader(seen)
    forms = Counter(one.meld.form for one in aside)
    sets, runs = seen.contract.sets - forms["set"], seen.contract.runs - forms["run"]
    reader.want = reader.want._replace(sets=max(0, sets), runs=max(0, runs))
    whole, missing = _complete(reader, cards, held) if sets + runs > 0 else (cards, 0)
    melds = _arrange(reader, whole) if sets + runs > 0 else ()
    slots, spare = _share_out(melds, cards, seen)
    drawn = seen.phase == "turn" and seen.turn == seen.seat
    left = len(seen.hand) + (not drawn) - len(cards) - sum(len(one.keys) for one in aside)
    leaves = left == 1 if reader.want.exact else left >= 1
    fits = sets >= 0 and runs >= 0
    lays = fits and missing == 0 and not spare and leaves
    meld = make_aside([f"{card}.1" for card in cards], seen, aside) is not None
    return Tray(len(cards), missing, slots, spare, left, leaves, lays, tuple(aside), meld, amiss)


def _complete(reader: Reader, cards: Sequence[Card], held: Counter[Card]) -> tuple[list[Card], int]:
    """Return the cards together with the cards that the contract still needs, and the number of the needed cards.

    If possible, the needed cards are chosen from the hand.
    """
    whole = list(cards)
    rest = held - Counter(cards)
    missing, helps = reader.lacks(counts_of(whole))
    for _ in range(missing):
        wanted = min(helps, key=lambda card: (rest[card] == 0, is_wild(card, reader.black)))
        rest[wanted] -= 1
        whole.append(wanted)
        _left, helps = reader.lacks(counts_of(whole))
    return whole, missing


def _arrange(reader: Reader, whole: Sequence[Card]) -> tuple[Meld, ...]:
    """Return melds of the contract that use all of these cards, or else as many as possible."""
    want = reader.want
    every = arrange_into(
        whole,
        int(want.sets),
        int(want.runs),
        int(want.length),
        black=reader.black,
        distinct=bool(want.distinct),
        apart=bool(want.apart),
    )
    return every or reader.arrange_most(whole)


def _share_out(
    melds: Sequence[Meld], cards: Sequence[Card], seen: View
) -> tuple[tuple[Slot, ...], tuple[Card, ...]]:
    """Return a slot for each meld, with the picked cards that belong to it, and the cards that belong to none."""
    have = Counter(cards)
    slots = []
    for meld in sorted(melds, key=order_of):
        mine: list[tuple[Card, Card]] = []
        wants: list[Card] = []
        for card, role in zip(meld.cards, meld.stands, strict=True):
            if have[card] > 0:
                have[card] -= 1
                mine.append((card, role))
            else:
                wants.append(role if meld.form == "run" else card)
        least = 3 if meld.form == "set" else seen.contract.length
        named = [card for card in wants if card != JOKER_TEXT] if mine else []
        slots.append(
            Slot(
                meld.form,
                least,
                tuple(card for card, _ in mine),
                tuple(role for _, role in mine),
                len(wants),
                tuple(named),
            )
        )
    return tuple(sorted(slots, key=_fullest)), tuple(have.elements())


def _fullest(slot: Slot) -> tuple[bool, int]:
    return slot.form != "set", -len(slot.cards)
