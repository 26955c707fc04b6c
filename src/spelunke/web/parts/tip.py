"""The tip after a game: the kind of error that cost the player most, with an example."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from spelunke.analysis.analysis import Decision
from spelunke.boards.markup import NOTHING, html
from spelunke.core.words import Translator
from spelunke.games.game import Game
from spelunke.house.study import Teller
from spelunke.web.numbers import write_number, write_percent
from spelunke.web.words import translate as _


class Tip(NamedTuple):
    """The errors of one kind in a game: their number, the chance to win that they cost, and the worst of them.

    `theme` is the key of the kind in the hook ``themes``.
    """

    theme: str
    times: int
    cost: float
    worst: Decision


def find_tip(decisions: Iterable[Decision], game: Game, teller: Teller) -> Tip | None:
    """Return the tip for the player who made these decisions, or None if no decision was an error.

    The tip is about the kind of error that cost the player the most chance to win in total. The game names the kind
    (hook `kind_of_error`). If it does not, the kind is the first word of the best move.
    """
    kinds: defaultdict[str, list[Decision]] = defaultdict(list)
    for one in decisions:
        if one.mark:
            best = one.alternatives[0].move
            moves = teller.action(one.ply, one.played), teller.action(one.ply, best)
            kinds[game.hooks.kind_of_error(*moves) or best.split()[0]].append(one)
    tips = [
        Tip(theme, len(errors), sum(e.cost_chance for e in errors), max(errors, key=lambda e: e.cost_chance))
        for theme, errors in kinds.items()
    ]
    return max(tips, key=lambda tip: tip.cost, default=None)


def render_tip(table: str, game: Game, tip: Tip | None, teller: Teller, translate: Translator) -> Markup:
    """Draw a tip with a link to its example. If there is no tip, draw praise."""
    if tip is None:
        return _wrap(
            html("<p><b>{}</b></p>", _("None of your moves cost you much: well played.")),
        )
    theme = translate(game.hooks.themes().get(tip.theme, tip.theme))
    lost = write_percent(100 * tip.cost)
    said = _.many(
        "Your most costly kind of decision: {theme}. You made {n} error of this kind, which cost you {percent} of a win.",
        "Your most costly kind of decision: {theme}. You made {n} errors of this kind, which together cost you {percent} of a win.",
        tip.times,
    ).format(theme=theme, n=tip.times, percent=lost)
    if tip.cost > 1:  # several errors can cost more than one win
        said = _(
            "Your most costly kind of decision: {theme}. Your errors of this kind cost you {wins} wins in all."
        ).format(theme=theme, wins=write_number(tip.cost, 2))
    worst = tip.worst
    part = teller.round(worst.ply) or _("Round {n}").format(n=worst.part)
    return _wrap(
        html(
            '<p class="kicker">{}</p><p>{}</p><p class="small"><b>{}</b> {} <b>{}</b> {}</p><a class="button" href="/t/{}/replay?ply={}&amp;as={}">{}</a>',
            _("A tip for the next game"),
            said,
            _("{round}, you played:").format(round=part),
            teller.to_player(worst.ply, worst.played),
            _("Better:"),
            teller.to_player(worst.ply, worst.better.move),
            table,
            worst.ply,
            worst.seat,
            _("Show me where"),
        )
    )


def render_tip_later(table: str, done: int, plies: int) -> Markup:
    """Draw a notice that the analysis waits or is running. The page requests the tip again every 2 s.

    While the analysis waits (for example, until analyses of other games end), the notice has no progress bar, because
    the bar would be empty.
    """
    words, bar = _("The analysis is about to begin. This can take a minute or two."), NOTHING
    if done:
        words = _("Looking for the errors that cost you most …")
        bar = html(
            '<progress class="an-bar" max="{}" value="{}" aria-label="{}"></progress>',
            max(1, plies),
            done,
            _("Analysis"),
        )
    return html(
        '<div id="tip" class="ending-tip" role="status"><div hx-get="/t/{}/tip" hx-trigger="every 2s" hx-swap="none">'
        '<p class="small muted">{}</p>{}</div></div>',
        table,
        words,
        bar,
    )


def render_no_error() -> Markup:
    """Draw a sentence without praise, for a player who made no error but resigned or decided very little."""
    return _wrap(html('<p class="small muted">{}</p>', _("None of your moves was marked as an error.")))


def render_no_tip() -> Markup:
    """Draw an empty element, for a game without an analysis or without decisions of the player's own."""
    return _wrap(NOTHING)


def _wrap(inside: Markup) -> Markup:
    return html('<div id="tip" class="ending-tip" role="status">{}</div>', inside)
