"""Texts for new players: the effect of each choice, and the meaning of the signs on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spelunke.boards.scene import Scene
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning, Sign
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.ui.frame import Frame
from spelunke.games.sanghai.ui.steps import describe_step
from spelunke.games.sanghai.view import View

KINDS = (
    (
        (moves.Wait,),
        plain("Wait"),
        plain("You let the others answer first. Then you decide, and you may still take the card."),
    ),
    (
        (moves.Pass,),
        plain("Pass"),
        plain("You don't want this card. You can still call for later discards."),
    ),
    (
        (moves.Vote,),
        plain("The first caller"),
        plain("Several players called at the same moment. The player with the most votes gets the card."),
    ),
    (
        (moves.OpenSet, moves.OpenRun, moves.LayDown),
        plain("Lay the contract"),
        plain(
            "You put all sets and runs of the round down at once. From then on you may add cards to any "
            "meld, but you can't call hep any more in this round."
        ),
    ),
    (
        (moves.Add,),
        plain("Add to a meld"),
        plain(
            "The card leaves your hand for good. At the end of the round, it no longer counts against you."
        ),
    ),
    (
        (moves.Swap,),
        plain("Swap for a wild card"),
        plain(
            "Your card takes the place of a wild card on the table, and the wild card comes into your hand."
        ),
    ),
    (
        (moves.Discard,),
        plain("Discard"),
        plain(
            "The card goes onto the discards, and your turn ends. The next player may take it; others may call hep."
        ),
    ),
)
"""Groups of actions. The name and the effect of each group are the same in every position."""
NAMED = (moves.Discard, moves.Add, moves.Swap)
"""Actions with one card. A seat often has several actions of the same class, so each action has its own name."""


def explain_choices(scene: Scene) -> tuple[Meaning, ...]:
    """Return an explanation of each choice of the viewer, except the steps inside a begun meld (``Put``, ``Close``).

    A call that counts as simultaneous with the first call (``Hep`` with ``tied``) gets no explanation.
    """
    frame = Frame(scene)
    found = list(_explain_cards(frame))
    for kinds, choice, text in KINDS:
        pairs = [pair for kind in kinds for pair in frame.legal[kind]]
        if pairs:
            names = tuple(_name(frame, action) for action, _move in pairs) if kinds[0] in NAMED else ()
            found.append(
                Meaning(frame._(choice), frame._(text), tuple(move for _action, move in pairs), names)
            )
    return tuple(found)


def describe_action(action: moves.Action, view: View, names: Sequence[str], translate: Translator) -> str:
    """Return an action as an instruction to its player, in the words of its button."""
    frame = Frame(Scene(view=view, seat=view.seat, names=tuple(names), translate=translate))
    _, top = frame._, frame.card(view.top) if view.top else ""
    match action:
        case moves.Stock():
            return _("Draw from the stock")
        case moves.Take():
            return _("Take the {card}").format(card=top)
        case moves.Wait():
            return _("Let the others answer first")
        case moves.Hep():
            return _("Call hep for the {card}").format(card=top)
        case moves.Pass():
            return _("Pass")
        case moves.Vote(seat):
            return _("{name} was first").format(name=names[seat])
        case moves.LayDown(melds):
            return _("Lay {melds}").format(melds="; ".join(map(frame.meld, melds)))
        case moves.Discard(card):
            return _("Discard the {card}").format(card=frame.card(card))
        case moves.Add(card, meld, end):
            texts = {
                "low": _("Add the {card} to meld {n}, at its low end"),
                "high": _("Add the {card} to meld {n}, at its high end"),
                None: _("Add the {card} to meld {n}"),
            }
            return texts[end].format(card=frame.card(card), n=meld)
        case moves.Swap(card, meld):
            text = _("Swap the {card} for the {wild} of meld {n}")
            return text.format(card=frame.card(card), wild=frame.card(frame.taken_by(action)), n=meld)
    return describe_step(frame, action)


def _name(frame: Frame, action: moves.Discard | moves.Add | moves.Swap) -> str:
    """Return the name of an action with one card: a discard, an addition to a meld, or a swap."""
    card = frame.short(action.card)
    if isinstance(action, moves.Discard):
        return frame._("Discard {card}").format(card=card)
    if isinstance(action, moves.Swap):
        text = frame._("Swap the {card} for the {wild} of meld {n}")
        which = frame.which(action)
        wild = frame.short(frame.taken_by(action))
        return text.format(card=card, wild=wild, n=action.meld) + (f" {which}" if which in ("◂", "▸") else "")
    end = {"low": " ◂", "high": " ▸", None: ""}[action.end]
    return frame._("Add the {card} to meld {n}").format(card=card, n=action.meld) + end


def _explain_cards(frame: Frame) -> Iterator[Meaning]:
    """Yield explanations of the stock, the discard, and the call."""
    seen, _ = frame.view, frame._
    top = frame.spoken(seen.top) if seen.top else ""
    for _stock, move in frame.legal[moves.Stock]:
        text = frame.say_empty() or _("You get a face-down card.")
        if seen.phase == "window" and top and seen.seats > 2:
            text += " " + _(
                "If one player called hep for the {card}, that player gets it. If several players called, the "
                "rules of this table decide who gets it."
            ).format(card=top)
        yield Meaning(_("Draw from the stock"), text, (move,))
    for _take, move in frame.legal[moves.Take]:
        text = _("You get the card that lies on top, instead of one from the stock.")
        yield Meaning(_("Take the {card}").format(card=top), text, (move,))
    for hep, move in frame.legal[moves.Hep]:
        if hep.tied:
            continue
        text = _(
            "If the next player doesn't take the {card} and nobody else calls, you get it. If several players "
            "call, the rules of this table decide who gets it. You can't take a call back."
        ).format(card=top)
        if frame.me is not None:
            left = seen.hep_limit - seen.heps[frame.me]
            text += " " + _("Calls that you can still win in this round: {n}.").format(n=left)
        yield Meaning(_("Hep!"), text, (move,))


SIGNS = (
    Sign(
        ".sg-contract",
        plain("The contract"),
        plain(
            "The sets and runs that everybody has to lay in this round. A set has one rank, and a run has one suit."
        ),
    ),
    Sign(
        ".sg-player .sg-left",
        plain("Card with a number"),
        plain("The number of cards that this player still holds. At 0 the round is over."),
    ),
    Sign(
        ".sg-player .sg-heps",
        plain("Dots"),
        plain(
            "Each dot is a call that this player can win in this round. Filled dots are calls already won."
        ),
    ),
    Sign(
        ".sg-player .sg-total",
        plain("Points of a player"),
        plain("The points so far. The fewer, the better."),
    ),
    Sign(
        ".sg-dealer",
        plain("D"),
        plain("This player dealt the cards. The next player began the round."),
    ),
    Sign(
        ".sg-laid",
        plain("Laid"),
        plain("This player has laid the contract, may add cards to melds, and can't call hep any more."),
    ),
    Sign(
        ".sg-stock",
        plain("Stock"),
        plain("Face-down cards to draw from; the number says how many are left."),
    ),
    Sign(
        ".sg-discard",
        plain("Discards"),
        plain("Only the top card can be taken, either by the next player or by a player who calls hep."),
    ),
    Sign(
        ".sg-meld",
        plain("A meld"),
        plain(
            "A set or a run on the table, with its number. A small card on a joker, or on another "
            "wild card, shows the card that the wild card stands for."
        ),
    ),
    Sign(
        ".sg-add",
        plain("+ beside a meld"),
        plain("The card named on this button fits the meld. Press the button to add it."),
    ),
    Sign(
        ".sg-hand",
        plain("Your hand"),
        plain(
            "Pick a card to discard it, or several to lay them. “New” marks the card that you have just got."
        ),
    ),
    Sign(
        ".sg-hints",
        plain("Hints"),
        plain("Cards that would help your hand. Under “Display” you can switch hints off, or ask for more."),
    ),
    Sign(
        ".sg-tray",
        plain("The tray"),
        plain(
            "What your hand still lacks for the contract. When nothing is missing, you can lay the contract here in "
            "your turn."
        ),
    ),
    Sign(
        ".sg-scores",
        plain("Score table"),
        plain("For each round, the contract and the points that each player got."),
    ),
)
"""The signs on the table, in reading order."""
