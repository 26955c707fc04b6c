"""The middleware for each request that reaches the app: headers, same-site check, size and rate limits, language.

It is plain ASGI middleware, so that streams pass through unchanged. For the reasons why forms need no token
against cross-site requests, see docs/why/cross-site.md.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spelunke.core.letters import LETTERS
from spelunke.house.operations import OPERATIONS
from spelunke.web.cookies import renew
from spelunke.web.limits import Limits
from spelunke.web.settings import Settings
from spelunke.web.words import LANGUAGE, LETTERS_COOKIE, OWN_LETTERS, choose, wanted_in
from spelunke.web.words import translate as _

log = structlog.get_logger("spelunke.web")

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
POLICY_WITH_RULES = f"{POLICY}; script-src 'self' 'wasm-unsafe-eval'"
"""The policy of pages and workers that run rules as WebAssembly: :data:`POLICY`, and permission for WebAssembly."""
HEADERS = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
        # Answers depend on cookies. Without this header, browsers repeat a stored redirect if the reader goes back.
        "cache-control": "no-store",
    }.items()
)
"""The default headers of each response, encoded for ASGI."""
COUNTED = "counted"
"""The key in the ASGI scope that marks a request as already counted (by `moving.Moves` or `reads.Reads`)."""
REFUSED = "refused"
"""The key in the ASGI scope for the error of a move on the fast path (`moving.Moves`).

If it is set, the move may already be stored, so the app must not play the move again.
"""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
FREE = ("/static/", "/metrics", "/faces/", "/docs/")
LONGEST_NUMBER = 18
LONG = ("/me/export.json",)
"""Paths whose responses take long to compute, and which have their own rate limit."""
LANGUAGE_COOKIE = "language"
TABLE_MAKERS = ("/tables", "/lessons", "/api/v1/tables", "/api/v1/lessons")
NEXT_TABLES = ("/rematch", "/again", "/play-on", "/bots")
"""The ends of other paths that make tables. `/bots` is the end of the path that replaces opponents by bots."""

NOTHING = contextlib.nullcontext()

Answer = Callable[[Scope, int, str], ASGIApp]
"""A function that returns the response to a refused request, from scope, status and sentence."""
Fail = Callable[[Request, Exception], ASGIApp]
"""A function that logs an unexpected error, and returns the response to its request."""


class TooLarge(Exception):  # is handled in this module: it stops the reading of a body
    """Raised while a body is read, if the body exceeds its limit."""


class Guard:
    """ASGI middleware that checks each request before its handler runs, and answers it if the handler fails."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits, answer: Answer, fail: Fail) -> None:
        self.app = app
        self.answer = answer
        self.fail = fail
        self.limit = settings.body_limit
        self.origin = _origin(settings.base_url)
        self.limits = limits
        self.safe = tuple(f"/{operation.name}" for operation in OPERATIONS.values() if operation.safe)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then pass it on to the app or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookies = cookie_parser(headers.get("cookie", ""))
        wanted = wanted_in(scope["query_string"]) or cookies.get(LANGUAGE_COOKIE)
        token = LANGUAGE.set(choose(wanted, headers.get("accept-language", "")))
        letters = OWN_LETTERS.set(LETTERS.get(cookies.get(LETTERS_COOKIE, "")))
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                out = message["headers"]
                given = {name for name, _value in out}
                out += [pair for pair in HEADERS if pair[0] not in given]
                if b"content-language" not in given:
                    out.append((b"content-language", LANGUAGE.get().encode()))
                renew(scope, MutableHeaders(raw=out))
            await send(message)

        try:
            refusal = self._cross_site(scope, headers) or self._oversized(headers)
            refusal = refusal or await self._too_many(scope)
            if refusal:
                await self.answer(scope, *refusal)(scope, receive, send_guarded)
                return
            try:
                streaming = self.limits.streaming(_network(scope)) if _is_stream(scope) else NOTHING
                with streaming:
                    await self.app(scope, self._bounded(receive), send_guarded)
            except TooLarge:
                if started:
                    raise
                await self.answer(scope, *self._large())(scope, receive, send_guarded)
            except ClientDisconnect:
                pass  # the client is gone before the end of its request
            except Exception as error:
                if not started:
                    await self.fail(Request(scope), error)(scope, receive, send_guarded)
                raise  # the server logs it
        finally:
            LANGUAGE.reset(token)
            OWN_LETTERS.reset(letters)

    def _cross_site(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if scope["method"] in SAFE:
            return None
        site = headers.get("sec-fetch-site")
        if site is not None:
            same = site in ("same-origin", "none")
        else:
            origin = headers.get("origin")
            if origin is None:
                return None  # not a browser: browsers send one of the two headers with each POST
            same = origin in (self.origin, f"{scope['scheme']}://{headers.get('host', '')}")
        return None if same else (403, _("This request came from another site. Use the pages of this site."))

    def _oversized(self, headers: Headers) -> tuple[int, str] | None:
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()):
            return 400, _("The length of the request's body is not a number.")
        large = len(length) > LONGEST_NUMBER or int(length) > self.limit
        return self._large() if large else None

    def _large(self) -> tuple[int, str]:
        return 413, _.many(
            "The request is too large: at most {bytes} byte is accepted.",
            "The request is too large: at most {bytes} bytes are accepted.",
            self.limit,
        ).format(bytes=self.limit)

    def _bounded(self, receive: Receive) -> Receive:
        seen = 0

        async def receive_bounded() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.limit:
                raise TooLarge
            return message

        return receive_bounded

    async def _too_many(self, scope: Scope) -> tuple[int, str] | None:
        path: str = scope["path"]
        if scope.get(COUNTED) or path.startswith(FREE):
            return None
        who = _network(scope)
        if (
            path == "/health"
        ):  # a monitor has a limit of its own, so that it doesn't use up the limit of players
            allowed = await self.limits.allow("health", who)
            return (
                None
                if allowed
                else (429, _("Too many requests in a short time. Wait a minute and try again."))
            )
        if _is_stream(scope) and not self.limits.may_stream(who):
            return 429, _("Too many table pages are open in your network. Close some of them and try again.")
        # Drafts change nothing and come with each click, so they don't count as moves do.
        if scope["method"] in SAFE or path.endswith(self.safe):
            allowed = await self.limits.allow("read", who)
            if allowed and path in LONG:
                allowed = await self.limits.allow("export", who)
        else:
            allowed = await self.limits.allow("write", who)
            if allowed and (path in TABLE_MAKERS or path.endswith(NEXT_TABLES)):
                allowed = await self.limits.allow("table", who)
        return (
            None if allowed else (429, _("Too many requests in a short time. Wait a minute and try again."))
        )


def _is_stream(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.endswith("/stream")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _network(scope: Scope) -> str:
    return network_of((scope.get("client") or ("unknown", 0))[0])


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return the network of an address, for rate limits: the IPv4 address, or the /64 network of an IPv6 address.

    If `host` is no address, return it unchanged.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return host
