"""The board in a terminal of any size: taverns, figures, crews, and the steps of the last played hour (round)."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from spelunke.boards.drafting import Step as Change
from spelunke.boards.drafting import change, with_keys
from spelunke.boards.ink import Ink, beside, centred, fit, press, stack
from spelunke.boards.scene import OrderForm, Scene
from spelunke.boards.screen import Screen
from spelunke.games.halunken import happenings, moves
from spelunke.games.halunken.cards import COLOURS, Colour, Sailor, Step
from spelunke.games.halunken.orders import active_order, write_order
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui.frame import HAND, TWELVE, Frame
from spelunke.games.halunken.ui.orders import say_active_order
from spelunke.games.halunken.ui.past import Past
from spelunke.games.halunken.view import Crew, Figure

HUES: dict[Colour, tuple[str, str, bool]] = {
    Colour.YELLOW: ("#ecc94b", "bright_yellow", False),
    Colour.GREY: ("#aab0b4", "white", False),
    Colour.VIOLET: ("#8a4f9e", "magenta", True),
    Colour.RED: ("#c8402f", "red", True),
}
SIGNS = dict(zip(COLOURS, "●◆▲■", strict=True))
"""The sign of each colour. It is shown beside the colour's letter."""
SEATS = (
    ("#f2905e", "bright_red"),
    ("#86b8e0", "bright_cyan"),
    ("#9ccc7a", "bright_green"),
    ("#f2d35e", "bright_yellow"),
)
NAME = 12


class Table:
    """One drawing of the board."""

    def __init__(self, scene: Scene, screen: Screen) -> None:
        self.frame = Frame(scene)
        self.screen = screen
        self.ink = Ink(screen)
        self.tall = screen.tall
        self.cell = min(screen.width, 110) // 5
        self.past = Past(self.frame, self._find_step())
        self.chosen = next((arrow.action for arrow in scene.arrows if arrow.kind == "chosen"), None)
        self.target, self.way = self._find_way()
        self.moves = self._find_moves()

    def _find_step(self) -> int | None:
        """Return the index of the step that the viewer wants to see, or None if the viewer wants to see the present.

        The steps are those of the last played hour.
        """
        tale, _slash, step = (self.frame.scene.draft.get("step") or ("",))[-1].partition("/")
        if not self.frame.played or tale != self.frame.tale or not step.isdecimal():
            return None
        return int(step) if int(step) < len(self.frame.played) else None

    def _find_way(self) -> tuple[int | None, frozenset[int]]:
        """Return the field to which a figure moves, and the fields that it passes, to highlight them.

        If the viewer looks at a step of the last played hour, use its move. Otherwise use the choice that the viewer
        considers. If a figure takes a tavern's sailor in this step, or if the choice places a figure, return the field
        of the figure and no passed fields. If there is nothing to highlight, return None and no passed fields.
        """
        event = self.past.event
        if isinstance(event, happenings.Walked | happenings.Displaced):
            start, target = event.start, event.field
        elif isinstance(event, happenings.Collected | happenings.Recruited):
            return event.field, frozenset()
        elif event is not None:
            return None, frozenset()
        elif isinstance(self.chosen, moves.Place):
            return self.chosen.field, frozenset()
        else:
            figure, card = self._walks()
            found = None if card is None else self.frame.lead(figure, card)
            begin = self.past.field(figure) if found is not None else None
            if found is None or begin is None:
                return None, frozenset()
            start, target = begin, found
        steps = (target - start) % FIELDS or FIELDS
        return target, frozenset((start + n) % FIELDS for n in range(1, steps))

    def _walks(self) -> tuple[int, Step | None]:
        """Return the figure that the chosen action would move, and the card that the action plays.

        If the action names the number for Rum, return this number instead of a card. If it moves no figure, return 0
        and None.
        """
        action = self.chosen
        if isinstance(action, moves.ChooseJack):
            return JACK, action.card
        if isinstance(action, moves.Choose):
            return self.frame.me or 0, action.card
        if isinstance(action, moves.Name):
            return self.frame.rum_of, action.number
        return 0, None

    def _find_moves(self) -> dict[object, str]:
        """Return the move that a click plays, for each field or sailor that the viewer may choose.

        While the board shows an earlier step, the result is empty.
        """
        found: dict[object, str] = {}
        for action, text in self.frame.scene.legal:
            if isinstance(action, moves.Place):
                found[action.field] = text
            elif isinstance(action, moves.Bid | moves.Rob | moves.Fish | moves.Give):
                found[action.sailor] = text
        return {} if self.past.step is not None else found

    def seat(self, figure: int) -> Style:
        """Return the text style of a figure: the seat's colour, or bold for Black Jack."""
        return Style(bold=True) if figure == JACK else self.ink.of(*SEATS[figure])

    def mark(self, figure: int) -> str:
        """Return the sign of a figure: the number of the seat, counted from 1, or J for Black Jack."""
        return "[J]" if figure == JACK else f"[{figure + 1}]"

    # --- the whole

    def draw(self) -> Text:
        """Return the whole board."""
        lines = [self.headline(), *([Text()] if self.tall else []), *self.ring()]
        if self.tall:
            lines.append(Text())
        for seat in self.frame.order:
            lines += self.party(seat)
        lines += self.hands()
        story = self.story()
        if story is not None:
            room = self.screen.height - 1
            lines = [*lines[:room], *([Text()] if self.tall and len(lines) < room else []), story]
        out = stack((fit(line, self.screen.width) for line in lines), self.screen.height)
        out.style = self.keys()
        return out

    def headline(self) -> Text:
        """Return a line with the hour, the number of the game, Black Jack's hirer, and the last offer of the bidding.

        If nobody has made an offer, the line has the viewer's standing order instead.
        """
        seen, say_, hirer = self.frame.view, self.frame._, self.past.hirer()
        parts = [say_("Hour {hour} of 8").format(hour=self.past.hour())]
        if seen.match > 1:
            parts.append(say_("Game {n} of 3").format(n=min(seen.games + 1, 3)))
        if hirer is not None:
            parts.append(say_("Black Jack works for {name}").format(name=self.frame.named(hirer)))
        out = Text(" " + " · ".join(parts), self.ink.of("#f2c14e", "bright_yellow"))
        if seen.offer is not None and seen.bidder is not None:
            told = say_("{name} offers {sailor}.").format(
                name=self.frame.named(seen.bidder), sailor=self.frame.sailor(seen.offer)
            )
            out.append("  " + told, self.seat(seen.bidder))
        elif order := say_active_order(self.frame):
            out.append("  " + order)
        return out

    # --- sailors

    def letter(self, colour: Colour) -> str:
        """Return the sign and the letter of a colour."""
        return SIGNS[colour] + self.frame._(COLOUR_NAMES[colour])[0].upper()

    def sailor(self, sailor: Sailor, width: int = 0) -> Text:
        """Return a sailor as coloured text with its sign, letter and number."""
        style = self.ink.on(*HUES[sailor.colour])
        text = f"{self.letter(sailor.colour)}{sailor.value}"
        return Text(centred(text, width) if width else f" {text} ", style + self._pressed(sailor))

    def _pressed(self, thing: object) -> Style:
        found = Style()
        if thing in self.moves:
            found += press(self.moves[thing])
        if isinstance(thing, Sailor) and getattr(self.chosen, "sailor", None) == thing:
            found += Style(reverse=True, underline=True, bold=True)
        return found

    def sailors(self, crew: Crew, room: int) -> Text:
        """Return the sailors of a crew by colour: the colour's sign and letter once, then the sailors' numbers.

        ``×2`` marks the colour that counts double. The text is cut to ``room`` columns.
        """
        out = Text()
        for colour in COLOURS:
            own = [sailor for sailor in crew.sailors if sailor.colour is colour]
            if not own:
                continue
            style = self.ink.on(*HUES[colour])
            out.append(f"{self.letter(colour)}", style)
            for sailor in own:
                chosen = getattr(self.chosen, "sailor", None) == sailor
                number = f"›{sailor.value}" if chosen else f" {sailor.value}"
                out.append(number, style + self._pressed(sailor))
            out.append("×2" if colour is crew.doubled else "", Style(bold=True))
            out.append(" ")
        out.truncate(room, overflow="ellipsis")
        return out

    # --- the harbour

    def ring(self) -> list[Text]:
        """Return the lines with the taverns around the basin."""
        standing: dict[int, list[int]] = {}
        figures = [*range(self.frame.view.seats), *([JACK] if self.frame.view.jack else [])]
        for figure in figures:
            field = self.past.field(figure)
            if field is not None:
                standing.setdefault(field, []).append(figure)
        cells = [self.tavern(field, standing.get(field, [])) for field in range(FIELDS)]
        middle = self.basin(len(cells[0]) * 2)
        lines = beside([cells[field] for field in range(5)], "")
        half = len(cells[0])
        for part, (west, east) in enumerate(((13, 5), (12, 6))):
            lines += beside([cells[west], middle[part * half : (part + 1) * half], cells[east]], "")
        return lines + beside([cells[field] for field in (11, 10, 9, 8, 7)], "")

    def tavern(self, field: int, standing: list[int]) -> list[Text]:
        """Return the lines of a tavern: its number, the open sailor, the face-down sailors, and the figures there."""
        on_way, target = field in self.way, field == self.target
        sign = "»" if target else "·" if on_way else " "
        number = Text(f" {sign}{field:>2}", "bold reverse" if target else "bold" if on_way else "dim")
        number.append(" ")
        sailor, under = self.past.top(field), self.past.under(field)
        pile = Text("▒" * under, "dim")
        chip = self.sailor(sailor, 6) if sailor else Text(centred("–" if not under else "", 6), "dim")
        row = Text("  " if self.tall else "     ")
        for figure in standing:
            row.append(self.mark(figure), Style(reverse=True) + self.seat(figure))
        if self.tall:
            back = Text(" " * 6, chip.style if sailor else "")
            lines = [
                number + back,
                Text("     ") + chip + Text(" ") + pile,
                Text("     ") + back,
                Text("   ") + row,
            ]
        else:
            lines = [number + chip + Text(" ") + pile, row]
        found = [fit(line, self.cell) for line in lines]
        if field in self.moves:
            for line in found:
                line.stylize(press(self.moves[field]))
        return found

    def basin(self, height: int) -> list[Text]:
        """Return the lines inside the ring of taverns: the harbour's sailors, and Black Jack with his cards."""
        width = 3 * self.cell
        water = self.ink.of("#4f86a8", "blue", bold=False)
        inner = list(self._afloat(width - 4))
        first = max(0, (height - len(inner)) // 2)
        lines = []
        for number in range(height):
            wave = "".join("~" if (place + number * 2) % 5 == 0 else " " for place in range(width))
            line = Text(wave, water)
            if first <= number < first + len(inner):
                text = fit(inner[number - first], width - 4)
                line = Text.assemble((wave[:2], water), text, (wave[-2:], water))
            lines.append(line)
        return lines

    def _afloat(self, width: int) -> list[Text]:
        seen, say_ = self.frame.view, self.frame._
        if seen.jack is None:
            return []
        pool = self.past.pool()
        head = Text(f"⚓ {say_('harbour')}: ", "bold")
        if pool:
            head.append_text(self.sailors(Crew(pool, 0, None), width - head.cell_len))
        else:
            head.append("–", "dim")
        who = Text(f"[J] {self.frame.name(JACK)} ", self.seat(JACK))
        who.append_text(self.cards(JACK, seen.jack, TWELVE if seen.seats > 2 else HAND))
        return [head, *([Text()] if self.tall else []), who]

    # --- the crews

    def cards(self, figure: int, part: Figure, full: tuple[Step, ...]) -> Text:
        """Return the movement cards that a figure still has, dots for the cards that it has laid, and its open card.

        ``full`` is the figure's whole set of cards.
        """
        out = Text()
        for card in full:
            there = card in part.left
            text = "R" if card == "rum" else str(card)
            out.append(text if there else "·" * len(text), "" if there else "dim")
        shown = self.past.laid(figure, part)
        if shown is not None:
            card, cancelled = shown
            out.append(f" [{'R' if card == 'rum' else card}]", "bold")
            out.append("×" if cancelled else "", "bold")
        return out

    def party(self, seat: int) -> list[Text]:
        """Return the lines about a player: name, a sign for a sealed choice, cards, points and crew."""
        seen, say_ = self.frame.view, self.frame._
        crew = self.past.crew(seat)
        turn = "▶" if seat in self.frame.scene.actors else " "
        name = fit(Text(self.frame.name(seat)), NAME if not self.tall else NAME + 12).plain
        out = Text(f"{turn}{self.mark(seat)} {name}", self.seat(seat))
        lamp = ("●" if seen.ready[seat] else "○") if seen.phase == "choosing" else " "
        out.append(f"{lamp} ")
        out.append_text(fit(self.cards(seat, seen.captains[seat], HAND), 13))
        out.append(f"{crew.worth:>4} ", self.seat(seat))
        if not self.tall:
            last = seen.crews[seat].worth if seen.phase == "over" else 0  # the totals already include it
            out.append(f"+{seen.totals[seat] - last} " if seen.games and seen.match > 1 else "")
            out.append_text(self.sailors(crew, self.screen.width - out.cell_len - 1))
            return [out]
        count = len(crew.sailors)
        out.append(say_.many("{n} sailor", "{n} sailors", count).format(n=count), "dim")
        if seen.games and seen.match > 1:
            out.append(f" · {say_('total')} {seen.totals[seat]}")
        return [out, Text("     ") + self.sailors(crew, self.screen.width - 6), Text()]

    def hands(self) -> list[Text]:
        """Return lines with the movement cards, or the numbers for Rum, that the viewer may choose.

        Black Jack's cards have a line of their own. A click on a card or a number plays it.
        """
        legal, seen = self.frame.scene.legal + self.frame.scene.revise, self.frame.view
        lines: dict[str, Text] = {}
        for action, move in legal:
            match action:
                case moves.Choose(card):
                    line, number, sealed = "", card, seen.sealed
                case moves.ChooseJack(card):
                    line, number, sealed = f"{self.frame.name(JACK)} ", card, seen.sealed_jack
                case moves.Name(named):
                    line, number, sealed = f"{self.frame.card_label('rum')} ", named, None
                case _:
                    continue
            out = lines.setdefault(line, Text(f" {line}"))
            style = Style(reverse=action == self.chosen, bold=True) + press(move)
            out.append(f"[{self.frame.card_label(number)}]", style)
            out.append("✓ " if number == sealed else " ")
        return list(lines.values())

    # --- step by step

    def story(self) -> Text | None:
        """Return the line with the current step of the story, and the signs to click to go one step back or forward.

        The story is the last played hour. If it can't be replayed, return None.
        """
        played = self.frame.played
        if not played:
            return None
        step = self.past.step
        out = Text(" ")
        keys = self._steps()
        out.append(" ◀ ", Style(reverse=True) + change(keys["left"]))
        out.append(" ")
        out.append(" ▶ ", Style(reverse=True) + change(keys["right"]))
        if step is None:
            named = self.frame._("Step by step")
            out.append(f"  {named} (← →)", "dim")
            return out
        out.append(f" {step + 1}/{len(played)} ", "bold")
        out.append(self.frame.told[step], self.ink.of("#f2c14e", "bright_yellow"))
        out.truncate(self.screen.width, overflow="ellipsis")
        return out

    def _steps(self) -> dict[str, Change]:
        last, step = len(self.frame.played) - 1, self.past.step
        back = last if step is None else max(0, step - 1)
        on = 0 if step is None else step + 1  # after the last step comes the present
        return {
            "left": ("set", "step", f"{self.frame.tale}/{back}"),
            "right": ("set", "step", f"{self.frame.tale}/{on}"),
        }

    def keys(self) -> Style:
        """Return a style for the whole board that gives the arrow keys their effect.

        On a board with this style, the arrow keys go one step back or forward in the story (the last played hour). If
        the story can't be replayed, the arrow keys do nothing.
        """
        told = (("← →", self.frame._("Step by step")),)
        return with_keys(self._steps(), told=told) if self.frame.played else with_keys({})


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    return Table(scene, screen).draw()


def describe_orders(scene: Scene) -> OrderForm:
    """Return the form in which a terminal asks the viewer for their standing order."""
    frame = Frame(scene)
    order = active_order(scene.private, frame.view)
    mine = () if frame.me is None else frame.view.crews[frame.me].sailors
    known = [str(s) for s in sorted(mine, key=lambda s: (s.value, s.colour.number))]
    lines = (
        frame._("Write your highest offer, or “pass” to offer nothing: {choices}").format(
            choices=" · ".join([*known, "pass"])
        ),
        frame._(
            "The order is for one hour only: the current one if you can still bid, otherwise the next one. "
            "For all hours to come, add “every hour”."
        ),
    )
    return OrderForm("text", "" if order is None else write_order(order), lines)
