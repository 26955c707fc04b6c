"""The screens for problems: a list of a game's problems, and a problem with its board, its answer and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static
from textual.widgets.option_list import Option

from spelunke.tui.client import Client, Json
from spelunke.tui.desk import Moment, Refused
from spelunke.tui.list_screen import ListScreen
from spelunke.tui.problem_desk import ProblemDesk, write_chance
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.widgets import KeyBar, Keys
from spelunke.tui.words import translate as _


class ProblemScreen(TableScreen):
    """A problem. After the answer, the screen shows the value of each choice, and reasons for the highlighted choice.

    ``order`` has the ids of all problems in the list from which the person opened this problem.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("N", "next", show=False)]

    def __init__(self, desk: ProblemDesk, order: Sequence[str] = ()) -> None:
        super().__init__(desk)
        self.problem = desk
        self._order = list(order)

    def _label(self, move: str, spare: int = 0) -> Text:
        worth = self.problem.worth(move)
        if worth is None:
            return super()._label(move, spare)
        mark = "✓" if worth["right"] else "×"
        mine = " ◀" if move == self.problem.answered else ""
        told = f"  {mark} {write_chance(worth['chance'])}{mine}"
        label = super()._label(move, spare + len(told))
        label.append(told, "bold" if worth["right"] else "")
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

    def _scroll_log(self) -> None:
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


class ProblemsScreen(ListScreen):
    """The problems that a server has for one game. ← and → switch to the previous and the next game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("t", "today", show=False),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.games: list[str] = []
        self.found: dict[str, Json] | None = None
        self._place = 0

    def head(self) -> tuple[str, str]:
        """Return the texts at the left and the right end of the first line."""
        title = self.found["title"] if self.found else ""
        return _("Problems") + (f" · {title}" if title else ""), self.client.house

    def keys(self) -> Keys:
        """Return the keys of this screen."""
        return (
            ("Enter", _("open"), "open"),
            ("T", _("problem of the day"), "today"),
            ("← →", _("another game"), "turn(1)"),
            ("Q", _("back"), "leave"),
        )

    @work(exclusive=True, group="list")
    async def action_refresh(self) -> None:
        """Fetch the problems of the game that is shown."""
        try:
            if not self.games:
                self.games = [one["name"] for one in (await self.client.ask("GET", "/games"))["games"]]
            self.found = await self.client.ask("GET", f"/problems/{self.games[self._place]}")
        except Refused as error:
            self.tell(str(error))
            self.entries.clear_options()
        else:
            self._list(self.found)
        self.fit()

    def _list(self, found: dict[str, Json]) -> None:
        solved = sum(bool(one["solved"]) for one in found["problems"])
        state = _("{solved} of {all} solved.").format(solved=solved, all=len(found["problems"]))
        if found["solver"] is not None:
            told = _("Your problem rating: {points} ± {margin}")
            solver = found["solver"]
            state += " " + told.format(points=solver["points"], margin=solver["either_side"])
        self.tell(state)
        first = next((n for n, one in enumerate(found["problems"]) if not one["solved"]), 0)
        self.fill(
            (
                Option(_write_problem(one, today=one["id"] == found["today"]), id=one["id"])
                for one in found["problems"]
            ),
            first,
        )

    def action_turn(self, step: int) -> None:
        """Show the problems of the next or the previous game."""
        if self.games:
            self._place = (self._place + step) % len(self.games)
            self.entries.clear_options()
            self.action_refresh()

    def action_today(self) -> None:
        """Open the problem of the day."""
        if self.found is not None:
            self.open_entry(self.found["today"])

    @work(exclusive=True, group="open")
    async def open_entry(self, name: str) -> None:
        """Fetch a problem and show its board."""
        assert self.found is not None
        try:
            desk = await ProblemDesk.open(self.client, self.found["game"], name)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.app.push_screen(ProblemScreen(desk, [one["id"] for one in self.found["problems"]]))


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
