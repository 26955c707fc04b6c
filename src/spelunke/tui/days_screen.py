"""The screen of the game of the day: the list of games, and the results of all people on a day."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spelunke.tui.client import Client, Json
from spelunke.tui.desk import Refused
from spelunke.tui.list_screen import ListScreen
from spelunke.tui.live import LiveDesk
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.widgets import Keys
from spelunke.tui.words import translate as _

TODAY = "today"


class DaysScreen(ListScreen):
    """The games of a day, and the results of the highlighted game. ← and → go to other days."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(1)", show=False),
        Binding("right", "turn(-1)", show=False),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.looks: dict[str, dict[str, Json]] = {}
        self.streak: dict[str, Json] | None = None
        self._days = [TODAY]
        self._place = 0

    def compose_below(self) -> ComposeResult:
        """Make the area that shows the results."""
        with VerticalScroll(id="standings", can_focus=False):
            yield Static(id="results")

    def head(self) -> tuple[str, str]:
        """Return the texts at the left and the right end of the first line."""
        day = next((look["day"]["day"] for look in self.looks.values()), "")
        return _("Game of the day {day}").format(day=day), self.client.house

    def keys(self) -> Keys:
        """Return the keys of this screen."""
        return (
            ("Enter", _("play"), "open"),
            ("←", _("the day before"), "turn(1)"),
            ("→", _("the next day"), "turn(-1)"),
            ("R", _("refresh"), "refresh"),
            ("Q", _("back"), "leave"),
        )

    @work(exclusive=True, group="list")
    async def action_refresh(self) -> None:
        """Fetch the games of the day that is shown."""
        day = self._days[self._place]
        try:
            today = await self.client.ask("GET", "/daily")
            names = [one["day"]["game"] for one in today["games"]]
            looks = {}
            for name in names:
                looks[name] = await self.client.ask("GET", f"/daily/{name}/{day}")
        except Refused as error:
            self.tell(str(error))
            return
        self.looks, self.streak = looks, today["streak"]
        past = {one for look in looks.values() for one in look["archive"]}
        self._days = [TODAY, *sorted(past, reverse=True)]
        self._list()
        self.fit()

    def _list(self) -> None:
        state = ""
        if self.streak is not None and self.streak["longest"]:
            text = _("Days in a row: {now}. Longest series: {longest}.")
            state = text.format(now=self.streak["now"], longest=self.streak["longest"])
        if self._place:
            state = _("This day is over. You can still play its game, but the result doesn't count.")
        elif not self.client.token:
            state = _("Log in to play today's game. As a guest, you can play only past days.")
        self.tell(state)
        self.fill(Option(_write_day(look), id=name) for name, look in self.looks.items())

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the results of the highlighted game."""
        if event.option_id in self.looks:
            self.query_one("#results", Static).update(_write_results(self.looks[event.option_id]))

    @work(exclusive=True, group="open")
    async def open_entry(self, name: str) -> None:
        """Begin or continue the game ``name`` of the day that is shown."""
        if not self.client.token:
            self.tell(_("Log in to play today's game. As a guest, you can play only past days."))
            return
        try:
            day = self.looks[name]["day"]["day"]
            made = await self.client.ask("POST", f"/daily/{name}/{day}")
            desk = await LiveDesk.open(self.client, str(made["table"]))
        except Refused as error:
            self.tell(str(error))
            return
        self.app.push_screen(TableScreen(desk))

    def action_turn(self, step: int) -> None:
        """Show the previous day if ``step`` is 1, or the next day if ``step`` is -1."""
        place = min(len(self._days) - 1, max(0, self._place + step))
        if place != self._place:
            self._place = place
            self.action_refresh()


def _write_day(look: dict[str, Json]) -> Text:
    own, text = look["own"], Text("   ", no_wrap=True, overflow="ellipsis")
    text.append(f"{look['title']:<24.24} ", "bold" if own is None else "")
    text.append(_.many("{n} result", "{n} results", look["count"]).format(n=look["count"]).ljust(14))
    if own is None:
        state = _("not played yet")
    elif not own["over"]:
        state = _("started: press Enter to continue")
    elif own["rank"] is None:
        state = _("played, but it doesn't count")
    else:
        state = _("rank {rank} of {count}").format(rank=own["rank"], count=own["count"])
    text.append("  " + state, "bold" if own is not None and not own["over"] else "")
    return text


def _write_results(look: dict[str, Json]) -> Text:
    """Return the table of results, the best first, with the person's own line in bold."""
    if not look["results"]:
        hidden = _("You will see the results when you have played.") if look["count"] else ""
        return Text(hidden or _("There are no results yet."), "dim")
    text = Text(no_wrap=True, overflow="ellipsis")
    heads = [_("Rank"), _("Name"), _("Table rank"), _("Lead"), _("Above average")]
    text.append("{:>6}  {:<24.24} {:>12.12}  {:>10.10}  {:>13.13}\n".format(*heads), "dim")
    for one in look["results"]:
        line = f"{one['rank']:>6}  {one['name']:<24.24} {one['place']:>12}"
        line += f"  {one['lead']:>+10.1f}  {one['more']:>+13.1f}"
        text.append(line + (" ◀" if one["you"] else "") + "\n", "bold" if one["you"] else "")
    text.rstrip()
    return text
