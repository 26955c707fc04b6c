"""The harbour of Halunken und Spelunken on a page, from a seat's view alone.

Every legal move is a ``<button name="move">``. Nothing needs a script: figures walk because their ``transform`` changes,
and the steps of an hour are radio buttons that light arrows on the harbour through ``:has()``.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import Scene
from spelunke.games.halunken import moves
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.crews import render_crew, render_crews, render_own_crew
from spelunke.games.halunken.ui.frame import POOL, Frame, button, classes, during, span_of
from spelunke.games.halunken.ui.panels import render_controls, render_orders, render_score
from spelunke.games.halunken.ui.story import render_arrows, render_leads, render_story, track


def render_board(scene: Scene) -> Markup:
    """The whole board; ``scene.legal`` decides which buttons there are."""
    frame = Frame(scene)
    seen = frame.view
    return Markup(
        f'<div class="halunken" id="{escape(frame.id)}" data-phase="{seen.phase}">'
        f"{_headline(frame)}"
        f'<div class="hk-main"><section class="hk-harbour night" data-skips aria-label="{frame.say("The harbour")}">{_harbour(frame)}{_targets(frame)}</section>'
        f'<div class="hk-side">{render_score(frame) if seen.phase == "over" else render_controls(frame)}'
        f"{render_own_crew(frame)}{render_orders(frame)}{render_story(frame)}</div>{render_crews(frame)}</div></div>"
    )


def _headline(frame: Frame) -> str:
    seen, _ = frame.view, frame._
    hours = "".join(_hour(frame, k) for k in range(1, 9))
    game = ""
    if seen.match > 1:
        game = f'<span class="hk-game">{frame.say("Game {n} of 3", n=min(seen.games + 1, 3))}</span>'
    if seen.opener is None or seen.phase == "over":
        hired = ""
    elif seen.hirer is not None:
        whom = (
            frame.say("works for you")
            if seen.hirer == frame.me
            else escape(frame._("works for {name}")).format(name=frame.called(seen.hirer))
        )
        hired = f'<span class="hk-hired k{seen.hirer}">{art.jack()}{whom}</span>'
    else:
        hired = f'<span class="hk-hired">{art.jack()}{frame.say("works for nobody")}</span>'
    peek = ""
    if seen.jack and seen.jack.laid is not None and seen.phase in ("bidding", "choosing"):
        peek = f'<span class="hk-hired"><b>{frame.say("he will go {n}", n=seen.jack.laid)}</b></span>'
    return (
        f'<div class="hk-head"><span class="sr">{frame.say("Hour {hour} of 8", hour=seen.hour)}</span>'
        f'<ol class="hk-hours" aria-hidden="true">{hours}</ol>{game}{hired}{peek}</div>'
    )


def _hour(frame: Frame, hour: int) -> str:
    """One of the eight; the next begins when the story tells so."""
    now, name = frame.view.hour, f"{frame.id}-h{hour}"
    mark = "past" if hour < now else "now" if hour == now else ""
    begins = frame.hour_begins
    if begins is None or hour not in (now - 1, now):
        return f'<li id="{name}" class="{mark}">{hour}</li>'
    before = "now" if hour < now else ""
    return (
        f'<li id="{name}-then" class="{classes(before, "hk-gone")}"{during(-1, begins)}>{hour}</li>'
        f'<li id="{name}" class="{mark}"{during(begins, None)}>{hour}</li>'
    )


# ---- the harbour -------------------------------------------------------------------------------------------------


def _harbour(frame: Frame) -> str:
    piles = "".join(_tavern(frame, field) for field in range(FIELDS))
    return (
        f'<svg class="hk-map" viewBox="0 0 {art.WIDTH} {art.HEIGHT}" role="img" aria-label="{escape(_told(frame))}">'
        f"{art.scenery()}{_pool(frame)}<g>{piles}</g><g>{render_arrows(frame)}{render_leads(frame)}</g><g>{_figures(frame)}</g></svg>"
    )


def _told(frame: Frame) -> str:
    """The harbour in words, for those who listen."""
    seen, _ = frame.view, frame._
    parts = []
    standing: dict[int, list[str]] = {}
    for seat, captain in enumerate(seen.captains):
        if captain.field is not None:
            standing.setdefault(captain.field, []).append(frame.name(seat))
    if seen.jack and seen.jack.field is not None:
        standing.setdefault(seen.jack.field, []).append(frame.name(JACK))
    for field, tavern in enumerate(seen.taverns):
        if tavern.top:
            text = _("{sailor}, {n} below").format(sailor=frame.sailor(tavern.top), n=tavern.under)
        elif tavern.under:
            text = _("{n} face down").format(n=tavern.under)
        else:
            text = _("empty")
        who = "".join(f", {name}" for name in standing.get(field, []))
        parts.append(_("Tavern {field}: {what}").format(field=field, what=text) + who)
    return "; ".join(parts)


def _tavern(frame: Frame, field: int) -> str:
    """A pile, at most three deep, with the number of its field."""
    tavern = frame.view.taverns[field]
    x, y = art.PLACES[field]
    left, top = x - art.CARD[0] // 2, y - art.CARD[1] // 2
    depth = tavern.under
    shapes = [
        f'<g transform="translate({left + 7 * (depth - k)} {top - 7 * (depth - k)}) scale(1.73)">{art.back_shapes()}</g>'
        for k in range(depth)
        if k < depth
    ]
    if tavern.top:
        shapes.append(
            f'<g class="hk-open c{tavern.top.colour.number}" transform="translate({left} {top}) scale(1.73)">{art.sailor_shapes(tavern.top)}</g>'
        )
    if not tavern.top and not depth:
        shapes.append(f'<path class="hk-door" d="M{x - 28} {y + 62}v-70q28-34 56 0v70z"/>')
    # who was taken during the story, the last one lowest, before what is there now
    shapes += [
        f'<g class="hk-gone c{sailor.colour.number}"{span_of(sailor, since, until)} transform="translate({left} {top}) scale(1.73)">{art.sailor_shapes(sailor)}</g>'
        for sailor, since, until in frame.left(("tavern", field))
    ]
    return (
        f'<g id="{frame.id}-t{field}">{"".join(shapes)}'
        f'<g class="hk-plate" transform="translate({x} {y - 82})"><rect x="-24" y="-17" width="48" height="32" rx="6"/><text y="8">{field}</text></g></g>'
    )


def _pool(frame: Frame) -> str:
    """The harbour's pool: sailors that were paid or handed over, afloat beside the ship."""
    cards = frame.view.harbour
    if frame.view.mode == "beginner":
        return ""
    across, scale = (5, 1.42) if len(cards) <= 5 else (7, 1.0) if len(cards) <= 7 else (7, 0.88)
    wide = 440 / across
    out = []
    for k, card in enumerate(cards[:14]):
        row, place = divmod(k, across)
        x, y = 282 + place * wide, (522 if len(cards) <= 5 else 540 if len(cards) <= 7 else 496) + row * 68
        out.append(
            f'<g class="c{card.colour.number}" transform="translate({x:.0f} {y}) scale({scale})"{frame.since(POOL, card)}>{art.sailor_shapes(card)}</g>'
        )
    return f'<g id="{frame.id}-pool" class="hk-pool">{"".join(out)}</g>'


def _figures(frame: Frame) -> str:
    """All figures flat in one group, so that each walks when its place changes."""
    seen = frame.view
    out = []
    taken: set[int] = set()
    order = [k for k in range(seen.seats) if k != seen.mover] + [JACK]
    if seen.mover is not None and seen.mover != JACK:
        order.append(seen.mover)
    for figure in order:
        part = seen.jack if figure == JACK else seen.captains[figure]
        if part is None or part.field is None:
            continue
        x, y = art.spot(part.field, shifted=part.field in taken)
        taken.add(part.field)
        who = "jack" if figure == JACK else f"k{figure}"
        marks = classes(
            "hk-fig", who, "on-turn" if figure == seen.turn else "", "mine" if figure == frame.me else ""
        )
        out.append(
            f'<g id="{frame.id}-f{figure}" class="{marks}" transform="translate({x} {y})"{track(frame, figure, (x, y))}>{art.figure(figure)}</g>'
        )
    return "".join(sorted(out))


def _targets(frame: Frame) -> str:
    """Where a figure may be placed: one button on each free field."""
    found = frame.legal.get(moves.Place, [])
    if not found:
        return ""
    buttons = "".join(
        button(
            text,
            frame._("start on field {field}").format(field=action.field),
            f"<span>{action.field}</span>",
            f"bare hk-target f{action.field}",
        )
        for action, text in found
    )
    return f'<div class="hk-targets">{buttons}</div>'


# ---- pictures in the rules ---------------------------------------------------------------------------------------


def render_part(part: str, scene: Scene) -> Markup | None:
    """A part of the board by name: ``harbour``, ``controls``, ``raid`` (both of them), ``crew`` (the viewer's)."""
    frame = Frame(scene)
    inner = {
        "harbour": lambda: _map(frame),
        "controls": lambda: render_controls(frame),
        "raid": lambda: _map(frame) + render_controls(frame),
        "crew": lambda: render_crew(frame, frame.order[0]),
    }.get(part)
    return None if inner is None else Markup(f'<div class="halunken hk-picture">{inner()}</div>')


def _map(frame: Frame) -> str:
    return f'<div class="hk-harbour night">{_harbour(frame)}</div>'
