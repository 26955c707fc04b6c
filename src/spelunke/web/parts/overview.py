"""Draw the analysis of a whole finished game: numbers, errors, turning points and luck."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from spelunke.analysis.analysis import SURE, Analysis, Decision, Luck
from spelunke.boards.markup import NOTHING, html, join
from spelunke.web.numbers import write_day, write_number, write_percent
from spelunke.web.parts.analysis import FEW, Study
from spelunke.web.parts.chances import MARKS, render_sign
from spelunke.web.parts.values import UNSEEN, percent, say_method, signed, signed_wins
from spelunke.web.words import translate as _

MANY, MOST = 20, 12
"""With more errors than `MANY`, only `MOST` of them are shown.

The reader can open a list of all errors in the order of play.
"""


def render_overview(study: Study) -> Markup:
    """Draw the analysis of the whole game. If there is no analysis, draw nothing."""
    found = study.found
    if found is None:
        return NOTHING
    made = datetime.fromtimestamp((study.look.made_ms or 0) / 1000, UTC)
    return html(
        '{}<section class="panel" aria-labelledby="numbers-title"><div class="panel-head"><h2 id="numbers-title">{}</h2></div>'
        '<div class="panel-body">{}<p class="small muted">{} {} {} <time datetime="{}" data-day>{}</time></p>{}</div></section>{}{}',
        _render_errors(study),
        _("The game in numbers"),
        _render_totals(study, found),
        say_method(found.method),
        _say_thresholds(found),
        _("Ten errors that each cost 10 percent of a win add up to one win given away."),
        made.isoformat(timespec="seconds"),
        write_day(made),
        _render_own(study) if study.own else "",
        _render_turns(study, found),
        _render_all_luck(study, found),
    )


def _href(study: Study, ply: int) -> str:
    """Return a position's address, with an anchor at the verdict above the board.

    Without the anchor, phones would show only the lists of the overview.
    """
    return f"{study.href(ply)}#replay-verdict"


def _render_own(study: Study) -> Markup:
    """Draw a note that the reader's own device computed the analysis, and a button for an analysis by the server."""
    return html(
        '<p id="own-analysis" class="small">{}</p><form method="post" action="/t/{}/analyse"><button class="button">{}</button></form>',
        _(
            "Your device computed this analysis, and only you see it. If the server analyses the game too, everybody sees the server's analysis, and the players get their own errors as problems to solve."
        ),
        study.replay.table,
        _("Analyse on the server"),
    )


def _say_thresholds(found: Analysis) -> str:
    told = _.list(
        [
            f"{_(MARKS[mark])} {write_number(100 * found.thresholds[mark], 0)}"
            for mark in MARKS
            if mark in found.thresholds
        ]
    )
    text = _(
        "A move is marked as an error if it lowers the chance to win by at least this many percentage points: {told}."
    ).format(told=told)
    if any(one.cost_error for one in found.decisions):
        text += " " + _(
            "A move is marked only if its loss is at least {n} times the standard error of the estimate."
        ).format(n=write_number(SURE, 0 if float(SURE).is_integer() else 1))
    return text


def _render_totals(study: Study, found: Analysis) -> Markup:
    totals = found.totals
    per = [t.cost_chance / t.decisions if t.decisions else 0.0 for t in totals]
    rows: list[tuple[object, list[str]]] = [
        (_("Unforced moves"), [str(t.decisions) for t in totals]),
        (_("Forced moves"), [str(t.forced) for t in totals]),
        *(
            (html("{} {}", render_sign(mark), _(MARKS[mark])), [str(t.marks.get(mark, 0)) for t in totals])
            for mark in MARKS
        ),
        (_("Wins given away by decisions"), [write_number(t.cost_chance, 2) for t in totals]),
        (_("Points given away by decisions"), [write_number(t.cost_points) for t in totals]),
        (_("Average loss per unforced move"), [write_percent(100 * one, 2) for one in per]),
        (_("Wins gained by luck"), [signed_wins(t.luck_chance) for t in totals]),
        (_("Points gained by luck"), [signed(t.luck_points) for t in totals]),
    ]
    if found.leads is not None:
        leads, without_luck = found.leads
        rows += [
            (_("Lead at the end"), [signed(lead) for lead in leads]),
            (_("Lead without luck"), [signed(lead) for lead in without_luck]),
        ]
    head = join(html('<th scope="col" class="num">{}</th>', name) for name in study.replay.names)
    body = join(
        html(
            '<tr><th scope="row">{}</th>{}</tr>',
            label,
            join(html('<td class="num">{}</td>', cell) for cell in cells),
        )
        for label, cells in rows
    )
    measured = _(
        "The lead is measured against the best other player. Points given away and points gained by luck are measured against the average of the other players."
    )
    return html(
        '<div class="table-wrap" tabindex="0"><table class="table an-totals"><thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table></div>{}',
        head,
        body,
        html('<p class="small muted">{}</p>', measured) if len(totals) > 2 else NOTHING,
    )


def _render_list(name: str, title: str, items: Markup) -> Markup:
    return html(
        '<section class="panel" aria-labelledby="{0}-title"><div class="panel-head"><h2 id="{0}-title">{1}</h2></div><ol class="an-list">{2}</ol></section>',
        name,
        title,
        items,
    )


def _render_errors(study: Study) -> Markup:
    """Draw the list of the reader's errors, and for each other player a collapsed list of that player's errors.

    If the reader did not play, draw one list of all errors. Each list begins with the most costly error. If there are
    many errors, draw the most costly ones, and a collapsed list of all errors in the order of play.
    """
    if not study.errors:
        return html('<p class="notice good">{}</p>', _("No move was marked as an error."))
    others = [seat for seat in range(len(study.replay.names)) if study.people and seat not in study.people]
    return html(
        "{}{}",
        _render_own_errors(study)
        if study.own_errors
        else html('<p class="notice good">{}</p>', _("None of your moves was marked as an error.")),
        join(_render_others(study, seat) for seat in others),
    )


def _render_own_errors(study: Study) -> Markup:
    own = study.own_errors
    if len(own) <= MANY:
        return _render_list("errors", _("Errors"), _render_error_lines(study, _by_cost(own)))
    return html(
        '{}<details class="panel an-more"><summary>{}</summary><ol class="an-list">{}</ol></details>',
        _render_list("errors", _("The most costly errors"), _render_error_lines(study, _by_cost(own)[:MOST])),
        _.many("The only error", "All {n} errors", len(own)).format(n=len(own)),
        _render_error_lines(study, own),
    )


def _render_others(study: Study, seat: int) -> Markup:
    """Draw the collapsed list of another player's errors. The heading has the number of errors and their total cost."""
    errors = [one for one in study.errors if one.seat == seat]
    if not errors:
        return NOTHING
    return html(
        '<details class="panel an-more"><summary>{} <span class="num an-lost">{}</span></summary><ol class="an-list">{}</ol></details>',
        _.many("{name}: {n} error", "{name}: {n} errors", len(errors)).format(
            name=study.name(seat), n=len(errors)
        ),
        write_percent(-100 * sum(one.cost_chance for one in errors), 1, sign=True),
        _render_error_lines(study, _by_cost(errors)),
    )


def _by_cost(errors: Sequence[Decision]) -> list[Decision]:
    return sorted(errors, key=lambda one: -one.cost_chance)


def _render_error_lines(study: Study, errors: Sequence[Decision]) -> Markup:
    return join(
        html(
            '<li><a href="{}">{}<span class="an-words"><span class="kicker">{}</span> <b>{}</b> {} <span class="an-best">{} {}</span></span><span class="num an-lost">{}</span></a></li>',
            _href(study, one.ply),
            render_sign(one.mark),
            study.round(one.ply),
            _(MARKS[one.mark]),
            study.tell_played(one),
            _("Better:"),
            study.tell_move(one, one.better.move),
            write_percent(-100 * one.cost_chance, 1, sign=True),
        )
        for one in errors
    )


def _render_turns(study: Study, found: Analysis) -> Markup:
    if not found.turning_points:
        return NOTHING
    items = []
    for turn in found.turning_points:
        gained = max(range(len(turn.gain)), key=lambda seat: turn.gain[seat])
        items.append(
            html(
                '<li><a href="{}"><span class="an-words"><span class="kicker">{}</span> {}</span><span class="num">{} {}</span></a></li>',
                _href(study, turn.ply),
                study.round(turn.ply),
                study.tell_ply(turn.ply),
                study.name(gained),
                percent(turn.gain[gained], sign=True),
            )
        )
    return _render_list("turns", _("Turning points"), join(items))


def _render_all_luck(study: Study, found: Analysis) -> Markup:
    told = [one for one in found.luck if max(map(abs, one.chance)) >= UNSEEN]
    if not told:
        return NOTHING

    def line(one: Luck) -> Markup:
        lucky = max(range(len(one.chance)), key=lambda seat: one.chance[seat])
        return html(
            '<li><a href="{}"><span class="an-words"><span class="kicker">{}</span> {}</span><span class="num">{} {}</span></a></li>',
            _href(study, one.ply),
            study.round(one.ply),
            study.tell_luck(one),
            study.name(lucky),
            percent(one.chance[lucky], sign=True),
        )

    most = sorted(told, key=lambda one: -max(map(abs, one.chance)))[:FEW]
    everything = html(
        '<details class="panel an-more"><summary>{}</summary><ol class="an-list">{}</ol></details>',
        _("All effects of luck"),
        join(map(line, told)),
    )
    return html(
        "{}{}", _render_list("luck", _("Where luck mattered most"), join(map(line, most))), everything
    )
