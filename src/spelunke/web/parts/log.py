"""Draw the log of a table, line by line."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, html, join
from spelunke.house.messages import LogLine, Look
from spelunke.web.parts.ending import find_people
from spelunke.web.words import translate as _


def render_log_lines(lines: tuple[LogLine, ...], own: str, last: int = 0) -> Markup:
    """Draw lines of the log as list items. Each item has its own id, so that the page shows no line twice.

    A line that begins a part of the game gets the CSS class ``mark``. A detail, which only readers of the whole log
    see, gets the class ``quiet``. `own` is the viewer's name, which is marked in the lines, or an empty text (see
    `name_of`). `last` is the ply of the line before these lines.
    """
    out: list[Markup] = []
    ply, part = last, 0
    for line in lines:
        part = part + 1 if line.ply == ply else 0
        ply = line.ply
        whose = html(' data-seat="{}"', line.seat) if line.seat is not None and line.seat >= 0 else NOTHING
        kind = (
            html(' class="mark"')
            if line.event is not None and line.event.heading
            else html(' class="quiet"')
            if is_detail(line)
            else NOTHING
        )
        text = mark_own(line.text, own)
        out.append(html('<li id="log-{}-{}"{}{}>{}</li>', line.ply, part, kind, whose, text))
    return join(out)


def name_of(look: Look) -> str:
    """Return the viewer's name in the log. For spectators and several people at one device, return an empty text."""
    people = find_people(look)
    return look.names[people[0]] if len(people) == 1 else ""


def mark_own(text: str, own: str) -> Markup:
    """Mark the first occurrence of the reader's name, and attach the word “you” to it.

    If `own` is empty, nothing is marked.
    """
    found = _pattern_of(own).search(text) if own else None
    if found is None:
        return escape(text)
    name = html('<b class="own" data-you="{}">{}</b>', _("you"), own)
    return html("{}{}{}", text[: found.start()], name, text[found.end() :])


@lru_cache(maxsize=1024)
def _pattern_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w| \d)")


def is_detail(line: LogLine) -> bool:
    """Return whether a line is a detail. The page hides details, unless the reader chooses to see the whole log."""
    return line.event is not None and bool(line.event.detail)
