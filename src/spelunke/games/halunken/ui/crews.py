"""Below the harbour: every crew, what it is worth, and the movement cards; as they were at each step of the story."""

from __future__ import annotations

from spelunke.boards.markup import escape
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import COLOURS, Colour, Step
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import HAND, POOL, TWELVE, Frame, classes, during, span_of
from spelunke.games.halunken.view import Crew, Figure, reckon


def render_own_crew(frame: Frame) -> str:
    """The viewer's crew, beside what is asked: it is needed for every choice."""
    return "" if frame.me is None else render_crew(frame, frame.me)


def render_crews(frame: Frame) -> str:
    """The other crews fanned by colour, what each is worth, and the movement cards used so far."""
    seen = frame.view
    crews = "".join(render_crew(frame, seat) for seat in frame.order if seat != frame.me)
    return f'<div class="hk-crews n{seen.seats}">{crews}{_jack(frame)}</div>'


def _then(whose: str, name: str, inner: object, since: int, until: int | None) -> str:
    """What is said of a crew from one step of the story to another; only what holds now is read out."""
    past = "" if until is None else ' aria-hidden="true"'
    marks = classes(name, "" if until is None else "hk-gone")
    step = "now" if until is None else since
    return f'<span id="{whose}-{name}-{step}" class="{marks}"{past}{during(since, until)}>{inner}</span>'


def render_crew(frame: Frame, seat: int) -> str:
    """One crew: its sailors by colour, what it is worth, and the movement cards."""
    seen = frame.view
    place, whose = ("crew", seat), f"{frame.id}-crew-{seat}"
    moments = [
        (since, until, seen.crews[seat] if until is None else reckon(sailors))
        for since, until, sailors in frame.moments(place, seen.crews[seat].sailors)
    ]
    fans = "".join(_fan(frame, seat, colour, moments) for colour in COLOURS)
    fans = fans or f'<p class="hk-none">{frame.say("nobody yet")}</p>'
    total = ""
    if seen.games and seen.phase != "over":
        total = (
            f'<span id="{whose}-total" class="hk-total">{frame.say("{n} before", n=seen.totals[seat])}</span>'
        )
    mine = seat == frame.me
    acts = " acts" if seat in frame.scene.actors else ""
    ready = ""
    if seen.phase == "choosing":
        ready = (
            f'<i id="{whose}-lamp" class="hk-lamp" data-on="{"true" if seen.ready[seat] else "false"}"></i>'
        )
    size = "".join(
        _then(whose, "hk-size", _count(frame, len(crew.sailors)), since, until)
        for since, until, crew in moments
    )
    worth = "".join(
        _then(whose, "hk-sum", _points(frame, crew.worth), since, until) for since, until, crew in moments
    )
    return (
        f'<section class="hk-crew k{seat}{" mine" if mine else ""}{acts}" aria-label="{escape(frame.name(seat))}">'
        f'<header>{art.captain(seat)}<b class="hk-who">{frame.called(seat)}</b>{ready}{size}{total}'
        f'<span id="{whose}-worth" class="hk-worth">{worth}</span></header>'
        f'<div class="hk-fans">{fans}</div>{_track(frame, seat, seen.captains[seat], HAND, frame.name(seat))}</section>'
    )


def _count(frame: Frame, n: int) -> str:
    return frame.say("1 sailor") if n == 1 else frame.say("{n} sailors", n=n)


def _points(frame: Frame, n: int) -> str:
    return f"<b>{n}</b> {frame.say('point') if n == 1 else frame.say('points')}"


def _fan(frame: Frame, seat: int, colour: Colour, moments: list[tuple[int, int | None, Crew]]) -> str:
    """The sailors of one colour; empty if there never were any."""
    place = ("crew", seat)
    cards = "".join(
        f'<li id="{frame.id}-s{s.number}"{frame.since(place, s)}>{art.sailor(s)}<span class=sr>{escape(frame.sailor(s))}</span></li>'
        for s in frame.view.crews[seat].sailors
        if s.colour is colour
    )
    # who has left since, for the steps before that
    cards += "".join(
        f'<li class="hk-gone" aria-hidden="true"{span_of(s, since, until)}>{art.sailor(s)}</li>'
        for s, since, until in frame.left(place)
        if s.colour is colour
    )
    if not cards:
        return ""
    said = frame.say("{colour} counts double", colour=frame._(COLOUR_NAMES[colour]))
    twice = "".join(
        _then(
            f"{frame.id}-fan-{seat}-{colour.number}",
            "hk-twice",
            f'×2<span class="sr"> {said}</span>',
            since,
            until,
        )
        for since, until in _doubled(colour, moments)
    )
    return f'<div id="{frame.id}-fan-{seat}-{colour.number}" class="hk-fan">{twice}<ul>{cards}</ul></div>'


def _doubled(colour: Colour, moments: list[tuple[int, int | None, Crew]]) -> list[tuple[int, int | None]]:
    """From which step to which the colour counts double: moments that touch are one."""
    spans: list[tuple[int, int | None]] = []
    for since, until, crew in moments:
        if crew.doubled is colour:
            joins = bool(spans) and spans[-1][1] == since
            spans.append((spans.pop()[0] if joins else since, until))
    return spans


def _jack(frame: Frame) -> str:
    seen = frame.view
    if seen.jack is None:
        return ""
    cards = HAND if seen.mode == "two_player" else TWELVE
    size = "".join(
        _then(f"{frame.id}-jack", "hk-size", frame.say("{n} in the harbour", n=len(sailors)), since, until)
        for since, until, sailors in frame.moments(POOL, seen.harbour)
    )
    return (
        f'<section class="hk-crew jack"><header>{art.jack()}<b class="hk-who">{frame.say("Black Jack")}</b>'
        f"{size}</header>{_track(frame, JACK, seen.jack, cards, frame._('Black Jack'))}</section>"
    )


def _track(frame: Frame, who: int, figure: Figure, cards: tuple[Step, ...], name: str) -> str:
    """The movement cards in a row: used, lying open now, or still to come."""
    items = "".join(
        f'<li id="{frame.id}-k{who}-{card}-{"now" if until is None else since}" class="{classes(state, "" if until is None else "hk-gone")}"{during(since, until)}>{"R" if card == "rum" else card}</li>'
        for card in cards
        for state, since, until in card_states(frame, who, figure, card)
    )
    _ = frame._
    used = ", ".join(frame.card(card) for card in figure.used) or _("none")
    said = _("You have used: {cards}") if who == frame.scene.seat else _("{name} has used: {cards}")
    label = escape(said.format(name=name, cards=used))
    return f'<div class="hk-track"><span class="sr">{label}</span><ol aria-hidden="true">{items}</ol></div>'


def card_states(frame: Frame, who: int, figure: Figure, card: Step) -> list[tuple[str, int, int | None]]:
    """What the card is from which step of the story to which; the last entry is how it is now."""
    now = "laid" if card == figure.laid else "used" if card in figure.used else "left"
    if now == "laid" and figure.cancelled:
        now = "laid gone"
    shown = _shown(frame, who, card) if frame.tale else None
    if shown is None or now == "left":
        return [(now, -1, None)]
    at, cancelled = shown
    states: list[tuple[str, int, int | None]] = [("left", -1, at)] if at else []
    since = at or -1
    if now == "used" and frame.hour_ends is not None:
        states.append(("laid gone" if cancelled else "laid", since, frame.hour_ends))
        since = frame.hour_ends
    return [*states, (now, since, None)]


def _shown(frame: Frame, who: int, card: Step) -> tuple[int, bool] | None:
    """The step of the story in which this card of the figure was shown, and whether it was cancelled."""
    for k, (event, _text) in enumerate(frame.story):
        match event:
            case happenings.Revealed(_, cards, cancelled) if (who, card) in cards:
                return k, who in cancelled
            case happenings.Flipped(flipped, _, cancelled) if who == JACK and flipped == card:
                return k, who in cancelled
    return None
