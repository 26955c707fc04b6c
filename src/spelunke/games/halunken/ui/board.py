"""The board of Halunken und Spelunken on a page. It uses only the viewer's scene.

Every legal move is a ``<button name="move">``, so the board works without a script. A figure appears to walk
because its ``transform`` changes. The story is the last played hour (round): the page can replay it step by
step. Each step of the story has a radio button. While the button is chosen, the arrow of this step is visible
on the harbour (CSS selector ``:has()``).
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, fill, html, join
from spelunke.boards.scene import Scene
from spelunke.games.halunken import moves
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.crews import render_crew, render_crews, render_own_crew
from spelunke.games.halunken.ui.frame import Frame, button, classes, during, span_of
from spelunke.games.halunken.ui.orders import render_active_order, render_orders
from spelunke.games.halunken.ui.panels import label_field, render_controls
from spelunke.games.halunken.ui.story import render_arrows, render_leads, render_story, track
from spelunke.games.halunken.ui.summary import render_score
from spelunke.games.halunken.ui.travels import POOL


def render_board(scene: Scene) -> Markup:
    """Return the whole board, with a button for each move of ``scene.legal`` and ``scene.revise``."""
    frame = Frame(scene)
    seen = frame.view
    return html(
        '<div class="halunken" id="{}" data-phase="{}">'
        "{}"
        '<div class="hk-main"><section class="hk-harbour night" tabindex="-1" data-rest data-skips aria-label="{}" data-past="{}">{}{}</section>'
        '<div class="hk-side">{}'
        "{}{}{}{}</div>{}</div></div>",
        frame.id,
        seen.phase,
        _kept_headline(frame),
        frame.say("The harbour"),
        frame.say("Earlier step"),
        _kept_harbour(frame),
        _targets(frame),
        _kept_score(frame) if seen.phase == "over" else render_controls(frame),
        render_own_crew(frame),
        render_active_order(frame),
        render_orders(frame),
        render_story(frame),
        render_crews(frame),
    )


def _kept_score(frame: Frame) -> Markup:
    seen = frame.view
    return frame.kept("score", (seen.totals, seen.crews, seen.match), lambda: render_score(frame))


def _kept_headline(frame: Frame) -> Markup:
    """Return the headline. Draw it again only if an input, such as the hour or Black Jack's hirer, has changed."""
    seen = frame.view
    hired = (seen.opener is None, seen.hirer, seen.jack and seen.jack.laid)
    story = (frame.hour_ends, frame.hour_begins, frame.hirer_then, frame.auction_ends, frame.card_opens)
    rests = (seen.hour, seen.match, seen.games, seen.phase, hired, story)
    return frame.kept("head", rests, lambda: _headline(frame))


def _headline(frame: Frame) -> Markup:
    seen, _ = frame.view, frame._
    hours = join(_hour(frame, k) for k in range(1, 9))
    game = peek = NOTHING
    if seen.match > 1:
        game = html('<span class="hk-game">{}</span>', frame.say("Game {n} of 3", n=min(seen.games + 1, 3)))
    if seen.jack and seen.jack.laid is not None and seen.phase in ("bidding", "choosing"):
        opens = -1 if frame.card_opens is None else frame.card_opens
        peek = html(
            '<span id="{}-peek" class="hk-hired"{}><b>{}</b></span>',
            frame.id,
            during(opens, None),
            frame.say("Black Jack's card: {n}", n=seen.jack.laid),
        )
    return html(
        '<div class="hk-head"><span class="sr">{}</span>'
        '<ol class="hk-hours" aria-hidden="true">{}</ol>{}{}{}</div>',
        frame.say("Hour {hour} of 8", hour=seen.hour),
        hours,
        game,
        _hired(frame),
        peek,
    )


def _hired(frame: Frame) -> Markup:
    """Draw the badge with Black Jack's hirer.

    If the hour that the page can replay has ended, there are two drawings: one for its steps, and one for the present.
    If the events do not show who hired Black Jack in that hour, leave out the drawing for that hour. After the match,
    leave out the one for the present.
    """
    seen, then, ends = frame.view, NOTHING, frame.hour_ends
    if seen.opener is None:
        return NOTHING
    if ends is not None and frame.hirer_then is not None:
        then = _hirer(frame, *frame.hirer_then, "hirer-then", -1, ends)
    if seen.phase == "over":
        return html('<span class="hk-hired">{}</span>', then) if then else NOTHING
    since = -1 if ends is None else ends if frame.auction_ends is None else frame.auction_ends
    return html('<span class="hk-hired">{}{}</span>', then, _hirer(frame, seen.hirer, "hirer", since, None))


def _hirer(frame: Frame, seat: int | None, name: str, since: int, until: int | None) -> Markup:
    """Draw Black Jack and his hirer.

    The drawing is visible from step ``since`` of the last played hour until step ``until``. If ``until`` is None, it
    stays visible.
    """
    if seat is None:
        whom = frame.say("works for nobody")
    elif seat == frame.me and not frame.scene.shared:
        whom = frame.say("works for you")
    else:
        whom = fill(frame._("works for {name}"), name=frame.called(seat))
    marks = classes("" if seat is None else f"k{seat}", "" if until is None else "hk-gone")
    hidden = NOTHING if until is None else html(' aria-hidden="true"')
    return html(
        '<span id="{}-{}" class="{}"{}{}>{}{}</span>',
        frame.id,
        name,
        marks,
        hidden,
        during(since, until),
        art.jack(),
        whom,
    )


def _hour(frame: Frame, hour: int) -> Markup:
    """Draw one of the eight hours in the headline.

    The story is the last played hour: the page can replay it step by step. If a new hour begins during the
    story, the new hour and the hour before it are each drawn twice. One drawing is for the steps before the new hour
    begins, and the other is for the steps from then on.
    """
    now, name = frame.view.hour, f"{frame.id}-h{hour}"
    mark = "past" if hour < now else "now" if hour == now else ""
    begins = frame.hour_begins
    if begins is None or hour not in (now - 1, now):
        return html('<li id="{}" class="{}">{}</li>', name, mark, hour)
    before = "now" if hour < now else ""
    return html(
        '<li id="{}-then" class="{}"{}>{}</li><li id="{}" class="{}"{}>{}</li>',
        name,
        classes(before, "hk-gone"),
        during(-1, begins),
        hour,
        name,
        mark,
        during(begins, None),
        hour,
    )


# ---- the harbour -------------------------------------------------------------------------------------------------


def _kept_harbour(frame: Frame) -> Markup:
    """Return the harbour: taverns, sailors beside the ship, figures, and arrows.

    The arrows show moves of the last played hour, and the paths of the movement cards that the viewer may choose.
    """
    seen, scene = frame.view, frame.scene
    stand = (frame.fields, seen.turn, seen.mover)
    asked = (seen.phase, scene.legal, scene.revise)
    rests = (seen.taverns, seen.harbour, seen.mode, stand, asked, frame.steps, frame.tale)
    return frame.kept("harbour", rests, lambda: _harbour(frame))


def _kept_tavern(frame: Frame, field: int) -> Markup:
    """Return a tavern. Draw it again only if its pile, or the sailors that left it in the last hour, have changed."""
    rests = (frame.view.taverns[field], frame.passages.get(("tavern", field)))
    return frame.kept(("tavern", field), rests, lambda: _tavern(frame, field))


def _kept_pool(frame: Frame) -> Markup:
    rests = (frame.view.harbour, frame.view.mode, frame.passages.get(POOL))
    return frame.kept("pool", rests, lambda: _pool(frame))


def _harbour(frame: Frame) -> Markup:
    seen = frame.view
    stand = (frame.fields, seen.turn, seen.mover, frame.played)
    piles = join(_kept_tavern(frame, field) for field in range(FIELDS))
    return html(
        '<svg class="hk-map" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        "{}{}<g>{}</g><g>{}{}</g><g>{}</g></svg>",
        art.WIDTH,
        art.HEIGHT,
        frame.kept("told", (seen.taverns, frame.fields), lambda: escape(_told(frame))),
        art.scenery(),
        _kept_pool(frame),
        piles,
        render_arrows(frame),
        render_leads(frame),
        frame.kept("figures", stand, lambda: _figures(frame)),
    )


def _told(frame: Frame) -> str:
    """Return a description of the harbour for screen readers."""
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
            text = _("{sailor} on top, {n} below").format(sailor=frame.sailor(tavern.top), n=tavern.under)
        elif tavern.under:
            text = _("{n} face down").format(n=tavern.under)
        else:
            text = _("empty")
        who = "".join(f", {name}" for name in standing.get(field, []))
        parts.append(_("Tavern {field}: {what}").format(field=field, what=text) + who)
    return "; ".join(parts)


def _tavern(frame: Frame, field: int) -> Markup:
    """Draw a tavern with its field number and its pile of sailors. The pile is at most three cards deep."""
    tavern = frame.view.taverns[field]
    x, y = art.PLACES[field]
    left, top = x - art.CARD[0] // 2, y - art.CARD[1] // 2
    depth = tavern.under
    shapes = [
        html(
            '<g transform="translate({} {}) scale(1.73)">{}</g>',
            left + 7 * (depth - k),
            top - 7 * (depth - k),
            art.back_shapes(),
        )
        for k in range(depth)
        if k < depth
    ]
    if tavern.top:
        shapes.append(
            html(
                '<g class="hk-open c{}" transform="translate({} {}) scale(1.73)">{}</g>',
                tavern.top.colour.number,
                left,
                top,
                art.sailor_shapes(tavern.top),
            )
        )
    if not tavern.top and not depth:
        shapes.append(html('<path class="hk-door" d="M{} {}v-70q28-34 56 0v70z"/>', x - 28, y + 62))
    # Draw the sailors that were taken during the story over the current sailor. The one taken last is lowest.
    shapes += [
        html(
            '<g class="hk-gone c{}"{} transform="translate({} {}) scale(1.73)">{}</g>',
            sailor.colour.number,
            span_of(sailor, since, until),
            left,
            top,
            art.sailor_shapes(sailor),
        )
        for sailor, since, until in frame.left(("tavern", field))
    ]
    return html(
        '<g id="{}-t{}">{}'
        '<g class="hk-plate" transform="translate({} {})"><rect x="-24" y="-17" width="48" height="32" rx="6"/><text y="8">{}</text></g></g>',
        frame.id,
        field,
        join(shapes),
        x,
        y - 82,
        field,
    )


def _pool(frame: Frame) -> Markup:
    """Draw the cards of the sailors in the harbour. They lie on the water beside the ship (H-R18, H-R21).

    After them, draw the sailors that left the harbour in the last played hour. They are visible until their step.
    """
    if frame.view.mode == "beginner":
        return NOTHING
    gone = [(card, " hk-gone", span_of(card, since, until)) for card, since, until in frame.left(POOL)]
    cards = [(card, "", frame.since(POOL, card)) for card in frame.view.harbour] + gone
    # Each value has at least 12 pixels on a phone. Three or four rows have room for the heads of the cards only.
    rows = 1 if len(cards) <= 7 else 2 if len(cards) <= 16 else 3 if len(cards) <= 27 else 4
    scale, top, high = ((1.42, 522, 0), (1.32, 494, 38), (1.32, 490, 47), (1.32, 490, 35))[rows - 1]
    across = max(5, -(-len(cards) // rows))
    draw = art.sailor_shapes if rows < 3 else art.sailor_head
    # More than 5 cards in a row overlap. Up to 9, their values stay visible.
    wide = min(88, (440 - 60 * scale) / (across - 1))
    out = []
    for k, (card, mark, moments) in enumerate(cards):
        row, place = divmod(k, across)
        x, y = 282 + place * wide, top + row * high
        out.append(
            html(
                '<g class="c{}{}" transform="translate({} {}) scale({})"{}>{}</g>',
                card.colour.number,
                mark,
                f"{x:.0f}",
                y,
                scale,
                moments,
                draw(card),
            )
        )
    return html('<g id="{}-pool" class="hk-pool">{}</g>', frame.id, join(out))


def _figures(frame: Frame) -> Markup:
    """Draw all figures as elements of one group, always in the same order. So the page can animate a moved figure."""
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
            html(
                '<g id="{}-f{}" class="{}" transform="translate({} {})"{}>{}</g>',
                frame.id,
                figure,
                marks,
                x,
                y,
                track(frame, figure, (x, y)),
                art.figure(figure),
            )
        )
    return join(sorted(out))


def _targets(frame: Frame) -> Markup:
    """Draw a button on each free field on which the viewer may place a figure."""
    found = frame.legal.get(moves.Place, [])
    if not found:
        return NOTHING
    buttons = join(
        button(
            text,
            label_field(frame).format(field=action.field),
            html("<span>{}</span>", action.field),
            f"bare hk-target f{action.field}",
        )
        for action, text in found
    )
    return html('<div class="hk-targets">{}</div>', buttons)


# ---- pictures in the rules ---------------------------------------------------------------------------------------


def render_drawing(scene: Scene) -> Markup:
    """Return the map of the harbour as one SVG drawing, without the panels beside it."""
    harbour = _harbour(Frame(scene))
    first = harbour.index(">") + 1
    return html("{}{}{}", harbour[:first], art.render_sprite(), harbour[first:])


def render_part(part: str, scene: Scene) -> Markup | None:
    """Return a part of the board by name: ``harbour``, ``controls``, ``raid`` or ``crew``.

    ``raid`` is the harbour and the controls together. ``crew`` is the viewer's crew, or that of seat 0 for a spectator.
    For any other name, return None.
    """
    frame = Frame(scene)
    inner = {
        "harbour": lambda: _map(frame),
        "controls": lambda: render_controls(frame),
        "raid": lambda: _map(frame) + render_controls(frame),
        "crew": lambda: render_crew(frame, frame.order[0]),
    }.get(part)
    return None if inner is None else html('<div class="halunken hk-picture">{}</div>', inner())


def _map(frame: Frame) -> Markup:
    return html('<div class="hk-harbour night">{}</div>', _kept_harbour(frame))
