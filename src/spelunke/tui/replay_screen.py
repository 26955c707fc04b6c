"""The replay of a record: the board at each ply as any seat saw it, and an analysis with a chart and advice."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static

from spelunke.analysis.analysis import Analysis, by_share
from spelunke.boards.scene import Arrow, Scene
from spelunke.boards.screen import Screen as Room
from spelunke.core.errors import SpelunkeError
from spelunke.games.match import Match
from spelunke.records.record import Record, parse_record
from spelunke.records.replay import replay
from spelunke.records.viewer import MatchViewer
from spelunke.tui.ask import AskSheet
from spelunke.tui.chart import draw_chart, find_decision, list_totals
from spelunke.tui.themes import colours_of
from spelunke.tui.widgets import Fitting, Headline, KeyBar
from spelunke.tui.words import game_words, say_refusal
from spelunke.tui.words import translate as _

LARGEST = 16 << 20
LOW, TALL = 3, 7
"""The numbers of lines of the chart in a small and in a large terminal."""
ROOMY = 34
"""The minimum number of lines of a terminal that counts as large."""


class FileSheet(AskSheet):
    """An input line for the path of a record's file."""

    def __init__(self) -> None:
        super().__init__(_("Path of the record file:"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open the record in the named file, and replay it."""
        event.stop()
        event.prevent_default()
        try:
            file = Path(event.value.strip()).expanduser()
            if file.stat().st_size > LARGEST:
                raise ValueError
            record = parse_record(file.read_bytes())
            screen = ReplayScreen(record)
        except (OSError, RuntimeError):  # expanduser raises RuntimeError for an unknown user
            self.notify(_("That file can't be read."), severity="warning")
        except (SpelunkeError, ValueError) as error:
            self.notify(say_refusal(error) or _("That file is too large."), severity="warning", markup=False)
        else:
            self.app.switch_screen(screen)


class ReplayScreen(Fitting, Screen[None]):
    """A recorded game, ply by ply, as one seat saw it.

    The key ``e`` switches to the viewpoint of the next seat.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", show=False),
        Binding("right", "go(1)", show=False),
        Binding("pageup", "go(-10)", show=False),
        Binding("pagedown", "go(10)", show=False),
        Binding("home", "edge(0)", show=False),
        Binding("end", "edge(1)", show=False),
        Binding("e", "eyes", show=False),
        Binding("a", "analyse", show=False),
        Binding("n", "error", show=False),
        Binding("t", "totals", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
        self.match = replay(record)
        self.names = tuple(seat.name for seat in record.seats)
        self.plies = self.match.ply
        self.ply = 0
        self.eyes = 0
        self.analysis: Analysis | None = None
        self._working = False

    def compose(self) -> ComposeResult:
        """Make the parts of the screen."""
        yield Headline(id="head")
        yield Static(id="past")
        yield Static(id="chart")
        with Horizontal(id="telling"):
            with VerticalScroll(can_focus=False):
                yield Static(id="told")
            yield Static(id="advice")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show the keys."""
        self.query_one("#keys", KeyBar).show(
            (
                ("←", _("back"), "go(-1)"),
                ("→", _("forward"), "go(1)"),
                ("E", _("viewpoint"), "eyes"),
                ("A", _("analyse"), "analyse"),
                ("N", _("next error"), "error"),
                ("T", _("totals"), "totals"),
                ("Q", _("leave"), "leave"),
            )
        )

    def fit(self) -> None:
        """Draw the board again for the new size."""
        self.call_after_refresh(self._show)

    def _scene(self, match: Match) -> Scene:
        viewer = MatchViewer(match, self.eyes)
        arrows = []
        found = self._decision()
        if found is not None and found[1] != found[0]:
            arrows = [Arrow("chosen", match.parse(found[1]))]
        return Scene(
            view=viewer.view,
            seat=self.eyes,
            names=self.names,
            last=viewer.last(),
            actors=match.actors,
            over=match.over,
            outcome=match.outcome,
            translate=game_words(match.game),
            arrows=tuple(arrows),
            past=True,
        )

    def _show(self) -> None:
        past = self.query_one("#past", Static)
        if not past.content_size.width:
            return
        match = replay(self.record, self.ply)
        text = _("position {ply} of {plies}, as {name} saw it")
        where = text.format(ply=self.ply, plies=self.plies, name=self.names[self.eyes])
        self.query_one("#head", Headline).show(match.game.title, where)
        room = Room(past.content_size.width, past.content_size.height, colours_of())
        past.update(match.game.hooks.render_screen(self._scene(match), room))
        self._show_told(match)
        self._show_chart()
        self._show_advice()

    def _show_told(self, match: Match) -> None:
        viewer, words = MatchViewer(match, self.eyes), game_words(match.game)
        text = Text()
        told = viewer.history(max(0, self.ply - 12), names=self.names, translate=words)
        for line in told[-6:]:
            text.append(f"{line.ply + 1:>4} ", "dim")
            text.append(line.text + "\n", "bold" if line.ply == self.ply - 1 else "")
        text.rstrip()
        self.query_one("#told", Static).update(text)
        self.query_one("#telling VerticalScroll", VerticalScroll).scroll_end(animate=False)

    def _show_chart(self) -> None:
        """Draw the chart of the chance to win, for the seat whose viewpoint is shown."""
        chart = self.query_one("#chart", Static)
        if self.analysis is None:
            chart.display = self._working
            chart.styles.height = 1
            chart.update(Text(_("Analysing …"), "dim"))
            return
        height = TALL if self.app.size.height >= ROOMY else LOW
        if chart.styles.height is None or chart.styles.height.value != height or not chart.display:
            chart.display, chart.styles.height = True, height
            self.call_after_refresh(self._show)  # the board has less space now
        drawn = draw_chart(self.analysis, self.eyes, self.ply, chart.content_size.width, height)
        chart.update(drawn)

    def _decision(self) -> tuple[str, str] | None:
        """Return the move that was played next, and the best move.

        If there is no analysis, or if :func:`find_decision` finds no decision for the next ply, return None.
        """
        if self.analysis is None:
            return None
        found = find_decision(self.analysis, self.ply)
        return None if found is None else (found.played, found.advised.move)

    def _show_advice(self) -> None:
        text = Text()
        if self.analysis is not None:
            here = self.analysis.curve[min(self.ply, len(self.analysis.curve) - 1)]
            for seat, name in enumerate(self.names):
                text.append(
                    f"{name[:14]} {100 * here.chance[seat]:.0f} %   ", "bold" if seat == self.eyes else ""
                )
            decision = find_decision(self.analysis, self.ply)
            if decision is not None:
                for one in by_share(decision.alternatives)[:3]:
                    mark = "▶" if one.move == decision.played else " "
                    text.append(f"\n{mark} {one.move}  {100 * one.value.chance:.0f} %")
                if decision.mark:
                    cost = _("{move} was played: this lowers the chance to win by {cost} percentage points")
                    told = cost.format(move=decision.played, cost=round(100 * decision.cost_chance))
                    text.append(f"\n! {told}", "bold")
        self.query_one("#advice", Static).update(text)

    def action_go(self, plies: int) -> None:
        """Go forwards or backwards by this number of plies."""
        self.ply = min(self.plies, max(0, self.ply + plies))
        self._show()

    def action_edge(self, end: int) -> None:
        """Go to the end of the game, or to its beginning if ``end`` is 0."""
        self.ply = self.plies if end else 0
        self._show()

    def action_eyes(self) -> None:
        """Switch to the viewpoint of the next seat."""
        self.eyes = (self.eyes + 1) % len(self.names)
        self._show()

    def action_error(self) -> None:
        """Go to the next decision that is marked as an error. After the last error, go to the first.

        If there is no analysis yet, start one.
        """
        if self.analysis is None:
            self.action_analyse()
            return
        marked = [decision.ply for decision in self.analysis.decisions if decision.mark]
        later = [ply for ply in marked if ply > self.ply]
        if later or marked:
            self.ply = (later or marked)[0]
            self._show()

    def action_totals(self) -> None:
        """Show the errors and the luck of each seat, and the turning points. If there is no analysis yet, start one."""
        from spelunke.tui.log_screen import LogScreen

        if self.analysis is None:
            self.action_analyse()
        else:
            self.app.push_screen(LogScreen(list_totals(self.analysis, self.names), _("The game in numbers")))

    def action_analyse(self) -> None:
        """Analyse the game. This may take a minute."""
        if self.analysis is None and not self._working:
            self._working = True
            self._show_chart()
            self._analyse()

    @work(thread=True, exclusive=True, group="analysis")
    def _analyse(self) -> None:
        from spelunke.solvers.analysis import analyse

        try:
            found = analyse(self.match, self.names)
        except SpelunkeError as error:
            self.app.call_from_thread(self._refused, str(error))
            return
        self.app.call_from_thread(self._analysed, found)

    def _analysed(self, found: Analysis) -> None:
        self.analysis, self._working = found, False
        self._show()

    def _refused(self, reason: str) -> None:
        self._working = False
        self._show_chart()
        self.notify(reason, severity="warning", markup=False)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()
