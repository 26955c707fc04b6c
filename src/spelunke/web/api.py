"""Handlers of the JSON API under /api/v1, for games, guests and tables. The API offers most functions of the pages.

The list in `endpoints` defines the routes and the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from operator import attrgetter

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from spelunke.core.digits import is_number
from spelunke.core.option import Option
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.inputs import Body
from spelunke.house.messages import Answer, Look, Person, ToldRows
from spelunke.house.operation import Operation
from spelunke.house.plan import Plan
from spelunke.house.store import run
from spelunke.house.study import Advice, AnalysisLook
from spelunke.records.record import to_plain
from spelunke.web import shapes
from spelunke.web.audience import Reader
from spelunke.web.live import asker_of, follow, line_of, look_for, read_since, respond, staying
from spelunke.web.match_pages import read_table_wish
from spelunke.web.names import invent
from spelunke.web.pages import known_game, site_of
from spelunke.web.refusal import Refusal, translate_refusal, write_sentence
from spelunke.web.security import REFUSED
from spelunke.web.site import playable
from spelunke.web.threads import call, do_at_table
from spelunke.web.words import translate as _
from spelunke.web.words import translator

Handler = Callable[..., Awaitable[object]]
"""A function that takes a request and its parsed body, and returns the answer."""


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise NotImplementedError(f"{type(value).__name__} can't be written as JSON")


ENCODER = msgspec.json.Encoder(enc_hook=_plain)


async def asker(request: Request) -> Person:
    """Return the person whom the request's cookie or token identifies. Refuse a request if neither is valid."""
    me = await site_of(request).guest(request)
    if me is None:
        raise Refusal(
            401,
            "unknown_person",
            _("Your request has no valid token: create a guest first, then send its token."),
        )
    return me


def is_program(request: Request) -> bool:
    """Return whether the request comes from a program. Programs send a token, and browsers send a cookie.

    The terminal client sends a token too. If its user plays as a guest, the client counts as a program. If its user
    has logged in with a code from the browser (`POST /me/devices/link`), the client does not count as a program.
    """
    visit = site_of(request).visit(request)
    return "authorization" in request.headers and (visit is None or visit.kind != "terminal")


def table_of(request: Request) -> str:
    """Return the id of the table in the request's address."""
    table: str = request.path_params["table"]
    return table


_SHOWN = tuple(name for name in shapes.LookOut.__struct_fields__ if name in Look.__struct_fields__)
_read_shown = attrgetter(*_SHOWN)


def write_look(look: Look) -> msgspec.Struct:
    """Return a table, as one viewer may see it, in the form that the API sends."""
    fields = dict(zip(_SHOWN, _read_shown(look), strict=True))
    fields["legal"] = tuple(shapes.Move(text, action) for action, text in look.legal)
    fields["revise"] = tuple(shapes.Move(text, action) for action, text in look.revise)
    fields["may"] = tuple(sorted(look.may))
    return shapes.LookOut(**fields)


# --- games and guests -------------------------------------------------------------------------------------------


def _option_card(game: Game, option: Option, tell: Translator) -> shapes.OptionCard:
    least, most = option.bounds or (None, None)
    return shapes.OptionCard(
        name=option.name,
        title=tell(option.title),
        help=tell(option.help),
        kind=option.kind,
        default=option.preset(game.usual_seats),
        values=option.choices,
        titles=tuple(tell(option.call(value)) for value in option.choices),
        least=least,
        most=most,
        fine=option.fine,
    )


def _game_card(game: Game) -> shapes.GameCard:
    tell = translator(game)
    return shapes.GameCard(
        name=game.name,
        title=game.title,
        pitch=tell(game.pitch),
        seats=game.seats,
        minutes=game.minutes,
        version=game.version,
        options=tuple(_option_card(game, option, tell) for option in game.options),
        levels=tuple(
            shapes.Level(name, tell(str(level.get("title", name))), tell(str(level.get("help", ""))))
            for name, level in game.levels.items()
        ),
        presets=tuple(
            shapes.PresetCard(
                name=preset.name,
                title=tell(preset.title),
                help=tell(preset.help),
                seats=preset.seats,
                options=dict(preset.options),
                first=preset.first,
            )
            for preset in game.presets
        ),
    )


async def list_games(request: Request, _body: None) -> shapes.Games:
    """GET /games. Return all games with their options, levels of bots, and presets (named ways to play)."""
    return shapes.Games(tuple(_game_card(game) for game in playable()))


async def show_game(request: Request, _body: None) -> shapes.GameCard:
    """GET /games/{game}. Return one game."""
    return _game_card(known_game(request.path_params["game"]))


async def make_guest(request: Request, body: shapes.GuestIn) -> shapes.Me:
    """POST /guests. Make a guest. Return their name and token."""
    site = site_of(request)
    me = await call(site.house.people.create, body.name or invent())
    return shapes.Me(me.name, str(site.signer.dumps(me.id)))


async def show_me(request: Request, _body: None) -> shapes.Me:
    """GET /me. Return the person's name, whether they are a member, and which letters they chose for playing cards."""
    me = await asker(request)
    letters = await call(site_of(request).house.notifications.channels.letters_of, me.id)
    return shapes.Me(me.name, member=me.member, letters=letters)


async def rename_me(request: Request, body: shapes.NameIn) -> shapes.Me:
    """PATCH /me. Rename the person who sends the request."""
    me = await asker(request)
    me = await call(site_of(request).house.people.rename, me.id, body.name)
    return shapes.Me(me.name, member=me.member)


# --- tables -----------------------------------------------------------------------------------------------------


async def list_tables(request: Request, _body: None) -> shapes.Tables:
    """GET /tables. Return a list of tables: open, running, or the person's own."""
    house = site_of(request).house
    which = request.query_params.get("list", "open")
    wish, name = read_table_wish(request)
    game = name or None
    reader = await _who(request)
    if which == "open":
        return shapes.Tables(await call(house.lists.open_tables, game, wish=wish, reader=reader))
    if which == "running":
        return shapes.Tables(await call(house.lists.running_tables, game, wish=wish, reader=reader))
    if which == "mine":
        found = await call(house.lists.my_tables, (await asker(request)).id)
        return shapes.Tables(tuple(line for line in found if game in (None, line.game)))
    raise Refusal(400, "field_wrong", _("The query parameter 'list' must be “open”, “running” or “mine”."))


async def make_table(request: Request, body: Plan) -> shapes.TableName:
    """POST /tables. Make a table. Return its id and address. Refuse a program that asks for a rated table."""
    site = site_of(request)
    me = await asker(request)
    program = is_program(request)
    if program and body.rated:
        raise Refusal(
            403, "not_allowed", _("Programs can't make rated games. Make the table in your browser.")
        )
    table = await call(site.house.lobby.create, me.id, body)
    if program:
        await call(site.house.showing.mark_program, table, me.id)
    site.hurry(find_game(body.game))
    return name_table(request, table)


async def begin_lesson(request: Request, body: shapes.LessonOf) -> shapes.TableName:
    """POST /lessons. Begin a lesson. Return the id and address of its table."""
    site = site_of(request)
    me = await asker(request)
    table = await call(site.house.next_games.begin_lesson, me.id, body.game, short=body.short)
    site.hurry(find_game(body.game))
    return name_table(request, table)


async def _who(request: Request) -> str | None:
    me = await site_of(request).guest(request)
    return me.id if me else None


async def show_table(request: Request, _body: None) -> msgspec.Struct:
    """GET /tables/{table}. Return the table as the person may see it. The log begins after ply `?since=`."""
    since = _read_ply(request)
    site, table, who = site_of(request), table_of(request), await _who(request)
    if who is not None:
        await run(site.house.attendance.fetched, table, who)
    # Write a whole log in a thread: a long log would delay other requests.
    ask = run if since else call
    look, _game = await ask(look_for, site, table, who, since)
    return write_look(look)


def _read_ply(request: Request) -> int:
    text = request.query_params.get("since", "0")
    if not is_number(text):
        raise Refusal(400, "field_wrong", _("The query parameter 'since' must be a whole number."))
    return int(text)


# --- operations at a table
# --------------------------------------------------------------------------------------


def accept(_request: Request, answer: Answer) -> shapes.Acted:
    """Return the API's answer to a person's action at a table.

    If the table had already changed when the action arrived, raise a Refusal that names the present ply.
    """
    if answer.status == "stale":
        sentence = _("The table has moved on: it is at ply {ply} now. Look again, then choose.")
        raise Refusal(409, "stale", sentence.format(ply=answer.ply))
    return shapes.Acted(status=answer.status, ply=answer.ply, version=answer.version)


def name_table(request: Request, table: str) -> shapes.TableName:
    """Return a table's id, and the address of its page."""
    return shapes.TableName(table, site_of(request).link(request, f"/t/{table}"))


@dataclass(frozen=True)
class Written:
    """A kind of answer: its type in the API, and the function that builds the answer from an operation's result."""

    shape: type[msgspec.Struct]
    write: Callable[..., msgspec.Struct]


ANSWERS = {
    "done": Written(shapes.Done, lambda _request, _nothing: shapes.Done()),
    "acted": Written(shapes.Acted, accept),
    "seat": Written(shapes.SeatTakenAt, lambda _request, seat: shapes.SeatTakenAt(seat)),
    "table": Written(shapes.TableName, name_table),
    "advice": Written(Advice, lambda _request, found: found),
    "considered": Written(shapes.Considered, lambda _request, told: shapes.Considered(told)),
}


PLAYS = frozenset({"join", "act"})
"""If a program calls one of these operations, the program's seat is shown as a bot's seat."""


def handle(operation: Operation) -> Handler:
    """Return the handler of an operation at a table."""

    async def handler(request: Request, body: Body | None) -> msgspec.Struct:
        me = await asker(request)
        house, table = site_of(request).house, table_of(request)
        if operation.may_be_secret:
            house.attendance.hush(table, me.id)
        if REFUSED in request.scope:
            raise request.scope[REFUSED]
        plays = operation.name in PLAYS and is_program(request)
        if plays:
            await call(house.showing.check_program, table)
        done = await do_at_table(operation, house, table, me.id, body)
        if plays:
            await call(house.showing.mark_program, table, me.id)
        return ANSWERS[operation.answer].write(request, done)

    return handler


# --- the whole table
# --------------------------------------------------------------------------------------------


async def show_record(request: Request, _body: None) -> dict[str, object]:
    """GET /tables/{table}/record. Return a finished game's record. A signed record has exactly the signed content."""
    house = site_of(request).house
    return to_plain(await call(house.replays.record, table_of(request), await _who(request)))


async def show_analysis(request: Request, _body: None) -> AnalysisLook:
    """GET /tables/{table}/analysis. Return the analysis of a finished game, or its progress."""
    found = await call(site_of(request).house.analyses.look, table_of(request), await _who(request))
    if not found.problem:
        return found
    return msgspec.structs.replace(found, problem=write_sentence(translate_refusal(found.problem)))


async def show_chain(request: Request, _body: None) -> ToldRows:
    """GET /tables/{table}/chain. Return the data from which anybody can recompute a viewer's hash chain.

    The data begin after ply `?since=`. Another person's chain (`?viewer=`) is available when the game is over.
    """
    viewer = request.query_params.get("viewer", "")
    house, table, since = site_of(request).house, table_of(request), _read_ply(request)
    return await call(house.looks.told, table, await _who(request), since=since, viewer=viewer[:16])


async def show_key(request: Request, _body: None) -> shapes.HouseKey:
    """GET /key. Return the public key of the server's signatures."""
    return shapes.HouseKey(site_of(request).house.store.key)


async def stream_table(request: Request, _body: None) -> Response:
    """GET /tables/{table}/stream. Stream the table's state after each change that the person can see."""
    site = site_of(request)
    table, who = table_of(request), await _who(request)
    await run(site.house.looks.version, table, who)
    return respond(stream_looks(request, table, who))


async def stream_looks(request: Request, table: str, who: str | None) -> AsyncGenerator[bytes]:
    """Yield the messages of a stream for one viewer. Begin after the version that the client already has."""
    site = site_of(request)
    with staying(site, table, lasting=True) as stay:
        reader = Reader("look", asker_of(site, request, who), read_since(request), stay, encode_look)
        hold = site.hold(request, who)
        beat, beat_s, line = b": still here\n\n", site.settings.heartbeat, line_of(request)
        async for part in follow(site, table, reader, beat, beat_s, hold, line):
            yield part
            del part


def encode_look(look: Look) -> bytes:
    """Return a table's state as JSON, for a stream or a single answer."""
    return ENCODER.encode(write_look(look))
