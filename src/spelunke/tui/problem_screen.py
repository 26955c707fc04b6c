"""The screens of problems: the list of a game, and a problem with its board, its answer and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.client import Client, Json
from spelunke.tui.desk import Moment, Refused
from spelunke.tui.problem_desk import ProblemDesk, write_chance
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.widgets import Fitting, Headline, KeyBar
from spelunke.tui.words import translate as _


class ProblemScreen(TableScreen):
    """A problem. After the answer, each choice shows its value, and the marked choice also shows its reasons.

    ``order`` are the ids of the problems in the list from which this one was opened.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("N", "next", show=False)]

    def __init__(self, desk: ProblemDesk, order: Sequence[str] = ()) -> None:
        super().__init__(desk)
        self.problem = desk
        self._order = list(order)

    def _label(self, move: str) -> Text:
        label, worth = super()._label(move), self.problem.worth(move)
        if worth is not None:
            mark = "✓" if worth["right"] else "×"
            mine = " ◀" if move == self.problem.answered else ""
            label.append(f"  {mark} {write_chance(worth['chance'])}{mine}", "bold" if worth["right"] else "")
        return label

    def _tell_effect(self, move: str | None) -> None:
        worth = self.problem.worth(move) if move else None
        if worth is None:
            super()._tell_effect(move)
        else:
            text = " ".join(worth["why"]) or worth["told"]
            self.query_one("#effect", Static).update(Text(text))

    def _show_choices(self, moment: Moment) -> None:
        super()._show_choices(moment)
        if self.problem.explained is not None:
            self.query_one("#prompt", Static).update(Text(moment.turn, "bold"))

    def _show_log(self, moment: Moment) -> None:
        super()._show_log(moment)
        self.query_one("#logged", VerticalScroll).scroll_home(animate=False)

    def _show_keys(self, moment: Moment) -> None:
        keys = [("↑↓ Enter", _("choose"), "choose"), (":", _("type"), "type")]
        if self.problem.explained is not None:
            keys = [("↑↓", _("value of each move"), "log"), ("L", _("all values"), "log")]
        if len(self._order) > 1:
            keys.append(("N", _("next problem"), "next"))
        self.query_one("#keys", KeyBar).show(
            (*keys, ("?", _("help"), "help"), ("q", _("leave"), "leave")),
        )

    @work(group="open", exclusive=True)
    async def action_next(self) -> None:
        """Open the next problem of the list."""
        if not self._order:
            return
        problem = self.problem.problem
        here = self._order.index(problem["id"]) if problem["id"] in self._order else -1
        following = self._order[(here + 1) % len(self._order)]
        try:
            desk = await ProblemDesk.open(self.problem.client, problem["game"], following)
        except Refused as error:
            self.refuse(str(error))
            return
        self.app.switch_screen(ProblemScreen(desk, self._order))


class ProblemsScreen(Fitting, Screen[None]):
    """The problems of one game of a server. ← and → go to the other games."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("t", "today", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self.client = client
        self.games: list[str] = []
        self.found: dict[str, Json] | None = None
        self._place = 0

    def compose(self) -> ComposeResult:
        """Make the list."""
        yield Headline(id="head")
        yield Static(id="state")
        yield OptionList(id="tables")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fetch the first list."""
        self.query_one("#tables").focus()

    def on_screen_resume(self) -> None:
        """Fetch the list again after the person has answered a problem."""
        self.fetch()

    def fit(self) -> None:
        """Write the first line and the keys again for the new width."""
        title = self.found["title"] if self.found else ""
        self.query_one("#head", Headline).show(
            _("Problems") + (f" · {title}" if title else ""), self.client.house
        )
        self.query_one("#keys", KeyBar).show(
            (
                ("Enter", _("open"), "open"),
                ("T", _("problem of the day"), "today"),
                ("← →", _("other game"), "turn(1)"),
                ("Q", _("back"), "leave"),
            )
        )

    @work(exclusive=True, group="list")
    async def fetch(self) -> None:
        """Fetch the problems of the game that is shown."""
        try:
            if not self.games:
                self.games = [one["name"] for one in (await self.client.ask("GET", "/games"))["games"]]
            self.found = await self.client.ask("GET", f"/problems/{self.games[self._place]}")
        except Refused as error:
            self.query_one("#state", Static).update(Text(str(error)))
            self.query_one("#tables", OptionList).clear_options()
        else:
            self._list(self.found)
        self.fit()

    def _list(self, found: dict[str, Json]) -> None:
        solved = sum(bool(one["solved"]) for one in found["problems"])
        state = _("{solved} of {all} solved.").format(solved=solved, all=len(found["problems"]))
        if found["solver"] is not None:
            told = _("Your rating at problems: {points} ± {margin}")
            solver = found["solver"]
            state += " " + told.format(points=solver["points"], margin=solver["either_side"])
        self.query_one("#state", Static).update(Text(state))
        listed = self.query_one("#tables", OptionList)
        before = listed.highlighted
        listed.clear_options()
        for one in found["problems"]:
            listed.add_option(Option(_write_problem(one, today=one["id"] == found["today"]), id=one["id"]))
        first = next((n for n, one in enumerate(found["problems"]) if not one["solved"]), 0)
        listed.highlighted = first if before is None else min(before, listed.option_count - 1)

    def action_turn(self, step: int) -> None:
        """Show the problems of the next or the previous game."""
        if self.games:
            self._place = (self._place + step) % len(self.games)
            self.query_one("#tables", OptionList).clear_options()
            self.fetch()

    def action_open(self) -> None:
        """Open the highlighted problem."""
        self.query_one("#tables", OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the selected problem."""
        if event.option_id:
            self.open_problem(event.option_id)

    def action_today(self) -> None:
        """Open the problem of the day."""
        if self.found is not None:
            self.open_problem(self.found["today"])

    @work(exclusive=True, group="open")
    async def open_problem(self, problem: str) -> None:
        """Fetch a problem and show its board."""
        assert self.found is not None
        try:
            desk = await ProblemDesk.open(self.client, self.found["game"], problem)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.app.push_screen(ProblemScreen(desk, [one["id"] for one in self.found["problems"]]))

    def action_leave(self) -> None:
        """Go back to the tables."""
        self.dismiss()


def _write_problem(one: dict[str, Json], *, today: bool) -> Text:
    mark = {None: " ", True: "✓", False: "×"}[one["solved"]]
    text = Text(f" {mark} {one['number']:>3}  ", no_wrap=True, overflow="ellipsis")
    text.append("◆" * one["difficulty"] + "◇" * (3 - one["difficulty"]))
    text.append("  " + _("Round {n}").format(n=one["part"]).ljust(12))
    text.append(one["theme"], "bold" if not one["solved"] else "")
    if one["rating"] is not None:
        text.append("  " + _("rating {points}").format(points=one["rating"]["points"]), "dim")
    if today:
        text.append("  " + _("problem of the day"), "bold")
    return text
