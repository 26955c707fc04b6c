"""What happened at a table of Halunken und Spelunken, in the game's words, and who may know it.

What follows from a choice is told by playing it again one :func:`~.walking.step` at a time; no rule is written twice.
"""

from __future__ import annotations

from typing import Any

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.kernel import copy
from spelunke.games.halunken import choices, moves, rules, state
from spelunke.games.halunken.cards import Sailor, Step, sailor_of, step_of
from spelunke.games.halunken.happenings import (
    Collected,
    Counted,
    Declined,
    Displaced,
    Event,
    FirstDrawn,
    Fished,
    Flipped,
    Gave,
    Hired,
    HourBegan,
    Met,
    Named,
    Offered,
    Passed,
    Peeked,
    Placed,
    Ready,
    Recruited,
    Revealed,
    Robbed,
    Sealed,
    TookBack,
    TurnedUp,
    Walked,
)
from spelunke.games.halunken.sailors import NONE, holds, sailors_of, worth_of
from spelunke.games.halunken.sentences import name_card, name_sailor, say
from spelunke.games.halunken.state import FIGURES, JACK, NOBODY, REST, TWO
from spelunke.games.halunken.walking import figure_at, prey_of, shows, step

__all__ = [
    "Collected",
    "Counted",
    "Declined",
    "Displaced",
    "Event",
    "FirstDrawn",
    "Fished",
    "Flipped",
    "Gave",
    "Hired",
    "HourBegan",
    "Met",
    "Named",
    "Offered",
    "Passed",
    "Peeked",
    "Placed",
    "Ready",
    "Recruited",
    "Revealed",
    "Robbed",
    "Sealed",
    "TookBack",
    "TurnedUp",
    "Walked",
    "name_card",
    "name_sailor",
    "opens",
    "say",
    "tell",
]


def tell(before: Any, seat: int, deed: Any, after: Any, viewer: int | None) -> tuple[Event, ...]:
    """What this ply lets the viewer know: the deed as far as he may see it, and what followed from it."""
    s = copy(before)
    if seat == CHANCE:
        stage = int(rules.befall(s, moves.encode_chance(deed)))
        told = _chance(before, deed, s)
    else:
        stage = int(rules.act(s, seat, moves.encode(deed)[0]))
        told = _deed(before, seat, deed, s, viewer)
    while stage != REST:
        past = copy(s)
        at, stage = stage, int(step(s, stage))
        told += _step(past, at, s)
    told += _hour(before, s)
    return tuple(told)


def opens(event: Event) -> bool:
    """Whether a scene begins here: a face is given all events from the last such on, even after the viewer acted."""
    return isinstance(event, Revealed)


def _sailor(number: int) -> Sailor | None:
    return sailor_of(int(number)) if number != NONE else None


def _card(s: Any, figure: int, card: int) -> Step:
    return int(card) if figure == JACK and s.mode != TWO else step_of(int(card))


def _equal(s: Any) -> tuple[int, ...]:
    """The figures whose open cards cancel each other."""
    shown = [int(shows(s, figure)) for figure in range(FIGURES)]
    return tuple(f for f in range(FIGURES) if shown[f] and shown.count(shown[f]) > 1)


def _chance(before: Any, deed: moves.Chance, s: Any) -> list[Event]:
    match deed:
        case moves.First(drawn):
            return [FirstDrawn(drawn)]
        case moves.Stray(field):
            return [Placed(int(before.turn), field, None)]
        case moves.Seen(sailor) if before.phase == state.MEETING:
            return [Met(int(before.turn), sailor)]
        case moves.Seen(sailor):
            return [TurnedUp(int(before.opening), sailor)]
        case moves.Flip(card) if before.phase == state.PEEKING:
            return [Peeked(card)]
        case moves.Flip(card):
            return [Flipped(card, None, _equal(s) if s.mode == TWO else ())]
        case moves.Falls(number):
            return [Named(JACK, number, None)]


def _deed(before: Any, seat: int, deed: moves.Action, s: Any, viewer: int | None) -> list[Event]:
    match deed:
        case moves.Place(field):
            return [Placed(seat if before.phase == state.PLACING else JACK, field, seat)]
        case moves.Pass():
            return [Passed(seat), *_hired(before, s)]
        case moves.Bid(sailor):
            return [Offered(seat, sailor), *_hired(before, s)]
        case moves.ChooseJack(card) if before.phase == state.PICKING:
            return [Flipped(card, seat, ())]
        case moves.Choose() | moves.ChooseJack() | moves.TakeBack():
            return _choice(before, seat, deed, s, viewer)
        case moves.Name(number):
            figure = seat if before.laid[seat] == state.RUM else JACK
            return [Named(figure, number, seat)]
        case moves.Rob(sailor):
            victim = next(v for v in range(4) if holds(before.crew[v], sailor.number))
            return [Robbed(seat, victim, sailor, bool(before.mover == JACK))]
        case moves.Fish(sailor):
            return [Fished(seat, sailor)]
        case moves.Give(sailor):
            return [Gave(seat, sailor)]
        case moves.Decline():
            return [Declined(seat, _prey(before))]


def _prey(s: Any) -> int | None:
    """Whose crew could be robbed by the decision at hand."""
    if s.phase == state.PASSING:
        return int(s.queue[0])
    prey = int(prey_of(s, figure_at(s, s.field[s.mover], s.mover)))
    return prey if prey != NOBODY else None


def _choice(before: Any, seat: int, deed: moves.Action, s: Any, viewer: int | None) -> list[Event]:
    """Others learn whether a seat is ready, and nothing else."""
    told: list[Event] = []
    if viewer in (seat, ALL):
        match deed:
            case moves.Choose(card):
                told.append(Sealed(seat, card, False))
            case moves.ChooseJack(card):
                told.append(Sealed(seat, card, True))
            case moves.TakeBack(jack):
                told.append(TookBack(seat, jack))
            case _:
                raise TypeError(deed)
    done = bool(s.laid[seat] > 0)
    if done or choices.ready(before, seat) != choices.ready(s, seat):
        told.append(Ready(seat, done or bool(choices.ready(s, seat))))
    if done:
        cards = tuple((f, _card(s, f, s.laid[f])) for f in range(FIGURES) if shows(s, f))
        told.append(Revealed(int(s.hour) + 1, cards, _equal(s)))
    return told


def _hired(before: Any, s: Any) -> list[Event]:
    if s.phase != state.CHOOSING:
        return []
    if s.hirer == NOBODY:
        return [Hired(None, None)]
    paid = set(sailors_of(s.harbour)) - set(sailors_of(before.harbour))
    return [Hired(int(s.hirer), sailor_of(paid.pop()))]


def _step(before: Any, stage: int, s: Any) -> list[Event]:
    """What one step of the hour did."""
    if stage == state.NEXT and before.staying:
        figure = next(f for f in range(FIGURES) if int(before.staying) >> f & 1)
        field = int(before.field[figure])
        return [Collected(figure, field, _sailor(before.top[field]), _gets(before, figure))]
    if stage == state.NEXT:
        if s.mover == NOBODY or s.hour != before.hour or s.games != before.games:
            return _counted(before, s)
        figure = int(s.mover)
        queue = tuple(int(who) for who in s.queue if who != NOBODY)
        return [Walked(figure, int(before.field[figure]), int(s.field[figure]), queue)]
    if stage == state.RECRUITING:
        figure = int(before.mover)
        field = int(before.field[figure])
        return [Recruited(figure, field, _sailor(before.top[field]), _gets(before, figure))]
    if stage == state.PUSHING:
        for figure in range(FIGURES):
            if s.field[figure] != before.field[figure]:
                return [Displaced(figure, int(before.field[figure]), int(s.field[figure]))]
    return []


def _gets(s: Any, figure: int) -> int | None:
    if figure != JACK:
        return figure
    return int(s.hirer) if s.hirer != NOBODY else None


def _counted(before: Any, s: Any) -> list[Event]:
    if s.games == before.games:
        return []
    seats = range(int(s.seats))
    totals = tuple(int(s.total[who]) for who in seats)
    points = tuple(int(worth_of(before.crew[who])) for who in seats)
    ahead = tuple(who for who in seats if totals[who] == max(totals))
    return [Counted(int(s.games), points, totals, ahead)]


def _hour(before: Any, s: Any) -> list[Event]:
    """The hour that begins with this ply, if one does."""
    starts = (state.PEEKING, state.BIDDING) if s.mode != state.BEGINNER else (state.CHOOSING,)
    waited = (state.HIDING, state.TURNING)
    new = s.hour != before.hour or before.phase in waited
    if s.phase not in starts or not new:
        return []
    return [HourBegan(int(s.hour) + 1, int(s.opener) if s.opener != NOBODY else None)]
