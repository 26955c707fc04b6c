"""Play at a server's table line by line, for screen readers, scripts and pipes."""

from __future__ import annotations

import asyncio

from spelunke.cli.house_words import AT_TABLE, list_commands, read_command, typed
from spelunke.cli.lines import Lines
from spelunke.cli.table import say_moves
from spelunke.cli.words import translate as _
from spelunke.core.digits import is_number
from spelunke.core.errors import SpelunkeError
from spelunke.tui.acts import read_orders
from spelunke.tui.desk import Moment, Refused, write_clock
from spelunke.tui.live import LiveDesk
from spelunke.tui.words import translate as of_screen

STYLES = {"mine": None, "others": "cyan", "house": "italic", "heading": "bold", "detail": "dim"}


class HouseTable:
    """A session of one person at one table of a server.

    It prints the changes of the table, and runs the lines that the person types.
    """

    def __init__(self, desk: LiveDesk, lines: Lines) -> None:
        self._desk = desk
        self._lines = lines
        self._changed = asyncio.Event()
        self._told = self._heard = -1
        self._said: tuple[str, ...] = ()
        self._turn = self._drawn = -1
        self._over = False

    async def run(self) -> bool:
        """Run the table until the person leaves. Return False at the end of the input.

        Raise Refused if the server ends the stream of changes, for example because the login was ended.
        """
        self._desk.changed = self._changed.set
        following = asyncio.create_task(self._desk.run())
        try:
            self._lines.write(self._desk.title, "bold")
            self._tell()
            while True:
                await self._wait(following, self._lines.begin())
                if self._changed.is_set():
                    self._changed.clear()
                    self._tell()
                    self._lines.prompt_again()
                if following.done():  # nothing more will come: the login was ended, for example
                    raise Refused(self._desk.moment.notice)
                if self._lines.begin().done():
                    line = self._lines.take()
                    if line is None:
                        return False
                    if not await self._answer(line, following):
                        return True
        finally:
            following.cancel()

    # --- output

    def _tell(self) -> None:
        """Write the changes since the last call."""
        moment = self._desk.moment
        self._lines.emit("look", look=self._desk.look)
        for line in moment.log:
            if line.key > self._told:
                self._lines.write(line.text, STYLES[line.tone])
        self._told = max((line.key for line in moment.log), default=-1)
        for line in moment.chat:
            if line.key > self._heard:
                self._lines.write("» " + line.text, "italic")
        self._heard = max((line.key for line in moment.chat), default=self._heard)
        self._tell_state(moment)
        self._tell_turn(moment)

    def _tell_state(self, moment: Moment) -> None:
        """Write each of three texts if it has changed: a notice, the seats, and the turn.

        A notice is, for example, a draw offer. The seats are listed only before the start of the game.
        """
        person_acts = any(chair.acts and chair.kind == "person" for chair in moment.chairs)
        waits = moment.turn if person_acts and moment.status == "playing" and not self._choices else ""
        said = (moment.notice, moment.waiting, waits)
        for old, new in zip(self._said or ("", "", ""), said, strict=True):
            if new and new != old:
                self._lines.write(new, "dim" if new == waits else "bold")
        self._said = said

    def _tell_turn(self, moment: Moment) -> None:
        """Write the board and the moves when it is this person's turn, and the result at the end."""
        ply = self._desk.look["ply"]
        if moment.status == "over":
            if not self._over:
                self._over = True
                self._draw()
                self._lines.write(moment.turn, "bold")
        elif self._choices and self._turn != ply:
            self._turn = ply
            self._draw()
            self._lines.write(say_moves(self._choices, typed("moves")), "dim")

    def _draw(self) -> None:
        moment = self._desk.moment
        if moment.scene is None:
            self._lines.write(moment.waiting)
            return
        if not self._lines.json:
            self._lines.write(moment.game.hooks.render_terminal(moment.scene))
        clocks = [
            f"{chair.name} {write_clock(chair.clock_ms - (self._desk.age_ms() if chair.runs else 0))}"
            for chair in moment.chairs
            if chair.clock_ms is not None
        ]
        if clocks:
            self._lines.write("   ".join(clocks), "dim")

    @property
    def _choices(self) -> list[str]:
        scene = self._desk.moment.scene
        return [text for _action, text in scene.legal] if scene is not None else []

    # --- input

    async def _answer(self, line: str, following: asyncio.Task[None]) -> bool:
        """Run a typed line, which is a command or a move. Return False if the person leaves the table."""
        word, rest = read_command(line, AT_TABLE)
        if word == "quit":
            return False
        try:
            if not word:
                await self._play(line, following)
            elif word == "say":
                await self._desk.do("chat", text=rest)
            elif word == "orders":
                await self._desk.do("standing", orders=read_orders(rest))
            elif word == "more":
                await self._more(rest)
            else:
                {"board": self._draw, "moves": self._moves, "log": self._log, "help": self._help}[word]()
        except SpelunkeError as error:
            self._lines.refuse(error)
        return True

    async def _play(self, move: str, following: asyncio.Task[None]) -> None:
        """Play a move. Raise Refused if the seat may not act now.

        If the lines come from a program or a pipe, first wait until the seat may act.
        """
        while not self._lines.typed_by_hand and not self._may_play() and not following.done():
            await self._next(following)
        moment, ply = self._desk.moment, self._desk.look["ply"]
        if self._desk.look["seat"] is None:
            raise Refused(_("you are watching this table"))
        if moment.status == "over" or not self._may_play():
            raise Refused(moment.turn or moment.waiting)
        if not move and len(self._choices) != 1:
            return
        await self._desk.play(move or self._choices[0])
        while self._desk.look["ply"] == ply and self._may_play() and not following.done():
            await self._next(following)

    def _may_play(self) -> bool:
        """Return whether the person can move without waiting.

        For spectators, and after the end of the game, return True, because there is nothing to wait for.
        """
        moment = self._desk.moment
        if moment.status == "over" or self._desk.look["seat"] is None:
            return True
        return bool(moment.scene and (moment.scene.legal or moment.scene.revise))

    async def _next(self, following: asyncio.Task[None]) -> None:
        """Wait for a change at the table, and print it. If `following` (the stream of changes) ends, wait no longer."""
        await self._wait(following)
        self._changed.clear()
        self._tell()

    async def _wait(self, *others: asyncio.Future[None] | asyncio.Future[str | None]) -> None:
        """Wait for a change at the table, or until one of the futures `others` is done."""
        waking = asyncio.create_task(self._changed.wait())
        await asyncio.wait({waking, *others}, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()

    async def _more(self, rest: str) -> None:
        acts = self._desk.list_acts()
        if is_number(rest) and 0 < int(rest) <= len(acts):
            _text, operation, fields = acts[int(rest) - 1]
            if operation == "hint":
                for line in await self._desk.hint():
                    self._lines.write(line.text)
                return
            following = await self._desk.do(operation, **fields)
            if isinstance(following, LiveDesk):
                text = _("The next game has its own table. Type `quit`, then `open {table}`.")
                self._lines.write(text.format(table=following.table))
            return
        self._lines.emit("acts", acts=[{"does": act[1], **act[2]} for act in acts])
        for number, (text, _operation, _fields) in enumerate(acts, 1):
            self._lines.write(f"  {number}  {text}")
        if not acts:
            self._lines.write(of_screen("There is nothing else to do here at the moment."))

    def _moves(self) -> None:
        self._lines.write(say_moves(self._choices, typed("moves"), most=len(self._choices)), "dim")

    def _log(self) -> None:
        for line in self._desk.moment.log:
            self._lines.write(f"{line.key:4}  {line.text}", STYLES[line.tone])

    def _help(self) -> None:
        forms = self._desk.moment.game.hooks.move_forms()
        if forms:
            self._lines.write(_("Moves look like: {forms}.").format(forms=", ".join(forms)))
        for line in list_commands(AT_TABLE):
            self._lines.write(line)
