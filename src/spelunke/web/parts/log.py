"""The log of a table's page: what happened, line by line."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.house.messages import LogLine
from spelunke.web.parts.markup import html, join
from spelunke.web.words import translate as _


def render_log_lines(lines: tuple[LogLine, ...], seat: int | None, last: int = 0) -> Markup:
    """List items of the log; ids tell lines of one ply apart, so that none is shown twice.

    An event of a game may say `heading` (a part of the game begins or ends here) or `detail` (one of many, or told again by
    the next: shown with the whole log only). What the viewer's own `seat` did is marked, as its name is in the head.
    """
    out: list[Markup] = []
    ply, part = last, 0
    own = html('<span class="badge you">{}</span> ', _("you"))
    for line in lines:
        part = part + 1 if line.ply == ply else 0
        ply = line.ply
        whose = html(' data-seat="{}"', line.seat) if line.seat is not None and line.seat >= 0 else Markup()
        you = own if line.seat is not None and line.seat == seat else Markup()
        kind = (
            ' class="mark"'
            if line.event is not None and line.event.heading
            else ' class="quiet"'
            if is_detail(line)
            else ""
        )
        out.append(
            html('<li id="log-{}-{}"{}{}>{}{}</li>', line.ply, part, Markup(kind), whose, you, line.text)
        )
    return join(out)


def is_detail(line: LogLine) -> bool:
    """Whether the line is left out where the log is told in short."""
    return line.event is not None and bool(line.event.detail)
