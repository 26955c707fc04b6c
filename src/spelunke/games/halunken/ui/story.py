"""The story of the hour: each step in words, on the harbour by an arrow, and played out by the house's script."""

from __future__ import annotations

from spelunke.boards.markup import escape
from spelunke.boards.stage import cap, keyed
from spelunke.core.words import plain
from spelunke.games.halunken import happenings
from spelunke.games.halunken.moves import Choose, ChooseJack
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import Frame, classes, render_move

_GO = (
    ("first", "M5 4h3v16H5zM20 4v16L9 12z", plain("to the first step"), ""),
    ("previous", "M17 4v16L6 12z", plain("one step back"), "arrowleft"),
    ("play", "M4 4v16l9-8zM15 4h2.500v16H15zM19 4h2.500v16H19z", plain("play the steps, or pause"), ""),
    ("next", "M7 4v16l11-8z", plain("one step on"), "arrowright"),
    ("last", "M16 4h3v16h-3zM4 4v16l11-8z", plain("to the end"), ""),
)


def render_story(frame: Frame) -> str:
    """Each step as a radio button that lights its arrow on the harbour; the buttons beside need the script."""
    if not any(isinstance(event, (happenings.Revealed, happenings.Flipped)) for event, _text in frame.story):
        return ""  # the auction alone is no story: the log tells it
    items = []
    for k, (event, text) in enumerate(frame.story):
        kind = (
            "reveal"
            if isinstance(event, happenings.Revealed)
            else "hour"
            if isinstance(event, (happenings.HourBegan, happenings.Counted))
            else ""
        )
        items.append(
            f'<li class="{kind}" data-step="{k}"><label><input type="radio" form="none" name="{frame.id}-step" class="at{k}">'
            f"<span>{escape(text)}</span></label></li>"
        )
    name = f' data-story="{frame.id}-{frame.tale}"' if frame.tale else ""
    return (
        f'<section class="hk-story" aria-labelledby="{frame.id}-story"{name}><div class="hk-story-head"><h2 id="{frame.id}-story">{frame.say("Step by step")}</h2>'
        f'<label class="hk-all"><input type="radio" form="none" name="{frame.id}-step" class="all" data-all checked> {frame.say("all")}</label></div>'
        f"{_controls(frame) if name else ''}{_reveal(frame)}<ol>{''.join(items)}</ol></section>"
    )


def _controls(frame: Frame) -> str:
    buttons = "".join(
        f'<button type="button" class="button quiet icon" data-go="{where}" aria-label="{frame.say(label)}"{keyed(key) if key else ""}>'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{sign}"/></svg></button>'
        for where, sign, label, key in _GO
    )
    return f'<div class="hk-go" role="group" aria-label="{frame.say("Step by step")}">{buttons}{cap("←")}{cap("→")}</div>'


def _reveal(frame: Frame) -> str:
    """The cards of the last reveal side by side; those that cancel are marked."""
    event = next((e for e, _text in reversed(frame.story) if isinstance(e, happenings.Revealed)), None)
    if event is None:
        return ""
    items = []
    for figure, card in event.cards:
        gone = figure in event.cancelled
        marks = classes("jack" if figure == JACK else f"k{figure}", "gone" if gone else "")
        stays = f"<em>{frame.say('stays')}</em>" if gone else ""
        items.append(
            f'<li class="{marks}"><span class="hk-move">{render_move(frame, card)}</span>'
            f"<small>{escape(frame.name(figure))}</small>{stays}</li>"
        )
    return f'<ul class="hk-reveal" aria-hidden="true">{"".join(items)}</ul>'


# ---- on the harbour ----------------------------------------------------------------------------------------------


def _way(start: int, field: int) -> list[int]:
    """The fields from one to another, clockwise; all round where they are the same."""
    steps = (field - start) % FIELDS or FIELDS
    return [(start + n) % FIELDS for n in range(steps + 1)]


def track(frame: Frame, figure: int, spot: tuple[int, int]) -> str:
    """The attribute that lets a figure walk field by field; it ends where it stands now."""
    if not frame.tale:
        return ""
    parts = []
    for k, (event, _text) in enumerate(frame.story):
        if isinstance(event, (happenings.Walked, happenings.Displaced)) and event.figure == figure:
            parts.append((k, [art.SPOTS[field] for field in _way(event.start, event.field)]))
    if not parts:
        return ""
    parts[-1][1][-1] = spot
    told = "|".join(f"{k}={' '.join(f'{x},{y}' for x, y in points)}" for k, points in parts)
    return f' data-track="{told}"'


def render_arrows(frame: Frame) -> str:
    """One arrow or ring for each step; the style sheet shows those of the step that is chosen."""
    out = []
    for k, (event, _text) in enumerate(frame.story):
        match event:
            case happenings.Walked(figure, start, field, _):
                out.append(_step(k, figure, _arrow(start, field, "hk-way")))
            case happenings.Displaced(figure, start, field):
                out.append(_step(k, figure, _arrow(start, field, "hk-way pushed")))
            case happenings.Collected(figure, field, _, _) | happenings.Recruited(figure, field, _, _):
                x, y = art.PLACES[field]
                box = f'<rect class="hk-took" x="{x - 60}" y="{y - 72}" width="120" height="144" rx="14"/>'
                out.append(_step(k, figure, box))
            case _:
                pass
    return "".join(out)


def render_leads(frame: Frame) -> str:
    """The way of each movement card that may be laid, lit while its button is pointed at, has the focus or waits."""
    out = []
    for action, _text in frame.scene.legal + frame.scene.revise:
        if not isinstance(action, Choose | ChooseJack) or action.card == "rum":
            continue
        jack = isinstance(action, ChooseJack)
        figure = JACK if jack else frame.me
        part = frame.view.jack if jack else frame.view.captains[frame.me or 0]
        field = None if figure is None else frame.lead(figure, action.card)
        if field is not None and part is not None and part.field is not None:
            who = "jack" if jack else f"k{figure}"
            out.append(
                f'<g class="hk-lead {"jl" if jack else "l"}{action.card} {who}">{_arrow(part.field, field, "hk-way")}</g>'
            )
    return "".join(out)


def _arrow(start: int, field: int, kind: str) -> str:
    path = "M" + "L".join(f"{art.SPOTS[n][0]} {art.SPOTS[n][1]}" for n in _way(start, field))
    x, y = art.SPOTS[field]
    return f'<path class="{kind}" d="{path}"/><ellipse class="hk-ringed" cx="{x}" cy="{y}" rx="56" ry="22"/>'


def _step(k: int, figure: int, shapes: str) -> str:
    who = "jack" if figure == JACK else f"k{figure}"
    return f'<g class="hk-step g{k} {who}">{shapes}</g>'
