"""Buttons to lay a contract card by card: one button for each step that is possible next.

A page shows these buttons only if a program has begun such a laying. People on a page lay a contract at once.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, fill, html, join
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import RANKS
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.frame import Frame, button

LAYING = ("laying", "in set", "in run")
"""The phases of a view during a laying."""


def render_steps(frame: Frame, nth: str = "") -> Markup:
    """Render a button for each possible next step of a laying. If no laying has begun, return nothing.

    If the page shows the same steps in two places, ``nth`` makes the ids of their buttons different.
    """
    if frame.view.phase not in LAYING:
        return NOTHING
    found = []
    for kind in (moves.OpenSet, moves.OpenRun, moves.Put, moves.Close):
        for action, text in frame.legal[kind]:
            label, body = _tell(frame, action)
            found.append(button(text, label, body, "button primary sg-step", nth=nth))
    return join(found)


def describe_step(frame: Frame, action: moves.Action) -> str:
    """Return the description of a step, as plain text."""
    return _tell(frame, action)[0].unescape()


def _tell(frame: Frame, action: moves.Action) -> tuple[Markup, Markup]:
    """Return the description of a step, and the text on its button."""
    if isinstance(action, moves.OpenSet):
        body = frame.say("Set of {rank}", rank=frame.rank(action.rank))
        return body, body
    if isinstance(action, moves.OpenRun):
        card = f"{(*RANKS, RANKS[0])[action.low - 1]}{action.suit}"
        label = frame.say("Run from {card} ({name})", card=frame.card(card), name=frame.spoken(card))
        return label, _draw(frame, frame._("Run from {card}"), card)
    if isinstance(action, moves.Put):
        label = frame.say("Put {card} ({name})", card=frame.card(action.card), name=frame.spoken(action.card))
        return label, _draw(frame, frame._("Put {card}"), action.card)
    if isinstance(action, moves.Close) and action.order:
        order = " ".join(map(str, action.order))
        body = frame.say("Finish the meld; in order, your new melds get the numbers {order}", order=order)
    else:
        body = frame.say("Finish the meld")
    return body, body


def _draw(frame: Frame, text: str, card: str) -> Markup:
    shown = html('<span class="{}">{}</span>', art.suit_class(card), frame.card(card))
    return fill(text, card=shown)


def say_steps(frame: Frame) -> Markup:
    """Return the prompt for a player who lays card by card. For anyone else, return nothing."""
    if frame.view.phase not in LAYING or not any(
        frame.legal[kind] for kind in (moves.OpenSet, moves.OpenRun, moves.Put, moves.Close)
    ):
        return NOTHING
    return frame.say("Lay your contract card by card.")
