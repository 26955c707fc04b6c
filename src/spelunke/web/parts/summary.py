"""Draw the summary of a round: the game's own drawing, or sentences. It covers the board until the viewer goes on."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Summary
from spelunke.core.values import View
from spelunke.core.words import Translator
from spelunke.games.game import Game
from spelunke.house.messages import Look, RoundSummary
from spelunke.web.parts.ending import find_people
from spelunke.web.parts.portraits import render_portrait
from spelunke.web.words import translate as _


def make_summary(look: Look, found: RoundSummary, translate: Translator) -> Summary[View]:
    """Return the input from which the game draws its summary.

    At a shared device several people read the summary, so it addresses nobody as "you".
    """
    return Summary(
        before=found.before,
        view=found.view,
        events=found.events,
        seat=_reader(look),
        names=look.names,
        points_before=found.points_before,
        points=found.points,
        over=found.over,
        translate=translate,
        table=look.table,
    )


def _reader(look: Look) -> int | None:
    """Return the seat of the only reader, or None for spectators and for the people at a shared device."""
    people = find_people(look)
    return people[0] if len(people) == 1 else None


def render_summary(
    look: Look, found: RoundSummary, game: Game, translate: Translator, *, recalls: bool = False
) -> Markup:
    """Draw the summary of a finished round. The summary covers the board.

    If `recalls`, several people at a shared device read the summary. Then the summary has no button to go
    on: it ends when one of these people opens a hand, or presses the button of the curtain (`curtain.GO_ON`).
    """
    own = game.hooks.render_summary(make_summary(look, found, translate))
    body = own if own is not None else _tell(look, found, game, translate)
    return html(
        '<section id="summary" class="summary panel" data-round="{row}" aria-labelledby="summary-title">'
        '<div class="panel-head"><h2 id="summary-title" tabindex="-1">{title}</h2>{on}</div>'
        '<div class="panel-body stack tight">{points}{body}</div></section>',
        row=found.row,
        title=_say_title(found),
        on=NOTHING if recalls else _render_on(look, over=found.over),
        body=body,
        points=_render_points(look, found),
    )


def _say_title(found: RoundSummary) -> str:
    name = found.name or _("Round {n}").format(n=found.number)
    return (
        _("{round} is over, and so is the game").format(round=name)
        if found.over
        else _("{round} is over").format(round=name)
    )


def _render_on(look: Look, *, over: bool) -> Markup:
    """Draw the button with which a player closes the summary, or a link to the table for spectators.

    Draw nothing in a lesson, which has its own button.
    """
    if look.lesson is not None:
        return NOTHING
    if look.seat is None:
        return html('<a class="button primary" href="/t/{}">{}</a>', look.table, _("Back to the table"))
    return render_go_on(look, over=over)


def render_go_on(look: Look, *, over: bool = False) -> Markup:
    """Draw the button that closes the summary. The button is big, except after the end of the game."""
    return html(
        '<form method="post" action="/t/{0}/dismiss-summary" hx-post="/t/{0}/dismiss-summary" hx-swap="none">'
        '<button class="button{2}" id="summary-on" data-key="enter escape" aria-keyshortcuts="Enter Escape">{1} <kbd class="key" aria-hidden="true">Enter</kbd></button></form>',
        look.table,
        _("Show the board") if over else _("Go on"),
        "" if over else " primary big",
    )


def _tell(look: Look, found: RoundSummary, game: Game, translate: Translator) -> Markup:
    """Draw the log's last 12 sentences about the round, for a game that doesn't draw its summaries itself."""
    told = [game.events.say(event, look.names, translate) for event in found.events if not event.detail]
    return html('<ol class="summary-told">{}</ol>', join(html("<li>{}</li>", text) for text in told[-12:]))


def _render_points(look: Look, found: RoundSummary) -> Markup:
    """Draw the points of each seat: before the round, in the round, and now. If there are no points, draw nothing."""
    before, after = found.points_before, found.points
    if before is None or after is None:
        return NOTHING
    reader = _reader(look)
    first = reader or 0  # games draw their summaries in the same order
    rows = join(
        html(
            '<li>{}<span class="summary-name">{}</span> <span class="num">{} {} {} = <b>{}</b></span></li>',
            render_portrait(look.seats[seat]),
            _("You") if seat == reader else look.names[seat],
            before[seat],
            "+" if after[seat] >= before[seat] else "\N{MINUS SIGN}",
            abs(after[seat] - before[seat]),
            after[seat],
        )
        for seat in (*range(first, len(after)), *range(first))
    )
    return html(
        '<ul class="summary-points" aria-label="{}">{}</ul>',
        _("Points before the round, in the round, and now"),
        rows,
    )
