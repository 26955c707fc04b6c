"""Draw the page of a position of a finished game, from a `Replay`. Each part is one element with an id."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import UTC, datetime

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, hidden, html, join
from spelunke.boards.scene import Arrow, Scene
from spelunke.core.words import Translator
from spelunke.games.game import Game
from spelunke.house.messages import LogLine, Replay
from spelunke.web.numbers import write_day
from spelunke.web.parts.analysis import Study, render_curve, render_position, render_verdict
from spelunke.web.parts.chart import render_chart, render_swatch
from spelunke.web.parts.portraits import person_portrait
from spelunke.web.words import translate as _

WORST = "worst"
"""In an address, the value of ``ply`` that means the reader's costliest error. The server redirects to its position."""


def write_href(replay: Replay, ply: int, eyes: object = ...) -> str:
    """Return the query part of an address that shows a position of the replay, from the viewpoint `eyes`.

    `eyes` is a seat, None for a spectator, or "open" for a view of all hands. For "open", the query names no
    viewpoint. If `eyes` is not given, use the viewpoint of `replay`.
    """
    eyes = replay.eyes if eyes is ... else eyes
    said = "" if eyes == "open" else f"&as={'table' if eyes is None else eyes}"
    return f"?ply={ply}{said}"


def render_replay(
    replay: Replay, game: Game, translate: Translator, position: str, study: Study, house: str
) -> dict[str, Markup]:
    """Return each part of the page by its id.

    `position` is the position as text, for copying. `study` is the analysis, as far as it is done. `house` is the
    public address of the server, for code that embeds the position in other pages.
    """
    return {
        "replay-head": render_head(replay),
        "replay-go": render_go(replay),
        "replay-verdict": render_verdict(study),
        "board": render_board(replay, game, translate, study.arrows),
        "replay-analysis": render_position(study),
        "replay-chances": render_curve(study),
        "replay-chart": render_points(replay),
        "replay-log": render_log(replay),
        "replay-tools": render_tools(replay, game, translate, position, house),
        "said": html(
            '<p id="said" class="live" aria-live="polite" aria-atomic="true">{}</p>', say_here(replay)
        ),
    }


def say_here(replay: Replay) -> str:
    """Return the log's sentences at this position. If there are none, return a sentence with the position's number."""
    told = [line.text for line in replay.log if line.ply == replay.ply]
    return " ".join(told) or _("Position {ply} of {all}.").format(ply=replay.ply, all=replay.plies)


# --- the players and the result
# ---------------------------------------------------------------------------------


def render_head(replay: Replay) -> Markup:
    """Draw the players with their points in this position, and the result."""
    now = replay.points[replay.ply] if replay.points else None
    players = join(
        html(
            '<li class="seat seat-{seat}">{swatch}{avatar}<span class="seat-name">{name}</span>{bot}{points}</li>',
            seat=seat,
            swatch=render_swatch(seat) if now is not None else "",
            avatar=person_portrait(name, *replay.faces[seat]),
            name=name,
            bot=html('<span class="badge">{}</span>', _("bot")) if replay.kinds[seat] == "bot" else "",
            points=_say_points(now[seat]) if now is not None else "",
        )
        for seat, name in enumerate(replay.names)
    )
    ended = datetime.fromtimestamp(replay.ended_ms / 1000, UTC)
    begun = NOTHING
    if replay.origin is not None:
        begun = html(
            ' <a class="replay-origin" href="/t/{}/replay?ply={}">{}</a>',
            *replay.origin,
            _("Started from position {ply} of another game").format(ply=replay.origin[1]),
        )
    return html(
        '<header id="replay-head" class="table-head replay-head"><div class="replay-title"><h1>{}</h1>'
        '<p><strong>{}</strong> <time class="muted" data-day datetime="{}">{}</time>{}</p></div><ul class="players n{}">{}</ul></header>',
        replay.title,
        replay.result.text if replay.result else "",
        ended.isoformat(timespec="seconds"),
        f"{write_day(ended, time=True)} UTC",
        begun,
        len(replay.names),
        players,
    )


def _say_points(points: int) -> Markup:
    word = _("point") if points == 1 else _("points")
    return html('<span class="replay-points"><b>{}</b> <span class="unit">{}</span></span>', points, word)


# --- navigation
# ---------------------------------------------------------------------------------------------------

WAYS = {
    "start": "M5 4h3v16H5zM20 4v16L9 12z",
    "round-back": "M12 4v16L2 12zM22 4v16L12 12z",
    "back": "M17 4v16L6 12z",
    "on": "M7 4v16l11-8z",
    "round-on": "M2 4v16l10-8zM12 4v16l10-8z",
    "end": "M16 4h3v16h-3zM4 4v16l11-8z",
}


def render_go(replay: Replay) -> Markup:
    """Draw the controls that move through the game: links back and forward, a slider, and the rounds."""
    ply, last = replay.ply, replay.plies
    begins = [at for at, _name in replay.rounds]
    before, after = bisect_left(begins, ply), bisect_right(begins, ply)
    ways: tuple[tuple[str, str, int | None, str], ...] = (
        ("start", _("To the start"), 0 if ply else None, "Home"),
        ("round-back", _("One round back"), begins[before - 1] if before else None, "PageUp"),
        ("back", _("One step back"), replay.before, "ArrowLeft"),
        ("on", _("One step forward"), replay.after, "ArrowRight"),
        ("round-on", _("One round forward"), begins[after] if after < len(begins) else None, "PageDown"),
        ("end", _("To the end"), last if ply < last else None, "End"),
    )
    links = join(_way(replay, *way) for way in ways)
    slide = html(
        '<form class="replay-slide" method="get" action="/t/{table}/replay">{eyes}'
        '<input id="replay-slider" type="range" name="ply" min="0" max="{last}" value="{ply}" autocomplete="off" aria-label="{label}" aria-valuetext="{text}">'
        '<output class="num" for="replay-slider">{ply} / {last}</output><button class="button quiet" data-scriptless>{go}</button></form>',
        table=replay.table,
        eyes=hidden(**{"as": "table" if replay.eyes is None else replay.eyes})
        if replay.eyes != "open"
        else "",
        last=last,
        ply=ply,
        label=_("Position"),
        text=_("Position {ply} of {all}.").format(ply=ply, all=last),
        go=_("Go"),
    )
    return html(
        '<div id="replay-go" class="replay-go"><nav class="replay-ways" aria-label="{}">{}</nav>{}{}</div>',
        _("Move through the game"),
        links,
        slide,
        _render_rounds(replay),
    )


def _way(replay: Replay, name: str, label: str, ply: int | None, key: str) -> Markup:
    sign = html('<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>', WAYS[name])
    if ply is None:
        return html(
            '<span id="go-{}" class="button icon" role="link" aria-disabled="true" aria-label="{}">{}</span>',
            name,
            label,
            sign,
        )
    return html(
        '<a id="go-{}" class="button icon" href="{}" data-go-to="{}" data-replay-key="{}" aria-keyshortcuts="{}" aria-label="{}" title="{}">{}</a>',
        name,
        write_href(replay, ply),
        ply,
        key,
        key,
        label,
        label,
        sign,
    )


def _render_rounds(replay: Replay) -> Markup:
    begins = [(at, name) for at, name in replay.rounds if at < replay.plies]
    if len(begins) < 2:
        return NOTHING
    here = bisect_right([at for at, _name in begins], replay.ply) - 1
    items = join(
        html(
            '<li><a href="{}"{} aria-label="{}" title="{}">{}</a></li>',
            write_href(replay, at),
            html(' aria-current="step"') if k == here else "",
            name or _("Round {n}").format(n=k + 1),
            name or _("Round {n}").format(n=k + 1),
            k + 1,
        )
        for k, (at, name) in enumerate(begins)
    )
    name = begins[here][1] or _("Round {n}").format(n=here + 1)
    return html(
        '<nav class="replay-rounds" aria-label="{}"><span class="replay-round">{}</span><ol>{}</ol></nav>',
        _("Rounds"),
        name,
        items,
    )


def render_points(replay: Replay) -> Markup:
    """Draw the chart of the points. If the game counts no points before its end, return an empty element."""
    if len(replay.points) < 2:
        return html('<div id="replay-chart"></div>')
    return html(
        '<div id="replay-chart" class="panel replay-chart"><h2 class="an-title">{}</h2>{}</div>',
        _("Points"),
        render_chart(
            replay.points,
            [at for at, _name in replay.rounds],
            replay.ply,
            lambda ply: write_href(replay, ply),
        ),
    )


# --- the position -----------------------------------------------------------------------------------------------


def make_past_scene(replay: Replay, translate: Translator, arrows: tuple[Arrow, ...] = ()) -> Scene:
    """Return the scene from which the game draws its board in this position."""
    return Scene(
        view=replay.view,
        seat=replay.eyes if isinstance(replay.eyes, int) else None,
        names=replay.names,
        last=replay.last,
        actors=replay.actors,
        over=replay.over,
        outcome=replay.result.outcome if replay.result and replay.over else None,
        translate=translate,
        arrows=arrows,
        table=replay.table,
        past=True,
    )


def render_board(replay: Replay, game: Game, translate: Translator, arrows: tuple[Arrow, ...] = ()) -> Markup:
    """Draw the game's own board in this position. If the game has no board, write the sentences about the last ply."""
    board = game.hooks.render_board(make_past_scene(replay, translate, arrows))
    if board is None:
        board = html('<p class="notice">{}</p>', say_here(replay))
    return html('<div id="board" class="board-place">{}</div>', board)


# --- beside it --------------------------------------------------------------------------------------------------


def render_log(replay: Replay) -> Markup:
    """Draw the log around the position. Each line links to its position."""
    more = [
        (replay.more_before, _("Earlier")),
        (replay.more_after, _("Later")),
    ]
    first, last = (
        html('<a class="replay-more" href="{}">{}</a>', write_href(replay, ply), text)
        if ply is not None
        else ""
        for ply, text in more
    )
    lines = join(_line(replay, line, part) for part, line in enumerate(replay.log))
    return html(
        '<section id="replay-log" class="panel replay-log" aria-labelledby="log-title"><div class="panel-head"><h2 id="log-title">{}</h2></div>'
        '{}<ol id="log" class="log" tabindex="0" aria-labelledby="log-title">{}</ol>{}'
        '<label class="check log-more"><input type="checkbox" autocomplete="off"> {}</label></section>',
        _("What happened"),
        first,
        lines,
        last,
        _("Show the whole log"),
    )


def _line(replay: Replay, line: LogLine, part: int) -> Markup:
    event = line.event
    kind = (
        "mark"
        if event is not None and event.heading
        else "quiet"
        if event is not None and event.detail
        else ""
    )
    seat = html(' data-seat="{}"', line.seat) if line.seat is not None and line.seat >= 0 else ""
    here = html(' aria-current="step"') if line.ply == replay.ply else ""
    return html(
        '<li id="line-{}-{}" class="{}"{}{}><a href="{}">{}</a></li>',
        line.ply,
        part,
        kind,
        seat,
        here,
        write_href(replay, line.ply),
        line.text,
    )


def render_tools(replay: Replay, game: Game, translate: Translator, position: str, house: str) -> Markup:
    """Draw tools: viewpoints, a form to play on from here, the position as text, pictures, and the record."""
    return html(
        '<section id="replay-tools" class="panel replay-tools" aria-labelledby="tools-title"><div class="panel-head"><h2 id="tools-title">{}</h2></div>'
        '<div class="panel-body stack tight">{}{}{}{}{}</div></section>',
        _("This position"),
        _render_eyes(replay),
        _render_play_on(replay, game, translate),
        html(
            '<div class="field"><label for="position-text">{}</label><div class="share"><input id="position-text" readonly value="{}">'
            '<button type="button" class="button" data-copy="position-text" data-done="{}" hidden>{}</button></div></div>',
            _("The position as text"),
            position,
            _("Copied"),
            _("Copy"),
        ),
        _render_share(replay, house),
        html(
            '<p class="row"><a class="button" href="/t/{table}/record.json" download="{game}-{table}.json">{record}</a>'
            '<a class="button" href="{here}&amp;verify=1#verdict">{verify}</a></p>',
            table=replay.table,
            game=replay.game,
            record=_("Download the record"),
            here=write_href(replay, replay.ply),
            verify=_("Verify the whole game"),
        ),
    )


def _render_share(replay: Replay, house: str) -> Markup:
    """Draw links that save this position as a picture, and HTML code that embeds the position in another page."""
    place = f"/embed/t/{replay.table}?ply={replay.ply}"
    code = html('<iframe src="{}" width="800" height="600" loading="lazy"></iframe>', house + place)
    return html(
        '<p class="row"><span class="small muted">{picture}</span>'
        '<a class="button quiet" href="/t/{table}/position.png?ply={ply}" download>PNG</a>'
        '<a class="button quiet" href="/t/{table}/position.svg?ply={ply}" download>SVG</a>'
        '<a class="button quiet" href="{place}">{look}</a></p>'
        '<div class="field"><label for="embed-code">{embed}</label><div class="share"><input id="embed-code" readonly value="{code}">'
        '<button type="button" class="button" data-copy="embed-code" data-done="{done}" hidden>{copy}</button></div></div>',
        picture=_("Save as a picture"),
        table=replay.table,
        ply=replay.ply,
        place=place,
        look=_("Open the page for embedding"),
        embed=_("HTML code to embed this position in another page"),
        code=str(code),  # shown as text
        done=_("Copied"),
        copy=_("Copy"),
    )


def _render_eyes(replay: Replay) -> Markup:
    if replay.hides:
        choices: list[tuple[object, str]] = [("open", _("all hands")), (None, _("what everybody saw"))]
    else:
        choices = [("open", _("the table"))]
    choices += list(enumerate(replay.names))
    items = join(
        html(
            '<a class="choice-link" href="{}"{}>{}</a>',
            write_href(replay, replay.ply, eyes),
            html(' aria-current="true"') if eyes == replay.eyes else "",
            name,
        )
        for eyes, name in choices
    )
    return html(
        '<div class="replay-eyes" role="group" aria-label="{0}"><span class="small muted">{0}</span><div class="row">{1}</div></div>',
        _("Viewpoint"),
        items,
    )


def _render_play_on(replay: Replay, game: Game, translate: Translator) -> Markup:
    if replay.over:
        return html(
            '<p class="small muted">{}</p>', _("Go back to an earlier position to play on from there.")
        )
    first = replay.eyes if isinstance(replay.eyes, int) else replay.seat
    if first is None:
        first = replay.actors[0] if replay.actors else 0
    seats = join(
        html('<option value="{}"{}>{}</option>', seat, flag("selected", seat == first), name)
        for seat, name in enumerate(replay.names)
    )
    levels = join(
        html(
            '<option value="{}"{}>{}</option>',
            name,
            flag("selected", bool(level.get("default"))),
            translate(str(level.get("title", name))),
        )
        for name, level in game.levels.items()
    )
    return html(
        '<form class="replay-on" method="post" action="/t/{table}/play-on">{ply}'
        '<label>{as_} <select name="seat" autocomplete="off">{seats}</select></label> <label>{against} <select name="level" autocomplete="off">{levels}</select></label>'
        '<button class="button primary">{go}</button></form>',
        table=replay.table,
        ply=hidden(ply=replay.ply),
        as_=_("Play as"),
        seats=seats,
        against=_("against") if len(replay.names) == 2 else _("against bots:"),
        levels=levels,
        go=_("Play on from here"),
    )
