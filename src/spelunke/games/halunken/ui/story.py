"""The story: the steps of the last played hour (round).

Each step is a sentence. A step in which a figure moves is also an arrow on the harbour. The site's script can replay
the story.
"""

from __future__ import annotations

from functools import partial

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.boards.stage import cap, keyed
from spelunke.core.words import plain
from spelunke.games.halunken import happenings
from spelunke.games.halunken.moves import Choose, ChooseJack, Name
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import Frame, classes, during, render_move

_GO = (
    ("first", "M5 4h3v16H5zM20 4v16L9 12z", plain("to the first step"), ""),
    ("previous", "M17 4v16L6 12z", plain("one step back"), "arrowleft"),
    ("play", "M4 4v16l9-8zM15 4h2.500v16H15zM19 4h2.500v16H19z", plain("play the steps, or pause"), ""),
    ("next", "M7 4v16l11-8z", plain("one step forward"), "arrowright"),
    ("last", "M16 4h3v16h-3zM4 4v16l11-8z", plain("to the end"), ""),
)
_SIZES = ((50, ""), (115, "long"), (200, "longer"))
"""The most letters of a step's sentence, and a class with which a phone shows it in smaller letters."""


def render_story(frame: Frame) -> Markup:
    """Render each step of the last played hour as a radio button. While a step is chosen, its arrow is visible.

    Render nothing if no card was revealed. The buttons that replay these steps need JavaScript.
    """
    if not any(isinstance(event, (happenings.Revealed, happenings.Flipped)) for event in frame.steps):
        return NOTHING  # an auction alone is no story; the log shows it
    return frame.kept("story", (frame.steps, frame.tale, frame.told), lambda: _story(frame))


def _step_item(frame: Frame, k: int, event: happenings.Event, told: str) -> Markup:
    kind = (
        "reveal"
        if isinstance(event, happenings.Revealed)
        else "hour"
        if isinstance(event, (happenings.HourBegan, happenings.Counted))
        else ""
    )
    size = next((name for most, name in _SIZES if len(told) <= most), "longest")
    figure = getattr(event, "figure", None)
    who = "" if figure is None else "jack" if figure == JACK else f"k{figure}"
    return html(
        '<li class="{}" data-step="{}"{}><label><input type="radio" form="none" name="{}-step" class="at{}">'
        "<span>{}</span></label></li>",
        classes(kind, who, size),
        k,
        flag("data-quiet", isinstance(event, happenings.Auction)),
        frame.id,
        k,
        told,
    )


def _story(frame: Frame) -> Markup:
    items = [
        frame.kept(("step", k), step, partial(_step_item, frame, k, *step))
        for k, step in enumerate(zip(frame.steps, frame.told, strict=True))
    ]
    name = html(' data-story="{}-{}"', frame.id, frame.tale) if frame.tale else NOTHING
    return html(
        '<section class="hk-story" aria-labelledby="{}-story"{}><div class="hk-story-head"><h2 id="{}-story">{}</h2>'
        '<label class="hk-all"><input type="radio" form="none" name="{}-step" class="all" data-all checked> {}</label></div>'
        "{}{}<ol>{}</ol></section>",
        frame.id,
        name,
        frame.id,
        frame.say("Step by step"),
        frame.id,
        frame.say("all"),
        _controls(frame) if name else "",
        _reveal(frame),
        join(items),
    )


def _controls(frame: Frame) -> Markup:
    buttons = join(
        html(
            '<button type="button" class="button quiet icon" data-go="{}" aria-label="{}"{}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg></button>',
            where,
            frame.say(label),
            keyed(key) if key else "",
            sign,
        )
        for where, sign, label, key in _GO
    )
    return html(
        '<div class="hk-go" role="group" aria-label="{}">{}{}{}</div>',
        frame.say("Step by step"),
        buttons,
        cap("←"),
        cap("→"),
    )


def _reveal(frame: Frame) -> Markup:
    """Render the cards of the last reveal side by side, and mark the cancelled ones.

    If Black Jack's card was turned up after the reveal, the page shows it, and what it cancels, only from this step on.
    """
    event = next((e for e in reversed(frame.steps) if isinstance(e, happenings.Revealed)), None)
    if event is None:
        return NOTHING
    begin = frame.steps.index(event)
    flips = [(k, e) for k, e in enumerate(frame.steps) if k > begin and isinstance(e, happenings.Flipped)]
    shown = [(figure, card, -1) for figure, card in event.cards]
    shown += [(JACK, flip.card, k) for k, flip in flips]
    gone = dict.fromkeys(
        (figure for _k, flip in flips for figure in flip.cancelled), flips[0][0] if flips else -1
    )
    gone |= dict.fromkeys(event.cancelled, -1)
    items = []
    for figure, card, since in shown:
        at = gone.get(figure)
        stays = NOTHING if at is None else html("<em{}>{}</em>", during(at, None), frame.say("stays"))
        items.append(
            html(
                '<li class="{}"{}><span class="hk-move">{}</span><small>{}</small>{}</li>',
                "jack" if figure == JACK else f"k{figure}",
                during(since, None),
                render_move(frame, card),
                frame.name(figure),
                stays,
            )
        )
    return html('<ul class="hk-reveal" aria-hidden="true">{}</ul>', join(items))


# ---- on the harbour ----------------------------------------------------------------------------------------------


def _way(start: int, field: int) -> list[int]:
    """Return the fields from ``start`` clockwise to ``field``. If ``start`` is ``field``, return the whole circle."""
    steps = (field - start) % FIELDS or FIELDS
    return [(start + n) % FIELDS for n in range(steps + 1)]


def track(frame: Frame, figure: int, spot: tuple[int, int]) -> Markup:
    """Return an HTML attribute that has, for each move of a figure in the last played hour, the fields on its path.

    A figure that comes to the field of another stands beside it until the other moves on. The last path ends at
    ``spot``, the place where the figure now stands. If the figure has not moved, return nothing.
    """
    parts = []
    moved = [
        (k, event)
        for k, event in enumerate(frame.played)
        if isinstance(event, (happenings.Walked, happenings.Displaced))
    ]
    for n, (k, event) in enumerate(moved):
        if event.figure != figure:
            continue
        points = [art.SPOTS[field] for field in _way(event.start, event.field)]
        parts.append((k, points))
        # the next move of each other figure: one that is displaced from this field stood there already
        later = {other.figure: (at, other) for at, other in reversed(moved[n + 1 :])}
        for at, other in later.values():
            if (
                isinstance(other, happenings.Displaced)
                and other.start == event.field
                and other.figure != figure
            ):
                points[-1] = art.spot(event.field, shifted=True)
                parts.append((at, [points[-1], art.SPOTS[event.field]]))
    if not parts:
        return NOTHING
    parts.sort()
    parts[-1][1][-1] = spot
    told = "|".join(f"{k}={' '.join(f'{x},{y}' for x, y in points)}" for k, points in parts)
    return html(' data-track="{}"', told)


def render_arrows(frame: Frame) -> Markup:
    """Draw an arrow for each step of the last played hour in which a figure moves.

    For each step in which a figure takes a tavern's sailor, draw a border around the tavern's card. The style sheet
    shows an arrow or border while its step is chosen. Without a script, if the button ``all`` is chosen, the style
    sheet shows all arrows and borders one after the other.
    """
    return frame.kept("arrows", frame.steps, lambda: _arrows(frame))


def _arrows(frame: Frame) -> Markup:
    out = []
    for k, event in enumerate(frame.steps):
        match event:
            case happenings.Walked(figure, start, field, _):
                out.append(_step(k, figure, _arrow(start, field, "hk-way")))
            case happenings.Displaced(figure, start, field):
                out.append(_step(k, figure, _arrow(start, field, "hk-way pushed")))
            case happenings.Collected(figure, field, _, _) | happenings.Recruited(figure, field, _, _):
                x, y = art.PLACES[field]
                box = html(
                    '<rect class="hk-took" x="{}" y="{}" width="120" height="144" rx="14"/>', x - 60, y - 72
                )
                out.append(_step(k, figure, box))
            case _:
                pass
    return join(out)


def render_leads(frame: Frame) -> Markup:
    """Draw the path of the viewer's captain or of Black Jack for each movement card that the viewer may choose.

    A path is visible while the button of its card is hovered, focused or held, but not while the page replays the hour.
    """
    seen, scene = frame.view, frame.scene
    rests = (scene.legal, scene.revise, frame.fields, seen.phase)
    return frame.kept("leads", rests, lambda: _leads(frame))


def _leads(frame: Frame) -> Markup:
    out = []
    for action, _text in frame.scene.legal + frame.scene.revise:
        if not isinstance(action, Choose | ChooseJack | Name):
            continue
        card = action.number if isinstance(action, Name) else action.card
        jack = isinstance(action, ChooseJack) or (isinstance(action, Name) and frame.rum_of == JACK)
        figure = JACK if jack else frame.me
        part = frame.view.jack if jack else frame.view.captains[frame.me or 0]
        field = None if figure is None or card == "rum" else frame.lead(figure, card)
        if field is not None and part is not None and part.field is not None:
            who = "jack" if jack else f"k{figure}"
            out.append(
                html(
                    '<g class="hk-lead {}{} {}">{}</g>',
                    "jl" if jack else "l",
                    card,
                    who,
                    _arrow(part.field, field, "hk-way"),
                )
            )
    return join(out)


def _arrow(start: int, field: int, kind: str) -> Markup:
    path = "M" + "L".join(f"{art.SPOTS[n][0]} {art.SPOTS[n][1]}" for n in _way(start, field))
    x, y = art.SPOTS[field]
    return html(
        '<path class="{}" d="{}"/><ellipse class="hk-ringed" cx="{}" cy="{}" rx="56" ry="22"/>',
        kind,
        path,
        x,
        y,
    )


def _step(k: int, figure: int, shapes: Markup) -> Markup:
    who = "jack" if figure == JACK else f"k{figure}"
    return html('<g class="hk-step g{} {}">{}</g>', k, who, shapes)
