"""The command ``spelunke play --house``: play at the tables of a server, line by line."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from spelunke.cli.house_table import HouseTable
from spelunke.cli.house_words import AT_LISTS, list_commands, read_command, typed
from spelunke.cli.lines import Lines
from spelunke.cli.output import verify_command
from spelunke.cli.words import translate as _
from spelunke.core.digits import is_number
from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.tui.client import Client, Json, LoggedOut, Unreachable, read_house, read_link
from spelunke.tui.lists import fetch_lists, list_titles, say_state
from spelunke.tui.live import LiveDesk
from spelunke.tui.tokens import keep_token, load_token
from spelunke.tui.words import translate as of_screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The table to open first: a new table of ``game``, the existing ``table``, or none."""

    game: Game | None = None
    table: str = ""
    seats: int | None = None
    seat: int = 0
    level: str | None = None
    options: dict[str, object] = field(default_factory=dict)
    name: str = ""

    def plan(self) -> dict[str, object]:
        """Return the settings of the new table, as the API expects them."""
        assert self.game is not None
        return make_plan(self.game, self.level, self.seats, self.seat) | {"options": self.options}


def make_plan(
    game: Game, level: str | None = None, seats: int | None = None, seat: int = 0
) -> dict[str, object]:
    """Return the settings of a table against bots, as the API expects them."""
    from spelunke.bots.levels import default_level

    words = [f"bot:{level or default_level(game)}"] * (seats or game.usual_seats)
    words[seat] = "me"
    return {"game": game.name, "seats": words}


def play_at(address: str, wish: Wish, *, json: bool, save: str | None) -> None:
    """Play at the tables of a server until the person leaves.

    Raise Refused if ``address`` is not an address, if the server refuses the table of ``wish``, if the server can't
    be reached, or if the server ends the login. Print any other refusal and go on.
    """
    house = read_house(address)
    asyncio.run(_play(Client(house, load_token(house)), wish, Lines(json), save))


async def _play(client: Client, wish: Wish, lines: Lines, save: str | None) -> None:
    try:
        await HousePlay(client, lines, save).run(wish)
    except LoggedOut:
        keep_token(client.house, None)
        raise
    finally:
        await client.close()


class HousePlay:
    """A session on a server: the person lists tables, opens them and plays."""

    def __init__(self, client: Client, lines: Lines, save: str | None = None) -> None:
        self._client = client
        self._lines = lines
        self._save = save
        self._listed: list[str] = []
        # the tables whose records are saved, and their files
        self._saved: dict[str, str] = {}

    async def run(self, wish: Wish) -> None:
        """Open the table of ``wish``, if any. Then run each line that the person types, until they leave."""
        if wish.game is not None:
            await self._need_name(wish.name)
            if not await self._make(wish.plan()):
                return
        elif wish.table and not await self._open(wish.table):
            return
        await self._show()
        while (line := await self._lines.next()) is not None:
            word, rest = read_command(line, AT_LISTS)
            if word == "quit":
                return
            try:
                if not await self._answer(word, rest or line):
                    return
            except (LoggedOut, Unreachable):
                raise
            except SpelunkeError as error:
                self._lines.refuse(error)

    async def _answer(self, word: str, rest: str) -> bool:
        """Run the command `word` with its argument `rest`. Return False at the end of the input."""
        if word == "help":
            for line in list_commands(AT_LISTS):
                self._lines.write(line)
        elif word == "guest":
            await self._need_name()
            await self._show()
        elif word == "login":
            code = rest.rsplit("/", 1)[-1]
            await self._come("/me/devices/link", {"code": code, "label": of_screen("A terminal")})
            await self._show()
        elif word == "new":
            going_on = await self._make(make_plan(find_game(rest.lower())))
            return going_on and await self._show()
        elif word == "open" or is_number(rest) or "/" in rest:
            going_on = await self._open(rest)
            return going_on and await self._show()
        else:
            await self._show()
        return True

    # --- the lists

    async def _show(self) -> bool:
        """Print the lists of tables. Return True, because the session goes on.

        Raise Unreachable if the server doesn't answer, and LoggedOut if the login has ended.
        """
        client = self._client
        if client.token:
            name = await client.ask_name()
            self._lines.write(_("You are {name} at {house}.").format(name=name, house=client.house))
        found = await fetch_lists(client)
        self._lines.emit("tables", **found)
        self._listed = []
        titles = list_titles()
        for name, tables in found.items():
            if tables:
                self._lines.write(f"{titles[name]}:", "bold")
            for table in tables:
                self._listed.append(table["table"])
                self._lines.write(f"  {len(self._listed)}  {_say_table(table)}")
        if not self._listed:
            self._lines.write(_("There are no tables at the moment."))
        if not client.token:
            text = _(
                "For now, you can only watch. To play without an account, type `{guest}`. To log in, type `{login}` "
                "and the link from your account page."
            )
            self._lines.write(text.format(guest=typed("guest"), login=typed("login")), "dim")
        text = _(
            "`{open}` with the number of a table opens it, `{new}` with the name of a game makes a table, and "
            "`{help}` lists all commands."
        )
        self._lines.write(text.format(open=typed("open"), new=typed("new"), help=typed("help")), "dim")
        return True

    async def _need_name(self, name: str = "") -> None:
        """Let the person play as a guest, unless they are logged in."""
        if not self._client.token:
            await self._come("/guests", {"name": name} if name else {})

    async def _come(self, path: str, body: dict[str, object]) -> None:
        me = await self._client.ask("POST", path, body)
        self._client.token = str(me["token"])
        keep_token(self._client.house, self._client.token)

    # --- a table

    async def _make(self, plan: dict[str, object]) -> bool:
        if not self._client.token:
            raise BadInput(
                _(
                    "first log in with the link from your account page, or type `{guest}` to play without an account"
                ).format(guest=typed("guest"))
            )
        made = await self._client.ask("POST", "/tables", plan)
        return await self._open(str(made["table"]))

    async def _open(self, wanted: str) -> bool:
        """Open a table, sit down if a seat is free, and play or watch until the person leaves.

        Return False at the end of the input.
        """
        table, invite = read_link(wanted)
        if is_number(wanted) and 0 < int(wanted) <= len(self._listed):
            table = self._listed[int(wanted) - 1]
        desk = await LiveDesk.open(self._client, table)
        may_sit = invite or "sit_down" in desk.look["may"]
        if may_sit and self._client.token and desk.look["seat"] is None:
            await self._client.insist(f"/tables/{table}/join", {"invite": invite} if invite else {})
            desk = await LiveDesk.open(self._client, table)
        going_on = await HouseTable(desk, self._lines).run()
        await self._keep(desk)
        return going_on

    async def _keep(self, desk: LiveDesk) -> None:
        """Write the record of the game into a file. Do nothing if no file was named or the game isn't over."""
        if self._save is None or desk.look["status"] != "over":
            return
        from spelunke.cli.arguments import choose_file, write_file

        path = self._saved.get(desk.table) or choose_file(self._save, len(self._saved) + 1)
        record = await desk.record()
        write_file(path, record or b"")
        self._lines.emit("saved", file=path)
        if not self._saved and path != self._save:
            self._lines.write(
                _("The file {file} existed already and was not changed.").format(file=self._save)
            )
        self._saved[desk.table] = path
        self._lines.write(
            _("The record is in {path}. This command checks that chance was fair:").format(path=path)
        )
        self._lines.write(verify_command(path, "--house", self._client.house), wrap=False)


def _say_table(line: dict[str, Json]) -> str:
    names = ", ".join(name or "…" for name in line["seats"])
    return ", ".join(part for part in (f"{line['title']}: {names}", say_state(line)) if part)
