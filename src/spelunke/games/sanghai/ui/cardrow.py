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
from spelunke.games.sanghai.ui.hand import find_fitting, find_new, sort_by_suit

HUES = {
    "s": ("#1c1c1c", "black"),
    "h": ("#b3261e", "red"),
    "d": ("#1f5fa8", "blue"),
    "c": ("#2e7d32", "green"),
    "*": ("#8a2f9e", "magenta"),
}
WIDEST = 6
"""The number of columns of a card in the hand, if there is enough space."""


def draw_card(frame: Frame, ink: Ink, card: Card, width: int, height: int) -> list[Text]:
    """Return the lines of a card. If ``width`` is 0, it is as wide as its text."""
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
    return [Text.assemble((line, style)) for line in lines[:height]]


class Row:
    """The viewer's hand as a row, with the picked cards and a cursor on one card."""

    def __init__(self, frame: Frame, screen: Screen, chosen: Action | None) -> None:
        self.frame = frame
        self.screen = screen
        self.ink = Ink(screen)
        self.chosen = chosen
        hand = sort_by_suit(frame.view.hand)
        self.keys_in_hand = tuple(
            f"{card}.{hand[: place + 1].count(card)}" for place, card in enumerate(hand)
        )
        self.picked = frame.picked & set(self.keys_in_hand)
        at = (frame.scene.draft.get("at") or ("",))[-1]
        self.at = at if at in self.keys_in_hand else None

    def keys(self) -> dict[str, Step]:
        """Return the keys of the row and their effects.

        ← and → move the cursor, and the space bar picks the card at the cursor.
        """
        row = self.keys_in_hand
        if not row:
            return {}
        place = row.index(self.at) if self.at else None
        back = row[-1 if place is None else place - 1]
        on = row[0 if place is None else (place + 1) % len(row)]
        found: dict[str, Step] = {"left": ("set", "at", back), "right": ("set", "at", on)}
        if self.at:
            found["space"] = ("toggle", "card", self.at)
        return found

    def leads_to(self) -> str:
        """Return the move that Enter plays: discard the card at the cursor."""
        card = card_in(self.at) if self.at else ""
        return next((text for action, text in self.frame.legal[moves.Discard] if action.card == card), "")

    def draw(self) -> list[Text]:
        """Return the lines of the row. In a tall terminal, a picked card is one line higher than the others."""
        new, fits = list(find_new(self.frame)), find_fitting(self.frame)
        width = min(WIDEST, (self.screen.width - 2) // max(1, len(self.keys_in_hand)))
        blocks: list[list[Text]] = [[Text(" ")] * (5 if self.screen.tall else 2)]
        doomed = self._doomed()
        for key in self.keys_in_hand:
            card = card_in(key)
            is_new = card in new and key.endswith(f".{self.frame.view.hand.count(card)}")
            marks = "›" if key == self.at else ""
            marks += "▲" if key in self.picked else ""
            marks += "✕" if key == doomed else ""
            marks += "+" if card in fits else ""
            marks += "*" if is_new else ""
            blocks.append(self._card(key, width, marks))
        return beside(blocks, "")

    def _doomed(self) -> str | None:
        """Return the key of the card that the move under consideration would remove from the hand."""
        card = getattr(self.chosen, "card", None)
        mine = [key for key in self.keys_in_hand if card_in(key) == card]
        return self.at if self.at in mine else mine[-1] if mine else None

    def _card(self, key: str, width: int, marks: str) -> list[Text]:
        lines = draw_card(self.frame, self.ink, card_in(key), width - 1, 3 if self.screen.tall else 1)
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
