"""Typed actions and outcomes of chance, and their numbers in the kernels; total both ways.

``LayDown`` is the one large move: it stands for the small steps ``OpenSet``, ``OpenRun``, ``Put`` and ``Close``.

What a house asks of the game besides: :func:`window` and :func:`silence` (how long calls are waited for and what
silence means), :func:`pause` (how long everybody sees it wait), :func:`asked` (who may still owe an answer, for all
that a viewer knows), :func:`arrive` (which calls count as simultaneous), :func:`stand` and :func:`check_private`
(standing orders), :func:`compose` (a move from the checkboxes of a form) and :func:`consider` (what picked cards and
orders that are being written come to).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from spelunke.core import values
from spelunke.core.errors import BadInput, IllegalMove
from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import (
    CARDS,
    RANKS,
    SUITS,
    Card,
    Meld,
    Suit,
    kind_of,
    order_of,
)
from spelunke.games.sanghai.orders import check_private, stand

End: TypeAlias = Literal["low", "high"]


class Stock(values.Action, frozen=True, tag="stock"):
    """Draw from the stock (N-R5); in the window it declines the discard (N-C3)."""


class Take(values.Action, frozen=True, tag="take"):
    """Take the top discard (N-R5)."""


class Wait(values.Action, frozen=True, tag="wait"):
    """The next player lets the others answer before he decides (N-C1)."""


class Hep(values.Action, frozen=True, tag="hep"):
    """Call for the discard (N-R14). ``tied``: the house found it simultaneous with the first call (N-C2)."""

    tied: bool = False


class Pass(values.Action, frozen=True, tag="pass"):
    """Make no call for this discard."""


class Vote(values.Action, frozen=True, tag="vote"):
    """Say which of the tied callers was first (N-R15, N-C4)."""

    seat: int


class Discard(values.Action, frozen=True, tag="discard"):
    """End the turn with this card (N-R5)."""

    card: Card


class LayDown(values.Action, frozen=True, tag="lay"):
    """Lay the round's contract (N-R7): the melds in the order in which they are numbered."""

    melds: tuple[Meld, ...]

    @property
    def used(self) -> tuple[Card, ...]:
        """All cards that it puts down."""
        return tuple(card for meld in self.melds for card in meld.cards)


class OpenSet(values.Action, frozen=True, tag="set"):
    """Small step of a laying: begin a set of this rank."""

    rank: str


class OpenRun(values.Action, frozen=True, tag="run"):
    """Small step of a laying: begin a run of this suit at this place (1 is the low ace)."""

    suit: Suit
    low: int


class Put(values.Action, frozen=True, tag="put"):
    """Small step of a laying: the next card of the meld."""

    card: Card


class Close(values.Action, frozen=True, tag="close"):
    """Small step of a laying: the meld is complete."""


class Add(values.Action, frozen=True, tag="add"):
    """Add a card to a meld by its number (N-R8); ``end`` of a run, None for a set."""

    card: Card
    meld: int
    end: End | None = None


class Swap(values.Action, frozen=True, tag="swap"):
    """Replace a wild card of a meld (option ``joker_swap``); it comes to the hand.

    ``out``: None at the card's own place in a run or for a set's joker, ``high`` for the ace on top of a run, ``2s`` or
    ``2c`` for a wild black two of a set.
    """

    card: Card
    meld: int
    out: Literal["high", "2s", "2c"] | None = None


Action: TypeAlias = (
    Stock | Take | Wait | Hep | Pass | Vote | Discard | LayDown | OpenSet | OpenRun | Put | Close | Add | Swap
)

FEW: tuple[Action, ...] = (
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
"""The actions below ``state.ADD`` at the places of their numbers."""
NUMBERS = {action: number for number, action in enumerate(FEW)}
ENDS: tuple[End | None, ...] = (None, "low", "high")
OUT: tuple[Literal["high", "2s", "2c"] | None, ...] = (None, "high", "2s", "2c")


def encode(action: Action, s: Any = None) -> tuple[int, ...]:
    """The numbers that play this action: the small steps of a laying, one for everything else.

    Raises KeyError for a card, rank or seat that does not exist, IllegalMove for a laying of another contract.
    """
    match action:
        case LayDown(melds):
            if s is not None and s.phase == state.TURN:
                forms = [meld.form for meld in melds]
                wanted = (int(state.sets_wanted(s)), int(state.runs_wanted(s)))
                if (forms.count("set"), forms.count("run")) != wanted:  # a part of it would be legal steps
                    raise IllegalMove(f"the whole contract is laid at once: {explain(action, s)}")
            return tuple(number for meld in sorted(melds, key=order_of) for number in _steps(meld))
        case Add(card, meld, end):
            return (state.ADD + (32 * kind_of(card) + _row(meld)) * 3 + ENDS.index(end),)
        case Swap(card, meld, out):
            if card == "*":
                raise KeyError(card)
            return (state.SWAP + (32 * kind_of(card) + _row(meld)) * 4 + OUT.index(out),)
        case _:
            return (NUMBERS[action],)


def _row(meld: int) -> int:
    if not 1 <= meld <= state.MELDS:
        raise KeyError(meld)
    return meld - 1


def _steps(meld: Meld) -> tuple[int, ...]:
    first: Action
    if meld.form == "set":
        first = OpenSet(meld.rank)
    else:
        first = OpenRun(meld.suit, min(meld.low, 11))  # type: ignore[arg-type]
    return (NUMBERS[first], *(NUMBERS[Put(card)] for card in meld.cards), NUMBERS[Close()])


def decode(number: int) -> Action:
    """The action of this number; a laying comes apart into its steps."""
    if number < state.ADD:
        return FEW[number]
    if number < state.SWAP:
        spot, end = divmod(number - state.ADD, 3)
        return Add(CARDS[spot // 32], spot % 32 + 1, ENDS[end])
    spot, out = divmod(number - state.SWAP, 4)
    return Swap(CARDS[spot // 32], spot % 32 + 1, OUT[out])


class Deal(values.ChanceOutcome, frozen=True, tag="card"):
    """The card that comes from the stock: dealt, drawn, or for a call (N-C9)."""

    card: Card


class Dealer(values.ChanceOutcome, frozen=True, tag="dealer"):
    """The first dealer (N-A27)."""

    seat: int


class Lucky(values.ChanceOutcome, frozen=True, tag="lucky"):
    """Which of the tied callers gets the card (option ``hep_tie`` = random)."""

    seat: int


Chance: TypeAlias = Deal | Dealer | Lucky
OUTCOMES: tuple[Chance, ...] = (
    *(Deal(card) for card in CARDS),
    *(Dealer(seat) for seat in range(state.SEATS)),
    *(Lucky(seat) for seat in range(state.SEATS)),
)
OUTCOME_NUMBERS = {chance: number for number, chance in enumerate(OUTCOMES)}


def encode_chance(chance: Chance) -> int:
    """The number of an outcome of chance."""
    return OUTCOME_NUMBERS[chance]


def decode_chance(number: int) -> Chance:
    """The outcome of chance of this number."""
    return OUTCOMES[number]


def window(options: Mapping[str, Any], live: bool, s: Any) -> int | None:
    """Milliseconds that an open decision may wait before silence answers; None: for ever.

    It is as long after every discard, whether or not anybody could call: the house runs it for the whole window and
    for a vote, and lets the next player draw from the stock only when it is over or all have answered.
    """
    if not live or s.phase not in (state.WINDOW, state.VOTING):
        return None
    if s.phase == state.WINDOW and not _waiting(s):
        return None
    return int(options.get("hep_seconds", 5)) * 1000 or None


def pause(options: Mapping[str, Any], live: bool, s: Any) -> tuple[str, int] | None:
    """Name and milliseconds of the time that the table is seen to wait now, whoever has answered meanwhile; or None.

    It rests on what everybody knows: who may call at all, not who has been asked or has said what.
    """
    seconds = int(options.get("hep_seconds", 5))
    if not live or not seconds:
        return None
    if s.phase == state.WINDOW and any(s.answer[seat] != state.SILENT for seat in range(int(s.seats))):
        return "window", seconds * 1000
    return ("vote", seconds * 1000) if s.phase == state.VOTING else None


def asked(s: Any, viewer: int | None) -> tuple[str, tuple[int, ...]] | None:
    """The name of a moment in which it is told to nobody who has answered, and the seats that may be asked in it.

    ``viewer`` (None: a spectator) knows of its own answer and of calls that are heard. It can't tell who has passed,
    whether the next player lets the others answer first, nor what was sealed. None: everybody knows who is asked.
    """
    seats, turn = range(int(s.seats)), int(s.turn)
    if s.phase == state.VOTING:
        voters = [k for k in seats if s.answer[k] != state.CALLED]
        return "vote", tuple(k for k in voters if k != viewer or s.ballot[k] == state.NONE)
    complete = not _waiting(s)
    if s.phase != state.WINDOW or (s.sequenced and complete):
        return None
    known = {state.SILENT} if s.sequenced else {state.SILENT, state.CALLED}
    may = {k for k in seats if int(s.answer[k]) not in known and (k != viewer or s.answer[k] == state.ASKED)}
    if complete and viewer == turn:
        return "window", (turn,)
    if not s.sequenced and not (viewer == turn and s.waits):
        may.add(turn)
    return "window", tuple(sorted(may))


def _waiting(s: Any) -> bool:
    return any(s.answer[seat] == state.ASKED for seat in range(int(s.seats)))


def silence(s: Any, seat: int) -> Action | None:
    """What the house plays for a seat whose time in the window has run out; None: it goes on waiting for the seat."""
    if s.phase == state.WINDOW and s.answer[seat] == state.ASKED:
        return Pass()
    if s.phase == state.VOTING:  # the caller nearest after the player on turn, as if there were no vote
        tied = {int(caller) for caller in s.caller[: int(s.tied)]}
        for distance in range(1, int(s.seats)):
            other = (int(s.turn) + distance) % int(s.seats)
            if other in tied:
                return Vote(other)
    return None


def arrive(action: Action, s: Any, since_first_ms: int | None) -> Action:
    """A call as the log takes it: within ``hep_tie_ms`` of the first call it is tied with it, else later (N-C2).

    ``since_first_ms`` is None for a first call. Anything else than a call comes back as it is.
    """
    if not isinstance(action, Hep):
        return action
    simultaneous = (
        since_first_ms is not None
        and since_first_ms <= int(s.tie_ms)
        and s.sequenced == 0
        and s.by_seat == 0
        and s.callers > 0
        and s.tied == s.callers
    )
    return Hep(tied=bool(simultaneous))


class Draft(msgspec.Struct, frozen=True):
    """What somebody's picked cards, and the standing orders that are kept or being written, come to.

    ``tray`` is None where there is no form or nothing is to be laid, ``orders`` where there are no orders;
    ``trouble`` says why orders can't be read.
    """

    tray: Any = None
    orders: Any = None
    trouble: str = ""


def consider(
    fields: Mapping[str, Sequence[str]], view: Any, told: Callable[[], Iterable[Any]], private: Any
) -> Draft | None:
    """What a form's fields mean that was not sent yet: ``card`` (picked cards) and ``order.text``. Changes nothing.

    ``told()`` are all events so far as the seat knows them. Without ``order.text`` the orders that are kept count.
    """
    from spelunke.games.sanghai.orders import orders_of, read_orders
    from spelunke.games.sanghai.rehearsal import rehearse
    from spelunke.games.sanghai.tray import check_tray

    if view.seat is None:
        return None
    tray = None
    if fields:  # boxes that nobody checked are not in a form
        tray = check_tray(view, [card.partition(".")[0] for card in fields.get("card", ())])
    try:
        typed = fields.get("order.text")
        orders = read_orders(typed[-1]) if typed else orders_of(private)
    except BadInput as error:
        return Draft(tray, None, str(error))
    if orders is None or not (orders.wants or orders.limits):
        return Draft(tray)
    return Draft(tray, rehearse(orders, told(), view))


def explain(action: Action, s: Any) -> str:
    """Why an action is not allowed in this state, in a clause; empty when there is nothing more to say."""
    from spelunke.games.sanghai.refusals import explain_action

    return explain_action(action, s)


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """The move text of a form: the checked ``card`` fields (``7s.2`` is the second seven of spades), and ``do``.

    ``do`` is ``lay`` (with the melds typed in ``melds``, or the checked cards in the way that gets rid of most),
    ``discard`` or ``add`` (with ``to``, a meld's number).
    """
    cards = [card.partition(".")[0] for card in fields.get("card", ())]
    do = (fields.get("do") or ("",))[0]
    typed = (fields.get("melds") or ("",))[0].strip()
    if do == "lay":
        return f"lay {typed}" if typed else "lay " + " ".join(cards)
    if do == "add":
        return f"add {' '.join(cards)} to {(fields.get('to') or ('',))[0]}".strip()
    return f"{do} {' '.join(cards)}".strip()


__all__ = [
    "Action",
    "Add",
    "Chance",
    "Close",
    "Deal",
    "Dealer",
    "Discard",
    "Draft",
    "Hep",
    "LayDown",
    "Lucky",
    "OpenRun",
    "OpenSet",
    "Pass",
    "Put",
    "Stock",
    "Swap",
    "Take",
    "Vote",
    "Wait",
    "arrive",
    "asked",
    "check_private",
    "compose",
    "consider",
    "decode",
    "decode_chance",
    "encode",
    "encode_chance",
    "explain",
    "pause",
    "silence",
    "stand",
    "window",
]
