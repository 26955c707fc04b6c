"""Texts for new players: the effect of each choice, and the meaning of the signs on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.boards.scene import Scene
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Step
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui.frame import Frame
from spelunke.games.halunken.ui.panels import explain_jack, label_field, label_laying
from spelunke.games.halunken.view import View

KINDS = (
    (
        moves.Bid,
        plain("Offer a sailor"),
        plain(
            "If nobody makes a higher offer, you pay this sailor into the harbour and Black Jack works "
            "for you this hour. If somebody does, you keep the sailor."
        ),
    ),
    (
        moves.Pass,
        plain("Pass"),
        plain(
            "You make no offer. If nobody hires Black Jack, he still robs captains, and the sailors he takes go "
            "into the harbour."
        ),
    ),
    (
        moves.Rob,
        plain("Rob a sailor"),
        plain("The sailor that you choose leaves the other crew and joins yours."),
    ),
    (
        moves.Fish,
        plain("Hire a sailor from the harbour"),
        plain("A sailor of your choice leaves the harbour and joins your crew."),
    ),
    (
        moves.Give,
        plain("Hand a sailor over"),
        plain("You must hand over one sailor, but you choose which. He goes into the harbour."),
    ),
    (moves.Decline, plain("Take nothing"), plain("All crews stay as they are, and the hour goes on.")),
    (
        moves.ChooseJack,
        plain("A card for Black Jack"),
        plain(
            "Black Jack walks as far as the card says, clockwise. If another figure lays the same card, neither of them moves."
        ),
    ),
)
"""Each kind of action with a fixed explanation: the kind, its name and its effect.

For ``ChooseJack`` in the phase ``picking``, the effect is ``PICKED``.
"""
PICKED = plain(
    "Black Jack walks as far as the card says, clockwise. If that field is taken, he goes on to the next free one."
)
"""The effect of a card that the hirer picks after all cards were revealed. Nothing can cancel this card."""


def explain_choices(scene: Scene) -> tuple[Meaning, ...]:
    """Return an explanation of each choice of the viewer."""
    frame = Frame(scene)
    found = [*_explain_start(frame), *_explain_cards(frame)]
    for kind, choice, text in KINDS:
        pairs = frame.legal[kind]
        if pairs:
            names = tuple(_name(frame, action) for action, _move in pairs) if len(pairs) > 1 else ()
            texts = tuple(move for _action, move in pairs)
            told = PICKED if frame.view.phase == "picking" else text
            passes = kind is moves.Pass and frame.view.bidder is not None
            found.append(
                Meaning(frame._(choice), _say_passing(frame) if passes else frame._(told), texts, names)
            )
    if frame.legal[moves.Pass]:
        found.append(Meaning(frame.name(JACK), explain_jack(frame), ()))
    return tuple(found)


def _say_passing(frame: Frame) -> str:
    """Return the effect of passing when another player has made an offer."""
    if frame.view.seats == 2:
        text = frame._("You make no offer. {name} hires Black Jack for this hour.")
    else:
        text = frame._("You make no offer. If nobody offers more, {name} hires Black Jack for this hour.")
    return text.format(name=frame.name(frame.view.bidder or 0))


def describe_action(action: moves.Action, view: View, names: Sequence[str], translate: Translator) -> str:
    """Return an action as an instruction to its player, in the words of its button."""
    frame = Frame(Scene(view=view, seat=view.seat, names=tuple(names), translate=translate))
    match action:
        case moves.Place(field):
            return label_field(frame).format(field=field)
        case moves.Pass():
            return frame._("Pass")
        case moves.Decline():
            return frame._("Take nothing")
        case moves.TakeBack():
            return frame._("take back")
        case moves.Choose(card) | moves.ChooseJack(card):
            jack = isinstance(action, moves.ChooseJack)
            goal = frame.lead(JACK if jack else frame.me or 0, card)
            label = label_laying(frame, jack=jack, known=goal is not None)
            return label.format(card=frame.card(card), field=goal)
        case moves.Name(number):
            goal = frame.lead(frame.rum_of, number)
            label = (
                frame._("Rum counts as {n}")
                if goal is None
                else frame._("Rum counts as {n}, leads to field {field}")
            )
            return label.format(n=number, field=goal)
    text = {
        moves.Bid: frame._("offer {sailor}"),
        moves.Rob: frame._("rob {sailor}"),
        moves.Fish: frame._("take {sailor} from the harbour"),
        moves.Give: frame._("give {sailor}"),
    }[type(action)]
    return text.format(sailor=frame.sailor(action.sailor))


def _name(frame: Frame, action: moves.Action) -> str:
    """Return a short name of an action for a list: its sailor, or Black Jack and the card chosen for him.

    If the action has neither a sailor nor a card for Black Jack, return an empty text.
    """
    match action:
        case moves.Bid(sailor) | moves.Rob(sailor) | moves.Fish(sailor) | moves.Give(sailor):
            return frame.sailor(sailor)
        case moves.ChooseJack(card):
            return f"{frame.name(JACK)}: {frame.card_label(card)}"
    return ""


def _explain_start(frame: Frame) -> Iterator[Meaning]:
    texts = tuple(move for _action, move in frame.legal[moves.Place])
    if not texts:
        return
    if frame.view.phase == "hiding":
        text = frame._("Black Jack starts there. He walks clockwise and can rob captains.")
    else:
        text = frame._(
            "Your captain starts there and hires the top sailor without seeing him first. After "
            "that, the captain walks clockwise, as far as your cards say."
        )
    yield Meaning(frame._("A free field"), text, texts)


def _explain_cards(frame: Frame) -> Iterator[Meaning]:
    """Yield an explanation of each movement card that the viewer may choose, such as the field to which it leads.

    If the viewer has to name a number for the card Rum, yield an explanation of each possible number instead.
    """
    for action, move in frame.legal[moves.Choose]:
        if action.card == "rum":
            text = frame._(
                "When all cards are open, you name a number from 1 to 7 that nobody has laid, and go that "
                "far."
            )
            yield Meaning(frame._("Rum"), text, (move,))
        else:
            yield Meaning(str(action.card), _lead(frame, frame.me or 0, action.card), (move,))
    for naming, move in frame.legal[moves.Name]:
        choice = frame._("Rum as {n}").format(n=naming.number)
        yield Meaning(choice, _lead(frame, frame.rum_of, naming.number), (move,))


def _lead(frame: Frame, figure: int, card: Step) -> str:
    """Return a text about the field that a figure reaches with a movement card, and about the figures there."""
    seen, field = frame.view, frame.lead(figure, card)
    if field is None:
        return ""
    tavern = seen.taverns[field]
    told = frame._("Leads to field {field}.").format(field=field)
    if tavern.top:
        told += " " + frame._("Top sailor there now: {sailor}.").format(sailor=frame.sailor(tavern.top))
    else:
        told += " " + frame._("The tavern there is empty.")
    standing = [frame.name(seat) for seat, captain in enumerate(seen.captains) if captain.field == field]
    if seen.jack and seen.jack.field == field:
        standing.append(frame.name(JACK))
    if standing:
        told += " " + frame._("Standing there: {names}.").format(names=frame._.list(standing))
    return told


SIGNS = (
    Sign(".hk-hours", plain("1 to 8"), plain("The hours of the night. The lit one is being played.")),
    Sign(
        ".hk-hired",
        plain("Black Jack's badge"),
        plain(
            "The player whom Black Jack works for this hour. The sailors that Black Jack takes join this player's "
            "crew."
        ),
    ),
    Sign(
        ".hk-harbour",
        plain("The harbour"),
        plain(
            "Fourteen taverns, numbered clockwise from 0. The sailor on top is the next to be "
            "hired there; face-down cards wait below. The figures show where the captains are."
        ),
    ),
    Sign(
        ".hk-lamps",
        plain("Lamps"),
        plain("A lit lamp: this player has chosen a card. Nobody sees which one until all have chosen."),
    ),
    Sign(
        ".hk-controls .hk-hand",
        plain("Movement cards"),
        plain(
            "A card says how far your captain walks. You can use each card once in the whole game; used cards are crossed out or pale."
        ),
    ),
    Sign(
        ".hk-story",
        plain("What happened"),
        plain(
            "The steps since the cards were last revealed. Go back and forth with the arrows, and the board shows "
            "each step again."
        ),
    ),
    Sign(
        ".hk-crew .hk-worth",
        plain("Worth of a crew"),
        plain(
            "The sum of the numbers of all sailors in the crew. Sailors of its doubled colour count twice."
        ),
    ),
    Sign(
        ".hk-crew .hk-size",
        plain("Size of a crew"),
        plain("A captain may only rob a crew that is at least as large as his own."),
    ),
    Sign(
        ".hk-twice",
        plain("×2"),
        plain("This colour has the most sailors in the crew, so it counts twice."),
    ),
    Sign(
        ".hk-crew .hk-track",
        plain("Small row of cards"),
        plain("The movement cards of this player. Crossed-out cards have been used."),
    ),
)
"""The signs on the board, in reading order."""
