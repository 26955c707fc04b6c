"""Cards in a terminal, and the viewer's hand as a row of cards that can be picked."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from spelunke.boards.drafting import Step, change
from spelunke.boards.ink import Ink, beside, centred
from spelunke.boards.screen import Screen
from spelunke.core.values import Action
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import card_in
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.ui.frame import Frame
from spelunke.games.sanghai.ui.hand import find_fitting, find_new, sort_by_rank, sort_by_suit

HUES = {
    "s": ("#1c1c1c", "black"),
    "h": ("#b3261e", "red"),
    "d": ("#1f5fa8", "blue"),
    "c": ("#2e7d32", "green"),
    "*": ("#8a2f9e", "magenta"),
}
ORDER = "~row"
"""The name of the form field with the order of the hand.

Its value is ``suit``, ``rank``, or ``own`` followed by the keys of the cards in the viewer's own order.
"""
WIDEST = 6
"""The number of columns of a card in the hand, if there is enough space."""


def draw_card(frame: Frame, ink: Ink, card: Card, width: int, height: int) -> list[Text]:
    """Return the lines of a card. If ``width`` is 0 and ``height`` is 1, the card is as wide as its text."""
    style = ink.on("#f4ecd8", "white")
    if style.bgcolor is not None:
        hue = HUES[card[-1]]
        style += Style(color=hue[0] if style.bgcolor.name.startswith("#") else hue[1])
    face = frame.short(card)
    if height == 1:
        return [Text.assemble((centred(face, width) if width else face, style))]
    sign = face[-1]
    rank = face[:-1] or sign
    lines = [f" {rank}".ljust(width)[:width], centred(sign, width), f"{rank} ".rjust(width)[:width]]
    if height > 3:
        lines = [lines[0], " " * width, lines[1], " " * width, lines[2]]
    return [Text.assemble((line, style)) for line in lines[:height]]


class Row:
    """The viewer's hand as a row, with the picked cards and a cursor on one card."""

    def __init__(self, frame: Frame, screen: Screen, chosen: Action | None) -> None:
        self.frame = frame
        self.screen = screen
        self.ink = Ink(screen)
        self.chosen = chosen
        self.order, *own = ((frame.scene.draft.get(ORDER) or ("suit",))[-1]).split()
        by = sort_by_rank if self.order == "rank" else sort_by_suit
        hand = by(frame.view.hand)
        keys = [f"{card}.{hand[: place + 1].count(card)}" for place, card in enumerate(hand)]
        # In the own order, new cards come last.
        self.keys_in_hand = tuple(
            sorted(keys, key=lambda key: own.index(key) if key in own else len(own)) if own else keys
        )
        self.height = 5 if screen.high else 3 if screen.tall else 1
        self.aside = {key: n for n, one in enumerate(frame.aside, 1) for key in one.keys}
        self.picked = (frame.picked & set(keys)) - set(self.aside)
        at = (frame.scene.draft.get("at") or ("",))[-1]
        self.at = at if at in self.keys_in_hand else None

    def keys(self) -> dict[str, Step]:
        """Return the keys that work in the row of cards, and their effects.

        ← and → move the cursor. The space bar picks the card at the cursor. < and > move this card along the hand.
        The full stop sorts the hand by suit or by rank.
        """
        row = self.keys_in_hand
        if not row:
            return {}
        place = row.index(self.at) if self.at else None
        back = row[-1 if place is None else place - 1]
        on = row[0 if place is None else (place + 1) % len(row)]
        found: dict[str, Step] = {"left": ("set", "at", back), "right": ("set", "at", on)}
        found["full_stop"] = ("set", ORDER, "rank" if self.order == "suit" else "suit")
        if self.at and place is not None:
            if self.at not in self.aside:
                found["space"] = ("toggle", "card", self.at)
            for key, step in (("less_than_sign", -1), ("greater_than_sign", 1)):
                rest = [one for one in row if one != self.at]
                rest.insert((place + step) % len(row), self.at)
                found[key] = ("set", ORDER, " ".join(("own", *rest)))
        return found

    def told(self) -> tuple[tuple[str, str], ...]:
        """Return the keys for the hand with their effects, for the help.

        The keys that set melds aside and lay the contract are included, although :meth:`keys` does not have them.
        """
        say = self.frame._
        return (
            ("← →", say("go through your hand")),
            (say("Space"), say("pick the card, or put it back")),
            ("-", say("put the picked cards aside as a meld")),
            ("⌫", say("take the last meld back")),
            ("+", say("lay the contract")),
            (".", say("sort the hand by suit, or by rank")),
            ("< >", say("move the card to another place in your hand")),
        )

    def leads_to(self) -> str:
        """Return the move that Enter plays: the discard of the card at the cursor.

        If this discard is illegal, or if the cursor is on no card, return an empty text.
        """
        card = card_in(self.at) if self.at else ""
        return next((text for action, text in self.frame.legal[moves.Discard] if action.card == card), "")

    def draw(self) -> list[Text]:
        """Return the lines of the row. In a tall terminal, a picked card is drawn one line above the others."""
        new, fits = list(find_new(self.frame)), find_fitting(self.frame)
        width = min(WIDEST, (self.screen.width - 2) // max(1, len(self.keys_in_hand)))
        blocks: list[list[Text]] = [[Text(" ")] * (self.height + 2 if self.screen.tall else 2)]
        doomed = self._doomed()
        for key in self.keys_in_hand:
            card = card_in(key)
            is_new = card in new and key.endswith(f".{self.frame.view.hand.count(card)}")
            marks = "›" if key == self.at else ""
            marks += "▲" if key in self.picked else ""
            marks += str(self.aside.get(key, ""))
            marks += "✕" if key == doomed else ""
            marks += "+" if card in fits else ""
            marks += "*" if is_new else ""
            blocks.append(self._card(key, width, marks))
        return beside(blocks, "")

    def _doomed(self) -> str | None:
        """Return the entry of ``keys_in_hand`` for the card that the move ``chosen`` would remove, or None."""
        card = getattr(self.chosen, "card", None)
        mine = [key for key in self.keys_in_hand if card_in(key) == card]
        return self.at if self.at in mine else mine[-1] if mine else None

    def _card(self, key: str, width: int, marks: str) -> list[Text]:
        lines = draw_card(self.frame, self.ink, card_in(key), width - 1, self.height)
        for line in lines:
            line.stylize(change(("toggle", "card", key)))
            if key in self.picked:
                line.stylize("bold underline")
            line.append(" ")
        empty = Text(" " * width)
        mark = Text(centred(marks[: width - 1], width - 1) + " ", "bold")
        if not self.screen.tall:
            return [*lines, mark]
        return [*lines, empty, mark] if key in self.picked else [empty, *lines, mark]
