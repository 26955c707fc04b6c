"""A table on a server: its stream, its operations, and automatic reconnection."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import get_type_hints

import msgspec

from spelunke.boards.drafting import Fields
from spelunke.boards.scene import Scene
from spelunke.core.errors import UnknownGame
from spelunke.core.outcome import Outcome
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.tui.acts import Act, list_acts, list_reactions
from spelunke.tui.client import Client, Json, LoggedOut, Unavailable, Unreachable, new_key
from spelunke.tui.desk import Chair, Desk, Line, Moment, Offer, Refused, Tone, write_hint
from spelunke.tui.words import game_words
from spelunke.tui.words import translate as _

Look = dict[str, Json]
WAITS = (0.3, 0.7, 1.5, 3.0, 5.0)
"""The delays in seconds before each attempt to reconnect. The last delay repeats."""


def _convert(value: object, kind: Json) -> Json:
    return msgspec.convert(value, kind, strict=False, str_keys=True)


def read_scene(game: Game, look: Look) -> Scene | None:
    """Return the scene (the input of the game's board), made from a server's answer. Before the start, return None.

    Raise Refused if the answer doesn't fit the version of the game's rules on this machine.
    """
    if look["view"] is None:
        return None
    event = get_type_hints(game.events.say)["event"]
    action = get_type_hints(game.moves.decode)["return"]
    try:
        view = _convert(look["view"], get_type_hints(game.view.view)["return"])
        legal, revise = (
            tuple((_convert(move["action"], action), str(move["text"])) for move in look[name])
            for name in ("legal", "revise")
        )
        last = _convert(look["last"], tuple[event, ...])  # type: ignore[valid-type]
    except (msgspec.ValidationError, KeyError):
        raise Refused(
            _(
                "The server and this program have different versions of this game's rules: update the older one."
            )
        ) from None
    result = look["result"]
    outcome = None
    if result is not None and result.get("scores") is not None:
        outcome = Outcome(tuple(result["scores"]), tuple(result["ranks"]), result["reason"])
    return Scene(
        view=view,
        seat=look["seat"],
        names=tuple(look["names"]),
        legal=legal,
        revise=revise,
        last=last,
        actors=tuple(look["actors"]),
        over=look["status"] == "over",
        outcome=outcome,
        translate=game_words(game),
        table=look["table"],
        private=look["standing"],
        pause_ms=look["pause_ms"],
        pause_left_ms=look["pause_left_ms"],
    )


class LiveDesk(Desk):
    """A table on a server, for the table screen. ``table`` is its id, and ``look`` its state as the server sent it."""

    def __init__(self, client: Client, table: str, look: Look) -> None:
        super().__init__()
        self.client = client
        self.table = table
        self.title = str(look["title"])
        try:
            self._game = find_game(str(look["game"]))
        except UnknownGame:
            text = _("The game {game} is not installed here.")
            raise Refused(text.format(game=self.title)) from None
        self._since = ""
        self._lines: tuple[Line, ...] = ()
        self._told = 0
        self._acting = False
        self._nonced = False
        self._connected = True
        self._notice = ""
        self._take(look)

    @classmethod
    async def open(cls, client: Client, table: str) -> LiveDesk:
        """Fetch a table, and return it as a `LiveDesk`.

        Raise Refused if this person can't see the table, or if the table's game isn't installed on this machine.
        """
        return cls(client, table, await client.ask("GET", f"/tables/{table}"))

    @property
    def moment(self) -> Moment:
        """The present state of the table."""
        return self._moment

    @property
    def look(self) -> Look:
        """The newest state of the table, as the server sent it."""
        return self._look

    async def close(self) -> None:
        """Do nothing: the client owns the connections, and closes them later."""

    async def run(self) -> None:
        """Follow the table's stream of changes. If the connection is lost, reconnect without losing data.

        Also reconnect if the server or a proxy replies that it can't answer at present. After several such replies,
        :attr:`moment` has the reason as its ``notice``.

        Return if the login is not valid any more, or if the server refuses the stream. Then :attr:`moment` has the
        reason as its ``notice``.
        """
        failed = 0
        while True:
            try:
                async for since, look in self.client.listen(self.table, self._since):
                    failed, self._since = 0, since
                    self._connected = True
                    if look is None:  # the stream is open, but nothing may have changed
                        self._say("")
                        continue
                    self._take(look)
                    await self._share()
            except LoggedOut as error:
                self._say(str(error))
                return
            except (Unreachable, Unavailable) as error:
                self._connected = False
                lasting = isinstance(error, Unavailable) and failed >= len(WAITS)
                self._say(str(error) if lasting else _("The connection is lost. Trying again …"))
                wait = error.wait_s if isinstance(error, Unavailable) else 0.0
                await asyncio.sleep(max(wait, WAITS[min(failed, len(WAITS) - 1)]))
                failed += 1
            except Refused as error:
                self._say(str(error))
                return

    async def _share(self) -> None:
        """Send a random text (a nonce) if the server expects one from this seat. All dice and draws depend on it."""
        if "nonce" not in self._look["may"] or self._nonced:
            return
        from spelunke.records.fairness import new_nonce

        self._nonced = True
        try:
            await self.client.insist(f"/tables/{self.table}/nonce", {"nonce": new_nonce()})
        except Refused as error:
            self._nonced = False
            self._say(str(error))

    async def play(self, move: str) -> None:
        """Play a move. Ignore moves of spectators, and further moves until the server answers."""
        if self._acting or self._look["seat"] is None:
            return
        self._acting = True
        try:
            body = {"move": move, "ply": self._look["ply"], "key": new_key()}
            await self.client.insist(f"/tables/{self.table}/act", body)
        finally:
            self._acting = False

    async def do(self, operation: str, **fields: object) -> Desk | None:
        """Run an operation of the table (docs/protocol.md). The operation ``follow`` opens the table of the rematch.

        If the operation leads to another table, return that table.
        """
        if operation == "follow":
            rematch: str | None = self._look["rematch"]
            if rematch is None:  # its host left while the list of operations was open
                raise Refused(_("The table of the next game was closed."))
            return await LiveDesk.open(self.client, rematch)
        body = dict(fields)
        if operation in ("chat", "resign", "undo", "draw"):
            body["key"] = new_key()
        if operation == "take-back":
            body |= {"ply": self._look["ply"], "key": new_key()}
        path = f"/tables/{self.table}/{operation}"
        if operation == "standing":
            await self.client.ask("PUT", path, body)
            # Nobody else can see orders, so the stream sends nothing.
            self._take(await self.client.ask("GET", f"/tables/{self.table}"))
            return None
        made = await self.client.insist(path, body)
        following = made.get("table") if operation in ("again", "rematch") else None
        return await LiveDesk.open(self.client, following) if following and following != self.table else None

    def offers(self, what: Offer) -> bool:
        """Return whether the table offers ``what``.

        The table always offers the record. It offers hints if the server allows them. It offers another game if the
        server allows it and all other players are bots.
        """
        may = self._look["may"]
        return {"record": True, "hint": "hint" in may, "again": "rematch" in may and self._alone}[what]

    @property
    def _alone(self) -> bool:
        """Whether all others at the table are bots."""
        return all(seat["you"] or seat["kind"] == "bot" for seat in self._look["seats"])

    def list_acts(self) -> list[Act]:
        """Return the operations that are possible besides playing.

        If the table waits for an absent player, the result includes operations for this case, such as a reminder.
        """
        may = self.moment.may
        if self._look["rematch"] and "accept_rematch" not in may:
            may |= {"follow"}
        return list_acts(may, self._look["waits"])

    async def record(self) -> bytes | None:
        """Return the record, fetched from the server."""
        return json.dumps(await self.client.ask("GET", f"/tables/{self.table}/record")).encode()

    async def hint(self) -> tuple[Line, ...]:
        """Return the moves with their values from the server's coach."""
        found = await self.client.ask("POST", f"/tables/{self.table}/hint", {})
        moves = sorted(found["judgement"]["alternatives"], key=lambda one: -(one["share"] or 0.0))
        return tuple(
            Line(number, write_hint(one["move"], one["value"]["chance"], one["share"]))
            for number, one in enumerate(moves, 1)
        )

    async def preview(self, fields: Fields) -> object:
        """Return the server's preview of a move that the person is putting together on the board.

        The server computes the preview from all events that this seat may know.
        """
        sent = {name: list(values) for name, values in fields.items()}
        found = await self.client.ask("POST", f"/tables/{self.table}/draft", {"fields": sent})
        kind = get_type_hints(self._game.hooks.preview_draft)["return"]
        try:
            return _convert(found["considered"], kind)
        except (msgspec.ValidationError, KeyError):
            raise Refused(
                _(
                    "The server and this program have different versions of this game's rules: update the older one."
                )
            ) from None

    # --- the moment

    def _say(self, notice: str) -> None:
        self._notice = notice
        self._refresh()

    def _take(self, look: Look) -> None:
        self._look = look
        self._at = time.monotonic()
        self._notice = ""
        self._lines, self._told = join_log(self._lines, self._told, look)
        self._refresh()

    def _refresh(self) -> None:
        look = self._look
        try:
            scene = read_scene(self._game, look)
        except Refused as error:
            scene, self._notice = None, str(error)
        self._moment = Moment(
            game=self._game,
            scene=scene,
            status=look["status"],
            turn=_turn(look),
            chairs=tuple(_chair(seat, look) for seat in look["seats"]),
            log=self._lines,
            chat=tuple(Line(line["n"], f"{line['name']}: {line['text']}", "others") for line in look["chat"]),
            reactions=_reactions(look),
            may=frozenset(look["may"]),
            notice=self._notice or _notice(look),
            waiting=_waiting(self.client.house, look),
            connected=self._connected,
            seats=len(look["seats"]),
            options={one.name: one.preset(len(look["seats"])) for one in self._game.options}
            | look["options"],
        )
        self.changed()

    def age_ms(self) -> int:
        """Return the age of the newest state in milliseconds. Callers subtract it from the time left on a clock."""
        return int((time.monotonic() - self._at) * 1000)


def join_log(lines: tuple[Line, ...], told: int, look: Look) -> tuple[tuple[Line, ...], int]:
    """Add the new log lines of ``look`` to ``lines``. Return all lines, and the number of the last ply in the log.

    ``told`` is the number of the last ply in ``lines``. If ``look`` has the whole log, return that log instead.
    """
    new = [line for line in look["log"] if line["ply"] > told]
    if any(line["ply"] <= told for line in look["log"]) and len(look["log"]) >= len(lines):
        lines, new = (), list(look["log"])  # the whole log
    made = tuple(Line(line["ply"], line["text"], _tone(line, look)) for line in new)
    return lines + made, max([told, *(line["ply"] for line in new)])


def _tone(line: Mapping[str, Json], look: Look) -> Tone:
    if line["seat"] is None:
        return "house"
    return "mine" if line["seat"] == look["seat"] else "others"


def _turn(look: Look) -> str:
    if look["result"] is not None:
        return str(look["result"]["text"])
    if look["status"] == "open":
        return _("Waiting for players")
    if look["status"] == "ready":
        return _("About to start")
    if look["legal"]:
        return _("Your turn")
    names = [look["names"][seat] for seat in look["actors"]]
    if not names:
        return ""
    return _.many("{names} is to move.", "{names} are to choose.", len(names)).format(names=_.list(names))


def _notice(look: Look) -> str:
    """Return one notice as a sentence, for example about a draw offer. If there is no notice, return an empty text."""
    names, may = look["names"], set(look["may"])
    if "accept_draw" in may:
        return _("A draw is offered: press O to answer.")
    if look["undo_by"] is not None and "answer_undo" in may:
        text = _("{name} asks to take the newest move back: press O to answer.")
        return text.format(name=names[look["undo_by"]])
    if "accept_rematch" in may and look["rematch_by"] is not None:
        return _("{name} offers another game: press O to answer.").format(name=names[look["rematch_by"]])
    if look["rematch"]:
        return _("There is a table for the next game: press O to go there.")
    if look["nudged_by"] is not None:
        return _("{name} is waiting for you.").format(name=names[look["nudged_by"]])
    if look["waits"]:
        return _("The table waits for a player who is away: press O to see what you can do.")
    return ""


def _waiting(house: str, look: Look) -> str:
    if look["view"] is not None:
        return ""
    taken = [seat["kind"] in ("bot", "person") for seat in look["seats"]]
    free = _("free")
    lines = [
        f"{seat['seat'] + 1}.  {seat['name'] if is_taken else free}"
        for seat, is_taken in zip(look["seats"], taken, strict=True)
    ]
    if all(taken):
        return "\n".join(lines)
    if look["invite"]:
        link = f"{house}/j/{look['table']}/{look['invite']}"
        lines += ["", _("Friends can sit down with this link: {link}").format(link=link)]
    else:
        lines += ["", _("The page of this table: {link}").format(link=f"{house}/t/{look['table']}")]
    return "\n".join(lines)


def _reactions(look: Look) -> tuple[Line, ...]:
    """Return a line for each person's newest reaction, except the viewer's. The line's key is the reaction's time."""
    texts = list_reactions()
    return tuple(
        Line(seat["reaction_ms"], f"{seat['name']}: {texts[seat['reaction']]}")
        for seat in look["seats"]
        if seat["reaction"] in texts and seat["reaction_ms"] is not None and not seat["you"]
    )


def _chair(seat: Mapping[str, Json], look: Look) -> Chair:
    kind = {"bot": "bot", "person": "person"}.get(seat["kind"], "free")
    return Chair(
        seat=seat["seat"],
        name=seat["name"] or _("free"),
        kind=kind,  # type: ignore[arg-type]
        acts=seat["seat"] in look["actors"],
        clock_ms=seat["left_ms"],
        runs=seat["ticking"],
        away=seat["presence"] in ("away", "offline"),
        mine=seat["you"],
    )
