"""The operations that a person can use at a table besides moves, each with a label for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spelunke.tui.words import translate as _

Act = tuple[str, str, dict[str, object]]
"""An operation: its label for people, its name in the API, and the fields to send."""


def list_acts(may: frozenset[str], waits: list[Mapping[str, Any]]) -> list[Act]:
    """Return the operations that the person may use now.

    ``may`` has the names of permitted operations. ``waits`` has an entry for each absent player whom the table waits
    for. Both come from the server (docs/protocol.md).
    """
    reactions: list[tuple[str, Act]] = [
        ("react", (text, "react", {"word": word})) for word, text in list_reactions().items()
    ]
    known: list[tuple[str, Act]] = [
        ("start", (_("Start now"), "start", {})),
        ("fill", (_("Fill the free seats with bots"), "fill", {})),
        ("take_back", (_("Take your choice back"), "take-back", {})),
        ("undo", (_("Take your newest move back"), "undo", {})),
        ("ask_undo", (_("Ask to take your newest move back"), "undo", {})),
        ("answer_undo", (_("Allow the move to be taken back"), "undo", {"answer": "agree"})),
        ("answer_undo", (_("Don't allow the move to be taken back"), "undo", {"answer": "refuse"})),
        ("offer_draw", (_("Offer a draw"), "draw", {"answer": "offer"})),
        ("accept_draw", (_("Accept the draw"), "draw", {"answer": "accept"})),
        ("decline_draw", (_("Decline the draw"), "draw", {"answer": "decline"})),
        ("follow", (_("Go to the next game"), "follow", {})),
        ("rematch", (_("Offer another game"), "rematch", {})),
        ("accept_rematch", (_("Play another game"), "rematch", {})),
        ("decline_rematch", (_("Decline the offer of another game"), "decline-rematch", {})),
        ("hint", (_("Show the value of each move"), "hint", {})),
        ("analyse", (_("Analyse the game"), "analyse", {})),
        ("stand_in", (_("Let a bot play for you"), "stand-in", {})),
        ("come_back", (_("Take over from the bot"), "come-back", {})),
        ("dismiss_summary", (_("Continue after the summary"), "dismiss-summary", {})),
        ("show_hand", (_("Show your hand to spectators"), "show-hand", {"shown": True})),
        ("hide_hand", (_("Hide your hand from spectators"), "show-hand", {"shown": False})),
        *reactions,
        ("leave", (_("Leave the table"), "leave", {})),
        ("resign", (_("Resign"), "resign", {})),
    ]
    found = [act for word, act in known if word in may]
    for wait in waits:
        for how, text in (
            ("nudge", _("Remind the absent player")),
            ("let_bot", _("Let a bot play for the absent player")),
            ("take_win", _("Claim the win against the absent player")),
            ("call_off", _("Call the game off")),
        ):
            if how not in wait.get("may", ()):
                continue
            fields: dict[str, object] = {"seat": wait["seat"]}
            if how == "nudge":
                found.append((text, "nudge", fields))
            else:
                found.append((text, "go-on", fields | {"how": how}))
    return found


def list_reactions() -> dict[str, str]:
    """Return the text of each reaction by its name in the API."""
    return {
        "cheers": _("Cheers!"),
        "bravo": _("Bravo!"),
        "haha": _("Ha ha!"),
        "ouch": _("Ouch!"),
        "hm": _("Hm …"),
        "thanks": _("Thanks!"),
    }


def read_orders(text: str) -> dict[str, str] | None:
    """Return standing orders in the form that a game expects, or None for an empty text.

    ``up_to: grey 9`` becomes ``{"up_to": "grey 9"}``. A text that does not begin with a name and a colon becomes the
    value of the field ``text``.
    """
    if not text:
        return None
    name, colon, value = text.partition(":")
    if colon and name.isidentifier():
        return {name: value.strip()}
    return {"text": text}
