"""The screens in which a person enters a server's address, logs in there, and opens or makes a table."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import Input
from textual.widgets.option_list import Option

from spelunke.tui.ask import AskSheet
from spelunke.tui.client import Client, Json, LoggedOut, read_house, read_link
from spelunke.tui.desk import Refused
from spelunke.tui.list_screen import ListScreen
from spelunke.tui.lists import fetch_lists, list_titles, say_state
from spelunke.tui.live import LiveDesk
from spelunke.tui.offers import read_offers
from spelunke.tui.plan_screen import PlanScreen
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.tokens import keep_token, known_houses, load_token
from spelunke.tui.widgets import Keys
from spelunke.tui.words import translate as _


class AddressSheet(AskSheet):
    """An input line for the address of a server."""

    def __init__(self) -> None:
        houses = known_houses()
        super().__init__(
            _("The address of the server, such as https://spelunke.example:"), houses[0] if houses else ""
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Show the tables of the server at the submitted address."""
        event.stop()
        event.prevent_default()
        try:
            house = read_house(event.value)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.app.switch_screen(HouseScreen(Client(house, load_token(house))))


class HouseScreen(ListScreen):
    """The tables of a server: the person's own tables, tables with free seats, and running games."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "make", show=False),
        Binding("j", "join", show=False),
        Binding("c", "log_in", show=False),
        Binding("g", "guest", show=False),
        Binding("p", "problems", show=False),
        Binding("d", "days", show=False),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.name_there = ""
        self.lines: dict[str, dict[str, Json]] = {}

    def on_mount(self) -> None:
        """Fetch the lists of tables every 10 s."""
        self.set_interval(10, self.action_refresh)

    def head(self) -> tuple[str, str]:
        """Return the texts at the left and the right end of the first line."""
        return self.client.house, self.name_there

    def keys(self) -> Keys:
        """Return the keys of this screen."""
        study = [("D", _("day"), "days"), ("P", _("problems"), "problems")]
        join = ("J", _("open link"), "join")
        log_in = ("C", _("log in"), "log_in")
        if self.client.token:
            keys = [("Enter", _("open"), "open"), ("N", _("new table"), "make"), *study, join, log_in]
        else:
            keys = [log_in, ("G", _("play as a guest"), "guest"), *study, ("Enter", _("open"), "open"), join]
        return (*keys, ("R", _("refresh"), "refresh"), ("Q", _("back"), "leave"))

    async def on_unmount(self) -> None:
        """Close the connections."""
        await self.client.close()

    @work(exclusive=True, group="list")
    async def action_refresh(self) -> None:
        """Fetch the lists of tables and show them, unless another screen is on top."""
        if not self.is_current:
            return
        try:
            if self.client.token:
                self.name_there = await self.client.ask_name()
            found = await fetch_lists(self.client)
        except LoggedOut as error:
            self.client.token = None
            keep_token(self.client.house, None)
            self.tell(str(error))
        except Refused as error:
            self.tell(str(error))
        else:
            hint = "" if self.client.token else _("For now, you can only watch. Log in, or play as a guest.")
            self.tell(hint)
            self._list(found)
        self.fit()

    def _list(self, found: dict[str, list[dict[str, Json]]]) -> None:
        titles, options = list_titles(), []
        self.lines = {}
        for name, lines in found.items():
            options.append(Option(Text(titles[name], "bold"), disabled=True))
            if not lines:
                options.append(Option(Text("   " + _("none"), "dim"), disabled=True))
            for line in lines:
                self.lines[line["table"]] = line
                options.append(Option(_write_line(line), id=line["table"]))
        self.fill(options, first=1)

    def open_entry(self, name: str) -> None:
        """Open a table."""
        self.open_table(name)

    @work(exclusive=True, group="open")
    async def open_table(self, table: str, invite: str = "", sit: bool = False) -> None:
        """Open a table. If ``sit`` is true, or if the server offers this person a seat, first sit down there.

        A person who is not logged in only watches. ``invite`` is the invitation from a link, or empty.
        """
        try:
            desk = await LiveDesk.open(self.client, table)
            may = set(desk.look["may"])
            if (sit or "sit_down" in may) and self.client.token and desk.look["seat"] is None:
                await self.client.insist(f"/tables/{table}/join", {"invite": invite} if invite else {})
                desk = await LiveDesk.open(self.client, table)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.app.push_screen(TableScreen(desk))

    def action_make(self) -> None:
        """Let the person choose a game, and make a new table for it."""
        if self.client.token:
            self.make()
        else:
            self.tell(_("First log in, or play as a guest."))

    @work(exclusive=True, group="open")
    async def make(self) -> None:
        """Fetch the games of the server, and let the person plan a table."""
        try:
            offers = read_offers(await self.client.ask("GET", "/games"))
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        if offers:
            self.app.push_screen(PlanScreen(self.client, offers), self._made)
        else:
            self.notify(_("None of this server's games is installed here."), severity="warning")

    def _made(self, table: str | None) -> None:
        if table is not None:
            self.open_table(table)

    def action_join(self) -> None:
        """Ask for the link of a table, and open the table.

        If the link has an invitation, first sit down at the table.
        """
        self.app.push_screen(AskSheet(_("The link of a table, or its id:")), self._join)

    def _join(self, link: str | None) -> None:
        if link:
            table, invite = read_link(link)
            self.open_table(table, invite, sit=bool(invite))

    def action_log_in(self) -> None:
        """Ask the person for a login link, and log in with it.

        The account page in the browser shows such a link after a click on "Use another device too".
        """
        text = _(
            "Open {address} in the browser and choose “Use another device too”. Then paste the link from that page"
            " here. It works once, within ten minutes."
        )
        self.app.push_screen(AskSheet(text.format(address=f"{self.client.house}/me/account")), self._log_in)

    def _log_in(self, code: str | None) -> None:
        if code:
            self.come("/me/devices/link", {"code": code.rsplit("/", 1)[-1], "label": _("A terminal")})

    def action_problems(self) -> None:
        """Show the problems."""
        from spelunke.tui.problem_screen import ProblemsScreen

        self.app.push_screen(ProblemsScreen(self.client))

    def action_days(self) -> None:
        """Show the game of the day."""
        from spelunke.tui.days_screen import DaysScreen

        self.app.push_screen(DaysScreen(self.client))

    def action_guest(self) -> None:
        """Play as a guest, without an account."""
        if not self.client.token:
            self.come("/guests", {})

    @work(exclusive=True, group="login")
    async def come(self, path: str, body: dict[str, object]) -> None:
        """Send a request that logs in or makes a guest, and store the token from the server's answer."""
        try:
            me = await self.client.ask("POST", path, body)
        except Refused as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.client.token = str(me["token"])
        keep_token(self.client.house, self.client.token)
        self.action_refresh()


def _write_line(line: dict[str, Json]) -> Text:
    names = ", ".join(name or "…" for name in line["seats"])
    text = Text("   ", no_wrap=True, overflow="ellipsis")
    text.append("▶ " if line["yours"] else "  ", "bold")
    text.append(f"{line['title']:<22.22} ", "bold" if line["yours"] else "")
    text.append(names)
    text.append("  " + say_state(line), "bold" if line["yours"] else "")
    return text
