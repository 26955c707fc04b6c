"""The typed actions and outcomes of chance of Sanghai, and their conversion to kernel numbers and back.

The kernels, which are the functions of the rules, know each action or outcome only by a number. ``LayDown`` has
no number of its own: the kernels play it as small steps (``OpenSet``, ``OpenRun``, ``Put`` and ``Close``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from spelunke.core import values
from spelunke.core.codec import Codec
from spelunke.core.errors import IllegalMove
from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import CARDS, RANKS, SUITS, Card, Meld, Suit, check_meld, kind_of, order_of
from spelunke.games.sanghai.contracts import contract_of, explain_contract, is_contract
from spelunke.games.sanghai.state import State

End: TypeAlias = Literal["low", "high"]


class Stock(values.Action, frozen=True, tag="stock"):
    """Draw from the stock (N-R5). If there is a discard to take, this action declines it (N-C3)."""


class Take(values.Action, frozen=True, tag="take"):
    """Take the top discard (N-R5)."""


class Wait(values.Action, frozen=True, tag="wait"):
    """Let the other seats answer first, before you take the discard or draw from the stock (N-C1)."""


class Hep(values.Action, frozen=True, tag="hep"):
    """Call for the discard (N-R14).

    ``tied`` is True if the server found that the call came at the same time as the first call (N-C2).
    """

    tied: bool = False


class Pass(values.Action, frozen=True, tag="pass"):
    """Don't call for this discard."""


class Vote(values.Action, frozen=True, tag="vote"):
    """Vote for the seat that called first, if several calls are tied (N-R15, N-C4). `seat` is the seat voted for."""

    seat: int


class Discard(values.Action, frozen=True, tag="discard"):
    """Discard this card and end the turn (N-R5)."""

    card: Card


class LayDown(values.Action, frozen=True, tag="lay"):
    """Lay the contract of the round (N-R7). The order of the melds decides their numbers on the table (N-C10)."""

    melds: tuple[Meld, ...]

    @property
    def used(self) -> tuple[Card, ...]:
        """The cards of all melds."""
        return tuple(card for meld in self.melds for card in meld.cards)


class OpenSet(values.Action, frozen=True, tag="set"):
    """Begin a set of this rank: a small step of laying a contract."""

    rank: str


class OpenRun(values.Action, frozen=True, tag="run"):
    """Begin a run of this suit at this place (1 is the low ace): a small step of laying a contract."""

    suit: Suit
    low: int


class Put(values.Action, frozen=True, tag="put"):
    """Put the next card into the begun meld: a small step of laying a contract."""

    card: Card


class Close(values.Action, frozen=True, tag="close"):
    """Finish the begun meld: a small step of laying a contract.

    Only the ``Close`` of the last meld uses ``order``, to change the numbers of the new melds (N-C10). ``order[0]``
    is the new number of the meld that was begun first, ``order[1]`` is that of the second meld, and so on. These
    numbers begin at 1, even if other melds are on the table already. ``order`` ends with the last meld whose number
    changes. So it is empty if all melds keep their numbers.
    """

    order: tuple[int, ...] = ()


class Add(values.Action, frozen=True, tag="add"):
    """Add a card to the meld with this number (N-R8). ``end`` is the end of a run, or None for a set."""

    card: Card
    meld: int
    end: End | None = None


class Swap(values.Action, frozen=True, tag="swap"):
    """Replace a wild card of a meld by a natural card, and take the wild card into the hand (option ``joker_swap``).

    ``out`` chooses the wild card. In a set, None chooses a joker, and ``2s`` or ``2c`` chooses this black two. In
    a run, None chooses the wild card at the place of ``card`` (for an ace, the lowest place), and ``high`` chooses
    the wild card at the place of the high ace.
    """

    card: Card
    meld: int
    out: Literal["high", "2s", "2c"] | None = None


Action: TypeAlias = (
    Stock | Take | Wait | Hep | Pass | Vote | Discard | LayDown | OpenSet | OpenRun | Put | Close | Add | Swap
)

FEW: Codec[Action] = Codec(
    (
        Stock(),
        Take(),
        Wait(),
        Hep(),
        Hep(tied=True),
        Pass(),
        *(Vote(seat) for seat in range(state.SEATS)),
        *(Discard(card) for card in CARDS),
        *(OpenSet(rank) for rank in RANKS),
        *(OpenRun(suit, low) for suit in SUITS for low in range(1, 12)),
        *(Put(card) for card in CARDS),
        Close(),
    )
)
"""The actions with kernel numbers below ``state.ADD``, in the order of their numbers."""
ORDERS: Codec[tuple[int, ...]] = Codec(
    tuple(int(place) + 1 for place in order[: int(np.flatnonzero(order != range(state.MOST_MELDS))[-1]) + 1])
    for order in state.ORDERS[1:]
)
"""All values of ``Close.order`` except the empty one. The value at index *k* has the number ``state.CLOSE_AS + k``."""
ENDS: tuple[End | None, ...] = (None, "low", "high")
OUT: tuple[Literal["high", "2s", "2c"] | None, ...] = (None, "high", "2s", "2c")


def encode(action: Action, s: State | None = None) -> tuple[int, ...]:
    """Return the kernel numbers that play this action.

    A laying has one number for each of its small steps. Any other action has only one number.

    Raise KeyError for a card, rank, seat or meld number that does not exist, and for a swap that puts in a joker. Raise
    IllegalMove for an impossible meld. Also raise IllegalMove for a laying if sorting its melds, as the rules demand
    (:func:`.order_of`), would move the fifth or a later meld. If ``s`` is given and its phase is TURN, also raise
    IllegalMove for a laying that is not the contract of the round.
    """
    match action:
        case LayDown(melds):
            # without this check, the first steps of a laying with too few melds would be played
            if s is not None and s.phase == state.TURN and not is_contract(melds, contract_of(s)):
                raise IllegalMove(explain_contract(melds, s))
            return _encode_laying(melds)
        case Add(card, meld, end):
            return (state.ADD + (32 * kind_of(card) + _row(meld)) * 3 + ENDS.index(end),)
        case Swap(card, meld, out):
            if card == "*":
                raise KeyError(card)
            return (state.SWAP + (32 * kind_of(card) + _row(meld)) * 4 + OUT.index(out),)
        case Close(order) if order:
            return (state.CLOSE_AS + ORDERS.encode(order),)
        case _:
            return (FEW.encode(action),)


def _row(meld: int) -> int:
    if not 1 <= meld <= state.MELDS:
        raise KeyError(meld)
    return meld - 1


def _encode_laying(melds: Sequence[Meld]) -> tuple[int, ...]:
    """Return the kernel numbers of a laying: the small steps of each meld, in the order that the rules demand.

    The last step also gives the melds their numbers.
    """
    for meld in melds:
        check_meld(meld)
    taken = sorted(range(len(melds)), key=lambda k: order_of(melds[k]))
    steps = [step for k in taken for step in _steps(melds[k])]
    while taken and taken[-1] == len(taken) - 1:
        taken.pop()
    if taken:
        try:
            steps[-1] = state.CLOSE_AS + ORDERS.encode(tuple(k + 1 for k in taken))
        except KeyError:
            raise IllegalMove(f"no contract has more than {state.MOST_MELDS} melds") from None
    return tuple(steps)


def _steps(meld: Meld) -> tuple[int, ...]:
    first: Action
    cards = meld.cards
    if meld.form == "set":
        first = OpenSet(meld.rank)
        cards = tuple(sorted(cards, key=lambda card: (card[:-1] != meld.rank, kind_of(card))))
    else:
        first = OpenRun(meld.suit, meld.low)  # type: ignore[arg-type]
    return tuple(FEW.encode(step) for step in (first, *map(Put, cards), Close()))


def decode(number: int) -> Action:
    """Return the action with this kernel number. It is never ``LayDown``, because only its steps have numbers."""
    if number < state.ADD:
        return FEW.decode(number)
    if number < state.SWAP:
        spot, end = divmod(number - state.ADD, 3)
        return Add(CARDS[spot // 32], spot % 32 + 1, ENDS[end])
    if number >= state.CLOSE_AS:
        return Close(ORDERS.decode(number - state.CLOSE_AS))
    spot, out = divmod(number - state.SWAP, 4)
    return Swap(CARDS[spot // 32], spot % 32 + 1, OUT[out])


class Deal(values.ChanceOutcome, frozen=True, tag="card"):
    """The card that comes from the stock: dealt, drawn, or added as the penalty for a call (N-C9)."""

    card: Card


class Dealer(values.ChanceOutcome, frozen=True, tag="dealer"):
    """The first dealer (N-A27)."""

    seat: int


class Lucky(values.ChanceOutcome, frozen=True, tag="lucky"):
    """The seat that gets the card: one of those whose calls are tied (option ``hep_tie`` = ``random``)."""

    seat: int


Chance: TypeAlias = Deal | Dealer | Lucky
OUTCOMES: Codec[Chance] = Codec(
    (
        *(Deal(card) for card in CARDS),
        *(Dealer(seat) for seat in range(state.SEATS)),
        *(Lucky(seat) for seat in range(state.SEATS)),
    )
)


def encode_chance(chance: Chance) -> int:
    """Return the kernel number of an outcome of chance."""
    return OUTCOMES.encode(chance)


def decode_chance(number: int) -> Chance:
    """Return the outcome of chance for which this integer stands in kernels (compiled functions)."""
    return OUTCOMES.decode(number)
