"""The end of an hour: where each captain went, whom his crew won and lost, and what it is worth; at the end the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import Scene, Summary
from spelunke.core.values import Event
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import COLOURS, Sailor
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import Frame, render_move
from spelunke.games.halunken.view import Crew, View, reckon


def changes(events: Sequence[Event], seat: int) -> Iterator[tuple[int, Sailor]]:
    """Each sailor who came to a crew (1) or left it (-1), in order."""
    for event in events:
        match event:
            case happenings.Met(who, sailor) if who == seat:
                yield 1, sailor
            case happenings.Hired(who, sailor) if who == seat and sailor is not None:
                yield -1, sailor
            case happenings.Collected(_, _, sailor, who) | happenings.Recruited(_, _, sailor, who) if (
                who == seat and sailor is not None
            ):
                yield 1, sailor
            case happenings.Robbed(who, victim, sailor, _) if seat in (who, victim):
                yield (1 if who == seat else -1), sailor
            case happenings.Fished(who, sailor) if who == seat:
                yield 1, sailor
            case happenings.Gave(who, sailor) if who == seat:
                yield -1, sailor
            case _:
                pass


def crew_after(before: Crew, events: Sequence[Event], seat: int) -> Crew:
    """The crew at the end of the hour: its beginning, and each change after it."""
    crew = list(before.sailors)
    for step, sailor in changes(events, seat):
        if step > 0:
            crew.append(sailor)
        elif sailor in crew:
            crew.remove(sailor)
    return reckon(crew)


def render_summary(summary: Summary[View]) -> Markup:
    """Crew by crew: the card laid, who came and went, the points; the count of a game that ended with this hour."""
    frame = Frame(
        Scene(
            view=summary.view,
            seat=summary.seat,
            names=summary.names,
            translate=summary.translate,
            table=summary.table,
        )
    )
    counted = any(isinstance(event, happenings.Counted) for event in summary.events)
    crews = "".join(_crew(frame, summary, seat, counted=counted) for seat in frame.order)
    return Markup(f'<div class="halunken hk-summary"><ul>{crews}</ul></div>')


def _crew(frame: Frame, summary: Summary[View], seat: int, *, counted: bool) -> str:
    before: Crew = summary.before.crews[seat]
    after = crew_after(before, summary.events, seat)
    told = "".join(_change(frame, step, sailor) for step, sailor in changes(summary.events, seat))
    told = told or f'<li class="none">{frame.say("no sailor was hired or lost")}</li>'
    return (
        f'<li class="hk-crew k{seat}"><header>{art.captain(seat)}<b class="hk-who">{escape(frame.name(seat))}</b>{_laid(frame, summary, seat)}</header>'
        f'<ul class="hk-changes">{told}</ul>{_count(frame, after) if counted else _doubled(frame, before, after)}</li>'
    )


def _laid(frame: Frame, summary: Summary[View], seat: int) -> str:
    """The movement card of the hour, struck through where it was cancelled."""
    for event in summary.events:
        if isinstance(event, happenings.Revealed):
            gone = " gone" if seat in event.cancelled else ""
            for who, card in event.cards:
                if who == seat:
                    said = frame.say("cancelled") if gone else Markup()
                    return f'<span class="hk-played{gone}">{render_move(frame, card)}<span class="sr">{escape(frame.card(card))} {said}</span></span>'
    return ""


def _change(frame: Frame, step: int, sailor: Sailor) -> str:
    word = frame.say("comes") if step > 0 else frame.say("leaves")
    sign = "+" if step > 0 else "−"
    return (
        f'<li class="{"came" if step > 0 else "went"}"><b aria-hidden="true">{sign}</b>{art.sailor(sailor)}'
        f'<span class="sr">{escape(frame.sailor(sailor))} {word}</span></li>'
    )


def _doubled(frame: Frame, before: Crew, after: Crew) -> str:
    if after.doubled is None or after.doubled is before.doubled:
        return ""
    return f'<p class="hk-note">{frame.say("{colour} counts double now", colour=frame._(COLOUR_NAMES[after.doubled]))}</p>'


def _count(frame: Frame, crew: Crew) -> str:
    """The crew colour by colour, the greatest doubled: it adds up to the points (H-R15)."""
    rows = []
    for colour in COLOURS:
        values = [sailor.value for sailor in crew.sailors if sailor.colour is colour]
        if values:
            twice = " × 2" if crew.doubled is colour else ""
            worth = sum(values) * (2 if twice else 1)
            sums = " + ".join(map(str, values))
            sums = f"({sums})" if twice and len(values) > 1 else sums
            rows.append(
                f'<tr><th scope="row">{art.emblem(colour.number)}{escape(frame._(COLOUR_NAMES[colour]))}</th><td>{sums}{twice}</td><td><b>{worth}</b></td></tr>'
            )
    return (
        f'<table class="hk-count"><tbody>{"".join(rows)}</tbody><tfoot><tr><th scope="row" colspan="2">{frame.say("Together")}</th>'
        f"<td><b>{crew.worth}</b></td></tr></tfoot></table>"
    )
