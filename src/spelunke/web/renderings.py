"""What a table looks like to all who know the same of it, drawn once: `house.budgets` says for whom and until when.

A message of a stream is what changed since the last one, as patches (`patches`). Who was shown the same before is sent
the same bytes.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import msgspec
from markupsafe import Markup

from spelunke.boards.markup import html, join
from spelunke.core.caches import Cache
from spelunke.core.values import Event
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.budgets import RENDERED_S, RENDERINGS
from spelunke.house.house import House
from spelunke.house.messages import Glance, Knowledge, LogLine, Look
from spelunke.web.parts.log import is_detail, name_of, render_log_lines
from spelunke.web.parts.table import Draft, render_parts, say_turn
from spelunke.web.parts.waiting import Invitation, render_waiting
from spelunke.web.patches import Mark, mark_of, write_patch
from spelunke.web.words import tongue_of, translator

Kind = Literal["page", "look"]
"""The parts of a page, or a look as programs get it."""


class Since(NamedTuple):
    """What a client has: version and stamp of its last look, and the last ply of its log."""

    version: int = 0
    ply: int = 0
    stamp: str = ""


def since_of(look: Look, ply: int = 0) -> Since:
    """What a client has that was shown this look; its log goes at least to `ply`."""
    return Since(look.version, max([ply, *(line.ply for line in look.log[-1:])]), look.stamp)


def write_since(since: Since) -> str:
    """What `live.read_since` reads."""
    return f"{since.version}.{since.ply}.{since.stamp}"


class Asker(NamedTuple):
    """Who is shown a table, in which language, and under which address friends of theirs reach it.

    `explains`: what each of their choices means is told; `coached`: what each is worth.
    """

    person: str | None
    language: str
    address: Invitation
    explains: bool = False
    coached: bool = False


def render_all(
    look: Look,
    game: Game,
    language: str,
    address: Invitation,
    draft: Draft | None = None,
    *,
    explains: bool = False,
    coached: bool = False,
) -> dict[str, Markup]:
    """All parts of the page by id, for this viewer; `explains` and `coached`: see `Asker`."""
    parts = render_parts(look, game, translator(game, language), draft, explains=explains, coached=coached)
    invitation = None
    if look.invite:
        invitation = Invitation(f"{address.link}/j/{look.table}/{look.invite}", address.here_only)
    parts["waiting"] = render_waiting(look, game, invitation)
    return parts


def write_parts(parts: dict[str, Markup]) -> Markup:
    """Parts of the page as partials, each for the element of its id."""
    return join(
        html('<hx-partial hx-target="#{}" hx-swap="morph">{}</hx-partial>', name, part)
        for name, part in parts.items()
    )


def write_push(
    parts: dict[str, Markup], look: Look, ply: int, log: tuple[LogLine, ...], whole_log: Markup | None = None
) -> Markup:
    """The partials of one message: changed parts, new lines of the log, and what a screen reader says."""
    pieces = [write_parts(parts)]
    if whole_log is not None:
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="innerHTML">{}</hx-partial>', whole_log))
    elif log:
        lines = render_log_lines(log, name_of(look), ply)
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="grow">{}</hx-partial>', lines))
    if log:
        told = [line.text for line in log if not is_detail(line)]
        said = " ".join([*told, *([say_turn(look)] if look.legal else [])])
        sounds = _sounds_of(look.game)
        if said:  # else what was said before stays
            pieces.append(
                html(
                    '<hx-partial hx-target="#said" hx-swap="morph"><p id="said" class="live" aria-live="polite" data-ply="{}" data-sounds="{}">'
                    "{}</p></hx-partial>",
                    log[-1].ply,
                    " ".join(
                        sorted({sounds[type(line.event)] for line in log if type(line.event) in sounds})
                    ),
                    said,
                )
            )
    return join(pieces)


@functools.cache
def _sounds_of(game: str) -> Mapping[type[Event], str]:
    return find_game(game).hooks.sounds()


def write_message(data: str, ident: str, event: str = "") -> bytes:
    """One message of a stream."""
    lines = [f"id: {ident}"]
    if event:
        lines.append(f"event: {event}")
    if "\n" in data or "\r" in data:
        lines += [f"data: {line}" for line in data.splitlines()]
    else:  # mostly: to look for all that may end a line takes as long as to draw a board's row
        lines.append(f"data: {data}")
    return ("\n".join(lines) + "\n\n").encode()


class Marks:
    """The marks of all parts of a page, by id; two of them are told apart by who made them."""

    __slots__ = ("of",)

    def __init__(self, of: Mapping[str, Mark]) -> None:
        self.of = of


class Held(NamedTuple):
    """What a page shows, as far as its stream knows: all its parts, and those that the stream sent it itself."""

    marks: Marks | None = None
    sent: frozenset[str] = frozenset()


class Shown:
    """One look at a table and what was made of it; `look.log` begins after ply `since`. Parts only for pages."""

    __slots__ = ("_grown", "_last", "_marks", "_messages", "_newest", "glance", "look", "parts", "since")

    def __init__(
        self,
        glance: Glance,
        look: Look,
        since: int,
        parts: dict[str, Markup],
        grown: Callable[[Shown], None] = lambda _shown: None,
    ) -> None:
        self.glance = glance
        self.look = look
        self.since = since
        self.parts = parts
        self._marks: Marks | None = None
        self._messages: dict[tuple[Marks | None, frozenset[str], int, bool], bytes] = {}
        # the message that was written last, and for whom: mostly the next one wants the same
        self._last: tuple[Held, int, bool, tuple[bytes, Held]] | None = None
        # the last ply of the log, 0 without one
        self._newest = look.log[-1].ply if look.log else 0
        # called when it has come to hold more
        self._grown = grown

    @property
    def size(self) -> int:
        """About how many bytes it holds."""
        parts = 3 * sum(map(len, self.parts.values()))
        return 4000 + parts + sum(map(len, self._messages.values())) + 8 * len(self.look.log)

    @property
    def marks(self) -> Marks:
        """What tells each part from another of its name: all that is kept for a page of what it shows."""
        if self._marks is None:
            self._marks = Marks({name: mark_of(part) for name, part in self.parts.items()})
        return self._marks

    def _keep(self, key: tuple[Marks | None, frozenset[str], int, bool], message: bytes) -> bytes:
        self._messages[key] = message
        self._grown(self)
        return message

    def lines_after(self, ply: int) -> tuple[LogLine, ...]:
        """The lines of the log after that ply, which is not before `since`."""
        log = self.look.log
        return log if ply <= self.since else log[bisect.bisect_right(log, ply, key=lambda line: line.ply) :]

    def since_after(self, ply: int) -> Since:
        """What a client has afterwards whose log goes to that ply."""
        return Since(self.look.version, max(ply, self._newest), self.look.stamp)

    def write_parts(self, held: Held, ply: int, *, whole: bool) -> tuple[bytes, Held]:
        """Return the message for a page, and what it holds afterwards.

        Its log goes up to `ply`; `whole`: with all of the log.
        """
        last = self._last
        if last is not None and last[0] == held and last[1:3] == (ply, whole):
            return last[3]
        known = {} if held.marks is None else held.marks.of
        now = self.marks
        changed = [name for name, mark in now.of.items() if known.get(name) != mark]
        sent = held.sent if held.sent.issuperset(changed) else held.sent.union(changed)
        key = (held.marks, held.sent.intersection(changed), ply, whole)
        message = self._messages.get(key)
        if message is None:
            patches = {
                name: write_patch(known[name], now.of[name], self.parts[name])
                if name in held.sent
                else [str(self.parts[name])]
                for name in changed
            }
            log = render_log_lines(self.look.log, name_of(self.look)) if whole else None
            push = write_push({}, self.look, ply, self.lines_after(ply), log)
            data = msgspec.json.encode({"parts": patches, "html": str(push)}).decode()
            message = self._keep(key, write_message(data, write_since(self.since_after(ply))))
        self._last = (held, ply, whole, (message, Held(now, sent)))
        return self._last[3]

    def write_look(self, ply: int, write: Callable[[Look], bytes]) -> bytes:
        """The message for a program that has the log up to that ply."""
        key = (None, frozenset[str](), ply, False)
        message = self._messages.get(key)
        if message is not None:
            return message
        look = msgspec.structs.replace(self.look, log=self.lines_after(ply))
        return self._keep(
            key, write_message(write(look).decode(), write_since(self.since_after(ply)), "look")
        )


class Renderings:
    """Tables as they were drawn a moment ago."""

    def __init__(self, house: House, *, seconds: float = RENDERED_S) -> None:
        self._house = house
        self._shown: Cache[tuple[Kind, str, Knowledge, str, Invitation, bool, bool], Shown] = Cache(
            RENDERINGS, seconds=seconds
        )
        self._logs: Cache[tuple[str, Knowledge, str], tuple[tuple[LogLine, ...], Markup]] = Cache(RENDERINGS)

    def draw(self, kind: Kind, table: str, asker: Asker, glance: Glance, since: int) -> Shown:
        """The table as the asker, who would see it at that glance, sees it; at least with the log after `since`.

        It is what others were shown only where their glance was the same. Blocking.
        """
        found = self._shown.get((kind, table, glance.knowledge, *asker[1:]))
        if found is not None and found.since <= since and _is_same(found.glance, glance):
            return found
        tongue = tongue_of(asker.language)
        now, look = self._house.looks.visit(
            table,
            asker.person,
            since=since,
            translate=tongue.games,
            words=tongue.house,
            fresh=False,
            signs=not since,  # a stream tells what is new; who keeps a link asks for its signature
        )
        parts = {}
        if kind == "page":
            game = find_game(look.game)
            parts = render_all(
                look, game, asker.language, asker.address, explains=asker.explains, coached=asker.coached
            )
        key = (kind, table, now.knowledge, *asker[1:])
        shown = Shown(now, look, since, parts, lambda shown: self._shown.weigh(key, shown, shown.size))
        self._shown.put(key, shown, shown.size)
        return shown

    def write_log(self, shown: Shown, language: str) -> Markup:
        """All lines of the log of what was shown, from its beginning: only what is new of it is written."""
        key = (shown.look.table, shown.glance.knowledge, language)
        lines, own = shown.look.log, name_of(shown.look)
        found = self._logs.get(key)
        known, written = found if found is not None else ((), Markup())
        if known != lines[: len(known)]:
            known, written = (), Markup()
        # Lines of one ply are numbered: those of the last one may be followed by others.
        last = lines[-1].ply if lines else 0
        settled = lines[: bisect.bisect_left(lines, last, key=lambda line: line.ply)]
        if len(settled) > len(known):
            written += render_log_lines(settled[len(known) :], own)
            self._logs.put(key, (settled, written), 2 * len(written) + 8 * len(settled))
        return written + render_log_lines(lines[len(settled) :], own)


def _is_same(one: Glance, other: Glance) -> bool:
    """Whether they are glances at the same."""
    return (one.version, one.stamp, one.knowledge) == (other.version, other.stamp, other.knowledge)
