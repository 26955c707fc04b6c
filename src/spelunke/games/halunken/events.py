"""What happened at a table of Halunken und Spelunken, in the game's words, and who may know it.

What follows from a choice is told by playing it again one :func:`~.walking.step` at a time; no rule is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.kernel import copy
from spelunke.games.halunken import moves, rules, state
from spelunke.games.halunken.cards import Sailor, Step, sailor_of, step_of
from spelunke.games.halunken.sailors import NONE, holds, sailors_of, worth_of
from spelunke.games.halunken.state import FIGURES, JACK, NOBODY, REST, TWO
from spelunke.games.halunken.walking import figure_at, prey_of, shows, step


class FirstDrawn(msgspec.Struct, frozen=True, tag="first"):
    """The seat that places its captain first."""

    seat: int


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A figure (4 is Black Jack) stands on its first field; ``seat`` is None where chance decided."""

    figure: int
    field: int
    seat: int | None


class Met(msgspec.Struct, frozen=True, tag="met"):
    """A captain's starting sailor."""

    seat: int
    sailor: Sailor


class TurnedUp(msgspec.Struct, frozen=True, tag="turned"):
    """A tavern shows its next sailor."""

    field: int
    sailor: Sailor


class Peeked(msgspec.Struct, frozen=True, tag="peeked"):
    """Black Jack's card is known before the bidding (option ``bj_peek``)."""

    card: Step


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """No offer."""

    seat: int


class Offered(msgspec.Struct, frozen=True, tag="offered"):
    """An offer for Black Jack."""

    seat: int
    sailor: Sailor


class Hired(msgspec.Struct, frozen=True, tag="hired"):
    """The auction is over; ``seat`` paid ``sailor`` into the harbour, or nobody hired Black Jack."""

    seat: int | None
    sailor: Sailor | None


class Sealed(msgspec.Struct, frozen=True, tag="sealed"):
    """For the owner alone: the card that lies face down now, for his captain or for Black Jack."""

    seat: int
    card: Step
    jack: bool


class TookBack(msgspec.Struct, frozen=True, tag="took-back"):
    """For the owner alone: a sealed card is in hand again."""

    seat: int
    jack: bool


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A seat's lamp: all that it is to choose is chosen, or not any more."""

    seat: int
    ready: bool


class Revealed(msgspec.Struct, frozen=True, tag="revealed"):
    """All cards lie open: pairs of figure and card, and the figures whose cards cancel each other."""

    hour: int
    cards: tuple[tuple[int, Step], ...]
    cancelled: tuple[int, ...]


class Flipped(msgspec.Struct, frozen=True, tag="flipped"):
    """Black Jack's card: flipped (``seat`` None) or picked by his hirer. ``cancels`` as in :class:`Revealed`."""

    card: Step
    seat: int | None
    cancelled: tuple[int, ...]


class Named(msgspec.Struct, frozen=True, tag="named"):
    """The figure's Rum counts as this number; ``seat`` is None where chance named it."""

    figure: int
    number: int
    seat: int | None


class Collected(msgspec.Struct, frozen=True, tag="collected"):
    """A figure that stays takes the top sailor of its tavern, or finds none; ``seat`` None is: into the harbour."""

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Walked(msgspec.Struct, frozen=True, tag="walked"):
    """A figure moves; ``overtaken`` are captains with whom Black Jack settles next."""

    figure: int
    start: int
    field: int
    overtaken: tuple[int, ...]


class Recruited(msgspec.Struct, frozen=True, tag="recruited"):
    """On arrival a figure takes the top sailor, or finds none; ``seat`` None is: into the harbour."""

    figure: int
    field: int
    sailor: Sailor | None
    seat: int | None


class Robbed(msgspec.Struct, frozen=True, tag="robbed"):
    """A seat takes a sailor from another; ``jack``: Black Jack did it for him."""

    seat: int
    victim: int
    sailor: Sailor
    jack: bool


class Fished(msgspec.Struct, frozen=True, tag="fished"):
    """A seat takes a sailor out of the harbour."""

    seat: int
    sailor: Sailor


class Gave(msgspec.Struct, frozen=True, tag="gave"):
    """A seat hands Black Jack a sailor, who goes into the harbour."""

    seat: int
    sailor: Sailor


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    """A seat takes nothing, though it might have robbed ``prey`` (None: it could only fish)."""

    seat: int
    prey: int | None


class Displaced(msgspec.Struct, frozen=True, tag="displaced"):
    """A figure gives way to the one that came."""

    figure: int
    start: int
    field: int


class HourBegan(msgspec.Struct, frozen=True, tag="hour"):
    """Hour 1 to 8; ``opener`` is None where nobody bids."""

    hour: int
    opener: int | None


class Counted(msgspec.Struct, frozen=True, tag="counted"):
    """A game was counted: points of this game, totals of the match, and whose total is the highest so far."""

    game: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ahead: tuple[int, ...]


Event: TypeAlias = (
    FirstDrawn
    | Placed
    | Met
    | TurnedUp
    | Peeked
    | Passed
    | Offered
    | Hired
    | Sealed
    | TookBack
    | Ready
    | Revealed
    | Flipped
    | Named
    | Collected
    | Walked
    | Recruited
    | Robbed
    | Fished
    | Gave
    | Declined
    | Displaced
    | HourBegan
    | Counted
)


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
    if done or rules.ready(before, seat) != rules.ready(s, seat):
        told.append(Ready(seat, done or bool(rules.ready(s, seat))))
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


JACK_NAME = "Black Jack"
COLOUR_NAMES = {"yellow": "yellow", "grey": "grey", "violet": "violet", "red": "red"}


def name_sailor(sailor: Sailor, translate: Callable[[str], str]) -> str:
    """A sailor as a sentence calls him."""
    return f"{translate(COLOUR_NAMES[sailor.colour])} {sailor.value}"


def name_card(card: Step, translate: Callable[[str], str]) -> str:
    """A movement card as a sentence calls it."""
    return translate("Rum") if card == "rum" else str(card)


def say(event: Event, names: Sequence[str], translate: Callable[[str], str]) -> str:
    """One sentence."""
    _ = translate

    def who(figure: int) -> str:
        return _(JACK_NAME) if figure == JACK else names[figure]

    def all_of(figures: Sequence[int]) -> str:
        called = [who(figure) for figure in figures]
        if len(called) < 2:
            return "".join(called)
        return _("{several} and {last}").format(several=", ".join(called[:-1]), last=called[-1])

    match event:
        case FirstDrawn(seat):
            return _("{name} places a captain first.").format(name=names[seat])
        case Placed(figure, field, None):
            return _("Chance puts {name} on field {field}.").format(name=who(figure), field=field)
        case Placed(figure, field, seat) if figure == JACK and seat is not None:
            return _("{name} puts Black Jack on field {field}.").format(name=names[seat], field=field)
        case Placed(figure, field, _seat):
            return _("{name} starts on field {field}.").format(name=who(figure), field=field)
        case Met(seat, sailor):
            return _("{name} begins with {sailor}.").format(name=names[seat], sailor=name_sailor(sailor, _))
        case TurnedUp(field, sailor):
            return _("Tavern {field} now shows {sailor}.").format(field=field, sailor=name_sailor(sailor, _))
        case Peeked(card):
            return _("Black Jack's card for this hour is {card}.").format(card=name_card(card, _))
        case Passed(seat):
            return _("{name} passes.").format(name=names[seat])
        case Offered(seat, sailor):
            return _("{name} offers {sailor}.").format(name=names[seat], sailor=name_sailor(sailor, _))
        case Hired(seat, sailor) if seat is not None and sailor is not None:
            return _("{name} hires Black Jack and pays {sailor} into the harbour.").format(
                name=names[seat], sailor=name_sailor(sailor, _)
            )
        case Hired():
            return _("Nobody hires Black Jack.")
        case Sealed(seat, card, jack):
            text = (
                _("{name} lays {card} face down for Black Jack.")
                if jack
                else _("{name} lays {card} face down.")
            )
            return text.format(name=names[seat], card=name_card(card, _))
        case TookBack(seat, jack):
            text = _("{name} takes Black Jack's card back.") if jack else _("{name} takes the card back.")
            return text.format(name=names[seat])
        case Ready(seat, True):
            return _("{name} is ready.").format(name=names[seat])
        case Ready(seat, False):
            return _("{name} is choosing again.").format(name=names[seat])
        case Revealed(_hour, cards, cancelled):
            shown = ", ".join(f"{who(figure)}: {name_card(card, _)}" for figure, card in cards)
            text = _("The cards – {cards}.").format(cards=shown)
            return f"{text} {_cancel(cancelled, all_of, _)}".strip()
        case Flipped(card, seat, cancelled):
            if seat is None:
                text = _("Black Jack's card is {card}.").format(card=name_card(card, _))
            else:
                text = _("{name} picks {card} for Black Jack.").format(
                    name=names[seat], card=name_card(card, _)
                )
            return f"{text} {_cancel(cancelled, all_of, _)}".strip()
        case Named(figure, number, None):
            return _("Chance makes the Rum of {name} a {number}.").format(name=who(figure), number=number)
        case Named(figure, number, seat) if figure != seat and seat is not None:
            return _("{name} makes Black Jack's Rum a {number}.").format(name=names[seat], number=number)
        case Named(figure, number, _seat):
            return _("{name} makes the Rum a {number}.").format(name=who(figure), number=number)
        case Collected(figure, field, None, _seat):
            return _("{name} stays at tavern {field}, where nobody is left.").format(
                name=who(figure), field=field
            )
        case Collected(figure, field, sailor, seat) if sailor is not None:
            text = _("{name} stays at tavern {field} and takes {sailor}{to}.")
            return text.format(
                name=who(figure), field=field, sailor=name_sailor(sailor, _), to=_to(figure, seat, names, _)
            )
        case Walked(figure, start, field, overtaken):
            steps = (field - start) % state.FIELDS or state.FIELDS
            text = _("{name} goes {steps} to field {field}.").format(
                name=who(figure), steps=steps, field=field
            )
            if overtaken:
                text += " " + _("He overtakes {names}.").format(names=all_of(overtaken))
            return text
        case Recruited(figure, field, None, _seat):
            return _("{name} finds tavern {field} empty.").format(name=who(figure), field=field)
        case Recruited(figure, _field, sailor, seat) if sailor is not None:
            return _("{name} takes {sailor}{to}.").format(
                name=who(figure), sailor=name_sailor(sailor, _), to=_to(figure, seat, names, _)
            )
        case Robbed(seat, victim, sailor, True):
            return _("Black Jack robs {victim} of {sailor} for {name}.").format(
                name=names[seat], victim=names[victim], sailor=name_sailor(sailor, _)
            )
        case Robbed(seat, victim, sailor, _jack):
            return _("{name} robs {victim} of {sailor}.").format(
                name=names[seat], victim=names[victim], sailor=name_sailor(sailor, _)
            )
        case Fished(seat, sailor):
            return _("{name} takes {sailor} out of the harbour.").format(
                name=names[seat], sailor=name_sailor(sailor, _)
            )
        case Gave(seat, sailor):
            return _("{name} hands {sailor} to Black Jack, into the harbour.").format(
                name=names[seat], sailor=name_sailor(sailor, _)
            )
        case Declined(seat, None):
            return _("{name} takes nothing.").format(name=names[seat])
        case Declined(seat, prey) if prey is not None:
            return _("{name} leaves {victim} alone.").format(name=names[seat], victim=names[prey])
        case Displaced(figure, _start, field):
            return _("{name} has to give way, to field {field}.").format(name=who(figure), field=field)
        case HourBegan(hour, None):
            return _("Hour {hour} begins.").format(hour=hour)
        case HourBegan(hour, opener) if opener is not None:
            return _("Hour {hour} begins; {name} opens the bidding.").format(hour=hour, name=names[opener])
        case Counted(game, points, totals, ahead):
            parts = ", ".join(f"{names[seat]}: {n}" for seat, n in enumerate(points))
            text = _("Game {game} is over: {points}.").format(game=game, points=parts)
            if totals != points:
                sums = ", ".join(f"{names[seat]}: {n}" for seat, n in enumerate(totals))
                text += " " + _("In all: {totals}.").format(totals=sums)
            return text + " " + _("{names} ahead.").format(names=all_of(ahead))
    raise TypeError(event)


def _cancel(
    cancelled: tuple[int, ...], all_of: Callable[[Sequence[int]], str], _: Callable[[str], str]
) -> str:
    return _("Equal cards: {names} stay.").format(names=all_of(cancelled)) if cancelled else ""


def _to(figure: int, seat: int | None, names: Sequence[str], _: Callable[[str], str]) -> str:
    if figure != JACK:
        return ""
    if seat is None:
        return _(" into the harbour")
    return _(" for {name}").format(name=names[seat])
