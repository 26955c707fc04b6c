"""The table of Sanghai on the whole screen of a terminal: players, discards, melds, the hand, the ring of a call."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from spelunke.boards.ink import Ink, press, stack
from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.moves import Add, Discard, LayDown, Stock, Swap, Take
from spelunke.games.sanghai.ui.frame import Frame

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SUITS = {
    "s": ("#ece3d0", "bright_white"),
    "h": ("#ff7b6b", "bright_red"),
    "d": ("#7fb8f0", "bright_cyan"),
    "c": ("#8fcf7a", "bright_green"),
    "*": ("#e7a8ff", "bright_magenta"),
}
PAPER = {"s": "#14100c", "h": "#b3261e", "d": "#1f4f8f", "c": "#2a6a2a", "*": "#7a2f8f"}
RING = 24


def write_face(card: Card) -> str:
    """Return a card as its rank and suit; a joker is a star."""
    return "★" if card == "*" else card[:-1].upper() + SIGNS[card[-1]]


class Table:
    """One drawing of the board."""

    def __init__(self, scene: Scene, screen: Screen) -> None:
        self.frame = Frame(scene)
        self.scene = scene
        self.screen = screen
        self.ink = Ink(screen)
        chosen = [arrow.action for arrow in scene.arrows if arrow.kind == "chosen"]
        self.cards = [action.card for action in chosen if isinstance(action, Discard | Add | Swap)]
        self.meld = {action.meld for action in chosen if isinstance(action, Add | Swap)}
        for action in chosen:
            if isinstance(action, LayDown):
                self.cards += [card for meld in action.melds for card in meld.cards]
        self.stock = any(isinstance(action, Stock) for action in chosen)
        self.top = any(isinstance(action, Take) for action in chosen)
        self.discards = {action.card: text for action, text in scene.legal if isinstance(action, Discard)}
        self.draws = {type(action): text for action, text in scene.legal}

    def draw(self) -> Text:
        """Return the whole board; the hand is always in it, melds and sheet as far as there is room."""
        head, foot = [self.headline(), *self.players(), self.middle(), *self.ring()], self.hand()
        room = self.screen.height - len(head) - len(foot)
        melds = self.melds()
        shown = (
            melds if len(melds) <= room else [*melds[: max(0, room - 1)], Text(" …", "dim")][: max(0, room)]
        )
        sheet = self.sheet() if self.screen.tall else []
        gap = [Text()] if room > len(shown) else []
        return stack([*head, *shown, *gap, *foot, *sheet], self.screen.height)

    def headline(self) -> Text:
        """Return the round and its contract."""
        seen = self.frame.view
        out = Text(
            f" {self.frame._('Round')} {seen.lap}/{len(seen.contracts)}: ",
            self.ink.of("#f2c14e", "bright_yellow"),
        )
        return out.append(self.frame.contract(seen.contract), "bold")

    def players(self) -> list[Text]:
        """Return a line for each player: cards, calls that are left, points, what they did."""
        seen, say = self.frame.view, self.frame._
        lines = []
        for seat in self.frame.seats:
            acts = seat == seen.turn and seen.phase != "over"
            flags = [
                word
                for word, on in (
                    (say("laid"), seen.laid[seat]),
                    (say("hep!"), seat in seen.calls),
                    (say("dealer"), seat == seen.dealer),
                )
                if on
            ]
            heps = "●" * seen.heps[seat] + "○" * max(0, seen.hep_limit - seen.heps[seat])
            out = Text(f" {'▶' if acts else ' '} {self.frame.name(seat)[:18]:<18}", Style(bold=acts))
            out.append(
                f" {'▮' * min(seen.held[seat], 20)}", self.ink.of("#86b8e0", "bright_cyan", bold=False)
            )
            out.append(f" {seen.held[seat]}  {heps} {seen.totals[seat]:>5}  {' '.join(flags)}")
            out.truncate(self.screen.width)
            lines.append(out)
        return lines

    def middle(self) -> Text:
        """Return the stock and the discards; both can be pressed if one may draw from them."""
        seen, say = self.frame.view, self.frame._
        stock, top = Style(reverse=self.stock, bold=True), Style(reverse=self.top)
        if Stock in self.draws:
            stock += press(self.draws[Stock])
        if Take in self.draws:
            top += press(self.draws[Take])
        out = Text(f"   {say('stock')} ").append(f" ▒▒ {seen.stock} ", stock)
        out.append(f"    {say('discards')} {seen.pile}: ")
        if seen.top:
            out.append(f" {write_face(seen.top)} ", self.face(seen.top) + top)
        else:
            out.append("–")
        return out

    def ring(self) -> list[Text]:
        """Return the time that is left for a call, the same for everybody."""
        whole, left = self.scene.pause_ms, self.scene.pause_left_ms
        if not whole or left is None:
            return []
        full = RING * max(0, min(left, whole)) // whole
        tone = self.ink.of("#f2c14e", "bright_yellow")
        return [Text("   ◔ ").append("█" * full, tone).append("░" * (RING - full), "dim")]

    def face(self, card: Card) -> Style:
        """Return the style of a card in the hand."""
        suit = card[-1]
        if self.screen.colours == 0:
            return Style(bold=True)
        if self.screen.colours == 16:
            return Style(color=SUITS[suit][1], bold=True)
        return Style(color=PAPER[suit], bgcolor="#efe6d2", bold=True)

    def melds(self) -> list[Text]:
        """Return a line for each meld on the table."""
        lines = []
        for entry in self.frame.view.melds:
            mark = "▶" if entry.number in self.meld else " "
            out = Text(f" {mark}{entry.number:>2} {self.frame.name(entry.owner)[:12]:<12} ")
            for card, stands in zip(entry.meld.cards, entry.meld.stands, strict=True):
                out.append(write_face(card), self.ink.of(*SUITS[card[-1]]))
                if stands not in (card, "*"):
                    out.append(f"={write_face(stands)}", "dim")
                out.append(" ")
            out.truncate(self.screen.width, overflow="ellipsis")
            lines.append(out)
        return lines

    def hand(self) -> list[Text]:
        """Return the viewer's cards, as many in a line as there is room for; those of the choice are raised."""
        seen, left = self.frame.view, list(self.cards)
        lines, out = [], Text(" ")
        for card in seen.hand:
            face = f" {write_face(card)} "
            if out.cell_len + len(face) + 1 > self.screen.width:
                lines.append(out)
                out = Text(" ")
            style = self.face(card)
            if card in left:
                left.remove(card)
                face, style = f"▲{write_face(card)} ", style + Style(reverse=True)
            if card in self.discards:
                style += press(self.discards[card])
            out.append(face, style)
            out.append(" ")
        if seen.hand:
            lines.append(out)
        if "missing" in self.frame.hints:
            missing = self.frame._("Cards missing: {n}.").format(n=self.frame.hints["missing"].number)
            lines.append(Text(f" {missing}", "dim"))
        return lines

    def sheet(self) -> list[Text]:
        """Return the points of the rounds that are over."""
        seen = self.frame.view
        return [
            Text(
                f" {done + 1:>2}. {self.frame.contract(seen.contracts[done]):<24} "
                + " ".join(f"{p:>5}" for p in row),
                "dim",
            )
            for done, row in enumerate(seen.sheet)
        ]


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    return Table(scene, screen).draw()
