"""The events of a table of Shanghaien, in the game's words.

Every viewer sees all events, because nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from spelunke.core import values
from spelunke.core.cells import cell, cells
from spelunke.core.values import ChanceOutcome
from spelunke.core.words import Translator, plain
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.cards import ENDS, Card, End, Nation, Sailor, Trick, card_of
from spelunke.games.shanghaien.claims import Claim, list_claims
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.reckoning import place_of
from spelunke.games.shanghaien.state import BEST_OF_THREE, MATCH, OBJECTING, SINGLE, UNFIXED, State


class Dealt(values.Detail, frozen=True, tag="dealt"):
    """A card was dealt at this place of the row. Place 1 is the left end.

    ``tavern`` is the number of the round, from 1.
    """

    place: int
    card: Card
    tavern: int


class StarterDrawn(values.Event, frozen=True, tag="starter"):
    """Chance chose the seat that starts the first round."""

    seat: int


class Rolls(values.Event, frozen=True, tag="rolls"):
    """A seat begins to roll two dice.

    ``why`` is ``turn`` for the roll of a turn, ``double`` if the seat rolls both dice once more because they showed a
    double, or ``again`` if it played the trick card ``again``.
    """

    seat: int
    why: str

    @property
    def detail(self) -> bool:
        """Whether this is the ordinary roll of a turn, which needs no line in the short log."""
        return self.why == "turn"


class Rolled(values.Event, frozen=True, tag="rolled"):
    """A seat rolled these two dice."""

    seat: int
    low: int
    high: int


class Directed(values.Event, frozen=True, tag="directed"):
    """A seat chose the end of the row at which card 1 lies in this round (S-R8)."""

    seat: int
    end: End


class Laid(values.Event, frozen=True, tag="laid"):
    """A seat laid a die on the card whose number is ``number``.

    ``dice`` has the count of dice that each seat now has on this card.
    """

    seat: int
    number: int
    place: int
    card: Card
    dice: tuple[int, int]


class Named(values.Event, frozen=True, tag="named"):
    """A seat announced the die that it wants to lay. The other seat may object."""

    seat: int
    value: int


class Objected(values.Event, frozen=True, tag="objected"):
    """A seat that has played its crazy captain objected to the announced die (``objects`` is True), or allowed it."""

    seat: int
    objects: bool


class Changed(values.Event, frozen=True, tag="changed"):
    """A trick changed a rolled die to this value (S-R22)."""

    seat: int
    value: int


class BothLaid(values.Event, frozen=True, tag="both"):
    """A seat played a trick that lays both dice (S-R23)."""

    seat: int


class JokerLaid(values.Event, frozen=True, tag="joker"):
    """A seat laid a trick card as a joker, which adds 2 to the seat's strength in a nation (S-R21)."""

    seat: int
    nation: Nation
    using: Trick


class FedToSharks(values.Event, frozen=True, tag="sharks"):
    """A seat turned a card face down. The card leaves the game when the round is settled."""

    seat: int
    place: int
    card: Card


class TakenBack(values.Event, frozen=True, tag="exchange"):
    """A seat took one of its dice back from the card with this number."""

    seat: int
    number: int


class CrazyPlayed(values.Event, frozen=True, tag="crazy"):
    """A seat played its crazy captain."""

    seat: int


class Settled(values.Heading, frozen=True, tag="settled"):
    """A seat called Shanghai, and the round was settled.

    For each card of the row, the event has the seat that took it and the rule that decided (S-R14). ``tavern`` is the
    number of the round, from 1.
    """

    seat: int
    tavern: int
    claims: tuple[Claim, ...]


class GameCounted(values.Heading, frozen=True, tag="counted"):
    """A game ended and was counted. If ``winner`` is None, the win is shared.

    ``single`` is True if the match has only this game.
    """

    game: int
    points: tuple[int, int]
    winner: int | None
    single: bool = False


Event: TypeAlias = (
    Dealt
    | StarterDrawn
    | Rolls
    | Rolled
    | Directed
    | Laid
    | Named
    | Objected
    | Changed
    | BothLaid
    | JokerLaid
    | FedToSharks
    | TakenBack
    | CrazyPlayed
    | Settled
    | GameCounted
)


def tell(
    before: State, seat: int, deed: Action | ChanceOutcome, after: State, viewer: int | None
) -> tuple[Event, ...]:
    """Return the events of an action or an outcome of chance (``deed``). They are the same for every viewer.

    ``before`` and ``after`` are the states before and after ``deed``. ``seat`` is the seat that acted, or CHANCE.
    """
    turn = cell(before, "turn")
    match deed:
        case moves.Deal(card):
            return (Dealt(int(before.dealt) + 1, card, int(before.tavern) + 1),)
        case moves.Starter(drawn):
            return (StarterDrawn(drawn),)
        case moves.Fall(low, high):
            return (Rolled(turn, low, high),)
        case moves.Roll():
            return (Rolls(seat, "turn"),)
        case moves.Reroll():
            return (Rolls(seat, "double"),)
        case moves.RollAgain():
            return (Rolls(seat, "again"),)
        case moves.Direct(end):
            return (Directed(seat, end),)
        case moves.Nudge(value):
            return (Changed(seat, value),)
        case moves.Joker(nation, using):
            return (JokerLaid(seat, nation, using),)
        case moves.CrazyCaptain():
            return (CrazyPlayed(seat),)
        case moves.Shanghai():
            return (Settled(seat, int(before.tavern) + 1, list_claims(before)), *_counted(before, after))
        case moves.Object() | moves.Allow():
            objects = isinstance(deed, moves.Object)
            return (Objected(seat, objects), *_laid(before, turn, after))
        case moves.Place(value) if cell(after, "phase") == OBJECTING:
            return (Named(seat, value),)
        case moves.PlaceBoth():
            return (BothLaid(seat), *_laid(before, turn, after))
        case moves.Sharks():
            place = next(p for p in range(6) if after.down[p] and not before.down[p])
            fed = FedToSharks(seat, place + 1, card_of(int(before.row[place])))
            return (*_laid(before, turn, after), fed)
        case moves.Exchange(number):
            return (TakenBack(seat, number), *_laid(before, turn, after, number))
        case _:
            return _laid(before, turn, after)


def _laid(before: State, seat: int, after: State, taken: int = 0) -> tuple[Event, ...]:
    """Return the events of the dice that were just laid.

    If the first die fixed the direction of the round, the event of the direction comes first. ``taken`` is the
    number of the card from which the seat took a die back in the same action, or 0.
    """
    found: list[Event] = []
    before, after = cells(before), cells(after)
    if before.end == UNFIXED:
        end = ENDS[int(after.end)]
        assert end is not None
        found.append(Directed(seat, end))
    for number in range(6):
        place = place_of(number, after.end)
        more = int(after.dice[seat, number]) - int(before.dice[seat, number]) + (number + 1 == taken)
        dice = (int(after.dice[0, number]), int(after.dice[1, number]))
        card = card_of(int(after.row[place]))
        found.extend(Laid(seat, number + 1, place + 1, card, dice) for _ in range(more))
    return tuple(found)


def _counted(before: State, after: State) -> tuple[Event, ...]:
    if after.games == before.games:
        return ()
    points = (int(after.total[0] - before.total[0]), int(after.total[1] - before.total[1]))
    match = after.options[MATCH]
    if match in (SINGLE, BEST_OF_THREE):
        won = [seat for seat in range(2) if after.wins[seat] > before.wins[seat]]
    else:  # the tie-break is for the totals only (S-A14)
        won = [seat for seat in range(2) if points[seat] > points[1 - seat]]
    return (GameCounted(int(after.games), points, won[0] if won else None, bool(match == SINGLE)),)


# Translators: the nation of a sailor, as a label.
COLOURS = {
    "red": plain("American"),
    "lightblue": plain("French"),
    "darkblue": plain("German"),
    "yellow": plain("Chinese"),
    "orange": plain("Dutch"),
    "purple": plain("Turkish"),
    "green": plain("Spanish"),
    "grey": plain("Italian"),
}
CREWS = {
    "red": plain("American crew"),
    "lightblue": plain("French crew"),
    "darkblue": plain("German crew"),
    "yellow": plain("Chinese crew"),
    "orange": plain("Dutch crew"),
    "purple": plain("Turkish crew"),
    "green": plain("Spanish crew"),
    "grey": plain("Italian crew"),
}
"""For each nation, the name of its crew, as used in sentences."""
SAILORS = {
    "red": plain("American {n}"),
    "lightblue": plain("French {n}"),
    "darkblue": plain("German {n}"),
    "yellow": plain("Chinese {n}"),
    "orange": plain("Dutch {n}"),
    "purple": plain("Turkish {n}"),
    "green": plain("Spanish {n}"),
    "grey": plain("Italian {n}"),
}
"""For each nation, the name of a sailor with the value ``n``, as used in sentences."""
LETTERS: dict[str, Callable[[Translator], str]] = {
    "red": lambda _: _.within("letter of the Americans", "A"),
    "lightblue": lambda _: _.within("letter of the French", "F"),
    "darkblue": lambda _: _.within("letter of the Germans", "G"),
    "yellow": lambda _: _.within("letter of the Chinese", "C"),
    "orange": lambda _: _.within("letter of the Dutch", "D"),
    "purple": lambda _: _.within("letter of the Turks", "T"),
    "green": lambda _: _.within("letter of the Spaniards", "S"),
    "grey": lambda _: _.within("letter of the Italians", "I"),
}
"""For each nation, a function that gets a translator and returns the letter on the nation's cards.

In each language, no two nations have the same letter.
"""
TRICK_NAMES = {
    "pm1": plain("plus or minus one"),
    "both": plain("both dice"),
    "again": plain("roll again"),
    "extra": plain("sharks or exchange"),
    "crazy": plain("crazy captain"),
}


def name_card(card: Card, translate: Translator) -> str:
    """Return the name of a card, as used in sentences."""
    if isinstance(card, Sailor):
        return translate(SAILORS[card.nation]).format(n=card.value)
    return translate("trick card “{trick}”").format(trick=translate(TRICK_NAMES[card.trick]))


SENTENCES: dict[type[values.Event], str] = {
    StarterDrawn: plain("{name} starts."),
    Rolled: plain("{name} has rolled {low} and {high}."),
    Named: plain("{name} wants to lay the {value}."),
    Changed: plain("{name} plays a trick: a die now shows {value}."),
    BothLaid: plain("{name} plays a trick and lays both dice."),
    TakenBack: plain("{name} takes a die back from card {number}."),
    CrazyPlayed: plain("{name} plays the crazy captain."),
}
"""The sentences that need only the fields of their event and the name of the event's player."""


def say(event: Event, names: Sequence[str], translate: Translator) -> str:
    """Return one sentence for the event. ``names`` has the player's name for each seat."""
    _ = translate
    if type(event) in SENTENCES:
        fields = msgspec.structs.asdict(event)
        return _(SENTENCES[type(event)]).format(name=names[fields["seat"]], **fields)
    match event:
        case Dealt(place, card, _tavern):
            return _("Place {place}: {card}.").format(place=place, card=name_card(card, _))
        case Rolls(seat, why):
            text = {
                "turn": _("{name} rolls."),
                "double": _("{name} rolls the double again."),
                "again": _("{name} plays a trick and rolls again."),
            }[why]
            return text.format(name=names[seat])
        case Directed(seat, end):
            text = {
                "left": _("{name} chooses: card 1 is at the left end."),
                "right": _("{name} chooses: card 1 is at the right end."),
            }[end]
            return text.format(name=names[seat])
        case Laid(seat, number, _place, card, dice):
            # Translators: {mine} and {theirs} are the dice of both players on that card.
            return _("{name} lays a {number} on {card}. Dice there: {mine} to {theirs}.").format(
                name=names[seat],
                number=number,
                card=name_card(card, _),
                mine=dice[seat],
                theirs=dice[1 - seat],
            )
        case Objected(seat, objects):
            text = _("{name} objects: the other die must be laid.") if objects else _("{name} lets it pass.")
            return text.format(name=names[seat])
        case JokerLaid(seat, nation, _using):
            return _("{name} plays a trick and adds two sailors: {crew}.").format(
                name=names[seat], crew=_(CREWS[nation])
            )
        case FedToSharks(seat, _place, card):
            return _("{name} feeds {card} to the sharks.").format(name=names[seat], card=name_card(card, _))
        case Settled(seat, tavern, row):
            text = _("{name} calls Shanghai: Tavern {tavern} is over.").format(
                name=names[seat], tavern=tavern
            )
            return " ".join([text, *(_share(who, row, names, _) for who in range(2))])
        case GameCounted(game, points, winner, single):
            over = _("The game is over. {first}: {mine}, {second}: {theirs}.")
            over = over if single else _("Game {game} is over. {first}: {mine}, {second}: {theirs}.")
            text = over.format(game=game, first=names[0], mine=points[0], second=names[1], theirs=points[1])
            close = _("{name} wins.").format(name=names[winner]) if winner is not None else _("A shared win.")
            return f"{text} {close}"
    raise TypeError(event)


def _share(seat: int, row: tuple[Claim, ...], names: Sequence[str], _: Translator) -> str:
    cards = [name_card(claim.card, _) for claim in row if claim.taker == seat and claim.card]
    if not cards:
        return _("{name} gets nothing.").format(name=names[seat])
    return _("{name} gets {cards}.").format(name=names[seat], cards=_.list(cards))
