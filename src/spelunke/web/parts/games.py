"""Texts and dates for the lists of finished games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from spelunke.boards.markup import html
from spelunke.house.study import GameLine
from spelunke.web.numbers import write_day
from spelunke.web.words import translate as _


@dataclass(frozen=True)
class GameTold:
    """The texts of a line in a list of games.

    ``tone`` is the CSS class of the result. ``against`` has each opponent's name and the address of their page, or an
    empty address if they have no page.
    """

    date: Markup
    others: str
    against: tuple[tuple[str, str], ...]
    result: str
    tone: str
    score: str


def render_game(line: GameLine) -> GameTold:
    """Return the texts for a finished game as one of its players sees them: date, opponents, result, score."""
    result, tone = _say_result(line)
    return GameTold(
        date=render_day(line.ended_ms),
        others=", ".join(name for seat, name in enumerate(line.names) if seat != line.seat),
        against=tuple(
            (name, f"/p/{page}" if page else "")
            for seat, (name, page) in enumerate(zip(line.names, line.pages or [None] * 64, strict=False))
            if seat != line.seat
        ),
        result=result,
        tone=tone,
        score=_say_score(line),
    )


def render_day(at_ms: int) -> Markup:
    """Draw a date and time in UTC. A script changes it to the reader's time zone."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return html(
        '<time data-day datetime="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        f"{write_day(at, time=True)} UTC",
    )


def render_date(at_ms: int) -> Markup:
    """Draw a date without the time of day."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return html('<time data-date datetime="{}">{}</time>', f"{at:%Y-%m-%d}", write_day(at))


def _say_result(line: GameLine) -> tuple[str, str]:
    own, seats = line.ranks[line.seat], len(line.ranks)
    if line.reason == "agreed":
        return _.within("result", "Draw"), ""
    if line.reason == "called_off":
        return _("Called off"), ""
    if own == 1 and line.helped:
        return _("Won, with a bot's help"), ""
    if own == 1 and line.at_one_device:
        return _("Won, on a shared device"), ""
    if own == 1 and line.undone:
        return _("Won, with moves taken back"), ""
    if own == 1:
        return (_("Shared win"), "good") if line.ranks.count(1) > 1 else (_("Won"), "good")
    return (_("Lost"), "warn") if seats == 2 else (_("Place {n} of {all}").format(n=own, all=seats), "")


def _say_score(line: GameLine) -> str:
    if line.scores is None:
        return {"resigned": _("resigned"), "time": _("time ran out")}.get(line.reason, "–")
    others = [str(score) for seat, score in enumerate(line.scores) if seat != line.seat]
    return f"{line.scores[line.seat]} : {', '.join(others)}"
