"""The application: routes, middleware, and error handling.

`create_app` is the factory for ASGI servers. `run` starts a server.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from importlib.metadata import version
from typing import TextIO, cast
from urllib.parse import urlencode

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spelunke.bots.warming import Warming
from spelunke.core.errors import SpelunkeError
from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.house.house import House, open_house
from spelunke.house.refusals import HouseClosed, NotProven
from spelunke.web import (
    account_pages,
    analysis_pages,
    coach_pages,
    daily_pages,
    documentation,
    endpoints,
    entry_pages,
    event_pages,
    house_pages,
    install,
    invitation_pages,
    match_pages,
    notification_pages,
    own_analysis_pages,
    own_problem_pages,
    pages,
    passkey_pages,
    people_pages,
    picture_pages,
    problem_pages,
    profile_pages,
    replay_pages,
    rules_page,
    settings_pages,
    table_pages,
    tip_pages,
    verify,
    watch_pages,
    words,
)
from spelunke.web.collecting import Collector
from spelunke.web.compressing import answer_file, prepare_files
from spelunke.web.forwarding import Exchange, Forwarding
from spelunke.web.host import FOR_THE_HOST, find_network_address, is_host, is_loopback
from spelunke.web.limits import Limits
from spelunke.web.moving import Moves
from spelunke.web.openapi import write_openapi
from spelunke.web.reads import Reads
from spelunke.web.refusal import find_status, find_word, refuse, wants_page
from spelunke.web.scripts import JUDGE
from spelunke.web.security import POLICY_WITH_RULES, SAFE, Guard
from spelunke.web.settings import Settings, read_settings
from spelunke.web.site import OWNER, Site, playable
from spelunke.web.threads import call
from spelunke.web.words import translate as _

log = structlog.get_logger("spelunke.web")

SENTENCES = {
    400: plain("This request can't be understood."),
    404: plain("There is no such page here."),
    405: plain("This address does not accept requests of this kind."),
    413: plain("The request is too large."),
}
BROKEN = "broken"
"""The error code of a request whose handler failed."""


class Journal:
    """ASGI middleware that counts requests, and logs their route, method, status and the time to the answer's start.

    It doesn't see the requests that are answered by `Forwarding`, `Moves` or `Reads`. `Meter.note` says which of the
    other requests aren't counted. If `tells_all` is false, only refusals and failures are logged. Queries, bodies and
    names are never logged.
    """

    def __init__(self, app: ASGIApp, *, tells_all: bool) -> None:
        self.app = app
        # If false, log only refusals and failures, and build no log entry for other requests.
        self.tells_all = tells_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application. When the answer begins, count and log the request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(scope, message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, send_noted)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = scope.get("route")
        path = route.path if isinstance(route, Route) else "other"
        site: Site = scope["app"].state.site
        method = (
            scope["method"]
            if scope["method"] in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
            else "other"
        )
        table = scope.get("path_params", {}).get("table", "")
        site.meter.note(path, method, status, seconds, at_table=bool(table) and method not in SAFE)
        if status < 400 and not self.tells_all:
            return
        write = log.warning if status >= 400 else log.debug
        write(
            "answered",
            route=path,
            method=method,
            status=status,
            ms=round(seconds * 1000, 1),
            **({"table": table[:16]} if table else {}),
            **({"error": scope["refusal"]} if "refusal" in scope else {}),
        )


async def _static(request: Request) -> Response:
    site = pages.site_of(request)
    name = request.path_params["name"]
    if name not in site.statics:
        raise HTTPException(404)
    content, kind = site.statics[name]
    headers = {"content-security-policy": POLICY_WITH_RULES} if name == JUDGE else {}
    # During an upgrade, workers have different versions. Browsers must not reuse this file unchecked for
    # another version's address.
    present = site.static(name).endswith(f"?v={request.query_params.get('v')}")
    kept = "public, max-age=31536000, immutable" if present else "no-cache"
    accept = request.headers.get("accept-encoding", "")
    return answer_file(content, kind, accept, {"cache-control": kept, **headers})


async def _health(request: Request) -> Response:
    site = pages.site_of(request)
    # not by `call`: if the database hangs, the threads for requests may all wait for it
    health = await site.health()
    told: dict[str, object] = {"status": health.status, "ok": health.ok}
    if is_host(request, site.settings):
        told |= msgspec.to_builtins(health)
    return JSONResponse(told, 200 if health.ok else 503, headers={"cache-control": "no-store"})


async def _metrics(request: Request) -> Response:
    site = pages.site_of(request)
    if not is_host(request, site.settings):
        answer = refuse(site, request, 401, "not_the_host", _(FOR_THE_HOST))
        answer.headers["www-authenticate"] = "Bearer"
        return answer
    text = site.meter.write() + await call(site.house.store.metrics.text)
    return PlainTextResponse(text, headers={"cache-control": "no-store"})


async def _openapi(request: Request) -> Response:
    return JSONResponse(write_openapi(version("spelunke")), headers={"cache-control": "no-cache"})


def _on_spelunke_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, SpelunkeError)
    if isinstance(error, NotProven) and wants_page(request):
        # After confirming, the person sends the form again. The server doesn't store its contents.
        back = f"?{urlencode({'back': request.url.path})}" if request.method == "GET" else ""
        return RedirectResponse(f"/me/confirm{back}", 303)
    return refuse(pages.site_of(request), request, find_status(error), find_word(error), str(error), error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    site = pages.site_of(request)
    if OWNER not in request.scope and wants_page(request):
        with contextlib.suppress(SpelunkeError):  # a banned person sees the header of a visitor
            await site.guest(request)
    sentence = _(SENTENCES.get(error.status_code, SENTENCES[400]))
    word = "not_found" if error.status_code == 404 else f"status_{error.status_code}"
    response = refuse(site, request, error.status_code, word, sentence)
    response.headers.update(error.headers or {})
    return response


def _on_failure(request: Request, error: Exception) -> Response:
    """Log an unexpected error, and return its response.

    `Guard` usually calls this function first, and then raises the error again, so Starlette calls the function a second
    time. The second call logs nothing.
    """
    if request.scope.get("refusal") != BROKEN:
        log.error("failed", kind=type(error).__name__)
    sentence = _(
        "Something broke on our side. Perhaps your last action was not saved. Look at the page again, then try once "
        "more."
    )
    return refuse(pages.site_of(request), request, 500, BROKEN, sentence)


def open_configured(settings: Settings) -> House:
    """Open the house (the database and everything that works on it), and return it.

    Each game of the day has a secret seed. Create the missing seeds for today and the coming days, and publish a hash
    (commitment) of each seed.

    Raise HouseClosed if the database can't be used.
    """
    house = open_house(
        settings.database,
        redis=settings.redis,
        bot_pause=settings.bot_pause,
        keeping=settings.keeping,
        lasting=settings.lasting,
        signing_key=settings.key,
        push_key=settings.push_seed,
        outside=settings.outside,
        words=words.house_in,
    )
    try:
        house.days.bind()  # a commitment proves most if it was made long before its day
    except HouseClosed as error:
        log.warning("days are not bound", error=str(error))
    return house


def create_app(
    settings: Settings | None = None,
    house: House | None = None,
    hurry: Callable[[Game], None] = lambda game: None,
    closing: Callable[[], None] = lambda: None,
) -> Starlette:
    """Return the web application. If no `house` is given, the application opens one, and closes it at shutdown.

    When somebody is about to play a game, the application calls `hurry` with the game, so that its rules can
    be compiled first. If a `house` is given, the application calls `closing` after the last request.
    """
    settings = settings or read_settings()
    limits = Limits(settings)
    exchange = Exchange(settings) if settings.shares_tables else None

    def among_workers(app: Starlette, opened: House) -> contextlib.AbstractAsyncContextManager[None]:
        return contextlib.nullcontext() if exchange is None else exchange.open(app, opened)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if house is not None:
            try:
                async with among_workers(app, house):
                    yield
            finally:
                await limits.close()
                await call(closing)
            return
        opened = await call(open_configured, settings)
        app.state.site = Site(opened, settings, limits, hurry=hurry)
        log.info("open", version=version("spelunke"))
        try:
            async with among_workers(app, opened):
                yield
        finally:
            await call(opened.close)
            await limits.close()
            log.info("closed")

    def answer(scope: Scope, status: int, sentence: str) -> ASGIApp:
        return refuse(scope["app"].state.site, Request(scope), status, f"status_{status}", sentence)

    fast: tuple[type[Moves | Reads], ...] = () if settings.log_level == "debug" else (Moves, Reads)
    app = Starlette(
        routes=[
            *table_pages.often(),
            *endpoints.routes(),
            Route(endpoints.ROOT + "/openapi.json", _openapi),
            Route("/static/{name}", _static),
            *install.ROUTES,
            *documentation.routes(settings.docs),
            Route("/health", _health),
            Route("/metrics", _metrics),
            *verify.ROUTES,
            *pages.ROUTES,
            *profile_pages.ROUTES,
            *people_pages.ROUTES,
            *match_pages.ROUTES,
            *settings_pages.ROUTES,
            *account_pages.ROUTES,
            *entry_pages.ROUTES,
            *house_pages.ROUTES,
            *notification_pages.ROUTES,
            *passkey_pages.ROUTES,
            *replay_pages.routes(),
            *own_analysis_pages.routes(),
            *watch_pages.ROUTES,
            *rules_page.routes(),
            *analysis_pages.routes(),
            *problem_pages.routes(),
            *daily_pages.routes(),
            *picture_pages.routes(),
            *event_pages.routes(),
            *own_problem_pages.routes(),
            *coach_pages.routes(),
            *tip_pages.routes(),
            *invitation_pages.ROUTES,
            *table_pages.routes(),
        ],
        middleware=[
            *([] if exchange is None else [Middleware(Forwarding, exchange=exchange, answer=answer)]),
            *(Middleware(kind, limits=limits) for kind in fast),
            Middleware(Journal, tells_all=settings.log_level == "debug"),
            Middleware(Guard, settings=settings, limits=limits, answer=answer, fail=_on_failure),
        ],
        exception_handlers={
            SpelunkeError: _on_spelunke_error,
            HTTPException: _on_http_error,
            500: _on_failure,
        },
        lifespan=lifespan,
    )
    app.state.exchange = exchange
    if house is not None:
        app.state.site = Site(house, settings, limits, hurry=hurry)
    return app


class _Stderr:
    """A stream that writes to the present `sys.stderr`, and ignores errors if stderr is closed."""

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up_logs(settings: Settings) -> None:
    """Set up structured logs on stderr, with one line for each entry: coloured text on a terminal, JSON elsewhere."""
    people = sys.stderr.isatty()
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if people else "iso", utc=not people),
            structlog.dev.ConsoleRenderer(colors=True) if people else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=False,
    )


def run(settings: Settings, *, announce: Callable[[str], None] = print) -> None:
    """Serve until a signal arrives. When the server is ready, call `announce` with lines for the operator, such as the
    address.

    Two seconds after the signal, the server cuts all streams that are still open. This loses no move: the server
    stores each move on disk before it answers the move's request.
    """
    set_up_logs(settings)
    # Open the house before the server, so that errors of the database are reported in one sentence.
    house = open_configured(settings)
    log.info("open", version=version("spelunke"))
    collector = Collector()

    def compiled(game: Game) -> None:
        log.info("rules compiled", game=game.name)
        collector.settle()

    warming = Warming(playable(), compiled)
    # Pass the closing of the house to the app. Code after `_serve` may never run: at the end, the server sends its
    # stop signal to this process again.
    opened = contextlib.ExitStack()
    opened.callback(log.info, "closed")
    opened.callback(house.close)
    opened.callback(warming.stop)
    opened.callback(collector.stop)
    with opened:
        app = create_app(settings, house, warming.hurry, opened.close)
        site: Site = app.state.site
        prepare_files(site.statics.values())
        collector.start()
        warming.start()
        _serve(app, house, settings, announce)


def _host_code(house: House) -> str | None:
    """Return a code that makes a member the site's first host (administrator).

    Return None if the site has a host already, or if the server can't work now (`HouseClosed`).
    """
    try:
        return None if house.members.has_host() else house.members.codes.make("host")
    except HouseClosed as error:
        log.warning("no link for the first host", error=str(error))
        return None


def _serve(app: Starlette, house: House, settings: Settings, announce: Callable[[str], None]) -> None:
    import uvicorn

    from spelunke.web.gate import make_config

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                port = next(
                    (s.getsockname()[1] for server in self.servers for s in server.sockets), settings.port
                )
                everywhere = settings.host in ("0.0.0.0", "::")  # noqa: S104
                host = "localhost" if everywhere or is_loopback(settings.host) else settings.host
                here = settings.public_url(f"http://{host}:{port}")
                announce(f"The server is ready: {here}/")
                network = find_network_address() if everywhere and not settings.base_url else None
                if network is not None:
                    announce(f"On your network: http://{network}:{port}/")
                code = _host_code(house)
                if code is not None:
                    announce(
                        f"This site has no host yet. Open this link to become its host: {here}/host/{code}"
                    )

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            site: Site = app.state.site
            exchange: Exchange | None = app.state.exchange
            if exchange is not None:  # leave first, so that reconnecting clients find another worker
                await exchange.leave()
            site.audiences.end()
            await super().shutdown(sockets)

    Server(make_config(app, settings)).run()
