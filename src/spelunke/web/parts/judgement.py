"""Draw the values of a position, for the analysis board, problems and the coach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from spelunke.analysis.analysis import Judgement, Prospect
from spelunke.boards.markup import html, join
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.words import Translator
from spelunke.games.match import Match
from spelunke.house.study import say_next, say_why
from spelunke.web.numbers import write_percent
from spelunke.web.parts.values import UNSEEN, percent, render_choice, render_standing, say_method
from spelunke.web.words import translate as _

MANY = 10
"""The number of moves or outcomes that a long list shows at first. The reader can open the rest."""
EXPLAINED = 3
"""The number of best moves that are shown with reasons."""


def render_judgement(
    found: Judgement, match: Match, names: Sequence[str], translate: Translator, href: Callable[[str], str]
) -> Markup:
    """Draw the players' chances to win, and each move or outcome of chance with its value and a link (from `href`)."""
    return html(
        '{}{}<p class="small muted">{}</p>',
        render_standing([v.chance for v in found.values], [v.points for v in found.values], names),
        _render_next(found, match, names, translate, href),
        say_method(found.method),
    )


def _render_next(
    found: Judgement, match: Match, names: Sequence[str], translate: Translator, href: Callable[[str], str]
) -> Markup:
    if found.seat == OVER:
        return html("<p>{}</p>", _("In this position, the game is over."))
    if found.seat == CHANCE:
        whose = _one_on_turn(match)
        rows = [
            _render_prospect(one, found, whose, say_next(match, one.outcome, names, translate), href)
            for one in found.prospects
        ]
        return html(
            '<h3 class="an-choose">{}</h3><p class="small muted">{}</p>{}',
            _("Chance decides"),
            _("What could happen, how likely it is, and what it means for {name}.").format(name=names[whose]),
            fold(rows),
        )
    best = found.alternatives[0].value
    rows = [
        render_choice(
            html(
                '<a href="{}">{}</a>', href(one.move), say_next(match, one.move, names, translate) or one.move
            ),
            one.value,
            best,
            why=say_why(match, found.seat, one.move, names, translate) if place < EXPLAINED else (),
            seats=len(names),
        )
        for place, one in enumerate(found.alternatives)
    ]
    return html(
        '<h3 class="an-choose">{}</h3>{}', _("It is {name}'s move").format(name=names[found.seat]), fold(rows)
    )


def _one_on_turn(match: Match) -> int:
    """Return the next seat to act. If the game ends before that, return 0.

    If chance decides first, assume that each chance event has the first of its possible outcomes.
    """
    at = match.match_at()
    while at.chance:
        at.apply_chance(at.chances()[0][0])
    return at.actors[0] if at.actors else 0


def _render_prospect(
    one: Prospect, found: Judgement, seat: int, words: str, href: Callable[[str], str]
) -> Markup:
    luck = one.values[seat].chance - found.values[seat].chance
    return html(
        '<li class="an-choice"><span class="an-words"><a href="{}">{}</a> <span class="muted num">{}</span></span>'
        '<span class="an-value"><b class="num">{}</b> <span class="num muted">{}</span></span></li>',
        href(one.outcome),
        words or one.outcome,
        write_percent(100 * one.share, 1),
        percent(one.values[seat].chance),
        write_percent(100 * luck, 1, sign=True) if abs(luck) >= UNSEEN else "",
    )


def fold(rows: Sequence[Markup]) -> Markup:
    """Draw a list of rows. A long list shows its first `MANY` rows, and the reader can open the rest.

    A list is long if it has more than `MANY` + 1 rows.
    """
    more = (
        html(
            '<details class="an-more"><summary>{}</summary><ol class="an-choices" start="{}">{}</ol></details>',
            _.many("{n} more", "{n} more", len(rows) - MANY).format(n=len(rows) - MANY),
            MANY + 1,
            join(rows[MANY:]),
        )
        if len(rows) > MANY + 1
        else join(())
    )
    shown = rows[:MANY] if len(rows) > MANY + 1 else rows
    return html('<ol class="an-choices">{}</ol>{}', join(shown), more)
