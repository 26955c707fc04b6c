"""The crews, their points and the movement cards, at each step of the story.

The story is the last played hour (round), which the page can replay step by step.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.halunken.cards import COLOURS, Colour, Step
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import HAND, TWELVE, Frame, classes, during, span_of
from spelunke.games.halunken.ui.travels import POOL
from spelunke.games.halunken.view import Crew, Figure, reckon


def render_own_crew(frame: Frame) -> Markup:
    """Render the viewer's crew, or nothing for a spectator.

    The crew is shown beside the decision, because every choice depends on it.
    """
    return NOTHING if frame.me is None else render_crew(frame, frame.me)


def render_crews(frame: Frame) -> Markup:
    """Render Black Jack's row, and all crews except the viewer's.

    Each crew has its sailors by colour, its points, and its captain's movement cards.
    """
    seen = frame.view
    crews = join(render_crew(frame, seat) for seat in frame.order if seat != frame.me)
    others = "" if frame.me is None else " others"
    return html('<div class="hk-crews n{}{}">{}{}</div>', seen.seats, others, crews, _kept_jack(frame))


def _then(whose: str, name: str, inner: object, since: int, until: int | None) -> Markup:
    """Render a text about a crew. It is visible from step ``since`` of the last played hour until step ``until``.

    Screen readers read only the text about the crew as it is now. Its ``until`` is None. In an animation, the text
    changes only when all moving sailors have arrived (``data-late``).
    """
    past = NOTHING if until is None else html(' aria-hidden="true"')
    marks = classes(name, "" if until is None else "hk-gone")
    step = "now" if until is None else since
    return html(
        '<span id="{}-{}-{}" class="{}" data-late{}{}>{}</span>',
        whose,
        name,
        step,
        marks,
        past,
        during(since, until),
        inner,
    )


def render_crew(frame: Frame, seat: int) -> Markup:
    """Return a crew. Draw it again only if an input, such as its sailors or its captain's card, has changed."""
    seen = frame.view
    over = seen.phase == "over"
    now = (
        seat in frame.scene.actors,
        seen.phase == "choosing" and seen.ready[seat],
        seen.phase == "choosing",
    )
    has = (seen.crews[seat], seen.captains[seat], seen.games, seen.games and not over and seen.totals[seat])
    story = (frame.passages.get(("crew", seat)), frame.shown.get(seat), frame.hour_ends)
    return frame.kept(("crew", seat), (now, has, over, story), lambda: _crew(frame, seat))


def _crew(frame: Frame, seat: int) -> Markup:
    """Render a crew: its sailors by colour, its points, and its captain's movement cards."""
    seen = frame.view
    place, whose = ("crew", seat), f"{frame.id}-crew-{seat}"
    moments = [
        (since, until, seen.crews[seat] if until is None else reckon(sailors))
        for since, until, sailors in frame.moments(place, seen.crews[seat].sailors)
    ]
    fans = join(_kept_fan(frame, seat, colour, moments) for colour in COLOURS)
    fans = fans or html('<p class="hk-none">{}</p>', frame.say("nobody yet"))
    total = NOTHING
    if seen.games and seen.phase != "over":
        total = html(
            '<span id="{}-total" class="hk-total">{}</span>',
            whose,
            frame.say("earlier points: {n}", n=seen.totals[seat]),
        )
    mine = seat == frame.me
    acts = " acts" if seat in frame.scene.actors else ""
    ready = NOTHING
    if seen.phase == "choosing":
        ready = html(
            '<i id="{}-lamp" class="hk-lamp" data-on="{}"></i>',
            whose,
            "true" if seen.ready[seat] else "false",
        )
    size = join(
        _then(whose, "hk-size", _count(frame, len(crew.sailors)), since, until)
        for since, until, crew in moments
    )
    worth = join(
        _then(whose, "hk-sum", _points(frame, crew.worth), since, until) for since, until, crew in moments
    )
    return html(
        '<section class="hk-crew k{}{}{}" aria-label="{}">'
        '<header>{}<b class="hk-who">{}</b>{}{}{}'
        '<span id="{}-worth" class="hk-worth">{}</span></header>'
        '<div class="hk-fans">{}</div>{}</section>',
        seat,
        " mine" if mine else "",
        acts,
        frame.name(seat),
        art.captain(seat),
        frame.called(seat),
        ready,
        size,
        total,
        whose,
        worth,
        fans,
        _kept_track(frame, seat, seen.captains[seat], HAND, frame.name(seat)),
    )


def _count(frame: Frame, n: int) -> Markup:
    return frame.say_many("{n} sailor", "{n} sailors", n)


def _points(frame: Frame, n: int) -> Markup:
    return html("<b>{}</b> <small>{}</small>", n, frame.say_many("point", "points", n))


def _kept_fan(frame: Frame, seat: int, colour: Colour, moments: list[tuple[int, int | None, Crew]]) -> Markup:
    """Return the sailors of one colour as a fan of cards.

    Draw the fan again only if a sailor of this colour has come or left, or if the colour counts double in other steps of
    the story (the last played hour) than before.
    """
    sailors = [sailor for sailor in frame.view.crews[seat].sailors if sailor.colour is colour]
    passed = [one for one in frame.passages.get(("crew", seat), ()) if one[0].colour is colour]
    spans = _doubled(colour, moments)
    rests = (sailors, passed, spans)
    return frame.kept(("fan", seat, colour), rests, lambda: _fan(frame, seat, colour, spans))


def _fan(frame: Frame, seat: int, colour: Colour, spans: list[tuple[int, int | None]]) -> Markup:
    """Render the sailors of one colour. Return nothing if the crew had none at any step of the last played hour."""
    place = ("crew", seat)
    cards = join(
        html(
            '<li id="{}-s{}"{}>{}<span class=sr>{}</span></li>',
            frame.id,
            s.number,
            frame.since(place, s),
            art.sailor(s),
            frame.sailor(s),
        )
        for s in frame.view.crews[seat].sailors
        if s.colour is colour
    )
    # A replay shows a sailor that left during the story in the steps before it left.
    cards += join(
        html('<li class="hk-gone" aria-hidden="true"{}>{}</li>', span_of(s, since, until), art.sailor(s))
        for s, since, until in frame.left(place)
        if s.colour is colour
    )
    if not cards:
        return NOTHING
    said = frame.say("{colour} counts double", colour=frame._(COLOUR_NAMES[colour]))
    twice = join(
        _then(
            f"{frame.id}-fan-{seat}-{colour.number}",
            "hk-twice",
            html('×2<span class="sr"> {}</span>', said),
            since,
            until,
        )
        for since, until in spans
    )
    return html(
        '<div id="{}-fan-{}-{}" class="hk-fan">{}<ul>{}</ul></div>',
        frame.id,
        seat,
        colour.number,
        twice,
        cards,
    )


def _doubled(colour: Colour, moments: list[tuple[int, int | None, Crew]]) -> list[tuple[int, int | None]]:
    """Return the spans of steps of the story (the last played hour) in which the colour counts double.

    Successive spans are merged into one.
    """
    spans: list[tuple[int, int | None]] = []
    for since, until, crew in moments:
        if crew.doubled is colour:
            joins = bool(spans) and spans[-1][1] == since
            spans.append((spans.pop()[0] if joins else since, until))
    return spans


def _kept_jack(frame: Frame) -> Markup:
    """Return Black Jack's row.

    Draw it again only if an input has changed: for example, his cards, or the sailors in the harbour.
    """
    seen = frame.view
    story = (frame.passages.get(POOL), frame.shown.get(JACK), frame.hour_ends)
    return frame.kept("jack", (seen.jack, seen.mode, seen.harbour, story), lambda: _jack(frame))


def _jack(frame: Frame) -> Markup:
    seen = frame.view
    if seen.jack is None:
        return NOTHING
    cards = HAND if seen.mode == "two_player" else TWELVE
    size = join(
        _then(f"{frame.id}-jack", "hk-size", frame.say("{n} in the harbour", n=len(sailors)), since, until)
        for since, until, sailors in frame.moments(POOL, seen.harbour)
    )
    return html(
        '<section class="hk-crew jack"><header>{}<b class="hk-who">{}</b>{}</header>{}</section>',
        art.jack(),
        frame.say("Black Jack"),
        size,
        _kept_track(frame, JACK, seen.jack, cards, frame._("Black Jack")),
    )


def _kept_track(frame: Frame, who: int, figure: Figure, cards: tuple[Step, ...], name: str) -> Markup:
    rests = (figure.laid, figure.used, figure.cancelled, frame.shown.get(who), frame.hour_ends)
    return frame.kept(("track", who), rests, lambda: _track(frame, who, figure, cards, name))


def _track(frame: Frame, who: int, figure: Figure, cards: tuple[Step, ...], name: str) -> Markup:
    """Render the movement cards of a figure in a row. Each card is marked as used, open or in hand."""
    items = join(
        html(
            '<li id="{}-k{}-{}-{}" class="{}"{}>{}</li>',
            frame.id,
            who,
            card,
            "now" if until is None else since,
            classes(state, "" if until is None else "hk-gone"),
            during(since, until),
            "R" if card == "rum" else card,
        )
        for card in cards
        for state, since, until in card_states(frame, who, figure, card)
    )
    _ = frame._
    used = ", ".join(frame.card(card) for card in figure.used) or _("none")
    said = _("You have used: {cards}") if who == frame.scene.seat else _("{name} has used: {cards}")
    label = said.format(name=name, cards=used)
    return html(
        '<div class="hk-track"><span class="sr">{}</span><ol aria-hidden="true">{}</ol></div>', label, items
    )


def card_states(frame: Frame, who: int, figure: Figure, card: Step) -> list[tuple[str, int, int | None]]:
    """Return the states of a card during the story (the last played hour), in order, each with two steps of the story.

    Each state begins at the first of its two steps, and ends at the second. The last state is the current one. It has
    None in place of the second step.
    """
    now = "laid" if card == figure.laid else "used" if card in figure.used else "left"
    if now == "laid" and figure.cancelled:
        now = "laid gone"
    shown = next((shown for shown in frame.shown.get(who, ()) if shown.card == card), None)
    if shown is None or now == "left":
        return [(now, -1, None)]
    at, cancelled = shown.step, shown.cancelled
    states: list[tuple[str, int, int | None]] = [("left", -1, at)] if at else []
    since = at or -1
    if now == "used" and frame.hour_ends is not None:
        states.append(("laid gone" if cancelled else "laid", since, frame.hour_ends))
        since = frame.hour_ends
    return [*states, (now, since, None)]
