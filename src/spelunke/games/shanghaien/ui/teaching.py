"""Texts for new players: the effect of each choice, and the meaning of the signs on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.boards.scene import Scene
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.shanghaien.cards import End, TrickCard
from spelunke.games.shanghaien.moves import (
    Action,
    Allow,
    CrazyCaptain,
    Direct,
    Exchange,
    Joker,
    Nudge,
    Object,
    Place,
    PlaceBoth,
    Reroll,
    Roll,
    RollAgain,
    Shanghai,
    Sharks,
)
from spelunke.games.shanghaien.state import ROUNDS
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import View

KINDS = (
    (
        Roll,
        plain("Roll"),
        plain(
            "You roll two of your dice, lay one of them on the card with its number, and take "
            "the other one back."
        ),
    ),
    (
        Direct,
        plain("Which end is 1"),
        plain(
            "You choose the end from which the cards are numbered, for both of you and for the whole round."
        ),
    ),
    (
        Reroll,
        plain("Roll the double again"),
        plain("You roll both dice once more. Your first roll no longer counts."),
    ),
    (
        Nudge,
        plain("Trick: ±1"),
        plain(
            "You change one die by one and lay it. The trick card is used up, and you can't "
            "play another trick in this round."
        ),
    ),
    (
        PlaceBoth,
        plain("Trick: both dice"),
        plain(
            "You lay both dice instead of one. The trick card is used up, and you can't play another trick in this round."
        ),
    ),
    (
        RollAgain,
        plain("Trick: roll again"),
        plain(
            "You roll both dice once more. The trick card is used up, and you can't play another "
            "trick in this round."
        ),
    ),
    (
        Joker,
        plain("Trick: two sailors"),
        plain(
            "The trick card joins one of your crews for good and counts 2 there. You still lay "
            "a die. You can't play another trick in this round."
        ),
    ),
    (
        Sharks,
        plain("Trick: sharks"),
        plain("You lay the die, and the card under it leaves the game."),
    ),
    (
        Exchange,
        plain("Trick: exchange"),
        plain("You take one of your dice back from a card, and then lay both dice that you rolled."),
    ),
    (
        CrazyCaptain,
        plain("Trick: crazy captain"),
        plain("Until the round ends, you may make the other player lay the die that they did not choose."),
    ),
    (
        Object,
        plain("Object to this die"),
        plain("The other player must lay the die that they did not choose."),
    ),
    (Allow, plain("Let it pass"), plain("The other player lays the die that they chose.")),
)
"""The kinds of actions whose effect is the same in every position, each with its name and its effect."""


def explain_choices(scene: Scene) -> tuple[Meaning, ...]:
    """Return an explanation of each choice of the viewer."""
    frame = Frame(scene)
    found = [*_explain_call(frame), *_explain_dice(frame)]
    for kind, choice, text in KINDS:
        moves = tuple(move for _action, move in frame.moves(kind))
        if moves:
            found.append(Meaning(frame._(choice), frame._(text), moves))
    return tuple(sorted(found, key=lambda meaning: frame.scene.legal.index(_first(frame, meaning))))


def describe_action(action: Action, view: View, names: Sequence[str], translate: Translator) -> str:
    """Return an action as an instruction to its player, in the words of its button if the button names the action."""
    frame = Frame(Scene(view=view, seat=view.seat, names=tuple(names), translate=translate))
    match action:
        case Place() | Sharks():
            return frame.label_laying(action)
        case Exchange():
            return frame.label_exchange(action)
        case Joker(using=trick):
            label = frame.label_joker(action)
            several = len(set(view.tricks[view.seat or 0])) > 1  # then the used card makes a difference
            return f"{label}; {frame.card(TrickCard(trick))}" if several else label
        case Nudge(value):
            return frame._("Change a die to {value}").format(value=value)
        case PlaceBoth(end):
            return frame.add_end(frame._("Trick: both dice"), end)
        case Direct(end):
            left = end is End.LEFT
            return frame._("Card 1 is at the left end") if left else frame._("Card 1 is at the right end")
        case Shanghai():
            return frame._("Shanghai!")
    return next(frame._(choice) for kind, choice, _text in KINDS if isinstance(action, kind))


def _first(frame: Frame, meaning: Meaning) -> tuple[object, str]:
    """Return the first legal action to which this explanation applies, and the action's move text."""
    return next(pair for pair in frame.scene.legal if pair[1] in meaning.moves)


def _explain_call(frame: Frame) -> Iterator[Meaning]:
    for _action, move in frame.moves(Shanghai):
        mine, theirs = (sum(claim.taker == seat for claim in frame.view.row) for seat in frame.seats)
        name = frame.name(frame.seats[1])
        told = frame._(
            "You end the round now. Cards that you would get: {mine}; {name}: {theirs}. The rest leaves "
            "the game."
        ).format(mine=mine, theirs=theirs, name=name)
        if frame.view.tavern < ROUNDS:
            told += " " + frame._("{name} begins the next tavern.").format(name=name)
        yield Meaning(frame._("Shanghai!"), told, (move,))


def _explain_dice(frame: Frame) -> Iterator[Meaning]:
    """Yield an explanation of each way to lay a die.

    Each explanation names the player who would then have more dice on the card. If both would have the same number, or
    if the card lies face down, the explanation says so.
    """
    by_place = {claim.place: claim for claim in frame.view.row}
    name = frame.name(frame.seats[1])
    for action, move in frame.moves(Place):
        claim = by_place[frame.place(action.value, action.end)]
        mine, theirs = claim.dice[frame.me] + 1, claim.dice[1 - frame.me]
        assert claim.card is not None
        card = frame.card(claim.card)
        if claim.down:
            text = frame._("The {card} lies face down, so nobody gets it.")
        elif not theirs:
            text = frame._("Only you would then have dice there, so the card would be yours.")
        elif mine > theirs:
            text = frame._("You then lead there with {mine} dice to {theirs}.")
        elif mine == theirs:
            text = frame._(
                "You then tie there, {mine} to {theirs} in dice, so the pips on the neighbouring "
                "cards decide."
            )
        else:
            text = frame._("{name} still leads there, with {theirs} dice to {mine}.")
        choice = frame._("The {value} on {card}").format(value=action.value, card=card)
        told = text.format(mine=mine, theirs=theirs, name=name, card=card)
        if action.end is not None:
            left = action.end is End.LEFT
            told += " " + (
                frame._("The left end becomes number 1.")
                if left
                else frame._("The right end becomes number 1.")
            )
        yield Meaning(choice, told, (move,))


SIGNS = (
    Sign(
        ".sh-supply",
        plain("Dice beside a name"),
        plain(
            "How many dice the player has left to roll. Yours are below the row, the other player's above it."
        ),
    ),
    Sign(
        ".sh-captain",
        plain("Captain"),
        plain(
            "Coloured beside a name: the player may still play a trick in this round. After a trick, the captain is "
            "grey beside the name and coloured beside the row."
        ),
    ),
    Sign(
        ".sh-points", plain("Points"), plain("The points that the player would have if the game ended now.")
    ),
    Sign(
        ".sh-end:not(.maybe)",
        plain("1 and 6 at the ends"),
        plain(
            "The end from which the cards are numbered in this round. “Which end is 1?” means that nobody has chosen yet."
        ),
    ),
    Sign(
        ".sh-card",
        plain("Card"),
        plain(
            "A sailor with a value from 1 to 4. Its colour, letter and emblem show the nation. "
            "Dark cards with two pictures are trick cards."
        ),
    ),
    Sign(
        ".sh-number",
        plain("Number under a card"),
        plain(
            "Lay a die with this number here. Before the first die of a round, you see both possible numbers."
        ),
    ),
    Sign(
        ".sh-chip",
        plain("Badge under a card"),
        plain(
            "Shows who would get the card if the round ended now. The arrow points to that player; a cross means "
            "nobody. The two numbers are yours and the other player's. An empty square before the numbers "
            "means that they count dice; a square with pips means that they count pips on the neighbouring cards."
        ),
    ),
    Sign(
        ".sh-peek",
        plain("Who gets what now?"),
        plain("Shows for every card who would get it if somebody called Shanghai now."),
    ),
    Sign(
        ".sh-tricks",
        plain("Your tricks"),
        plain(
            "Each card has two halves, and you play one of them. A grey half can't be played "
            "now. A card that you don't play is worth 1 point at the end."
        ),
    ),
    Sign(
        ".sh-standing",
        plain("Table of the nations"),
        plain(
            "For each nation, the strength of both crews and, after the +, their points. A "
            "struck-out crew scores nothing. The last row shows the points that can still be "
            "won, and the number of cards that can bring them."
        ),
    ),
)
"""The signs on the board, in reading order."""
