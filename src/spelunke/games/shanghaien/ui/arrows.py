"""The marks of an analysis on the board: the best card for a die, and the card on which the player laid the die."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html
from spelunke.core.values import Action
from spelunke.games.shanghaien.moves import Exchange, Nudge, Place, PlaceBoth, Sharks
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame


def find_places(frame: Frame, action: Action) -> list[tuple[int, int]]:
    """Return a pair for each card that an action concerns: the card's place, and the value of a die.

    The die is the one that the action lays or changes. For an exchange, it is the die that the action takes back. If
    the action concerns no card, return an empty list. Also return an empty list if neither the round nor the action
    fixes the direction of the row, because then the card is not known.
    """
    seen = frame.view
    match action:
        case Place(value, end) | Sharks(value, end):
            return [(frame.place(value, end), value)]
        case Nudge(value) | Exchange(value) if seen.end is not None:
            return [(frame.place(value, None), value)]
        case PlaceBoth(end) if seen.rolled:
            return [(frame.place(value, end), value) for value in dict.fromkeys(seen.rolled)]
    return []


def render_arrows(frame: Frame) -> dict[int, Markup]:
    """Return the marks of the analysis, by place in the row.

    A mark is an arrow with the die. It comes from the side of the player who lays the die.
    """
    found: dict[int, Markup] = {}
    words = {"best": frame._("best here"), "played": frame._("laid here")}
    for arrow in frame.scene.arrows:
        side = frame.side(frame.view.turn)
        for place, value in find_places(frame, arrow.action):
            told = html('<span class="sr">{}</span>', words[arrow.kind])
            found[place] = found.get(place, NOTHING) + html(
                '<span class="sh-arrow {} s{}">{}'
                '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>{}</span>',
                arrow.kind,
                side,
                art.die(side, value),
                SHAPE,
                told,
            )
    return found


SHAPE = "M12 2l9 10h-5.5v10h-7V12H3z"
