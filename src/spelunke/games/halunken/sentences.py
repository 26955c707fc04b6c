"""One sentence for each event of Halunken und Spelunken, and the names of cards and sailors in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from spelunke.core.words import Translator, plain
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.happenings import Auction, Cards, Event, Hour, SetUp, Way
from spelunke.games.halunken.state import FIELDS, JACK

JACK_NAME = plain("Black Jack")
# Translators: the colour of sailors.
COLOUR_NAMES = {
    "yellow": plain("yellow"),
    "grey": plain("grey"),
    "violet": plain("violet"),
    "red": plain("red"),
}
# Translators: a sailor by colour and number, as subject or object of a sentence.
SAILOR_NAMES = {
    "yellow": plain("yellow {n}"),
    "grey": plain("grey {n}"),
    "violet": plain("violet {n}"),
    "red": plain("red {n}"),
}


def name_sailor(sailor: Sailor, translate: Translator) -> str:
    """Return the name of a sailor, as used in sentences."""
    return translate(SAILOR_NAMES[sailor.colour]).format(n=sailor.value)


def name_card(card: Step, translate: Translator) -> str:
    """Return the name of a movement card, as used in sentences."""
    return translate("Rum") if card == "rum" else str(card)


def say(event: Event, names: Sequence[str], translate: Translator) -> str:
    """Return one sentence for the event. ``names`` has the player's name for each seat."""
    words = _Words(names, translate)
    if isinstance(event, SetUp):
        return _say_set_up(event, words)
    if isinstance(event, Auction):
        return _say_auction(event, words)
    if isinstance(event, Cards):
        return _say_cards(event, words)
    if isinstance(event, Way):
        return _say_way(event, words)
    return _say_hour(event, words)


class _Words:
    """The players' names, and the game's words in one language, for use in sentences."""

    def __init__(self, names: Sequence[str], translate: Translator) -> None:
        self.names = names
        self._ = translate

    def figure(self, figure: int) -> str:
        return self._(JACK_NAME) if figure == JACK else self.names[figure]

    def figures(self, figures: Sequence[int]) -> str:
        return self._.list([self.figure(figure) for figure in figures])

    def sailor(self, sailor: Sailor) -> str:
        return name_sailor(sailor, self._)

    def card(self, card: Step) -> str:
        return name_card(card, self._)

    def counts(self, numbers: Sequence[int]) -> str:
        return ", ".join(f"{self.names[seat]}: {n}" for seat, n in enumerate(numbers))


def _say_set_up(event: SetUp, words: _Words) -> str:
    _, names = words._, words.names
    match event:
        case happenings.FirstSeat(seat):
            return _("{name} is the first to place a captain.").format(name=names[seat])
        case happenings.Placed(figure, field, None):
            return _("Chance puts {name} on field {field}.").format(name=words.figure(figure), field=field)
        case happenings.Placed(figure, field, seat) if figure == JACK and seat is not None:
            return _("{name} puts Black Jack on field {field}.").format(name=names[seat], field=field)
        case happenings.Placed(figure, field, _seat):
            return _("{name} starts on field {field}.").format(name=words.figure(figure), field=field)
        case happenings.Met(seat, sailor):
            return _("{name} begins with {sailor}.").format(name=names[seat], sailor=words.sailor(sailor))
        case happenings.TurnedUp(field, sailor):
            return _("Tavern {field} now shows {sailor}.").format(field=field, sailor=words.sailor(sailor))
        case happenings.Peeked(card):
            return _("Black Jack's card for this hour is {card}.").format(card=words.card(card))


def _say_auction(event: Auction, words: _Words) -> str:
    _, names = words._, words.names
    match event:
        case happenings.Passed(seat):
            return _("{name} passes.").format(name=names[seat])
        case happenings.Offered(seat, sailor):
            return _("{name} offers {sailor}.").format(name=names[seat], sailor=words.sailor(sailor))
        case happenings.Hired(seat, sailor) if seat is not None and sailor is not None:
            return _("{name} hires Black Jack and pays {sailor} into the harbour.").format(
                name=names[seat], sailor=words.sailor(sailor)
            )
        case happenings.Hired():
            return _("Nobody hires Black Jack.")


def _say_cards(event: Cards, words: _Words) -> str:
    _, names = words._, words.names
    match event:
        case happenings.Sealed(seat, card, jack):
            text = (
                _("{name} lays {card} face down for Black Jack.")
                if jack
                else _("{name} lays {card} face down.")
            )
            return text.format(name=names[seat], card=words.card(card))
        case happenings.TookBack(seat, jack):
            text = _("{name} takes Black Jack's card back.") if jack else _("{name} takes the card back.")
            return text.format(name=names[seat])
        case happenings.Ready(seat, ready):
            return (_("{name} is ready.") if ready else _("{name} is choosing again.")).format(
                name=names[seat]
            )
        case happenings.Revealed(_hour, cards, cancelled):
            shown = ", ".join(f"{words.figure(figure)}: {words.card(card)}" for figure, card in cards)
            text = _("The cards – {cards}.").format(cards=shown)
            return f"{text} {_cancelled(cancelled, words)}".strip()
        case happenings.Flipped(card, None, cancelled):
            text = _("Black Jack's card is {card}.").format(card=words.card(card))
            return f"{text} {_cancelled(cancelled, words)}".strip()
        case happenings.Flipped(card, seat, cancelled) if seat is not None:
            text = _("{name} picks {card} for Black Jack.").format(name=names[seat], card=words.card(card))
            return f"{text} {_cancelled(cancelled, words)}".strip()
        case happenings.Named(figure, number, None):
            return _("By chance, the Rum of {name} becomes a {number}.").format(
                name=words.figure(figure), number=number
            )
        case happenings.Named(figure, number, seat) if figure != seat and seat is not None:
            return _("{name} makes Black Jack's Rum a {number}.").format(name=names[seat], number=number)
        case happenings.Named(figure, number, _seat):
            return _("{name} makes the Rum a {number}.").format(name=words.figure(figure), number=number)
    raise TypeError(event)


def _say_way(event: Way, words: _Words) -> str:
    """Return the sentence about a figure that walks or makes way, or about a sailor."""
    _ = words._
    match event:
        case happenings.Walked(figure, _start, field, overtaken) if figure == JACK:
            # No number of fields: if a field is taken, he goes further than his card says.
            text = (
                _("{name} moves to field {field} and overtakes {names}.")
                if overtaken
                else _("{name} moves to field {field}.")
            )
            return text.format(name=words.figure(figure), field=field, names=words.figures(overtaken))
        case happenings.Walked(figure, start, field, overtaken):
            steps = (field - start) % FIELDS or FIELDS
            text = (
                # Translators: {steps} is the number of fields that the captain walks.
                _("{name} moves by {steps} to field {field} and overtakes {names}.")
                if overtaken
                else _("{name} moves by {steps} to field {field}.")
            )
            return text.format(
                name=words.figure(figure), steps=steps, field=field, names=words.figures(overtaken)
            )
        case happenings.Displaced(figure, _start, field):
            return _("{name} has to make way and moves to field {field}.").format(
                name=words.figure(figure), field=field
            )
    return _say_sailor(event, words)


def _say_sailor(event: Way, words: _Words) -> str:
    """Return the sentence about a sailor who is taken, robbed, handed over or left where he is."""
    _, names = words._, words.names
    match event:
        case happenings.Collected(figure, field, None, _seat):
            return _("{name} stays at tavern {field}, where no sailor is left.").format(
                name=words.figure(figure), field=field
            )
        case happenings.Collected(figure, field, sailor, seat) if sailor is not None:
            text = _("{name} stays at tavern {field} and takes {sailor}.")
            if figure == JACK and seat is None:
                text = _("{name} stays at tavern {field} and takes {sailor} into the harbour.")
            elif figure == JACK:
                text = _("{name} stays at tavern {field} and takes {sailor} into the crew of {captain}.")
            return text.format(
                name=words.figure(figure),
                field=field,
                sailor=words.sailor(sailor),
                captain="" if seat is None else names[seat],
            )
        case happenings.Recruited(figure, field, None, _seat):
            return _("{name} finds tavern {field} empty.").format(name=words.figure(figure), field=field)
        case happenings.Recruited(figure, _field, sailor, seat) if sailor is not None:
            text = _("{name} takes {sailor}.")
            if figure == JACK and seat is None:
                text = _("{name} takes {sailor} into the harbour.")
            elif figure == JACK:
                text = _("{name} takes {sailor} into the crew of {captain}.")
            return text.format(
                name=words.figure(figure),
                sailor=words.sailor(sailor),
                captain="" if seat is None else names[seat],
            )
        case happenings.Robbed(seat, victim, sailor, jack):
            text = (
                _("Black Jack robs {victim} of {sailor} for {name}.")
                if jack
                else _("{name} robs {victim} of {sailor}.")
            )
            return text.format(name=names[seat], victim=names[victim], sailor=words.sailor(sailor))
        case happenings.Fished(seat, sailor):
            return _("{name} takes {sailor} out of the harbour.").format(
                name=names[seat], sailor=words.sailor(sailor)
            )
        case happenings.Gave(seat, sailor):
            return _("{name} hands over {sailor}, who goes into the harbour.").format(
                name=names[seat], sailor=words.sailor(sailor)
            )
        case happenings.Declined(seat, None):
            return _("{name} takes nobody out of the harbour.").format(name=names[seat])
        case happenings.Declined(seat, prey) if prey is not None:
            return _("{name} leaves {victim} alone.").format(name=names[seat], victim=names[prey])
    raise TypeError(event)


def _say_hour(event: Hour, words: _Words) -> str:
    _, names = words._, words.names
    match event:
        case happenings.HourBegan(hour, None):
            return _("Hour {hour} begins.").format(hour=hour)
        case happenings.HourBegan(hour, opener) if opener is not None:
            return _("Hour {hour} begins; {name} opens the bidding.").format(hour=hour, name=names[opener])
        case happenings.Counted(game, points, totals, ahead, single):
            over = _("The game is over. {points}.") if single else _("Game {game} is over. {points}.")
            text = over.format(game=game, points=words.counts(points))
            if totals != points:
                text += " " + _("Totals: {totals}.").format(totals=words.counts(totals))
            close = (
                _("{names} wins.")
                if single and len(ahead) == 1
                else _.many("Ahead: {names}.", "Most points: {names}.", len(ahead))
            )
            return text + " " + close.format(names=words.figures(ahead))
    raise TypeError(event)


def _cancelled(figures: tuple[int, ...], words: _Words) -> str:
    if not figures:
        return ""
    text = words._.many("Equal cards: {names} stays.", "Equal cards: {names} stay.", len(figures))
    return text.format(names=words.figures(figures))
