"""The table of Shanghaien in a terminal of any size: cards with emblems, dice, the settlement, and the points."""

from __future__ import annotations

from collections.abc import Iterator

from rich.style import Style
from rich.text import Text

from spelunke.boards.ink import Ink, beside, centred, fit, press, stack
from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.games.shanghaien.cards import NATIONS, End, Nation, Sailor
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.moves import Exchange, Place, Sharks
from spelunke.games.shanghaien.ui.arrows import find_places
from spelunke.games.shanghaien.ui.frame import Frame

WIDTH = 12
HUES: dict[Nation, tuple[str, str, bool]] = {
    Nation.AMERICAN: ("#c8402f", "red", True),
    Nation.FRENCH: ("#7fc4dc", "bright_cyan", False),
    Nation.GERMAN: ("#2f5d9e", "blue", True),
    Nation.CHINESE: ("#ecc94b", "bright_yellow", False),
    Nation.DUTCH: ("#e58a33", "yellow", False),
    Nation.TURKISH: ("#8a4f9e", "magenta", True),
    Nation.SPANISH: ("#5c9a4a", "green", False),
    Nation.ITALIAN: ("#9aa0a3", "white", False),
}
EMBLEMS = dict(zip(NATIONS, "★✦✚◉▲☾✶◆", strict=True))
"""The sign of each nation. It is shown beside the nation's letter, on a background in the nation's colour."""
ROWS = {1: (1,), 2: (2,), 3: (2, 1), 4: (2, 2)}
"""For each value of a sailor, the number of emblems in each row of the large card."""
SIDES = (("#f2b35e", "bright_yellow"), ("#86b8e0", "bright_cyan"))
MARKS = "●◆"
FATES = {"down": "▼", "up": "▲", "out": "×", "sharked": "×"}


class Table:
    """One drawing of the table."""

    def __init__(self, scene: Scene, screen: Screen) -> None:
        self.frame = Frame(scene)
        self.screen = screen
        self.ink = Ink(screen)
        self.tall = screen.tall
        self.card_lines = 6 if screen.high else 4 if screen.tall else 3 if screen.height >= 15 else 2
        self.chosen = {
            place: f"{'-' if isinstance(arrow.action, Exchange) else '+'}[{value}]"
            for arrow in scene.arrows
            if arrow.kind == "chosen"
            for place, value in find_places(self.frame, arrow.action)
        }
        self.moves = self._moves()

    def _moves(self) -> dict[int, str]:
        """Return the move text for each place that can be pressed.

        A place can be pressed if exactly one legal move without a trick lays a die there.
        """
        found: dict[int, list[str]] = {}
        for action, text in self.frame.scene.legal:
            if isinstance(action, Place) and not isinstance(action, Sharks):
                found.setdefault(self.frame.place(action.value, action.end), []).append(text)
        return {place: texts[0] for place, texts in found.items() if len(texts) == 1}

    def side(self, side: int) -> Style:
        """Return the text style for a side: text in the side's colour."""
        return self.ink.of(*SIDES[side])

    def draw(self) -> Text:
        """Return the whole board."""
        lines = [self.headline(), *self.party(1)]
        lines += self.row() if self.frame.view.row else [Text()] * 3
        lines += self.party(0)
        if self.tall or self.card_lines > 2:
            lines.append(Text())
        settled = list(self.settlement())
        lines += settled if settled and not self.tall else self.standing()
        if settled and self.tall:
            lines += [Text(), *settled]
        return stack(lines, self.screen.height)

    def headline(self) -> Text:
        """Return a line with the tavern, the game of the match, the direction of the row, and the rolled dice."""
        seen, say = self.frame.view, self.frame._
        parts = [say("Tavern {tavern} of 8").format(tavern=seen.tavern)]
        if seen.match != "single":
            parts.append(say("game {n}").format(n=self.frame.game))
        if seen.end:
            left = seen.end is End.LEFT
            parts.append(say("card 1 is on the left") if left else say("card 1 is on the right"))
        out = Text(" " + " · ".join(parts), self.ink.of("#f2c14e", "bright_yellow"))
        if seen.rolled and seen.phase != "turn":
            low, high = seen.rolled
            told = say("{name} rolled [{low}] [{high}]").format(
                name=self.frame.named(seen.turn), low=low, high=high
            )
            out.append(" " * max(2, min(self.screen.width, 78) - out.cell_len - len(told)))
            out.append(told, self.side(self.frame.side(seen.turn)))
        return out

    def party(self, side: int) -> list[Text]:
        """Return the lines about a player: name, dice, points and tricks."""
        seen, say = self.frame.view, self.frame._
        seat = self.frame.seats[side]
        mark = "▶" if seat in self.frame.scene.actors else " "
        out = Text(f" {mark}{MARKS[side]} {self.frame.name(seat)[:18]}", self.side(side))
        out.pad_right(max(1, 24 - out.cell_len))
        out.append("■" * seen.supply[seat] + "□" * max(0, 6 - seen.supply[seat]), self.side(side))
        facts = [
            say.many("{n} die left", "{n} dice left", seen.supply[seat]).format(n=seen.supply[seat]),
            say.many("{n} point", "{n} points", seen.points[seat]).format(n=seen.points[seat]),
        ]
        if seen.tricks[seat]:
            facts.append(say("tricks: {tricks}").format(tricks=" ".join(seen.tricks[seat])))
        if seen.spent[seat]:
            facts.append(say("trick played"))
        out.append("  " + ", ".join(facts + self.frame.notes(seat)))
        out.truncate(self.screen.width, overflow="ellipsis")
        return [Text(), out] if self.tall else [out]

    # --- the row

    def row(self) -> list[Text]:
        """Return the lines of the six places, side by side."""
        by_place = {claim.place: claim for claim in self.frame.view.row}
        blocks = [self.place(place, by_place.get(place)) for place in range(1, 7)]
        return [Text(" ") + line for line in beside(blocks)]

    def place(self, place: int, claim: Claim | None) -> list[Text]:
        """Return the lines of a place: the other player's dice, the card, its number and fate, the viewer's dice."""
        return [
            *self.dice(claim, 1, place),
            *self.card(claim, place),
            self.number(claim),
            *self.dice(claim, 0, place),
        ]

    def dice(self, claim: Claim | None, side: int, place: int) -> list[Text]:
        """Return the lines with a side's dice on a card.

        If the viewer has selected a move that lays a die here, this die is added after a plus sign. If the move takes
        a die back from here, this die is added after a minus sign.
        """
        count = claim.dice[self.frame.seats[side]] if claim and claim.number else 0
        value = claim.number if claim else 0
        die = f"[{value}]"
        out = Text(die * count if count <= 3 else f"{count}×{die}", self.side(side))
        if place in self.chosen and self.frame.side(self.frame.view.turn) == side:
            out.append(self.chosen[place], Style(bold=True, reverse=True))
        room = WIDTH - out.cell_len
        out = Text(" " * max(0, room // 2)) + out
        found = fit(out, WIDTH)
        return [Text(" " * WIDTH), found] if self.tall and side else [found]

    def card(self, claim: Claim | None, place: int) -> list[Text]:
        """Return the lines of a card. A sailor shows the value, and the nation's colour, emblem, letter and name."""
        if claim is None or claim.card is None:
            empty = Text(centred("· · ·", WIDTH), "dim")
            return [empty] * self.card_lines
        if isinstance(claim.card, Sailor):
            nation, say = claim.card.nation, self.frame
            style = self.ink.on(*HUES[nation])
            large: list[str] = []
            top = f" {EMBLEMS[nation]} {say.letter(nation)}{claim.card.value:>{WIDTH - 5}} "
            name = f" {say.nation(nation)}"
            under = f" {'▪' * claim.card.value}"
            if self.screen.high:
                rows = ROWS[claim.card.value]
                pips = [centred("   ".join(EMBLEMS[nation] * count), WIDTH) for count in rows]
                large = [top, name, "", *pips]
        else:
            style = self.ink.on("#26303a", "bright_black", dark=True)
            top, name, under = f" ☠{'+2':>{WIDTH - 3}} ", f" {claim.card.trick}", ""
            large = [top, name, "", centred("☠", WIDTH)]
        if claim.down:
            style = Style(dim=True)
        if place in self.moves:
            style += press(self.moves[place])
        lines = large if self.screen.high else [top, name, under]
        lines = [*lines, "", "", ""][: self.card_lines]
        return [fit(Text(line, style), WIDTH).copy() if line else Text(" " * WIDTH, style) for line in lines]

    def number(self, claim: Claim | None) -> Text:
        """Return the number of a card, and its fate if the round ended now."""
        if claim is None:
            return Text(" " * WIDTH)
        if not claim.number:
            return Text(centred(f"{claim.place} / {7 - claim.place}", WIDTH), "bold")
        out = Text(f"<{claim.number}>", "bold")
        if any(claim.dice) or claim.down:
            rule = "~" if claim.rule in ("neighbours", "tie") else ""
            fate = f" {FATES[self.frame.fate(claim)]} {rule}{self.frame.score(claim)}"
            out.append(fate, "dim" if claim.taker is None else self.side(self.frame.side(claim.taker)))
        return fit(Text(" " * max(0, (WIDTH - out.cell_len) // 2)) + out, WIDTH)

    # --- below

    def settlement(self) -> Iterator[Text]:
        """Yield the lines of the last settlement while it has to be shown: the cards, their takers and the reasons.

        Cards without dice are left out, unless they lie face down.
        """
        event = self.frame.settled
        if event is None:
            return
        yield Text(f" {self.frame.caller}", "bold")
        entries = []
        for claim in sorted(event.claims, key=lambda claim: claim.place):
            if claim.card is None or claim.rule == "nobody":
                continue
            tone = Style(dim=True) if claim.taker is None else self.side(self.frame.side(claim.taker))
            line = Text(f" {FATES[self.frame.fate(claim)]} ", tone)
            line.append(f"{self.frame.card(claim.card)}: {self.frame.verdict(claim)}")
            entries.append(line)
        wide = max((entry.cell_len for entry in entries), default=0)
        if self.tall or wide * 2 > self.screen.width:
            yield from entries
            return
        half = (len(entries) + 1) // 2
        for number in range(half):
            line = fit(entries[number], self.screen.width // 2)
            yield line + entries[number + half] if number + half < len(entries) else line

    def standing(self) -> list[Text]:
        """Return a table with the strengths by nation, the trick cards and the points of each side.

        The last line is for the cards that are still to come.
        """
        seen, say = self.frame.view, self.frame._
        head = Text(" " * 20)
        for nation in NATIONS:
            true, few, dark = HUES[nation]
            head.append(f" {EMBLEMS[nation]}{self.frame.letter(nation)} ", self.ink.on(true, few, dark))
            head.append(" ")
        # Translators: the heads of two narrow columns, the trick cards and the points: at most 6 and 5 letters.
        trick, total = say("trick"), say("sum")
        head.append(f"{trick:>8}{total:>6}", "bold")
        lines = [head]
        for side in (1, 0):
            seat = self.frame.seats[side]
            line = Text(fit(Text(f" {MARKS[side]} {self.frame.name(seat)[:16]}"), 20).plain, self.side(side))
            line.append("".join(f"{crew.strength or '-':>3}  " for crew in seen.crews[seat]))
            line.append(f"{len(seen.tricks[seat]) or '-':>8}{seen.points[seat]:>6}")
            lines.append(line)
        coming = "".join(f"{self._to_come(nation) or '-':>3}  " for nation in NATIONS)
        tricks = sum(len(part) for part in seen.tricks_to_come)
        named = say("to come")[:16]
        lines.append(Text(f"   {named:<17}{coming}{tricks or '-':>8}", "dim"))
        return lines

    def _to_come(self, nation: Nation) -> int:
        coming = self.frame.view.to_come[nation.number]
        return sum(coming.row) + sum(coming.deck)


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    return Table(scene, screen).draw()
