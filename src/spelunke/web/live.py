"""Live streams of a table (server-sent events): whole parts, as soon as this viewer can see something new.

Each message carries the viewer's version, so whoever comes back gets exactly what is true now. A message is sent when
the viewer's own version changes and never otherwise, so its timing tells nothing about what others can't show.

Why it is made like this: docs/why/pages.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import StreamingResponse

from spelunke.core.game import Game
from spelunke.games import find_game
from spelunke.house.messages import Look
from spelunke.web.parts.markup import html, join
from spelunke.web.parts.table import Draft, is_detail, render_log_lines, render_parts, say_turn
from spelunke.web.parts.waiting import render_waiting
from spelunke.web.site import Site, call, translate_any, translator
from spelunke.web.words import translate

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def read_since(request: Request) -> tuple[int, int]:
    """Version and log ply that the client has: `Last-Event-ID` wins over `?since=`; (0, 0) for anything else."""
    text = request.headers.get("last-event-id") or request.query_params.get("since", "")
    version, _, ply = text.partition(".")
    if version.isdecimal() and (ply or "0").isdecimal() and len(text) < 32:
        return int(version), int(ply or 0)
    return 0, 0


def write_since(look: Look, ply: int = 0) -> str:
    """What `read_since` reads: the look's version and the last ply of its log (at least `ply`)."""
    return f"{look.version}.{max([ply, *(line.ply for line in look.log)])}"


def look_for(
    site: Site,
    table: str,
    person: str | None,
    since: int = 0,
    draft: Draft | None = None,
    *,
    recall: bool = False,
) -> tuple[Look, Game]:
    """The table as that person may see it, in the language of the request. Blocking."""
    look = site.house.look(
        table, person, since=since, translate=translate_any, words=translate, draft=draft, recall=recall
    )
    return look, find_game(look.game)


def hold_summary(site: Site, look: Look, person: str | None) -> None:
    """The page is about to show a summary to who sits there: bots wait until it goes on. Blocking."""
    if look.summary is not None and look.seat is not None and person is not None:
        site.house.hold(look.table, person)


def render_all(
    site: Site, look: Look, game: Game, link: Callable[[str], str], draft: Draft | None = None
) -> dict[str, Markup]:
    """All parts of the page by id, for this viewer."""
    parts = render_parts(look, game, translator(game), draft)
    invitation = link(f"/j/{look.table}/{look.invite}") if look.invite else None
    parts["waiting"] = render_waiting(look, game, invitation)
    return parts


def write_parts(parts: dict[str, Markup]) -> Markup:
    """Parts of the page as partials, each for the element of its id."""
    return join(
        html('<hx-partial hx-target="#{}" hx-swap="morph">{}</hx-partial>', name, part)
        for name, part in parts.items()
    )


def write_push(parts: dict[str, Markup], look: Look, ply: int, whole_log: Markup | None = None) -> Markup:
    """The partials of one message: changed parts, new lines of the log, and what a screen reader says."""
    pieces = [write_parts(parts)]
    if whole_log is not None:
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="morph:inner">{}</hx-partial>', whole_log))
    elif look.log:
        lines = render_log_lines(look.log, ply)
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="grow">{}</hx-partial>', lines))
    if look.log:
        told = [line.text for line in look.log if not is_detail(line)]
        said = " ".join([*told, *([say_turn(look)] if look.legal else [])])
        if said:  # else what was said before stays
            pieces.append(
                html(
                    '<hx-partial hx-target="#said" hx-swap="morph"><p id="said" class="live" aria-live="polite">'
                    "{}</p></hx-partial>",
                    said,
                )
            )
    return join(pieces)


def write_message(data: str, ident: str, event: str = "") -> bytes:
    """One message of a stream."""
    lines = [f"id: {ident}"]
    if event:
        lines.append(f"event: {event}")
    lines += [f"data: {line}" for line in data.splitlines() or [""]]
    return ("\n".join(lines) + "\n\n").encode()


async def changes(site: Site, table: str) -> AsyncIterator[bool]:
    """True at each hint that something changed, False at each heartbeat; begins with True.

    Hearts beat by a time of their own: a hint of what a reader is not told must not make the next beat later.
    """
    hints = site.house.subscribe(table)
    following = asyncio.ensure_future(anext(hints))
    try:
        await asyncio.sleep(0)  # so that it listens before the first look, and misses nothing in between
        yield True
        clock = asyncio.get_running_loop().time
        beat = clock() + site.settings.heartbeat
        while True:
            await asyncio.wait({following}, timeout=max(0.0, beat - clock()))
            if following.done():
                following.result()
                following = asyncio.ensure_future(anext(hints))
                yield True
            if beat <= clock():
                while beat <= clock():
                    beat += site.settings.heartbeat
                yield False
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        if isinstance(hints, AsyncGenerator):
            await hints.aclose()


async def stream_parts(site: Site, request: Request, table: str, person: str | None) -> AsyncIterator[bytes]:
    """The page's stream for one viewer, from the version that its page has."""
    version, ply = read_since(request)
    shown: dict[str, Markup] = {}
    over = False

    def link(path: str) -> str:
        return site.link(request, path)

    def render(since: int) -> tuple[Look, dict[str, Markup]]:
        look, game = look_for(site, table, person, since)
        hold_summary(site, look, person)
        return look, render_all(site, look, game, link)

    yield b": here\n\n"
    site.meter.streams.inc()
    try:
        async for hinted in changes(site, table):
            if not hinted:
                yield b": still here\n\n"
            if await call(site.house.version, table, person) == version and shown:
                continue
            look, parts = await call(render, ply)
            if look.version == version:
                shown = shown or parts
                continue
            news = {name: part for name, part in parts.items() if shown.get(name) != part}
            # At the end everything is open: the log is told again, with what was hidden until now.
            ended = look.status == "over" and not over
            over = look.status == "over"
            whole = render_log_lines((await call(look_for, site, table, person))[0].log) if ended else None
            message = write_push(news, look, ply, whole)
            shown, version = parts, look.version
            ident = write_since(look, ply)
            ply = int(ident.partition(".")[2])
            if look.seat is None:
                site.meter.pushes.inc()
            yield write_message(message, ident)
    finally:
        site.meter.streams.dec()


def respond(stream: AsyncIterator[bytes]) -> StreamingResponse:
    """A stream as a response that no proxy holds back."""
    return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)
