"""The harbour on the whole screen of a terminal: the ring of taverns, the crews, the field that a choice leads to."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from spelunke.boards.ink import Ink, fit, press, stack
from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.core.values import Action
from spelunke.games.halunken.cards import Sailor
from spelunke.games.halunken.moves import Choose, ChooseJack, Name, Place
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui.frame import Frame
from spelunke.games.halunken.ui.terminal import RING, write_card, write_headline
from spelunke.games.halunken.view import Figure

WIDTH = 15
HUES = {
    "yellow": ("#ecc94b", "bright_yellow", False),
    "grey": ("#9aa0a3", "white", False),
    "violet": ("#8a4f9e", "magenta", True),
    "red": ("#c8402f", "red", True),
}
SEATS = (
    ("#f2b35e", "bright_yellow"),
    ("#86b8e0", "bright_cyan"),
    ("#8fcf7a", "bright_green"),
    ("#e58ac0", "bright_magenta"),
)


class Harbour:
    """One drawing of the board."""

    def __init__(self, scene: Scene, screen: Screen) -> None:
        self.frame = Frame(scene)
        self.screen = screen
        self.ink = Ink(screen)
        self.targets = {field for arrow in scene.arrows if (field := self._target(arrow.action)) is not None}
        self.moves = {action.field: text for action, text in scene.legal if isinstance(action, Place)}

    def _target(self, action: Action) -> int | None:
        """Return the field that an action leads to, if it is known."""
        frame = self.frame
        if isinstance(action, Place):
            return action.field
        if isinstance(action, ChooseJack):
            return None if action.card == "rum" else frame.lead(JACK, action.card)
        if isinstance(action, Choose) and action.card != "rum" and frame.me is not None:
            return frame.lead(frame.me, action.card)
        if isinstance(action, Name) and frame.me is not None:
            return frame.lead(frame.me, action.number)
        return None

    def seat(self, figure: int) -> Style:
        """Return the colour of a captain."""
        return Style(bold=True) if figure == JACK else self.ink.of(*SEATS[figure % len(SEATS)])

    def draw(self) -> Text:
        """Return the whole board."""
        roomy = self.screen.height >= 22
        lines = [Text(" ").append_text(write_headline(self.frame))]
        if roomy:
            lines.append(Text())
        for row in RING:
            lines += self.row(row)
            if roomy:
                lines.append(Text())
        lines += [self.crew(seat) for seat in self.frame.order]
        if self.frame.view.jack is not None:
            lines.append(self.jack(self.frame.view.jack))
        lines += self.sealed()
        return stack(lines, self.screen.height)

    def row(self, fields: tuple[int | None, ...]) -> list[Text]:
        """Return the two lines of one row of the ring."""
        above, below = Text(" "), Text(" ")
        for field in fields:
            if field is None:
                water = self.ink.of("#4d7ea8", "blue", bold=False)
                above.append(fit(Text(" ~" * 7, water), WIDTH))
                below.append(fit(Text("~ " * 7, water), WIDTH))
            else:
                above.append(self.tavern(field))
                below.append(self.figures(field))
        return [above, below]

    def tavern(self, field: int) -> Text:
        """Return the number of a field and its sailors; a field that the choice leads to is marked."""
        seen, here = self.frame.view, field in self.targets
        style = Style(reverse=True, bold=True) if here else Style(bold=True)
        if field in self.moves:
            style += press(self.moves[field])
        out = Text(f"{'▶' if here else ' '}{field:>2} ", style)
        tavern = seen.taverns[field]
        if tavern.top:
            self.sailor(out, tavern.top)
        out.append("▒" * tavern.under, "dim")
        if not tavern.top and not tavern.under:
            out.append("–", "dim")
        return fit(out, WIDTH)

    def figures(self, field: int) -> Text:
        """Return the figures that stand on a field."""
        seen = self.frame.view
        out = Text("    ")
        for figure, part in (*enumerate(seen.captains), (JACK, seen.jack)):
            if part is not None and part.field == field:
                mark = "J" if figure == JACK else str(figure)
                out.append(f"[{mark}]", self.seat(figure) + Style(reverse=True))
        return fit(out, WIDTH)

    def sailor(self, out: Text, sailor: Sailor) -> None:
        """Write a sailor: the letter of its colour, and its value."""
        letter = self.frame._(COLOUR_NAMES[sailor.colour])[0].upper()
        out.append(f" {letter}{sailor.value} ", self.ink.on(*HUES[sailor.colour]))

    def crew(self, seat: int) -> Text:
        """Return the line of a player: name, points, sailors, used cards."""
        seen, say = self.frame.view, self.frame._
        crew = seen.crews[seat]
        lamp = (" ●" if seen.ready[seat] else " ○") if seen.phase == "choosing" else ""
        out = Text(f" [{seat}] {self.frame.name(seat)[:14]}{lamp}", self.seat(seat))
        out.pad_right(max(1, 22 - out.cell_len))
        out.append(f"{crew.worth:>3} {say('points')} ", "bold")
        for sailor in crew.sailors:
            self.sailor(out, sailor)
            if sailor.colour is crew.doubled:
                out.append("²")
        if seen.games:
            out.append(f" {say('total')} {seen.totals[seat]}")
        return self._used(out, seen.captains[seat])

    def jack(self, part: Figure) -> Text:
        """Return Black Jack's line: the harbour and his used cards."""
        out = Text(f" [J] {self.frame.name(JACK)}", "bold")
        out.pad_right(max(1, 22 - out.cell_len))
        out.append(f"{self.frame._('harbour')}: ")
        for sailor in self.frame.view.harbour:
            self.sailor(out, sailor)
        return self._used(out, part)

    def _used(self, out: Text, part: Figure) -> Text:
        used = "".join(write_card(card) for card in part.used)
        if part.laid is not None:
            out.append(f" [{self.frame.card_label(part.laid)}]" + ("x" if part.cancelled else ""), "bold")
        if used:
            out.append(f" {self.frame._('used')} {used}", "dim")
        out.truncate(self.screen.width, overflow="ellipsis")
        return out

    def sealed(self) -> list[Text]:
        """Return the lines of the viewer's own hidden cards."""
        seen, say, tone = self.frame.view, self.frame._, self.ink.of("#86b8e0", "bright_cyan")
        lines = []
        if seen.sealed is not None:
            card = self.frame.card(seen.sealed)
            lines.append(Text(" " + say("Your card lies face down: {card}").format(card=card), tone))
        if seen.sealed_jack is not None:
            card = self.frame.card(seen.sealed_jack)
            lines.append(Text(" " + say("Black Jack's card lies face down: {card}").format(card=card), tone))
        return lines


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    return Harbour(scene, screen).draw()
