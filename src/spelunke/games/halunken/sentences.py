"""One sentence for each event of Halunken und Spelunken, and how sentences call cards and sailors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spelunke.games.halunken import state
from spelunke.games.halunken.cards import Sailor, Step
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
from spelunke.games.halunken.state import JACK

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
