"""Live streams of a table (server-sent events): whole parts, as soon as this viewer can see something new.

Each message carries the viewer's version, so whoever comes back gets exactly what is true now. A message is sent when
the viewer's own version changes, or what it sees of who is there, and never otherwise, so its timing tells nothing
about what others can't show.

Why it is made like this: docs/why/pages.md.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import StreamingResponse

from spelunke.core.digits import is_number
from spelunke.core.game import Game
from spelunke.games import find_game
from spelunke.house.messages import Look
from spelunke.house.presence import Stay
from spelunke.house.refusals import UnknownTable
from spelunke.web.parts.markup import html, join
from spelunke.web.parts.table import Draft, is_detail, render_log_lines, render_parts, say_turn
from spelunke.web.parts.waiting import Invitation, render_waiting
from spelunke.web.site import EXPLAIN_COOKIE, Site, call, translate_any, translator
from spelunke.web.words import translate

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
BEAT = b"event: beat\n\n"
"""A sign of life for a page, whose scripts can see events and no comments."""


class Since(NamedTuple):
    """What a client has: version and stamp of its last look, and the last ply of its log."""

    version: int = 0
    ply: int = 0
    stamp: str = ""


def read_since(request: Request) -> Since:
    """What the client has: `Last-Event-ID` wins over `?since=`; nothing for anything that is not understood."""
    text = request.headers.get("last-event-id") or request.query_params.get("since", "")
    version, _, rest = text.partition(".")
    ply, _, stamp = rest.partition(".")
    if is_number(version) and is_number(ply or "0") and len(text) < 48:
        return Since(int(version), int(ply or 0), stamp)
    return Since()


def since_of(look: Look, ply: int = 0) -> Since:
    """What a client has that was shown this look; its log goes at least to `ply`."""
    return Since(look.version, max([ply, *(line.ply for line in look.log)]), look.stamp)


def write_since(since: Since) -> str:
    """What `read_since` reads."""
    return f"{since.version}.{since.ply}.{since.stamp}"


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
        site.house.hold_summary(look.table, person)


FIRST_GAMES = 3
"""What choices mean is told until somebody has finished so many games of a kind."""


def explains_to(site: Site, request: Request, look: Look, person: str | None) -> bool:
    """Whether this person is told what their choices mean: as they chose, or in their first games. Blocking."""
    if look.seat is None or person is None:
        return False
    wish = request.cookies.get(EXPLAIN_COOKIE, "auto")
    if wish in ("always", "never"):
        return wish == "always"
    return site.house.count_finished(person, look.game, FIRST_GAMES) < FIRST_GAMES


def render_all(
    site: Site,
    look: Look,
    game: Game,
    invite: Callable[[str], Invitation],
    draft: Draft | None = None,
    *,
    explains: bool = False,
) -> dict[str, Markup]:
    """All parts of the page by id, for this viewer."""
    parts = render_parts(look, game, translator(game), draft, explains=explains)
    invitation = invite(f"/j/{look.table}/{look.invite}") if look.invite else None
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


class Alarm:
    """When a stream looks again although nothing was heard: when its last glance said so, or now and then."""

    def __init__(self, seconds: float) -> None:
        self._most = seconds
        self.at = asyncio.get_running_loop().time() + seconds

    def set(self, again_ms: int | None) -> None:
        """Ring after so many milliseconds, at the latest after the usual time."""
        seconds = self._most if again_ms is None else min(self._most, again_ms / 1000 + 0.01)
        self.at = asyncio.get_running_loop().time() + seconds


async def changes(
    site: Site, table: str, alarm: Alarm | None = None, beat_s: float | None = None
) -> AsyncIterator[bool]:
    """True at each hint that something changed and at each alarm, False at each heartbeat; begins with True.

    Hearts beat by a time of their own: a hint of what a reader is not told must not make the next beat later.
    """
    hints = site.house.subscribe(table)
    following = asyncio.ensure_future(anext(hints))
    try:
        await asyncio.sleep(0)  # so that it listens before the first look, and misses nothing in between
        yield True
        clock = asyncio.get_running_loop().time
        every = beat_s or site.settings.heartbeat
        beat = clock() + every
        while True:
            until = beat if alarm is None else min(beat, alarm.at)
            await asyncio.wait({following}, timeout=max(0.0, until - clock()))
            rung = alarm is not None and alarm.at <= clock()
            if following.done():
                following.result()
                following = asyncio.ensure_future(anext(hints))
                yield True
            elif rung:
                yield True
            if beat <= clock():
                while beat <= clock():
                    beat += every
                yield False
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        if isinstance(hints, AsyncGenerator):
            await hints.aclose()


@contextlib.contextmanager
def staying(site: Site, table: str, *, lasting: bool) -> Iterator[Stay]:
    """An open stream: it is counted, and its person is at the table as long as it is given to `House.glance`."""
    stay = site.house.stay(table, lasting=lasting)
    site.meter.streams.inc()
    try:
        yield stay
    finally:
        site.house.leave_stream(stay)
        site.meter.streams.dec()


async def stream_parts(site: Site, request: Request, table: str, person: str | None) -> AsyncGenerator[bytes]:
    """The page's stream for one viewer, from the version that its page has."""
    since = read_since(request)
    shown: dict[str, Markup] = {}
    over = False

    def invite(path: str) -> Invitation:
        return site.invite(request, path)

    explains: bool | None = None

    def render(ply: int) -> tuple[Look, dict[str, Markup]]:
        nonlocal explains
        look, game = look_for(site, table, person, ply)
        hold_summary(site, look, person)
        if explains is None:
            explains = explains_to(site, request, look, person)
        return look, render_all(site, look, game, invite, explains=explains)

    yield b": here\n\n"
    alarm = Alarm(site.settings.heartbeat)
    with staying(site, table, lasting=False) as stay:
        async for news in changes(site, table, alarm, min(site.settings.beat, site.settings.heartbeat)):
            if not news:
                yield BEAT
                continue
            glance = await call(site.house.glance, table, person, stay)
            alarm.set(glance.again_ms)
            if (glance.version, glance.stamp) == (since.version, since.stamp) and shown:
                continue
            look, parts = await call(render, since.ply)
            if (look.version, look.stamp) == (since.version, since.stamp):
                shown = shown or parts
                continue
            changed = {name: part for name, part in parts.items() if shown.get(name) != part}
            # At the end everything is open: the log is told again, with what was hidden until now.
            ended = look.status == "over" and not over
            over = look.status == "over"
            whole = render_log_lines((await call(look_for, site, table, person))[0].log) if ended else None
            message = write_push(changed, look, since.ply, whole)
            shown, since = parts, since_of(look, since.ply)
            if look.seat is None:
                site.meter.pushes.inc()
            yield write_message(message, write_since(since))


def respond(stream: AsyncGenerator[bytes]) -> StreamingResponse:
    """A stream as a response that no proxy holds back; it ends with its table."""
    return StreamingResponse(_until_gone(stream), media_type="text/event-stream", headers=HEADERS)


async def _until_gone(stream: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with contextlib.aclosing(stream):
        with contextlib.suppress(UnknownTable):  # cleaned away: who asks again is told
            async for part in stream:
                yield part
