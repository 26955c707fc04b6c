"""The view of a seat of Halunken und Spelunken, field by field.

Only the sealed cards of other seats are hidden. There is nothing to hide about the face-down sailors: the state does
not store their order, and everybody can infer which sailors are face down.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from spelunke.core import values
from spelunke.core.cells import cells
from spelunke.core.chance import below
from spelunke.core.kernel import Cells, pool
from spelunke.games.halunken import choices, observation, rules, state
from spelunke.games.halunken.cards import COLOURS, Colour, Sailor, Step, card_of, sailor_of, step_of
from spelunke.games.halunken.position import PHASES, cards_of, setup_of
from spelunke.games.halunken.sailors import (
    NONE,
    colour_of,
    crew_of,
    sailors_of,
    worth_of,
)
from spelunke.games.halunken.state import BEGINNER, FIELDS, FIGURES, JACK, MODE, NOBODY, TWO, State
from spelunke.games.halunken.walking import figure_at, prey_of, shows
from spelunke.games.positions import none_if_negative

FEATURES = observation.FEATURES
feature_names = observation.feature_names
features = observation.features

MODES = {state.BEGINNER: "beginner", state.STANDARD: "standard", state.TWO: "two_player"}


class Tavern(msgspec.Struct, frozen=True):
    """One tavern: the open sailor on top, and the number of face-down sailors below it."""

    top: Sailor | None
    under: int


class Figure(msgspec.Struct, frozen=True):
    """A captain or Black Jack, with field and movement cards.

    ``left`` are the cards not yet laid, including a sealed one. ``used`` are the cards of earlier hours, and
    ``laid`` is the card of this hour. ``cancelled`` is True if another figure's open card is the same. With 3 or 4
    players, Black Jack's card cancels no other and is never cancelled.
    """

    field: int | None
    left: tuple[Step, ...]
    used: tuple[Step, ...]
    laid: Step | None
    cancelled: bool


class Crew(msgspec.Struct, frozen=True):
    """A seat's sailors, their points, and the colour that counts double (None for an empty crew)."""

    sailors: tuple[Sailor, ...]
    worth: int
    doubled: Colour | None


class View(values.View, frozen=True):
    """The table as one seat sees it, or as a spectator does (``seat`` None). Figure 4 is Black Jack.

    ``phase`` is one of ``PHASES``. ``sealed`` and ``sealed_jack`` are this seat's own choices. For the other
    seats, only ``ready`` shows whether they have chosen. ``asked_about`` is the captain whose crew the seat on
    turn may rob.
    """

    seats: int
    mode: str
    phase: str
    hour: int
    first: int | None
    turn: int | None
    opener: int | None
    hirer: int | None
    offer: Sailor | None
    bidder: int | None
    passed: tuple[int, ...]
    captains: tuple[Figure, ...]
    jack: Figure | None
    ready: tuple[bool, ...]
    sealed: Step | None
    sealed_jack: Step | None
    named: int | None
    staying: tuple[int, ...]
    moving: tuple[int, ...]
    mover: int | None
    took: bool
    overtaken: tuple[int, ...]
    asked_about: int | None
    taverns: tuple[Tavern, ...]
    crews: tuple[Crew, ...]
    harbour: tuple[Sailor, ...]
    unseen: tuple[Sailor, ...]
    games: int
    match: int
    totals: tuple[int, ...]
    total_crews: tuple[int, ...]
    best: tuple[int, ...]
    setup: tuple[int, ...]
    """The number of seats, then the options, as the kernel ``start`` takes them."""
    opened: tuple[Step | None, ...] = ()
    """During the secret choice, if nothing is hidden from the viewer: each captain's sealed card, then Black Jack's.

    Otherwise empty.
    """


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(k for k in range(FIGURES) if int(mask) >> k & 1)


def _sailors(masks: Cells) -> tuple[Sailor, ...]:
    return tuple(sailor_of(sailor) for sailor in sailors_of(masks))


def _figure(c: State, figure: int, shown: list[int]) -> Figure:
    """Return a figure for the view.

    ``shown`` has the open card of each figure, as :func:`.walking.shows` returns it.
    """
    twelve = figure == JACK and c.options[MODE] != TWO
    full = state.JACK_CARDS if twelve else state.CAPTAIN_CARDS
    laid = int(c.laid[figure])
    used = full ^ int(c.cards[figure]) ^ (1 << laid - 1 if laid else 0)
    alone = laid == 0 or twelve
    return Figure(
        field=none_if_negative(c.field[figure]),
        left=cards_of(c.cards[figure], twelve),
        used=cards_of(used, twelve),
        laid=(laid if twelve else step_of(laid)) if laid else None,
        cancelled=not alone and any(shown[other] == laid for other in range(FIGURES) if other != figure),
    )


def _crew(s: State, seat: int) -> Crew:
    return _count(s.crew[seat])


def _count(crew: values.Numbers) -> Crew:
    sailors = _sailors(crew)
    doubled = COLOURS[int(colour_of(crew))] if sailors else None
    return Crew(sailors, int(worth_of(crew)), doubled)


def reckon(sailors: Iterable[Sailor]) -> Crew:
    """Return these sailors as a crew with its points (H-R15). Boards call this function to show an earlier
    position.
    """
    crew = np.zeros(len(COLOURS), np.int16)
    for sailor in sailors:
        crew[sailor.colour.number] |= 1 << sailor.value - 1
    return _count(crew)


def _asked_about(s: State, c: State) -> int | None:
    if c.phase == state.PASSING and c.hirer != NOBODY:
        return int(c.queue[0])
    if c.phase == state.LANDED and not (c.mover == JACK and c.hirer == NOBODY):
        prey = prey_of(s, figure_at(s, c.field[c.mover], c.mover))
        return none_if_negative(prey)
    return None


def view(s: State, seat: int | None) -> View:
    """Return the view of a seat; None is a spectator."""
    c = cells(s)
    seats = range(int(c.seats))
    shown = [int(shows(s, figure)) for figure in range(FIGURES)]
    mine, jacks = 0, 0
    if seat is not None and c.phase == state.CHOOSING:
        mine = int(c.sealed[seat])
        jacks = int(c.sealed[JACK]) if choices.commands(s, seat) else 0
    return View(
        seat=seat,
        seats=int(c.seats),
        mode=MODES[int(c.options[MODE])],
        phase=PHASES[int(c.phase)],
        hour=min(int(c.hour) + 1, state.HOURS),
        first=none_if_negative(c.first),
        turn=none_if_negative(c.turn),
        opener=none_if_negative(c.opener),
        hirer=none_if_negative(c.hirer),
        offer=sailor_of(int(c.offer)) if c.offer != NONE else None,
        bidder=none_if_negative(c.bidder),
        passed=_bits(c.passed),
        captains=tuple(_figure(c, who, shown) for who in seats),
        jack=None if c.options[MODE] == BEGINNER else _figure(c, JACK, shown),
        ready=tuple(bool(c.phase == state.CHOOSING and choices.ready(s, who)) for who in seats),
        sealed=step_of(mine) if mine else None,
        sealed_jack=step_of(jacks) if jacks else None,
        named=int(c.named) or None,
        staying=_bits(c.staying),
        moving=_bits(c.moving),
        mover=none_if_negative(c.mover),
        took=bool(c.took),
        overtaken=tuple(int(who) for who in c.queue if who != NOBODY),
        asked_about=_asked_about(s, c),
        taverns=tuple(
            Tavern(sailor_of(int(c.top[field])) if c.top[field] != NONE else None, int(c.under[field]))
            for field in range(FIELDS)
        ),
        crews=tuple(_crew(c, who) for who in seats),
        harbour=_sailors(c.harbour),
        unseen=_sailors(c.unseen),
        games=int(c.games),
        match=3 if c.options[state.MATCH] == state.THREE_GAMES else 1,
        totals=tuple(int(c.total[who]) for who in seats),
        total_crews=tuple(int(c.total_crew[who]) for who in seats),
        best=tuple(int(c.best[who]) for who in seats),
        setup=setup_of(c),
    )


def open_view(s: State) -> View:
    """Return the view of a spectator from whom nothing is hidden."""
    seen = view(s, None)
    if s.phase != state.CHOOSING:
        return seen
    figures = [*range(seen.seats), *([JACK] if seen.jack is not None else [])]
    sealed = tuple(step_of(int(s.sealed[who])) if s.sealed[who] else None for who in figures)
    return msgspec.structs.replace(seen, opened=sealed)


def imagine(seen: View, stream: values.Stream) -> State:
    """Return a full state that fits the view.

    If another seat has sealed all its cards, draw a card for its captain at random from the captain's remaining cards.
    If the seat also seals a card for Black Jack, draw that card in the same way.
    """
    s: State = pool(state.STATE, 1)[0]
    rules.start(s, np.array(seen.setup, np.int16))
    s.phase = PHASES.index(seen.phase)
    over = s.phase == state.FINISHED
    s.hour = state.HOURS if over else seen.hour - 1
    s.first, s.turn = _number(seen.first), _number(seen.turn)
    s.opener, s.hirer, s.bidder = _number(seen.opener), _number(seen.hirer), _number(seen.bidder)
    s.offer = seen.offer.number if seen.offer else NONE
    s.passed, s.staying, s.moving = _mask(seen.passed), _mask(seen.staying), _mask(seen.moving)
    s.named, s.mover, s.took = seen.named or 0, _number(seen.mover), int(seen.took)
    for place, who in enumerate(seen.overtaken):
        s.queue[place] = who
    for figure, part in (*enumerate(seen.captains), (JACK, seen.jack)):
        if part is not None:
            s.field[figure] = _number(part.field)
            s.cards[figure] = _mask(card_of(card) - 1 for card in part.left)
            s.laid[figure] = card_of(part.laid) if part.laid is not None else 0
    for field, tavern in enumerate(seen.taverns):
        s.top[field] = tavern.top.number if tavern.top else NONE
        s.under[field] = tavern.under
        waits = s.phase in (state.TURNING, state.OPENING) and tavern.top is None and tavern.under > 0
        if waits and s.opening == NOBODY:
            s.opening = field
    for seat in range(seen.seats):
        s.crew[seat] = crew_of(sailor.number for sailor in seen.crews[seat].sailors)
        s.hands[seat] = len(seen.crews[seat].sailors)
        s.total[seat], s.total_crew[seat] = seen.totals[seat], seen.total_crews[seat]
        s.best[seat] = seen.best[seat]
    s.harbour[:] = crew_of(sailor.number for sailor in seen.harbour)
    s.afloat = len(seen.harbour)
    s.unseen[:] = crew_of(sailor.number for sailor in seen.unseen)
    s.dark, s.games = len(seen.unseen), seen.games
    for seat in range(seen.seats):
        if seat == seen.seat:
            s.sealed[seat] = card_of(seen.sealed) if seen.sealed is not None else 0
            if seen.sealed_jack is not None:
                s.sealed[JACK] = card_of(seen.sealed_jack)
        elif seen.ready[seat]:
            s.sealed[seat] = _any_card(seen.captains[seat].left, stream)
            if seen.jack is not None and choices.commands(s, seat):
                s.sealed[JACK] = _any_card(seen.jack.left, stream)
    return s


def _any_card(left: tuple[Step, ...], stream: values.Stream) -> int:
    return card_of(left[below(stream, len(left))])


def _number(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def _mask(bits: Iterable[int]) -> int:
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask
