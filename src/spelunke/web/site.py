"""What all handlers of one process share: the house, the settings, the guests' cookies, templates and static files."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import jinja2
import structlog
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from spelunke.core.caches import Cache
from spelunke.games import shelf
from spelunke.games.game import Game
from spelunke.house.budgets import TOKENS
from spelunke.house.house import House
from spelunke.house.messages import Health, Person
from spelunke.house.people import Hold, Visit, is_shut_out, is_token, refuse_shut_out
from spelunke.house.refusals import UnknownPerson
from spelunke.web import scripts, words
from spelunke.web.audience import Audiences
from spelunke.web.compressing import squeeze_page
from spelunke.web.cookies import DEVICE, GUEST, RENEWED, find_cookie, give_cookie, read_cookie
from spelunke.web.host import asked_here, find_network_address, is_loopback
from spelunke.web.limits import Limits
from spelunke.web.meter import Meter
from spelunke.web.names import invent
from spelunke.web.parts import art
from spelunke.web.parts.options import tell_options
from spelunke.web.parts.portraits import level_title, person_portrait
from spelunke.web.parts.waiting import Invitation
from spelunke.web.renderings import Renderings
from spelunke.web.settings import Settings
from spelunke.web.threads import call

log = structlog.get_logger("spelunke.web")

FOLDER = Path(__file__).parent
THEME_COOKIE = "theme"
THEMES = ("auto", "light", "dark")
EXPLAIN_COOKIE = "explain"
EXPLAINS = ("auto", "always", "never")
"""Whether choices are explained: in somebody's first games, always, or never."""
VISIT = "visit"
WAYS_IN = ("/login", "/logout", "/passkeys/log-in", "/passkeys/log-in/options")
"""Whoever is shut out is a stranger there: others may use the same browser."""
STILL_THERE_S = 45.0
"""A program whose stream is open counts as being at its table for a minute after a look (`presence.STREAM_MS`)."""
HEALTH_SECONDS = 1.0
"""The store is asked how it is no more often, however many ask the house."""

NEEDED = ("rules", "moves", "events", "view")


@cache
def playable() -> tuple[Game, ...]:
    """The games of the shelf that are whole; one that lacks a part is named in the log and doesn't spoil the others."""
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


@dataclass
class Site:
    """One per process, at `app.state.site`."""

    house: House
    settings: Settings
    limits: Limits
    meter: Meter = field(default_factory=Meter)
    hurry: Callable[[Game], None] = lambda game: None
    """Told which game somebody is about to play, so that its rules are compiled next."""
    verifying: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a finished game is verified by the rules: one at a time."""
    """How many requests wait for one."""
    _examined: asyncio.Future[Health] | None = None
    _examined_until: float = 0.0

    async def health(self) -> Health:
        """How the house is, or was within the last second; whoever asks meanwhile waits for the same answer."""
        known = self._examined
        if known is None or known.cancelled() or (known.done() and time.monotonic() >= self._examined_until):
            # Not in line behind whoever waits for a store that says nothing.
            asked = asyncio.to_thread(self.house.health, self.limits.problem)
            known = self._examined = asyncio.ensure_future(asked)
            self._examined_until = time.monotonic() + HEALTH_SECONDS
        return await asyncio.shield(known)

    @cached_property
    def renderings(self) -> Renderings:
        """Tables as they were drawn a moment ago."""
        return Renderings(self.house)

    @cached_property
    def audiences(self) -> Audiences:
        """Who has a stream open."""
        seconds = self.settings.heartbeat
        # Where nobody else writes, no change gets lost on its way: then looks only tell that programs are still there.
        if self.house.store.alone:
            seconds = max(seconds, min(3 * seconds, STILL_THERE_S))
        return Audiences(self.house, self.renderings, seconds)

    @cached_property
    def _tokens(self) -> Cache[str, str]:
        return Cache(TOKENS, each=400)

    @cached_property
    def signer(self) -> URLSafeSerializer:
        """Signs the ids of guests; the same secret, the same guests."""
        return URLSafeSerializer(self.settings.secret, salt="guest")

    @cached_property
    def statics(self) -> dict[str, tuple[bytes, str]]:
        """Static files by name, with their media type; of the scripts one for each page (`scripts`)."""
        kinds = {
            ".css": "text/css",
            ".png": "image/png",
            ".svg": "image/svg+xml",
            ".txt": "text/plain",
        }
        found = {
            file.name: (file.read_bytes(), kinds[file.suffix])
            for file in sorted((FOLDER / "static").iterdir())
            if file.suffix in kinds
        }
        modules = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "static").glob("*.js")}
        for page in scripts.PAGES:
            found[page] = (scripts.link(modules, page).encode(), "text/javascript")
        for game in shelf().values():
            sheet = importlib.resources.files(game.package).joinpath("ui/board.css")
            if sheet.is_file():
                found[f"{game.name}.css"] = (sheet.read_bytes(), "text/css")
        return found

    @cached_property
    def worker(self) -> bytes:
        """The service worker: a script of its own, which browsers keep beside the pages.

        Its last line is another for each set of static files: then browsers take it anew, with the page that it keeps.
        """
        script = (FOLDER / "static" / scripts.WORKER).read_bytes()
        kept = "".join(map(self.static, sorted(self.statics)))
        kept += (FOLDER / "templates" / "offline.html").read_text(encoding="utf-8")
        return script + f"// {hashlib.sha256(kept.encode()).hexdigest()[:16]}\n".encode()

    def static(self, name: str) -> str:
        """The address of a static file; it changes with its content, so that browsers may keep it for ever."""
        content = self.statics[name][0]
        return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:10]}"

    def sheet(self, game: str) -> str:
        """The address of a game's own style sheet, empty when it has none."""
        name = f"{game}.css"
        return self.static(name) if name in self.statics else ""

    @cached_property
    def templates(self) -> jinja2.Environment:
        """The pages, escaped by default."""
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals |= {
            "_": words.translate,
            "ngettext": words.translate_many,
            "static": self.static,
            "sheet_of": self.sheet,
            "statics": self.statics,
            "art": art,
            "portrait": person_portrait,
            "level_title": level_title,
            "tell_options": tell_options,
            "shelf": playable(),
            "has_docs": bool(self.settings.docs),
        }
        return environment

    # --- guests -------------------------------------------------------------------------------------------------

    def read_token(self, token: str) -> str | None:
        """The person's id in a signed token, or None when it isn't ours."""
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
        """Who asks, by cookie or by `Authorization: Bearer`; None for a stranger or a forged or forgotten id.

        Raises ShutOut, but where one may come in as somebody else.
        """
        me = await self._known(request)
        if me is None or not is_shut_out(me.shut_out_ms, self.house.store.now()):
            return me
        if request.url.path in WAYS_IN:
            return None
        raise refuse_shut_out(me.shut_out_ms)

    def known_at_once(self, scheme: str, cookies: Mapping[str, str], authorization: str) -> Person | None:
        """Return who `guest` would find, if the house has all of it in mind and nothing is to be renewed; never waits.

        None as well for who may not come in.
        """
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
        else:
            person = self._tokens.get(shown)
            me = None if person is None else self.house.people.known(person)
            if me is not None and me.member:
                return None
        return None if me is None or is_shut_out(me.shut_out_ms, self.house.store.now()) else me

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
        # A member is known by devices, which can be ended; what a guest once had opens nothing any more.
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

    def visit(self, request: Request) -> Visit | None:
        """By which device `guest` has found who asks; None for a guest's own cookie."""
        found: Visit | None = request.scope.get(VISIT)
        return found

    def hold(self, request: Request, person: str | None) -> Hold | None:
        """By what a stream asks whether the device or guest that opened it still counts; None for a stranger's."""
        return None if person is None else self.house.devices.hold(self.visit(request), person)

    async def welcome(self, request: Request, name: str = "") -> Person:
        """Who asks; a stranger becomes a guest, with an invented name if none is given. Keep it with `remember`."""
        me = await self.guest(request)
        return me if me is not None else await call(self.house.people.create, name or invent())

    def remember(self, request: Request, response: Response, person: Person) -> None:
        """Put the guest's signed cookie on a response; who came by a device of theirs has a cookie already."""
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
        """A page for whoever asks; it is never kept by caches, as it is made for one person."""
        me = me or await self.guest(request)
        theme = request.cookies.get(THEME_COOKIE, "auto")
        unread = 0 if me is None else await self.count_unread(me)
        html = self.templates.get_template(template).render(
            me=me,
            unread=unread,
            language=words.LANGUAGE.get(),
            theme=theme if theme in THEMES else "auto",
            **{"here": request.url.path, **values},
        )
        response = HTMLResponse(html, status, {"cache-control": "no-store"})
        squeeze_page(request, response)
        return response

    async def count_unread(self, me: Person) -> int:
        """How much the person has not read: in mind for who has nothing, which costs nothing then."""
        inbox = self.house.notifications.inbox
        known = inbox.known(me.id)
        return await call(inbox.unread, me.id) if known is None else known

    def link(self, request: Request, path: str) -> str:
        """A whole address that friends can open, on other devices as far as the house listens to them."""
        return self.settings.public_url(self._address(request)) + path

    def _address(self, request: Request) -> str:
        """The address that was asked for; who asked on this machine itself is given the one in the network."""
        network = None if self.listens_here_only else find_network_address()
        if network is None or self.settings.base_url or not asked_here(request):
            return f"{request.url.scheme}://{request.url.netloc}"
        port = request.url.port
        return f"{request.url.scheme}://{network}{f':{port}' if port else ''}"

    @property
    def listens_here_only(self) -> bool:
        """Whether the house listens to this machine alone."""
        return is_loopback(self.settings.host)

    def invite(self, request: Request, path: str) -> Invitation:
        """The link for friends, and whether it is of use on this machine alone."""
        here_only = self.listens_here_only and not self.settings.base_url and asked_here(request)
        return Invitation(self.link(request, path), here_only)
