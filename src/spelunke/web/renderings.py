"""Cached renderings of tables, shared by all viewers who may see the same parts of them.

A message of a stream contains the changes since the previous message, as patches (`patches`). Viewers with the
same previous state receive the same bytes. For sizes and lifetimes of the caches, see `house.budgets`.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable, Mapping, Sequence
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
from spelunke.house.refusals import UnknownPerson
from spelunke.web.parts.log import is_detail, name_of, render_log_lines
from spelunke.web.parts.table import Draft, render_parts, say_turn
from spelunke.web.parts.waiting import Invitation, render_waiting
from spelunke.web.patches import NEW, Mark, Patch, cut, mark_of, write_patch
from spelunke.web.words import tongue_of, translator

Kind = Literal["page", "look"]
"""The form of a rendering: the parts of a page (``page``), or the state of a table as JSON (``look``)."""


class Since(NamedTuple):
    """The state that a client has: `version` and `stamp` as in `Look`, and the last `ply` of the client's log."""

    version: int = 0
    ply: int = 0
    stamp: str = ""


def since_of(look: Look, ply: int = 0) -> Since:
    """Return the state of a client after the client has received `look`.

    `ply` is the last ply in the log that the client had before.
    """
    return Since(look.version, max([ply, *(line.ply for line in look.log[-1:])]), look.stamp)


def write_since(since: Since) -> str:
    """Return the client's state as text, for `live.read_since` to parse."""
    return f"{since.version}.{since.ply}.{since.stamp}"


class Asker(NamedTuple):
    """The reader of a table: person, language, and the link with which they can invite friends.

    If `explains`, the page explains each choice. If `coached`, the coach adds the value of each choice. For
    `own_letters`, see `words.OWN_LETTERS`. `recalls` is true while the page shows the summary of the last round
    to people who share the device. Meanwhile, no hand is open. `answered` are the seats at this device that need not
    act now. They include seats that have answered in secret. The pages of other devices still show such a seat as a
    seat to act. For `decides`, see `Hand`.
    """

    person: str | None
    language: str
    address: Invitation
    explains: bool = False
    coached: bool = False
    own_letters: bool | None = None
    recalls: bool = False
    answered: tuple[int, ...] = ()
    decides: int | None = None


def renew_asker(house: House, asker: Asker) -> Asker:
    """Return a player with their present wish for the coach: they may have switched it since their page was loaded."""
    try:
        known = None if asker.person is None else house.people.find(asker.person)
    except UnknownPerson:
        known = None
    return asker if known is None else asker._replace(coached=known.coached)


def render_all(
    look: Look,
    game: Game,
    language: str,
    address: Invitation,
    draft: Draft | None = None,
    *,
    explains: bool = False,
    coached: bool = False,
    recalls: bool = False,
) -> dict[str, Markup]:
    """Return all parts of the page for this viewer, by their ids.

    For `explains`, `coached` and `recalls`, see `Asker`.
    """
    tell = translator(game, language)
    parts = render_parts(look, game, tell, draft, explains=explains, coached=coached, recalls=recalls)
    if look.status in ("open", "ready"):
        invitation = None
        if look.invite:
            invitation = Invitation(f"{address.link}/j/{look.table}/{look.invite}", address.here_only)
        parts["waiting"] = render_waiting(look, game, invitation)
    return parts


def write_parts(parts: dict[str, Markup]) -> Markup:
    """Return parts of the page as HTML for htmx, which puts each part in place of the element with its id."""
    return join(
        html('<hx-partial hx-target="#{}" hx-swap="morph">{}</hx-partial>', name, part)
        for name, part in parts.items()
    )


def write_push(
    parts: dict[str, Markup], look: Look, ply: int, log: tuple[LogLine, ...], whole_log: Markup | None = None
) -> Markup:
    """Return the HTML of a message: changed parts, lines of the log, and an announcement for screen readers.

    `log` has the lines after ply `ply`. The page appends them to its log. If `whole_log` is given, the page replaces
    its log with `whole_log` instead.
    """
    pieces = [write_parts(parts)] if parts else []
    if whole_log is not None:
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="innerHTML">{}</hx-partial>', whole_log))
    elif log:
        lines = render_log_lines(log, name_of(look), ply)
        pieces.append(html('<hx-partial hx-target="#log" hx-swap="grow">{}</hx-partial>', lines))
    if log:
        told = [line.text for line in log if not is_detail(line)]
        said = " ".join([*told, *([say_turn(look)] if look.legal else [])])
        sounds = _sounds_of(look.game)
        if said:  # otherwise the last announcement stays
            pieces.append(
                html(
                    '<hx-partial hx-target="#said" hx-swap="morph">'
                    '<p id="said" class="live" aria-live="polite" data-ply="{}" data-sounds="{}">{}</p></hx-partial>',
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


def write_message(data: bytes, ident: str, event: str = "") -> bytes:
    """Return a message of a stream (a server-sent event), with its id and its kind. `data` is JSON on one line."""
    head = f"id: {ident}\nevent: {event}\n" if event else f"id: {ident}\n"
    return b"%bdata: %b\n\n" % (head.encode(), data)


def write_data(patches: Mapping[str, Sequence[int | str]], html: str) -> bytes:
    """Return the data of a message for a page: patches of parts, and other HTML. `static/patches.js` reads it."""
    return msgspec.json.encode({"parts": patches, "html": str(html)})


class Marks:
    """The hashes of all parts of a page, by the parts' ids. Instances are compared by identity."""

    __slots__ = ("of",)

    def __init__(self, of: Mapping[str, Mark]) -> None:
        self.of = of


class Held(NamedTuple):
    """The content of a page: the hashes of all its parts, and the ids of the parts that the stream has sent.

    Until the stream sends a part, the page has the version of this part that it loaded. For the first change of a part,
    the stream sends the whole part. For later changes, it sends patches. `marks` is None if the hashes are not known.
    """

    marks: Marks | None = None
    sent: frozenset[str] = frozenset()


class Shown:
    """A table as some viewers see it, with its renderings.

    `look.log` begins after ply `since`. `parts` is empty for programs.
    """

    __slots__ = (
        "_grown",
        "_last",
        "_marks",
        "_messages",
        "_newest",
        "_pieces",
        "glance",
        "look",
        "parts",
        "since",
    )

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
        self._pieces: dict[str, list[str]] = {}
        self._messages: dict[tuple[Marks | None, frozenset[str], int, bool], bytes] = {}
        # the newest message, and the state of the page for which it was made: the next page usually has the same state
        self._last: tuple[Held, int, bool, tuple[bytes, Held]] | None = None
        # the last ply of the log, 0 without one
        self._newest = look.log[-1].ply if look.log else 0
        # called when its size has grown
        self._grown = grown

    @property
    def size(self) -> int:
        """The estimated size of this object in bytes."""
        parts = 3 * sum(map(len, self.parts.values()))
        return 4000 + parts + sum(map(len, self._messages.values())) + 8 * len(self.look.log)

    def mark(self, known: Mapping[str, Mark]) -> Marks:
        """Return the hashes of all parts. A stream stores these hashes instead of the HTML of its page.

        `known` are the hashes of an earlier version. They are reused for unchanged parts, to save time.
        """
        if self._marks is None:
            of = {}
            for name, part in self.parts.items():
                mark = known.get(name, NEW)
                if mark.whole != hash(part):
                    mark, self._pieces[name] = mark_of(part, mark)
                of[name] = mark
            self._marks = Marks(of)
        return self._marks

    def _keep(self, key: tuple[Marks | None, frozenset[str], int, bool], message: bytes) -> bytes:
        self._messages[key] = message
        self._grown(self)
        return message

    def lines_after(self, ply: int) -> tuple[LogLine, ...]:
        """Return the lines of the log after a ply. The ply must not be before `since`."""
        log = self.look.log
        return log if ply <= self.since else log[bisect.bisect_right(log, ply, key=lambda line: line.ply) :]

    def since_after(self, ply: int) -> Since:
        """Return the state that a client has after it has received this rendering of the table.

        `ply` is the last ply of the log that the client had before it received this rendering.
        """
        return Since(self.look.version, max(ply, self._newest), self.look.stamp)

    def write_parts(self, held: Held, ply: int, *, whole: bool) -> tuple[bytes, Held]:
        """Return the message for a page, and the content that the page has after this message.

        `held` is the page's present content, and `ply` the last ply of its log. If `whole`, send the whole log again.
        """
        last = self._last
        if last is not None and last[0] == held and last[1:3] == (ply, whole):
            return last[3]
        known = {} if held.marks is None else held.marks.of
        now = self.mark(known)
        changed = [
            name for name, mark in now.of.items() if name not in known or known[name].whole != mark.whole
        ]
        sent = held.sent if held.sent.issuperset(changed) else held.sent.union(changed)
        key = (held.marks, held.sent.intersection(changed), ply, whole)
        message = self._messages.get(key)
        if message is None:
            patches = {
                name: self._write_patch(name, known[name], now.of[name])
                if name in held.sent
                else [str(self.parts[name])]
                for name in changed
            }
            log = render_log_lines(self.look.log, name_of(self.look)) if whole else None
            push = write_push({}, self.look, ply, self.lines_after(ply), log)
            message = self._keep(
                key, write_message(write_data(patches, push), write_since(self.since_after(ply)))
            )
            # free the memory: most messages are the same for everybody, and pieces take twice the memory of
            # parts
            self._pieces = {}
        self._last = (held, ply, whole, (message, Held(now, sent)))
        return self._last[3]

    def _write_patch(self, name: str, before: Mark, now: Mark) -> Patch:
        pieces = self._pieces.get(name, [])
        if len(pieces) < (now.head if now.tail == before.tail else len(now.pieces)):
            pieces = cut(self.parts[name])
        return write_patch(before, now, pieces)

    def write_look(self, ply: int, write: Callable[[Look], bytes]) -> bytes:
        """Return the table's state as a message for a program.

        The program has the log up to `ply`. The message contains only the lines after this ply.
        """
        key = (None, frozenset[str](), ply, False)
        message = self._messages.get(key)
        if message is not None:
            return message
        look = msgspec.structs.replace(self.look, log=self.lines_after(ply))
        return self._keep(key, write_message(write(look), write_since(self.since_after(ply)), "look"))


def _leave_out(look: Look, answered: tuple[int, ...]) -> Look:
    """Return the table's state (`look`) with the seats in `answered` marked as ready, and no longer as seats to act.

    If all seats to act have answered, return the look unchanged.
    """
    done = set(look.actors).intersection(answered)
    if not done or len(done) == len(look.actors):
        return look
    seats = tuple(
        msgspec.structs.replace(seat, ready=True) if seat.seat in done else seat for seat in look.seats
    )
    actors = tuple(seat for seat in look.actors if seat not in done)
    return msgspec.structs.replace(look, seats=seats, actors=actors)


class Renderings:
    """A cache of recent renderings of tables."""

    def __init__(self, house: House, *, seconds: float = RENDERED_S) -> None:
        self._house = house
        self._shown: Cache[
            tuple[
                Kind,
                str,
                Knowledge,
                str,
                Invitation,
                bool,
                bool,
                bool | None,
                bool,
                tuple[int, ...],
                int | None,
            ],
            Shown,
        ] = Cache(RENDERINGS, seconds=seconds)
        self._logs: Cache[tuple[str, Knowledge, str, bool | None], tuple[tuple[LogLine, ...], Markup]] = (
            Cache(RENDERINGS)
        )

    def draw(self, kind: Kind, table: str, asker: Asker, glance: Glance, since: int) -> Shown:
        """Return the table as the reader sees it. Its log begins after ply `since`, or earlier. This call blocks.

        Use a cached rendering only if its version, its stamp (see `Look`) and the reader's knowledge are the same as in
        `glance`.
        """
        found = self._shown.get((kind, table, glance.knowledge, *asker[1:]))
        if found is not None and found.since <= since:
            had = found.glance
            if (had.version, had.stamp, had.knowledge) == (glance.version, glance.stamp, glance.knowledge):
                return found
        tongue = tongue_of(asker.language)
        now, look = self._house.looks.visit(
            table,
            asker.person,
            since=since,
            translate=tongue.games,
            words=tongue.house,
            recall=asker.recalls,
            fresh=False,
            # looks that continue a log are unsigned; clients that keep a link request its signature
            signs=not since,
            decides=asker.decides,
        )
        parts = {}
        if kind == "page":
            game = find_game(look.game)
            parts = render_all(
                _leave_out(look, asker.answered),
                game,
                asker.language,
                asker.address,
                explains=asker.explains,
                coached=asker.coached,
                recalls=asker.recalls,
            )
        key = (kind, table, now.knowledge, *asker[1:])
        shown = Shown(now, look, since, parts, lambda shown: self._shown.weigh(key, shown, shown.size))
        self._shown.put(key, shown, shown.size)
        return shown

    def write_log(self, shown: Shown, asker: Asker) -> Markup:
        """Return the whole log as HTML. Lines that this method rendered before come from the cache."""
        key = (shown.look.table, shown.glance.knowledge, asker.language, asker.own_letters)
        lines, own = shown.look.log, name_of(shown.look)
        found = self._logs.get(key)
        known, written = found if found is not None else ((), Markup())
        if known != lines[: len(known)]:
            known, written = (), Markup()
        # Cache no lines of the last ply: it may get more lines, and their numbers continue from these lines.
        last = lines[-1].ply if lines else 0
        settled = lines[: bisect.bisect_left(lines, last, key=lambda line: line.ply)]
        if len(settled) > len(known):
            written += render_log_lines(settled[len(known) :], own)
            self._logs.put(key, (settled, written), 2 * len(written) + 8 * len(settled))
        return written + render_log_lines(lines[len(settled) :], own)
