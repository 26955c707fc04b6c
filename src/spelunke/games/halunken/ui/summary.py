"""The summary of an hour (a round): for each crew, its captain's card, and the sailors that came and left.

Sentences say who robbed whom. If Black Jack plays, the summary has his card and his move too.
If the colour that counts double in a crew has changed, the summary names the new colour. At the end of a game, it names
no colour, but shows the points of each crew. After the match, the table of :func:`render_score` explains the final
points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Scene, Summary
from spelunke.core.values import Event
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import COLOURS, Sailor, Step
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.spared import Spares, say_with_reasons
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import Frame, render_move
from spelunke.games.halunken.view import Crew, View, reckon


def changes(events: Sequence[Event], seat: int) -> Iterator[tuple[int, Sailor]]:
    """Yield, in order, each sailor that joined the seat's crew (with 1) or left it (with -1)."""
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
    """Return the crew at the end of the hour, computed from the crew before the hour and the events."""
    crew = list(before.sailors)
    for step, sailor in changes(events, seat):
        if step > 0:
            crew.append(sailor)
        elif sailor in crew:
            crew.remove(sailor)
    return reckon(crew)


def render_summary(summary: Summary[View]) -> Markup:
    """Render, for each crew, the captain's card, and the sailors that came and left.

    If the colour that counts double in the crew has changed, name the new colour. But if the game ended with this hour,
    name no colour, and render the crew's points.
    """
    frame = Frame(
        Scene(
            view=summary.view,
            seat=summary.seat,
            names=summary.names,
            translate=summary.translate,
            table=summary.table,
        )
    )
    rests = (summary.before, summary.view, summary.events)
    return frame.kept("summary", rests, lambda: _summary(frame, summary))


def _summary(frame: Frame, summary: Summary[View]) -> Markup:
    counted = any(isinstance(event, happenings.Counted) for event in summary.events)
    told = _tell(summary)
    crews = join(_crew(frame, summary, told, seat, counted=counted) for seat in frame.order)
    return html('<div class="halunken hk-summary"><ul>{}{}</ul></div>', crews, _jack(frame, summary, told))


def _tell(summary: Summary[View]) -> tuple[str, ...]:
    """Return a text for each event: its sentence, and the reasons that :mod:`.spared` finds.

    Such a reason says, for example, why nobody may rob a captain.
    """
    before, events = summary.before, cast("tuple[happenings.Event, ...]", summary.events)
    sizes = [len(crew.sailors) for crew in before.crews]
    spares = Spares(sizes, [captain.field for captain in before.captains], before.hirer)
    return say_with_reasons(events, spares.read(events), summary.names, summary.translate)


def _notes(summary: Summary[View], told: Sequence[str], figure: int) -> Markup:
    """Render the sentences that the summary tells beside this figure."""
    return join(html('<p class="hk-note">{}</p>', told[k]) for k in _events_about(summary.events, figure))


def _events_about(events: Sequence[Event], figure: int) -> Iterator[int]:
    """Yield the index of each event for which the summary has a sentence beside this figure.

    Next to the figure of a captain, sentences say who robbed whom, and whom the captain's seat chose not to rob. The
    moves of captains have no sentences, because the summary shows the captains' cards.
    """
    for k, event in enumerate(events):
        match event:
            case happenings.Robbed(who, victim, _, jack) if (
                figure == JACK if jack else figure in (who, victim)
            ):
                yield k
            case happenings.Hired() | happenings.Gave() if figure == JACK:
                yield k
            case happenings.Walked(who) | happenings.Collected(who) if who == figure == JACK:
                yield k
            case happenings.Declined(who, victim) if who == figure and victim is not None:
                yield k
            case _:
                pass


def _jack(frame: Frame, summary: Summary[View], told: Sequence[str]) -> Markup:
    """Render Black Jack's card, his hirer, his move, and whom he robbed. If he does not play, render nothing."""
    if summary.view.jack is None:
        return NOTHING
    return html(
        '<li class="hk-crew jack"><header>{}<b class="hk-who">{}</b>{}</header>{}</li>',
        art.jack(),
        frame.name(JACK),
        _laid(frame, summary, JACK),
        _notes(summary, told, JACK),
    )


def _crew(frame: Frame, summary: Summary[View], told: Sequence[str], seat: int, *, counted: bool) -> Markup:
    before: Crew = summary.before.crews[seat]
    after = crew_after(before, summary.events, seat)
    changed = join(_change(frame, step, sailor) for step, sailor in changes(summary.events, seat))
    changed = changed or html('<li class="none">{}</li>', frame.say("no sailor was hired or lost"))
    return html(
        '<li class="hk-crew k{}"><header>{}<b class="hk-who">{}</b>{}</header>'
        '<ul class="hk-changes">{}</ul>{}{}</li>',
        seat,
        art.captain(seat),
        frame.name(seat),
        _laid(frame, summary, seat),
        changed,
        _notes(summary, told, seat),
        _count(frame, after) if counted else _doubled(frame, before, after),
    )


def _find_laid(events: Sequence[Event]) -> tuple[dict[int, Step], tuple[int, ...]]:
    """Return the movement card of each figure in the hour, and the figures whose cards were cancelled."""
    cards: dict[int, Step] = {}
    cancelled: tuple[int, ...] = ()
    for event in events:
        match event:
            case happenings.Revealed(_, laid, gone):
                cards, cancelled = {**cards, **dict(laid)}, gone
            case happenings.Flipped(flipped, _, gone):
                cards[JACK], cancelled = flipped, gone or cancelled
            case happenings.Peeked(peeked):
                cards[JACK] = peeked
            case _:
                pass
    return cards, cancelled


def _laid(frame: Frame, summary: Summary[View], figure: int) -> Markup:
    """Render the figure's movement card of the hour, struck out if it was cancelled, and the number for its Rum.

    Beside a cancelled card, name the figures that have laid the same card.
    """
    cards, cancelled = _find_laid(summary.events)
    card = cards.get(figure)
    if card is None:
        return NOTHING
    named = (event for event in summary.events if isinstance(event, happenings.Named))
    number = join(
        html('<b class="hk-named">= {}</b>', event.number) for event in named if event.figure == figure
    )
    gone = figure in cancelled
    equal = [one for one in cancelled if one != figure and cards.get(one) == card]
    same = [frame.name(one) if one == JACK else summary.names[one] for one in equal]
    why = frame.say("same card as {names}: stays", names=frame._.list(same)) if gone and same else NOTHING
    return html(
        '<span class="hk-played{}">{}<span class="sr">{} {}</span></span>{}{}',
        " gone" if gone else "",
        render_move(frame, card),
        frame.card(card),
        frame.say("cancelled") if gone else NOTHING,
        number,
        html('<small class="hk-same">{}</small>', why) if why else NOTHING,
    )


def _change(frame: Frame, step: int, sailor: Sailor) -> Markup:
    word = frame.say("comes") if step > 0 else frame.say("leaves")
    sign = "+" if step > 0 else "−"
    return html(
        '<li class="{}"><b aria-hidden="true">{}</b>{}<span class="sr">{} {}</span></li>',
        "came" if step > 0 else "went",
        sign,
        art.sailor(sailor),
        frame.sailor(sailor),
        word,
    )


def _doubled(frame: Frame, before: Crew, after: Crew) -> Markup:
    if after.doubled is None or after.doubled is before.doubled:
        return NOTHING
    return html(
        '<p class="hk-note">{}</p>',
        frame.say("{colour} counts double now", colour=frame._(COLOUR_NAMES[after.doubled])),
    )


def _count(frame: Frame, crew: Crew) -> Markup:
    """Render a table of the crew's points, with a row for each colour.

    The doubled colour counts twice, so the rows add up to the total (H-R15).
    """
    rows = []
    for colour in COLOURS:
        values = [sailor.value for sailor in crew.sailors if sailor.colour is colour]
        if values:
            twice = " × 2" if crew.doubled is colour else ""
            worth = sum(values) * (2 if twice else 1)
            sums = " + ".join(map(str, values))
            sums = f"({sums})" if twice and len(values) > 1 else sums
            rows.append(
                html(
                    '<tr><th scope="row">{}{}</th><td>{}{}</td><td><b>{}</b></td></tr>',
                    art.emblem(colour.number),
                    frame._(COLOUR_NAMES[colour]),
                    sums,
                    twice,
                    worth,
                )
            )
    return html(
        '<table class="hk-count"><tbody>{}</tbody><tfoot><tr><th scope="row" colspan="2">{}</th>'
        "<td><b>{}</b></td></tr></tfoot></table>",
        join(rows),
        frame.say("In total"),
        crew.worth,
    )


def render_score(frame: Frame) -> Markup:
    """Render the final points of the match (H-R15)."""
    seen = frame.view
    several = seen.match > 1  # the total is that of all games of the match
    rows = []
    for seat in sorted(
        frame.order, key=lambda who: (-seen.totals[who], -seen.total_crews[who], -seen.best[who])
    ):
        crew = seen.crews[seat]
        plain = sum(s.value for s in crew.sailors)
        double = frame._(COLOUR_NAMES[crew.doubled]) if crew.doubled else "–"
        sign = art.emblem(crew.doubled.number) if crew.doubled else ""
        before = seen.totals[seat] - crew.worth
        told = html("<td>{}</td>", before) if several else NOTHING
        plus = "+" if several else ""
        rows.append(
            html(
                '<tr class="k{}"><th scope="row">{}{}</th>{}<td>{}{}</td>'
                "<td>+{} {}<span class=sr>{}</span></td><td>= <b>{}</b></td></tr>",
                seat,
                art.captain(seat),
                frame.called(seat),
                told,
                plus,
                plain,
                crew.worth - plain,
                sign,
                double,
                seen.totals[seat],
            )
        )
    earlier = html('<th scope="col">{}</th>', frame.say("Earlier games")) if several else NOTHING
    return html(
        '<section class="hk-controls hk-score" data-meanwhile="{}"><h2>{}</h2><table><thead><tr><th scope="col">{}</th>{}'
        '<th scope="col">{}</th><th scope="col">{}</th><th scope="col">{}</th></tr></thead>'
        "<tbody>{}</tbody></table></section>",
        frame.say("The board is showing the latest steps. The result comes after them."),
        frame.say("The ships set sail"),
        frame.say("Captain"),
        earlier,
        frame.say("Sailors"),
        frame.say("Doubled colour"),
        frame.say("Total"),
        join(rows),
    )
