"""The view of a seat of Sanghai, field by field (N-A28), and random states that agree with a view."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from spelunke.core import values
from spelunke.core.cells import cells
from spelunke.core.kernel import pool
from spelunke.core.values import Numbers, Stream
from spelunke.games.positions import none_if_negative
from spelunke.games.sanghai import observation, redeals, rules, state
from spelunke.games.sanghai.cards import Card, Meld, card_of, kind_of, meld_at, spread
from spelunke.games.sanghai.contracts import Contract, contracts_of
from spelunke.games.sanghai.state import HEP_WINDOW, SHOW_DISCARDS, State

FEATURES = observation.FEATURES
features = observation.features
feature_names = observation.feature_names

PHASES = (
    "dealer",
    "dealing",
    "opening",
    "window",
    "vote",
    "tie",
    "penalty",
    "drawing",
    "turn",
    "laying",
    "in set",
    "in run",
    "over",
)
ANSWERS = ("none", "asked", "passed", "called")
"""The possible states of a seat's answer to the discard."""


class TableMeld(msgspec.Struct, frozen=True):
    """A meld on the table, with its number (from 1) and its owner."""

    number: int
    owner: int
    meld: Meld


class View(values.View, frozen=True):
    """The table as one seat sees it, or as a spectator does (``seat`` None).

    Unless a comment says otherwise, a tuple has an entry for each seat.
    """

    seats: int
    phase: str
    lap: int
    """The number of the round, from 1."""
    contracts: tuple[Contract, ...]
    """The contracts of all rounds, in order."""
    dealer: int | None
    turn: int | None
    hand: tuple[Card, ...]
    """The viewer's own cards, sorted by suit."""
    held: tuple[int, ...]
    heps: tuple[int, ...]
    """The number of cards that each seat won by calls in this round."""
    hep_limit: int
    laid: tuple[bool, ...]
    stock: int
    pile: int
    top: Card | None
    discards: tuple[Card, ...] | None
    """All cards of the pile, the top one last, if the option ``show_discards`` shows them; else None."""
    buried: tuple[Card, ...]
    """The cards of the pile below its top card.

    Everybody saw these discards, and the log names them. So they are included even if the table does not show
    them. They are sorted by suit, but the card directly below the top is last if it is known.
    """
    taken: tuple[tuple[Card, ...], ...]
    """For each seat, the cards that it certainly holds.

    It took them openly in this round and has not played them.
    """
    thrown: tuple[tuple[Card, ...], ...]
    """For each seat, the cards that it discarded in this round."""
    let_go: tuple[tuple[Card, ...], ...]
    """For each seat, the cards that it could have taken or called for in this round, but did not."""
    melds: tuple[TableMeld, ...]
    """All melds on the table by their numbers, with the one that is being laid."""
    giver: int | None
    """The seat that discarded the card that can be called for now."""
    entitled: tuple[int, ...]
    """The seats that may call for the discard, or could before they answered. They follow from facts that everybody
    knows.
    """
    calls: tuple[int, ...]
    """The seats that are known to have called, in the order of their calls.

    If the option ``hep_window`` is ``sequenced``, the calls become known after the last answer, sorted by seat.
    """
    tied: int
    answered: bool
    """Whether the viewer knows that all seats have answered.

    If the option ``hep_window`` is ``live``, only the player on turn knows it, because that player may draw then. If
    it is ``sequenced``, everybody knows it. Before all have answered, nobody sees which seats have passed.
    """
    answer: str
    """The viewer's own answer: ``none``, ``asked``, ``passed`` or ``called``."""
    waits: bool
    """Whether the viewer is on turn and lets the others answer first."""
    ballot: int | None
    """The viewer's own sealed vote: the seat of a caller, or None."""
    sheet: tuple[tuple[int, ...], ...]
    """The points of each seat in each finished round."""
    winners: tuple[int | None, ...]
    """The winner of each finished round, or None."""
    downs: tuple[tuple[bool, ...], ...]
    """For each finished round and each seat, whether it laid its contract."""
    totals: tuple[int, ...]
    reshuffles: int
    turns: int
    fresh: bool
    """Whether the player on turn laid the contract in this turn."""
    wilds: int
    sets_left: int
    runs_left: int
    building: tuple[int, ...]
    """The progress of a laying: ``least_rank`` and ``least_run`` (see :class:`.Wish`).

    If a meld has begun, its form, its suit or rank, and its lowest place follow.
    """
    dealt: int
    owed: int
    owing: int | None
    shown: tuple[tuple[Card, ...], ...] | None
    """All hands, if the game is over or nothing is hidden from the viewer; else None."""
    setup: tuple[int, ...]
    """The number of seats, then the options, as the kernel ``start`` takes them."""

    @property
    def contract(self) -> Contract:
        """The contract of this round."""
        return self.contracts[self.lap - 1]

    @property
    def dealt_by(self) -> int | None:
        """The dealer of this round. At the end of the game, the field ``dealer`` already has the next seat."""
        if self.dealer is None or self.phase != PHASES[state.FINISHED]:
            return self.dealer
        return (self.dealer - 1) % self.seats

    def option(self, slot: int) -> int:
        """Return the value of an option as a number. ``slot`` is the option's index, such as ``state.JOKER_SWAP``."""
        return self.setup[1 + slot]


def view(s: State, seat: int | None) -> View:
    """Return the view of a seat, or of a spectator if ``seat`` is None."""
    c = cells(s)
    n = int(c.seats)
    over = c.phase == state.FINISHED
    done = int(c.lap) + int(over)
    complete = all(c.answer[k] != state.ASKED for k in range(n))
    told = c.options[HEP_WINDOW] or seat == c.turn
    calls = _calls(c, complete)
    sheet = tuple(tuple(int(p) for p in c.sheet[lap, :n]) for lap in range(done))
    return View(
        seat=seat,
        seats=n,
        phase=PHASES[int(c.phase)],
        lap=int(c.lap) + 1,
        contracts=contracts_of(s),
        dealer=none_if_negative(c.dealer),
        turn=none_if_negative(c.turn),
        hand=spread(c.hand[seat]) if seat is not None else (),
        held=tuple(int(k) for k in c.held[:n]),
        heps=tuple(int(k) for k in c.heps[:n]),
        hep_limit=int(state.hep_limit(s)),
        laid=tuple(bool(k) for k in c.laid[:n]),
        stock=int(c.stocked),
        pile=int(c.piled),
        top=card_of(int(c.top)) if c.top >= 0 else None,
        discards=_discards(c),
        buried=_buried(c),
        taken=tuple(spread(c.taken[k]) for k in range(n)),
        thrown=tuple(spread(c.thrown[k]) for k in range(n)),
        let_go=tuple(spread(c.let_go[k]) for k in range(n)),
        melds=_melds(c),
        giver=none_if_negative(c.giver),
        entitled=_entitled(c),
        calls=calls,
        tied=min(int(c.tied), len(calls)),
        answer=ANSWERS[int(c.answer[seat]) if seat is not None else state.SILENT],
        answered=bool(c.phase == state.WINDOW and complete and told),
        waits=bool(c.waits and seat == c.turn),
        ballot=none_if_negative(c.ballot[seat]) if seat is not None else None,
        sheet=sheet,
        winners=tuple(none_if_negative(w) for w in c.won[:done]),
        downs=tuple(tuple(bool(d) for d in c.down[lap, :n]) for lap in range(done)),
        totals=tuple(sum(row[k] for row in sheet) for k in range(n)),
        reshuffles=int(c.shuffled),
        turns=int(c.turns),
        fresh=bool(c.fresh),
        wilds=int(c.wilds),
        sets_left=int(c.sets_left),
        runs_left=int(c.runs_left),
        building=_building(c),
        dealt=int(c.dealt),
        owed=int(c.owed),
        owing=none_if_negative(c.owing),
        shown=tuple(spread(c.hand[k]) for k in range(n)) if over else None,
        setup=(n, *c.options.tolist()),
    )


def open_view(s: State) -> View:
    """Return the view of a spectator who sees all hands. Sealed votes and secret answers to a discard stay hidden."""
    hands = tuple(spread(s.hand[k]) for k in range(int(s.seats)))
    return msgspec.structs.replace(view(s, None), shown=hands)


def _calls(s: State, complete: bool) -> tuple[int, ...]:
    """Return the seats that are known to have called.

    If the option ``hep_window`` is ``sequenced``, the calls become known after the last answer, sorted by seat.
    """
    calls = [int(caller) for caller in s.caller[: int(s.callers)]]
    if not s.options[HEP_WINDOW]:
        return tuple(calls)
    return tuple(sorted(calls)) if s.phase != state.WINDOW or complete else ()


def _entitled(s: State) -> tuple[int, ...]:
    if s.phase not in (state.WINDOW, state.VOTING, state.TYING):
        return ()
    return tuple(k for k in range(int(s.seats)) if s.answer[k] != state.SILENT)


def _discards(s: State) -> tuple[Card, ...] | None:
    if not s.options[SHOW_DISCARDS]:
        return None
    if not s.piled:
        return ()
    below_top = s.pile.copy()
    below_top[int(s.top)] -= 1
    return (*spread(below_top), card_of(int(s.top)))


def _buried(s: State) -> tuple[Card, ...]:
    if s.piled < 2:
        return ()
    rest = s.pile.copy()
    last = [kind for kind in (int(s.under),) if kind >= 0]
    for kind in (int(s.top), *last):
        rest[kind] -= 1
    return (*spread(rest), *map(card_of, last))


def _melds(s: State) -> tuple[TableMeld, ...]:
    begun = s.phase in (state.SETTING, state.RUNNING)
    return tuple(
        TableMeld(m + 1, int(s.owner[m]), meld)
        for m in range(int(s.melds) + int(begun))
        if (meld := meld_at(s, m)) is not None
    )


def _building(s: State) -> tuple[int, ...]:
    steps = (int(s.least_rank), int(s.least_run))
    if s.phase not in (state.SETTING, state.RUNNING):
        return steps
    m = int(s.melds)
    return (*steps, int(s.form[m]), int(s.what[m]), int(s.low[m]))


def start_table(setup: Sequence[int] | Numbers) -> State:
    """Return the state at the start of a match. ``setup`` has the number of seats, then the options as numbers."""
    s: State = pool(state.STATE, 1)[0]
    rules.start(s, np.array(setup, np.int16))
    return s


def imagine(seen: View, stream: Stream) -> State:
    """Return a full state that fits the view. Deal the hidden cards with random numbers from ``stream``.

    Cards that a seat openly took are in its hand. Cards that fit a seat's public actions are more likely to be
    in its hand (:mod:`.redeals`). If the viewer can't know whether a seat has answered the discard, that seat has
    not answered in the returned state.
    """
    s = start_table(seen.setup)
    _fill_public(s, seen)
    if seen.shown is not None:
        hands = list(enumerate(seen.shown))
    else:
        hands = [(seen.seat, seen.hand)] if seen.seat is not None else []
    for k, hand in hands:
        for card in hand:
            s.hand[k, kind_of(card)] += 1
            s.stock[kind_of(card)] -= 1
    if seen.shown is None:
        redeals.redeal(s, -1 if seen.seat is None else seen.seat, stream)
    s.stocked = seen.stock
    return s


def _fill_public(s: State, seen: View) -> None:
    n = seen.seats
    s.lap = seen.lap - 1
    s.phase = PHASES.index(seen.phase)
    s.dealer = -1 if seen.dealer is None else seen.dealer
    s.turn = -1 if seen.turn is None else seen.turn
    s.dealt, s.turns, s.shuffled = seen.dealt, seen.turns, seen.reshuffles
    s.fresh, s.wilds = int(seen.fresh), seen.wilds
    s.sets_left, s.runs_left = seen.sets_left, seen.runs_left
    s.least_rank, s.least_run = seen.building[:2]
    s.giver = -1 if seen.giver is None else seen.giver
    s.owed, s.owing = seen.owed, -1 if seen.owing is None else seen.owing
    for lap, row in enumerate(seen.sheet):
        winner = seen.winners[lap]
        s.won[lap] = -1 if winner is None else winner
        for k in range(n):
            s.sheet[lap, k] = row[k]
            s.down[lap, k] = int(seen.downs[lap][k])
    for k in range(n):
        s.held[k], s.heps[k], s.laid[k] = seen.held[k], seen.heps[k], int(seen.laid[k])
    for k in seen.entitled:
        s.answer[k] = state.ASKED if s.phase == state.WINDOW and not seen.answered else state.PASSED
    if seen.seat is not None and seen.seat in seen.entitled:
        s.answer[seen.seat] = ANSWERS.index(seen.answer)
    for k, caller in enumerate(seen.calls):
        s.caller[k] = caller
        s.answer[caller] = state.CALLED
    if seen.seat is not None and seen.answer == "called" and seen.seat not in seen.calls:
        # the viewer has called, but calls are still sealed
        s.caller[0] = seen.seat
        s.callers = s.tied = 1
    else:
        s.callers = len(seen.calls)
        s.tied = seen.tied
    s.waits = int(seen.waits)
    if seen.ballot is not None:
        s.ballot[seen.seat] = seen.ballot
    s.piled = seen.pile
    for card in (*seen.buried, *((seen.top,) if seen.top else ())):
        s.pile[kind_of(card)] += 1
        s.stock[kind_of(card)] -= 1
    if seen.top:
        s.top = kind_of(seen.top)
    if seen.buried:
        s.under = kind_of(seen.buried[-1])
    for cells_of, cards_of in ((s.taken, seen.taken), (s.thrown, seen.thrown), (s.let_go, seen.let_go)):
        for k, cards in enumerate(cards_of):
            for card in cards:
                cells_of[k, kind_of(card)] += 1
    for entry in seen.melds:
        _fill_meld(s, entry)
    s.melds = len(seen.melds)
    if len(seen.building) > 2:
        m = len(seen.melds) - _begun(seen)
        s.melds = m
        s.owner[m] = s.turn
        s.form[m], s.what[m], s.low[m] = seen.building[2:]
        if not _begun(seen):
            s.high[m] = seen.building[4] - 1 if seen.building[2] == state.RUN else 0


def _begun(seen: View) -> int:
    """Return 1 if the meld that is being laid card by card is among the visible melds, else 0.

    The meld becomes visible with its first card.
    """
    need = seen.contract.sets + seen.contract.runs - seen.sets_left - seen.runs_left
    mine = sum(1 for entry in seen.melds if entry.owner == seen.turn)
    return int(mine == need)


def _fill_meld(s: State, entry: TableMeld) -> None:
    m, meld = entry.number - 1, entry.meld
    write_meld_cells(s, m, entry.owner, meld)
    for card in meld.cards:
        s.stock[kind_of(card)] -= 1


def write_meld_cells(s: State, m: int, owner: int, meld: Meld) -> None:
    """Write a meld into the state, as the table's meld ``m`` (from 0). The stock does not change."""
    wild_cell = {"*": 0, "2s": 1, "2c": 2}
    s.owner[m] = owner
    if meld.form == "set":
        s.form[m] = state.SET
        s.what[m] = kind_of(meld.rank + "s")
        for card, wild in zip(meld.cards, meld.wild, strict=True):
            s.cells[m, 4 + wild_cell[card] if wild else kind_of(card) // 13] += 1
        return
    s.form[m] = state.RUN
    s.what[m] = "shdc".index(meld.suit)
    s.low[m], s.high[m] = meld.low, meld.high
    for k, (card, wild) in enumerate(zip(meld.cards, meld.wild, strict=True)):
        s.cells[m, meld.low + k - 1] = state.WILD + wild_cell[card] if wild else state.NATURAL
