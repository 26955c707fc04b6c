"""Describe each ply of Halunken und Spelunken by the events that a viewer may know.

To find the consequences of a choice, this module replays the choice, one :func:`~.walking.step` at a time. So no rule
is written twice.
"""

from __future__ import annotations

from spelunke.core import values
from spelunke.core.contract import ALL
from spelunke.core.kernel import copy
from spelunke.games.halunken import choices, happenings, moves, rules, sentences, state
from spelunke.games.halunken.cards import Sailor, Step, sailor_of, step_of
from spelunke.games.halunken.happenings import Event
from spelunke.games.halunken.moves import Action, Chance
from spelunke.games.halunken.sailors import NONE, holds, sailors_of, worth_of
from spelunke.games.halunken.state import BEGINNER, FIGURES, JACK, MODE, NOBODY, REST, RUM, TWO, State
from spelunke.games.halunken.walking import figure_at, prey_of, shows, step

say = sentences.say
"""Return one sentence for the event."""


def tell(
    before: State, seat: int, deed: Action | values.ChanceOutcome, after: State, viewer: int | None
) -> tuple[Event, ...]:
    """Return the events of one ply that the viewer may know: the action or the outcome of chance, and its consequences.

    ``before`` and ``after`` are the states before and after the ply. ``deed`` is the action or the outcome of chance.
    """
    s: State = copy(before)
    if isinstance(deed, Action):
        stage = int(rules.play_alone(s, seat, moves.encode(deed)[0]))
        told = _tell_action(before, seat, deed, s, viewer)
    else:
        assert isinstance(deed, Chance)
        stage = int(rules.chance_alone(s, moves.encode_chance(deed)))
        told = _tell_chance(before, deed, s)
    while stage != REST:
        past = copy(s)
        at, stage = stage, int(step(s, stage))
        told += _tell_step(past, at, s)
    told += _tell_hour(before, s)
    return tuple(told)


def begins_scene(event: Event) -> bool:
    """Return whether a scene begins with this event.

    A scene is a series of events that the board shows together. It lasts until the next scene begins.
    """
    return isinstance(event, happenings.Revealed)


def _sailor(number: int) -> Sailor | None:
    return sailor_of(int(number)) if number != NONE else None


def _card(s: State, figure: int, card: int) -> Step:
    return int(card) if figure == JACK and s.options[MODE] != TWO else step_of(int(card))


def _equal(s: State) -> tuple[int, ...]:
    """Return the figures whose open cards cancel each other (H-R9)."""
    shown = [int(shows(s, figure)) for figure in range(FIGURES)]
    return tuple(f for f in range(FIGURES) if shown[f] and shown.count(shown[f]) > 1)


def _tell_chance(before: State, deed: Chance, s: State) -> list[Event]:
    match deed:
        case moves.First(first):
            return [happenings.FirstSeat(first)]
        case moves.Stray(field):
            return [happenings.Placed(int(before.turn), field, None)]
        case moves.Seen(sailor) if before.phase == state.MEETING:
            return [happenings.Met(int(before.turn), sailor)]
        case moves.Seen(sailor):
            return [happenings.TurnedUp(int(before.opening), sailor)]
        case moves.Flip(card) if before.phase == state.PEEKING:
            return [happenings.Peeked(card)]
        case moves.Flip(card):
            return [happenings.Flipped(card, None, _equal(s) if s.options[MODE] == TWO else ())]
        case moves.Falls(number):
            return [happenings.Named(JACK, number, None)]


def _tell_action(before: State, seat: int, deed: Action, s: State, viewer: int | None) -> list[Event]:
    match deed:
        case moves.Place(field):
            return [happenings.Placed(seat if before.phase == state.PLACING else JACK, field, seat)]
        case moves.Pass():
            return [happenings.Passed(seat), *_tell_auction(before, s)]
        case moves.Bid(sailor):
            return [happenings.Offered(seat, sailor), *_tell_auction(before, s)]
        case moves.ChooseJack(card) if before.phase == state.PICKING:
            return [happenings.Flipped(card, seat, ())]
        case moves.Choose() | moves.ChooseJack() | moves.TakeBack():
            return _tell_choice(before, seat, deed, s, viewer)
        case moves.Name(number):
            figure = seat if before.laid[seat] == RUM else JACK
            return [happenings.Named(figure, number, seat)]
        case moves.Rob(sailor):
            victim = next(v for v in range(4) if holds(before.crew[v], sailor.number))
            return [happenings.Robbed(seat, victim, sailor, bool(before.mover == JACK))]
        case moves.Fish(sailor):
            return [happenings.Fished(seat, sailor)]
        case moves.Give(sailor):
            return [happenings.Gave(seat, sailor)]
        case moves.Decline():
            return [happenings.Declined(seat, _prey(before))]


def _prey(s: State) -> int | None:
    """Return the seat that may be robbed in the current decision, or None."""
    if s.phase == state.PASSING:
        return int(s.queue[0])
    prey = int(prey_of(s, figure_at(s, s.field[s.mover], s.mover)))
    return prey if prey != NOBODY else None


def _tell_choice(before: State, seat: int, deed: Action, s: State, viewer: int | None) -> list[Event]:
    """Return the events of a secret choice. If it is the last choice, they include the reveal of the cards.

    The seat itself sees each choice. The viewer ALL, from whom nothing is hidden, sees it too. Before the reveal, the
    other viewers learn only whether the seat has made all its choices.
    """
    told: list[Event] = []
    if viewer in (seat, ALL):
        match deed:
            case moves.Choose(card):
                told.append(happenings.Sealed(seat, card, False))
            case moves.ChooseJack(card):
                told.append(happenings.Sealed(seat, card, True))
            case moves.TakeBack(jack):
                told.append(happenings.TookBack(seat, jack))
            case _:
                raise TypeError(deed)
    done = bool(s.laid[seat] > 0)
    if done or choices.ready(before, seat) != choices.ready(s, seat):
        told.append(happenings.Ready(seat, done or bool(choices.ready(s, seat))))
    if done:
        cards = tuple((f, _card(s, f, s.laid[f])) for f in range(FIGURES) if shows(s, f))
        told.append(happenings.Revealed(int(s.hour) + 1, cards, _equal(s)))
    return told


def _tell_auction(before: State, s: State) -> list[Event]:
    if s.phase != state.CHOOSING:
        return []
    if s.hirer == NOBODY:
        return [happenings.Hired(None, None)]
    paid = set(sailors_of(s.harbour)) - set(sailors_of(before.harbour))
    return [happenings.Hired(int(s.hirer), sailor_of(paid.pop()))]


def _tell_step(before: State, stage: int, s: State) -> list[Event]:
    """Return the events of one stage after the reveal of the cards. A stage is, for example, the move of a figure.

    ``stage`` is the stage that :func:`.walking.step` carried out. ``before`` and ``s`` are the states before and
    after it.
    """
    if stage == state.NEXT and before.staying:
        figure = next(f for f in range(FIGURES) if int(before.staying) >> f & 1)
        field = int(before.field[figure])
        return [happenings.Collected(figure, field, _sailor(before.top[field]), _gets(before, figure))]
    if stage == state.NEXT:
        if s.mover == NOBODY or s.hour != before.hour or s.games != before.games:
            return _tell_end(before, s)
        figure = int(s.mover)
        queue = tuple(int(who) for who in s.queue if who != NOBODY)
        return [happenings.Walked(figure, int(before.field[figure]), int(s.field[figure]), queue)]
    if stage == state.RECRUITING:
        figure = int(before.mover)
        field = int(before.field[figure])
        return [happenings.Recruited(figure, field, _sailor(before.top[field]), _gets(before, figure))]
    if stage == state.PUSHING:
        for figure in range(FIGURES):
            if s.field[figure] != before.field[figure]:
                return [happenings.Displaced(figure, int(before.field[figure]), int(s.field[figure]))]
    return []


def _gets(s: State, figure: int) -> int | None:
    if figure != JACK:
        return figure
    return int(s.hirer) if s.hirer != NOBODY else None


def _tell_end(before: State, s: State) -> list[Event]:
    if s.games == before.games:
        return []
    seats = range(int(s.seats))
    totals = tuple(int(s.total[who]) for who in seats)
    points = tuple(int(worth_of(before.crew[who])) for who in seats)
    ahead = tuple(who for who in seats if totals[who] == max(totals))
    single = bool(s.options[state.MATCH] != state.THREE_GAMES)
    return [happenings.Counted(int(s.games), points, totals, ahead, single)]


def _tell_hour(before: State, s: State) -> list[Event]:
    """Return a list with an HourBegan event if an hour begins with this ply, else an empty list."""
    starts = (state.PEEKING, state.BIDDING) if s.options[MODE] != BEGINNER else (state.CHOOSING,)
    waited = (state.HIDING, state.TURNING)
    new = s.hour != before.hour or before.phase in waited
    if s.phase not in starts or not new:
        return []
    return [happenings.HourBegan(int(s.hour) + 1, int(s.opener) if s.opener != NOBODY else None)]
