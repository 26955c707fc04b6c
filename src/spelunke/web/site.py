"""The state that all request handlers share: house, settings, templates and static files.

The module also finds the person who sends a request.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from http import HTTPStatus
from pathlib import Path

import jinja2
import structlog
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from spelunke.boards.markup import fill
from spelunke.core.caches import Cache
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.house.budgets import TOKENS
from spelunke.house.hosting import Health
from spelunke.house.house import House
from spelunke.house.messages import Person
from spelunke.house.people import Hold, Visit, is_shut_out, is_token, refuse_shut_out
from spelunke.house.play import Hand
from spelunke.house.refusals import UnknownPerson, UnknownTable
from spelunke.web import scripts, words
from spelunke.web.audience import Audiences
from spelunke.web.compressing import squeeze_page, strip_css
from spelunke.web.cookies import (
    DEVICE,
    GUEST,
    HAND,
    RENEWED,
    find_cookie,
    give_cookie,
    read_cookie,
    read_hand,
)
from spelunke.web.host import asked_here, find_network_address, is_loopback
from spelunke.web.limits import Limits
from spelunke.web.meter import Meter
from spelunke.web.modules import read_modules
from spelunke.web.names import invent
from spelunke.web.numbers import write_date, write_month, write_number, write_percent, write_short
from spelunke.web.parts import art
from spelunke.web.parts.options import tell_options
from spelunke.web.parts.portraits import level_title, person_portrait, say_about
from spelunke.web.parts.waiting import Invitation
from spelunke.web.renderings import Renderings
from spelunke.web.settings import Settings
from spelunke.web.threads import call

log = structlog.get_logger("spelunke.web")

FOLDER = Path(__file__).parent
FONT = "font/woff2"
THEME_COOKIE = "theme"
THEMES = ("auto", "light", "dark")
EXPLAIN_COOKIE = "explain"
EXPLAINS = ("auto", "always", "never")
"""The values of the setting for explanations: in a person's first games (``auto``), always, or never."""
VISIT = "visit"
WAYS_IN = ("/login", "/logout", "/passkeys/log-in", "/passkeys/log-in/options")
"""The pages that a banned person may open as if logged out, because others may use the same browser."""
STILL_THERE_S = 45.0
"""The maximum interval, in seconds, between two reads of a table with open streams, if `heartbeat` is not longer.

Each read marks programs with a stream as present. A minute after the last read, they count as absent
(`presence.STREAM_MS`).
"""
HEALTH_SECONDS = 1.0
"""The time in seconds for which the result of a health check is reused."""

NEEDED = ("rules", "moves", "events", "view")


@cache
def _address(name: str, content: bytes) -> str:
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:10]}"


def _address_fonts(sheet: bytes, fonts: Mapping[str, str]) -> bytes:
    """Return a style sheet with versioned addresses of its fonts. Pages preload fonts from the same addresses."""
    for name, address in fonts.items():
        sheet = sheet.replace(f'url("{name}")'.encode(), f'url("{address}")'.encode())
    return sheet


@cache
def playable() -> tuple[Game, ...]:
    """Return all games that can be played.

    If a game lacks a needed module or file, log a warning and leave the game out.
    """
    found: list[Game] = []
    for game in shelf().values():
        lacks = [part for part in NEEDED if importlib.util.find_spec(f"{game.package}.{part}") is None]
        if not importlib.resources.files(game.package).joinpath("levels.toml").is_file():
            lacks.append("levels.toml")
        if lacks:
            log.warning("incomplete", game=game.name, lacks=lacks)
        else:
            found.append(game)
    return tuple(found)


HOST = "host of the device"
"""The key in the ASGI scope for the id of a device's owner, set if several people share the device at a table."""

OWNER = "owner of the device"
"""The key in the ASGI scope for the person whom the request's cookie or token identifies, or None. `guest` sets it."""


@dataclass
class Site:
    """The state that all request handlers share, at `app.state.site`."""

    house: House
    settings: Settings
    limits: Limits
    meter: Meter = field(default_factory=Meter)
    hurry: Callable[[Game], None] = lambda game: None
    """A function to call with a game that somebody is about to play, so that its rules are compiled next."""
    verifying: asyncio.Lock = field(default_factory=asyncio.Lock)
    """The lock for verifying a record, so that the server verifies only one record at a time."""
    _examined: asyncio.Future[Health] | None = None
    _examined_until: float = 0.0

    async def health(self) -> Health:
        """Return the health of the server, cached for a second. Concurrent requests share one check."""
        known = self._examined
        if known is None or known.cancelled() or (known.done() and time.monotonic() >= self._examined_until):
            # asyncio's threads: if the database hangs, the threads for requests may all wait for it
            asked = asyncio.to_thread(self.house.health, self.limits.problem)
            known = self._examined = asyncio.ensure_future(asked)
            self._examined_until = time.monotonic() + HEALTH_SECONDS
        return await asyncio.shield(known)

    @cached_property
    def renderings(self) -> Renderings:
        """The cache of recent renderings of tables."""
        return Renderings(self.house)

    @cached_property
    def audiences(self) -> Audiences:
        """The readers of open streams, by table."""
        seconds = self.settings.heartbeat
        # If this is the only process, it notices all changes. Then regular reads only keep programs present.
        if self.house.store.alone:
            seconds = max(seconds, min(3 * seconds, STILL_THERE_S))
        return Audiences(self.house, self.renderings, seconds)

    @cached_property
    def _tokens(self) -> Cache[str, str]:
        return Cache(TOKENS, each=400)

    @cached_property
    def signer(self) -> URLSafeSerializer:
        """The signer of guests' cookies. If the secret is the same after a restart, old cookies stay valid."""
        return URLSafeSerializer(self.settings.secret, salt="guest")

    @cached_property
    def statics(self) -> dict[str, tuple[bytes, str]]:
        """The content and media type of each static file, by name. The modules of a page are one script (`scripts`)."""
        kinds = {
            ".css": "text/css",
            ".png": "image/png",
            ".svg": "image/svg+xml",
            ".txt": "text/plain",
            ".woff2": FONT,
        }
        found = {
            file.name: (file.read_bytes(), kinds[file.suffix])
            for file in sorted((FOLDER / "static").iterdir())
            if file.suffix in kinds
        }
        for name, (content, kind) in found.items():
            if kind == "text/css":
                found[name] = (strip_css(content), kind)
        modules = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "static").glob("*.js")}
        modules[scripts.VENDOR], later = scripts.split_vendor(modules.get(scripts.VENDOR, ""))
        found[scripts.SORTING] = (later.encode(), "text/javascript")
        for page in scripts.PAGES:
            found[page] = (scripts.link(modules, page).encode(), "text/javascript")
        for game in shelf().values():
            sheet = importlib.resources.files(game.package).joinpath("ui/board.css")
            if sheet.is_file():
                found[f"{game.name}.css"] = (strip_css(sheet.read_bytes()), "text/css")
        found |= {name: (content, kind) for name, content, kind in read_modules()}
        fonts = {name: _address(name, content) for name, (content, kind) in found.items() if kind == FONT}
        for name, (content, kind) in found.items():
            if kind == "text/css":
                found[name] = (_address_fonts(content, fonts), kind)
        return found

    @cached_property
    def worker(self) -> bytes:
        """The script of the service worker.

        If a static file or the offline page changes, the last line of the script changes too. Because of this, browsers
        update the worker and the offline page.
        """
        script = (FOLDER / "static" / scripts.WORKER).read_bytes()
        kept = "".join(map(self.static, sorted(self.statics)))
        kept += (FOLDER / "templates" / "offline.html").read_text(encoding="utf-8")
        return script + f"// {hashlib.sha256(kept.encode()).hexdigest()[:16]}\n".encode()

    def static(self, name: str) -> str:
        """Return the address of a static file.

        The address changes with the content, so browsers may cache the file without a limit.
        """
        return _address(name, self.statics[name][0])

    def sheet(self, game: str) -> str:
        """Return the address of a game's own style sheet, or an empty text if the game has none."""
        name = f"{game}.css"
        return self.static(name) if name in self.statics else ""

    @cached_property
    def templates(self) -> jinja2.Environment:
        """The page templates. They escape inserted values by default."""
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=words.call_people,
        )
        environment.globals |= {
            "_": words.translate,
            "ngettext": words.translate.many,
            "pgettext": words.translate.within,
            "listed": words.translate.list,
            "static": self.static,
            "sheet_of": self.sheet,
            "statics": self.statics,
            "art": art,
            "fill": fill,
            "languages": words.named_languages(),
            "write_number": write_number,
            "write_short": write_short,
            "write_percent": write_percent,
            "write_date": write_date,
            "write_month": write_month,
            "portrait": person_portrait,
            "level_title": level_title,
            "name_game": words.name_game,
            "say_about": say_about,
            "tell_options": tell_options,
            "shelf": playable(),
            "has_docs": bool(self.settings.docs),
        }
        return environment

    # --- guests -------------------------------------------------------------------------------------------------

    def read_token(self, token: str) -> str | None:
        """Read the id of a person from a signed token. Return None if the signature is wrong."""
        known = self._tokens.get(token)
        if known is not None:
            return known
        try:
            person = self.signer.loads(token)
        except BadSignature:
            return None
        if not isinstance(person, str):
            return None
        self._tokens.put(token, person)
        return person

    async def guest(self, request: Request) -> Person | None:
        """Return the person whom the request's cookie or token identifies, or None if neither is valid.

        For a banned person, return None on the pages of `WAYS_IN` (login and logout), and raise ShutOut on all others.
        If several people share the device, see `_of_hand`.
        """
        me = await self._known(request)
        if me is None or not is_shut_out(me.shut_out_ms, self.house.store.now()):
            request.scope[OWNER] = me
            return me if me is None or HAND not in request.cookies else await self._of_hand(request, me)
        if request.url.path in WAYS_IN:
            return None
        raise refuse_shut_out(me.shut_out_ms)

    async def _of_hand(self, request: Request, me: Person) -> Person:
        """Return the person whose hand a shared device shows now.

        If no hand is open, return `me`, the owner of the device. Also store the state of the device in the request, for
        `hand_of`.
        """
        table = request.path_params.get("table", "")
        try:
            hand = (
                await call(self.house.hands.hand, table, me.id, read_hand(request.cookies)) if table else None
            )
        except UnknownTable:
            return me
        request.scope[HAND] = hand
        request.scope[HOST] = me.id
        found = None if hand is None or hand.person is None else await self._person(hand.person)
        return found or me

    def known_at_once(self, scope: Scope, cookies: Mapping[str, str], authorization: str) -> Person | None:
        """Return the same person as `guest`, but only from caches and without waiting.

        Return None if the person isn't cached or is banned, if a token needs renewal, or if several people may share
        the device.
        """
        if HAND in cookies:
            return None
        scheme = scope["scheme"]
        bearer = authorization[7:] if authorization[:7].lower() == "bearer " else ""
        device = "" if bearer else find_cookie(cookies, DEVICE, scheme)
        shown = bearer or device or find_cookie(cookies, GUEST, scheme)
        if not shown:
            return None
        if device or is_token(bearer):
            visit = self.house.devices.known(shown)
            if visit is None or visit.renewed is not None or (visit.kind == "browser") == bool(bearer):
                return None
            me = self.house.people.known(visit.person)
            scope[VISIT] = visit
        else:
            person = self._tokens.get(shown)
            me = None if person is None else self.house.people.known(person)
            if me is not None and me.member:
                return None
        if me is None or me.shut_out_ms is None:
            return me
        return None if is_shut_out(me.shut_out_ms, self.house.store.now()) else me

    async def _known(self, request: Request) -> Person | None:
        bearer = request.headers.get("authorization", "")
        shown = bearer[7:] if bearer[:7].lower() == "bearer " else ""
        if not shown:
            device = read_cookie(request, DEVICE)
            found = await self._by_device(request, device, renews=True) if device else None
            if found is not None:
                return found
            shown = read_cookie(request, GUEST)
        elif is_token(shown):
            return await self._by_device(request, shown, renews=False)
        person = self.read_token(shown) if shown else None
        me = None if person is None else await self._person(person)
        # Members are identified only by devices, because they can log these out. A member's old cookie from their
        # time as a guest can't be revoked, so it gives no access.
        return None if me is None or me.member else me

    async def _by_device(self, request: Request, token: str, *, renews: bool) -> Person | None:
        devices = self.house.devices
        visit = devices.known(token) or await call(devices.find, token)
        if visit is None or (visit.kind == "browser") != renews:
            return None
        me = await self._person(visit.person)
        if me is not None:
            request.scope[VISIT] = visit
            if visit.renewed is not None:
                request.scope[RENEWED] = visit.renewed
        return me

    async def _person(self, person: str) -> Person | None:
        try:
            return self.house.people.known(person) or await call(self.house.people.find, person)
        except UnknownPerson:
            return None

    @staticmethod
    def hand_of(request: Request) -> Hand | None:
        """Return the state of a shared device: its people, and whose hand is open. Return None for other devices.

        Call `guest` first.
        """
        found: Hand | None = request.scope.get(HAND)
        return found

    def visit(self, request: Request) -> Visit | None:
        """Return the device that identified the person, or None if a guest's cookie or token did.

        Call `guest` first.
        """
        found: Visit | None = request.scope.get(VISIT)
        return found

    def hold(self, request: Request, person: str | None) -> Hold | None:
        """Return an object with which a stream checks whether the login of its reader has ended.

        Return None for an unknown visitor.
        """
        person = request.scope.get(HOST, person)
        return None if person is None else self.house.devices.hold(self.visit(request), person)

    async def welcome(self, request: Request, name: str = "") -> Person:
        """Return the person of the request. If there is none, make a guest, by default with a random name.

        Call `remember` afterwards, to set the guest's cookie.
        """
        me = await self.guest(request)
        return me if me is not None else await call(self.house.people.create, name or invent())

    def remember(self, request: Request, response: Response, person: Person) -> None:
        """Set the guest's signed cookie on a response, unless the person is a member or has sent a device's token."""
        person = request.scope.get(OWNER) or person  # a shared device remains its owner's
        if self.visit(request) is None and not person.member:
            give_cookie(request, response, GUEST, self.signer.dumps(person.id))

    # --- pages --------------------------------------------------------------------------------------------------

    async def page(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        me: Person | None = None,
        **values: object,
    ) -> HTMLResponse:
        """Return a page for the person of the request, made from a template. Caches must not store the page."""
        me = me or await self.guest(request)
        theme = request.cookies.get(THEME_COOKIE, "auto")
        unread = 0 if me is None else await self.count_unread(me)
        html = self.templates.get_template(template).render(
            me=me,
            unread=unread,
            language=words.LANGUAGE.get(),
            theme=theme if theme in THEMES else "auto",
            own_letters=words.OWN_LETTERS.get(),
            **{"here": request.url.path, "closed": self.house.closed, **values},
            refused=request.method == "POST" and status >= HTTPStatus.BAD_REQUEST,
        )
        response = HTMLResponse(html, status, {"cache-control": "no-store"})
        squeeze_page(request, response)
        return response

    async def count_unread(self, me: Person) -> int:
        """Return the person's number of unread notifications, from the cache if possible."""
        inbox = self.house.notifications.inbox
        known = inbox.known(me.id)
        return await call(inbox.unread, me.id) if known is None else known

    def share(self, request: Request, title: str, path: str) -> dict[str, str]:
        """Return the title and the picture (at `path`) that messengers show beside a link to a page."""
        return {"title": title, "image": self.link(request, path)}

    def link(self, request: Request, path: str) -> str:
        """Return the full address of a path, for links that others can open.

        If the server listens to the network, the address works on other devices too.
        """
        return self.settings.public_url(self._address(request)) + path

    def _address(self, request: Request) -> str:
        """Return this site's address without a path.

        Use the host in the request. Use this machine's network address instead if three conditions hold: the host is a
        loopback host such as localhost, the server accepts connections from other devices, and `settings.base_url` is
        empty.
        """
        network = None if self.listens_here_only else find_network_address()
        if network is None or self.settings.base_url or not asked_here(request):
            return f"{request.url.scheme}://{request.url.netloc}"
        port = request.url.port
        return f"{request.url.scheme}://{network}{f':{port}' if port else ''}"

    @property
    def listens_here_only(self) -> bool:
        """Whether the server accepts connections only from this machine."""
        return is_loopback(self.settings.host)

    def invite(self, request: Request, path: str) -> Invitation:
        """Return the link with which friends are invited, and whether it works only on this machine."""
        here_only = self.listens_here_only and not self.settings.base_url and asked_here(request)
        return Invitation(self.link(request, path), here_only)
