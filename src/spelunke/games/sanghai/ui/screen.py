"""The table of Sanghai in a terminal of any size: melds, piles, calls and the time for them, the hand and the tray."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from spelunke.boards.drafting import Step, change, with_keys
from spelunke.boards.ink import Ink, beside, centred, fit, press, stack
from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.aside import FIELD, Aside, make_aside, write_aside
from spelunke.games.sanghai.cards import Card
from spelunke.games.sanghai.happenings import RoundScored
from spelunke.games.sanghai.sentences import SIGNS, say_lack
from spelunke.games.sanghai.sentences import say as say_event
from spelunke.games.sanghai.tray import Slot, Tray
from spelunke.games.sanghai.ui.cardrow import Row, draw_card
from spelunke.games.sanghai.ui.frame import Frame, role_in
from spelunke.games.sanghai.view import TableMeld

SEATS = (
    ("#f2905e", "bright_red"),
    ("#86b8e0", "bright_cyan"),
    ("#9ccc7a", "bright_green"),
    ("#f2d35e", "bright_yellow"),
    ("#c79be0", "bright_magenta"),
    ("#7fd6c8", "cyan"),
    ("#e0b48a", "yellow"),
    ("#c9c9c9", "white"),
)
PIES = "○◔◑◕●"
WHOSE = 14
"""The number of columns for the name of an owner beside the melds."""


class Table:
    """One drawing of the table."""

    def __init__(self, scene: Scene, screen: Screen) -> None:
        self.frame = Frame(scene)
        self.screen = screen
        self.ink = Ink(screen)
        self.tall = screen.tall
        self.chosen = next((arrow.action for arrow in scene.arrows if arrow.kind == "chosen"), None)
        self.row = Row(self.frame, screen, self.chosen)
        considered = self.frame.considered
        self.tray: Tray | None = considered.tray if considered else None

    def seat(self, seat: int) -> Style:
        """Return the colour of a player."""
        return self.ink.of(*SEATS[seat])

    # --- the whole

    def draw(self) -> Text:
        """Return the whole board."""
        gap = [Text()] if self.tall else []
        head = [self.headline(), *gap, *self.players()]
        seen = self.frame.view
        shown = seen.shown is not None and (self.tall or not seen.hand)
        tail = self.hands() if shown or not seen.hand else [*self.row.draw(), *self.tray_lines()]
        room = self.screen.height - len(head) - len(tail) - len(gap) * 2
        melds = self.melds()
        middle = self.piles()
        if room < len(melds) + len(middle):
            middle = [self.piles_line()]
        left = max(0, room - len(middle))
        if len(melds) > left:
            more = len(melds) - left + 1
            melds = [*melds[: max(0, left - 1)], Text(f"   … +{more}", "dim")][:left]
        lines = [*head, *gap, *middle, *gap, *melds]
        sheet = self.sheet() if self.tall else []
        spare = max(0, self.screen.height - len(lines) - len(tail))
        if not self.tall:
            lines += [Text()] * spare + tail
        else:
            lines += [*gap, *tail]
            if sheet and spare > len(sheet):
                lines += [Text()] * (spare - 1 - len(sheet)) + sheet
        board = stack((fit(line, self.screen.width) for line in lines), self.screen.height)
        board.style = with_keys(
            self.row.keys() | self._lay_key() | self._aside_keys(),
            self.row.leads_to(),
            about=str(self.frame.view.lap),
            told=self.row.told(),
        )
        return board

    def headline(self) -> Text:
        """Return a line with the round and its contract."""
        seen, say = self.frame.view, self.frame._
        told = say("Round {n} of {all}").format(n=seen.lap, all=len(seen.contracts))
        out = Text(f" {told}: ", self.ink.of("#f2c14e", "bright_yellow"))
        out.append(self.frame.contract(seen.contract), Style(bold=True))
        return out

    # --- the players

    def players(self) -> list[Text]:
        """Return the lines about the players, two players in each line."""
        seats = self.frame.seats
        half = self.screen.width // 2
        cells = [fit(self.player(seat), half) for seat in seats]
        cells += [Text()] * (len(cells) % 2)
        return [left + right for left, right in zip(cells[::2], cells[1::2], strict=True)]

    def player(self, seat: int) -> Text:
        """Return the text about a player: the number of cards, calls won, and points.

        Signs mark a player who is on turn, who may act, who has called, who has laid, or who is the dealer.
        """
        seen, say = self.frame.view, self.frame._
        playing = seen.phase != "over"
        mark = "▶" if playing and seat == seen.turn else "?" if seat in self.frame.scene.actors else " "
        name = say("You") if seat == self.frame.me and not self.frame.scene.past else self.frame.name(seat)
        out = fit(Text(f" {mark}{name}", self.seat(seat)), 14)
        out.append(f" ▮{seen.held[seat]:>2} ", "bold")
        out.append("●" * seen.heps[seat] + "○" * max(0, seen.hep_limit - seen.heps[seat]))
        out.append(f"{seen.totals[seat]:>4} ")
        if seat in seen.calls:
            order = f"{seen.calls.index(seat) + 1}" if len(seen.calls) > 1 else ""
            out.append(say("hep!") + order, Style(reverse=True, bold=True))
            out.append(" ")
        if seen.laid[seat]:
            out.append("✓" + say("laid") + " ")
        if seat == seen.dealt_by:
            out.append(say("D"), "dim")
        return out

    # --- the middle

    def piles(self) -> list[Text]:
        """Return the lines with the stock and the top discard as cards, and notes beside them."""
        seen = self.frame.view
        back = Style(dim=True) if not self.screen.colours else self.ink.on("#2f5d9e", "blue", dark=True)
        stock = self._press_kind(moves.Stock)
        height = 5 if self.screen.high else 3
        deck = [Text("▒▒▒▒▒", back + stock) for _ in range(height)]
        deck[height // 2] = Text(f"▒{seen.stock:^3}▒", back + stock)
        top = (
            draw_card(self.frame, self.ink, seen.top, 5, height)
            if seen.top
            else [Text(centred("–" if n == height // 2 else "", 5), "dim") for n in range(height)]
        )
        taking = self._press_kind(moves.Take) or self._press_kind(moves.Hep)
        marked = isinstance(self.chosen, moves.Take | moves.Hep)
        for line in top:
            line.stylize(taking)
        sides = [Text("»" if marked and n == height // 2 else " ", "bold") for n in range(height)]
        told = [Text("   ") + line for line in (self._counts(), self._question(), self._wait())]
        told = [*[Text()] * ((height - 3) // 2), *told, *[Text()] * ((height - 3) // 2)]
        return beside([[Text("  ")] * height, deck, sides, top, told], "")

    def _counts(self) -> Text:
        seen, say = self.frame.view, self.frame._
        stock, discards = say("stock"), say("discards")
        return Text(f"{stock} {seen.stock} · {discards} {seen.pile}", "dim")

    def _question(self) -> Text:
        seen, say = self.frame.view, self.frame._
        said = {"passed": say("You passed."), "called": say("You called: hep!")}.get(seen.answer, "")
        if seen.phase == "window" and self.frame.legal[moves.Hep] and seen.top:
            said = say("Do you want the {card}?").format(card=self.frame.card(seen.top))
        elif seen.phase == "vote":
            said = say("The others vote.")
            if self.frame.legal[moves.Vote]:
                said = say("These calls count as simultaneous. Who was first?")
        out = Text(said, self.ink.of("#f2c14e", "bright_yellow"))
        for action, move in self.frame.legal[moves.Hep]:
            if not action.tied:
                out.append(" ")
                out.append(" " + say("Hep!") + " ", Style(reverse=True, bold=True) + press(move))
        return out

    def _wait(self) -> Text:
        """Return the remaining time for calls or votes: a circle and a bar that shrink, and the seconds."""
        whole, left = self.frame.scene.pause_ms, self.frame.scene.pause_left_ms
        if not whole or left is None or self.frame.view.answered:
            return Text()
        share = max(0.0, min(1.0, left / whole))
        seconds = -(-left // 1000)
        bar = round(share * 10)
        out = Text(PIES[round(share * 4)] + " ", self.ink.of("#f2c14e", "bright_yellow"))
        out.append("▰" * bar + "▱" * (10 - bar), self.ink.of("#f2c14e", "bright_yellow"))
        told = self.frame._.many("{n} second left", "{n} seconds left", seconds).format(n=seconds)
        out.append(f" {told}")
        return out

    def piles_line(self) -> Text:
        """Return a line: the sizes of stock and pile, the top discard, and the question whether to call for it."""
        seen = self.frame.view
        out = Text("  ") + self._counts() + Text(": ")
        if seen.top:
            chip = draw_card(self.frame, self.ink, seen.top, 5, 1)[0]
            chip.stylize(self._press_kind(moves.Take) or self._press_kind(moves.Hep))
            out.append_text(chip)
        else:
            out.append("–")
        wait = self._wait()
        out.append("  ")
        out.append_text(self._question())
        if wait.plain:
            out.append("  ")
            out.append_text(wait)
        return out

    def _press_kind(self, kind: type[moves.Action]) -> Style:
        return next((press(move) for _action, move in self.frame.legal[kind]), Style())

    # --- the melds

    def melds(self) -> list[Text]:
        """Return the lines with the melds. Each owner has their own lines.

        Without melds, return lines about the end of the previous round if they are still to be shown.
        """
        seen = self.frame.view
        lines = [] if seen.melds else self._ended()
        for owner in dict.fromkeys(entry.owner for entry in seen.melds):
            name = fit(Text.assemble((f" {self.frame.name(owner)}", self.seat(owner))), WHOSE)
            line = name
            for entry in seen.melds:
                if entry.owner != owner:
                    continue
                meld = self.meld(entry)
                if line.cell_len + meld.cell_len > self.screen.width and line.cell_len > WHOSE:
                    lines.append(line)
                    line = Text(" " * WHOSE)
                line = line + meld + Text("  ")
            lines.append(line)
            if self.screen.high:
                lines.append(Text())
        return lines

    def _ended(self) -> list[Text]:
        """Return lines about the end of the previous round, but none after the viewer has acted in the new one."""
        scored = [event for event in self.frame.scene.last if isinstance(event, RoundScored)]
        if not scored or self.frame.view.phase == "over":
            return []
        told = say_event(scored[-1], self.frame.scene.names, self.frame._)
        lines = textwrap.wrap(told, max(20, self.screen.width - 4))
        return [Text(f"  {line}", self.ink.of("#f2c14e", "bright_yellow", bold=False)) for line in lines]

    def meld(self, entry: TableMeld) -> Text:
        """Return a meld with its number and its cards.

        A wild card is followed by the card that it stands for. The cards of the hand that fit the meld come
        last.
        """
        mine = getattr(self.chosen, "meld", None) == entry.number
        out = Text.assemble((f"{entry.number}", "bold reverse" if mine else "bold"), " ")
        for card, stands in zip(entry.meld.cards, entry.meld.stands, strict=True):
            chip = draw_card(self.frame, self.ink, card, 0, 1)[0]
            role = role_in(entry.meld, stands)
            out.append_text(chip)
            if role not in (card, "*"):
                out.append(f"={self._role(role)}", "dim")
            out.append(" ")
        for action, move in (*self.frame.legal[moves.Add], *self.frame.legal[moves.Swap]):
            if action.meld != entry.number:
                continue
            end = {"low": "◂", "high": "▸"}.get(getattr(action, "end", None) or "", "+")
            sign = "⇄" if isinstance(action, moves.Swap) else end
            style = Style(bold=True, reverse=action == self.chosen, underline=True) + press(move)
            which = self.frame.which(action) if isinstance(action, moves.Swap) else ""
            out.append(f"{sign}{self.frame.short(action.card)}{which}", style)
            out.append(" ")
        out.rstrip()
        return out

    def _role(self, role: Card) -> str:
        """Return the short text for the card or the rank that a wild card stands for (see :func:`.frame.role_in`)."""
        return self.frame.short(role) if role[-1] in SIGNS else self.frame.rank(role)

    # --- below the hand

    def tray_lines(self) -> list[Text]:
        """Return a line with the melds that are set aside, if there are any, and a line about the contract.

        The line about the contract either compares the picked cards with it, or says only how many cards are missing.
        :meth:`_counts_picks` decides which.
        """
        say, tray = self.frame._, self.tray
        lines = [self._asides(tray.aside)] if tray is not None and tray.aside else []
        if tray is not None and self._counts_picks(tray):
            out = Text(" ")
            for slot in tray.slots:
                out.append_text(self._slot(slot))
                out.append("  ")
            if tray.spare:
                cards = ", ".join(self.frame.card(card) for card in tray.spare)
                out.append(say("the contract has no place for {cards}").format(cards=cards), "bold")
            elif tray.lays and not tray.slots:
                out.append(say("Your contract is complete."), "dim")
            lines.append(out)
        elif "missing" in self.frame.hints:
            lines.append(Text(f" {say_lack(self.frame.hints['missing'].number, say)}", "dim"))
        else:
            lines.append(Text())
        lines[-1] = self._with_buttons(lines[-1])
        return lines

    def _counts_picks(self, tray: Tray) -> bool:
        """Return whether to compare the picked cards with the contract.

        Compare them if melds are set aside, or if at least two cards are picked. A single picked card may
        be meant for the discard, so compare it only if the viewer may not discard now.
        """
        return bool(tray.aside or tray.picked > 1 or (tray.picked and not self.frame.legal[moves.Discard]))

    def _asides(self, aside: Sequence[Aside]) -> Text:
        """Return the melds that are set aside. A click on a meld takes it back into the hand."""
        say, out = self.frame._, Text(" ")
        for n, one in enumerate(aside, 1):
            rest = write_aside([other for other in aside if other is not one])
            meld = Text(f"{n}. ", "bold")
            meld.append((say("Set") if one.meld.form == "set" else say("Run")) + " ", "bold")
            for card, stands in zip(one.meld.cards, one.meld.stands, strict=True):
                meld.append_text(draw_card(self.frame, self.ink, card, 0, 1)[0])
                if stands not in (card, "*"):
                    meld.append(f"={self.frame.short(stands)}", "dim")
                meld.append(" ")
            meld.stylize(change(("set", FIELD, rest)))
            out.append_text(meld)
            out.append(" ")
        out.append("⌫ " + say("take back"), Style(dim=True) + change(self._aside_keys()["backspace"]))
        return out

    def _with_buttons(self, line: Text) -> Text:
        """Return the line with buttons at its end: to set the picked cards aside, and to lay the contract.

        If neither button is possible and there is space, the line ends with the keys that move through the hand.
        """
        say, tray, keys = self.frame._, self.tray, self._lay_key() | self._aside_keys()
        buttons = Text()
        if "minus" in keys:
            buttons.append(
                " - " + say("Put aside as a meld") + " ", Style(reverse=True) + change(keys["minus"])
            )
        if "plus" in keys:
            label = say("Lay the contract")
            if tray is not None and tray.lays:
                label = say("Lay these melds") if tray.aside else say("Lay these cards")
            buttons.append(" " if buttons.plain else "")
            buttons.append(f" + {label} ", Style(reverse=True, bold=True) + change(keys["plus"]))
        if not buttons.plain and len(self.frame.view.hand) > 1:
            buttons.append("← → " + say("Space") + "  . < >  ?", "dim")
            if line.cell_len + buttons.cell_len + 2 > self.screen.width:
                return line
        return fit(line, max(0, self.screen.width - buttons.cell_len - 1)) + buttons

    def _aside_keys(self) -> dict[str, Step]:
        """Return up to two keys, each with its effect.

        If the picked cards are a meld, one key sets them aside. If melds are set aside, the other key takes back the
        last of these melds.
        """
        tray, found = self.tray, dict[str, Step]()
        if tray is None:
            return found
        if tray.aside:
            found["backspace"] = ("set", FIELD, write_aside(tray.aside[:-1]))
        one = make_aside(tuple(self.row.picked), self.frame.view, tray.aside) if tray.meld else None
        if one is not None and not (tray.lays and not tray.aside):
            found["minus"] = ("set", FIELD, write_aside((*tray.aside, one)))
        return found

    def _slot(self, slot: Slot) -> Text:
        say = self.frame._
        out = Text("✓" if slot.done else "·", "bold")
        out.append((say("Set") if slot.form == "set" else say("Run")) + " ", "bold")
        for card, stands in zip(slot.cards, slot.stands, strict=True):
            out.append_text(draw_card(self.frame, self.ink, card, 0, 1)[0])
            if stands not in (card, "*"):
                out.append(f"={self.frame.short(stands)}", "dim")
            out.append(" ")
        if not slot.done:
            told = say.many("{n} missing", "{n} missing", slot.missing).format(n=slot.missing)
            if slot.form == "run" and slot.wants:
                told += ": " + ", ".join(self.frame.card(card) for card in slot.wants)
            out.append(told, "dim")
        return out

    def _lay_key(self) -> dict[str, Step]:
        """Return the key that lays the contract, with its effect, or an empty dictionary if it can't be laid.

        If several cards are picked or melds are set aside, the key lays these. Otherwise it lays the planner's melds.
        """
        if not (self.frame.legal[moves.OpenSet] or self.frame.legal[moves.OpenRun]):
            return {}
        if self.tray is not None and (self.tray.picked > 1 or self.tray.aside):
            whole = self.tray.lays and not (self.tray.aside and self.tray.picked)
            return {"plus": ("send", "do", "lay")} if whole else {}
        if "lay" in self.frame.hints:
            return {"plus": ("play", "", self.frame.hints["lay"].text)}
        return {}

    # --- the end, and the past

    def hands(self) -> list[Text]:
        """Return the lines with all hands, if the viewer may see them."""
        lines = []
        for seat, hand in enumerate(self.frame.view.shown or ()):
            line = fit(Text(f" {self.frame.name(seat)}", self.seat(seat)), WHOSE)
            for card in hand:
                line.append_text(draw_card(self.frame, self.ink, card, 0, 1)[0])
                line.append(" ")
            lines.append(line)
        return lines

    def sheet(self) -> list[Text]:
        """Return the lines with the points of the finished rounds."""
        seen = self.frame.view
        if not seen.sheet:
            return []
        wide = max(7, min(14, (self.screen.width - 24) // seen.seats))
        head = Text(" " * 22)
        for seat in range(seen.seats):
            head.append(fit(Text(self.frame.name(seat)), wide - 1).plain.rjust(wide), self.seat(seat))
        lines = [head]
        for lap, points in enumerate(seen.sheet):
            line = fit(Text(f" {lap + 1} {self.frame.contract(seen.contracts[lap])}", "dim"), 22)
            for seat, number in enumerate(points):
                won = seen.winners[lap] == seat
                line.append(f"{number:>{wide - 1}}{'★' if won else ' '}", "bold" if won else "")
            lines.append(line)
        total = fit(Text(" " + self.frame._("points"), "bold"), 22)
        for seat in range(seen.seats):
            total.append(f"{seen.totals[seat]:>{wide - 1}} ", "bold")
        return [*lines, total]


def render_screen(scene: Scene, screen: Screen) -> Text:
    """Return the board for a terminal of any size."""
    return Table(scene, screen).draw()
