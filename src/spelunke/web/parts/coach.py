"""The coach of a game against bots: on request, what each move is worth."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import flag, html
from spelunke.house.messages import Advice, Look
from spelunke.web.parts.judgement import fold
from spelunke.web.parts.values import render_choice, render_standing, say_uncertainty
from spelunke.web.words import translate as _


def render_coach(look: Look, told: Markup | None = None) -> Markup:
    """The coach's panel beneath the board, folded until it is wanted; an empty element where none may help.

    ``told``: the coach's word, instead of what a coach is for.

    What was told goes with the decision: the next push takes it away.
    """
    if "hint" not in look.may:
        return html('<div id="coach"></div>')
    return html(
        '<details id="coach" class="panel options coach" data-kept data-ply="{ply}"{open}><summary class="panel-head">{title}</summary>'
        '<div class="panel-body stack tight"><form method="post" action="/t/{table}/hint" hx-post="/t/{table}/hint" hx-swap="none">'
        '<button class="button">{hint}</button></form>{told}</div></details>',
        ply=look.ply,
        open=flag("open", told is not None),
        title=_("Coach"),
        table=look.table,
        hint=_("Show what my moves are worth"),
        told=told if told is not None else _render_purpose(),
    )


def _render_purpose() -> Markup:
    return html(
        '<div id="coach-told" class="stack tight" role="status"><p class="small muted">{}</p></div>',
        _("Shows what each of your moves is worth. There is a coach only where you play against bots alone."),
    )


def render_thinking(look: Look) -> Markup:
    """That the coach's word takes a while; it is asked for again every second, until it replaces this."""
    return html(
        '<div id="coach-told" role="status"><div class="stack tight" hx-get="/t/{}/hint" hx-trigger="every 1s" hx-swap="none">'
        '<p>{}</p><progress class="an-bar" aria-label="{}"></progress><noscript><p>{}</p></noscript></div></div>',
        look.table,
        _(
            "The coach is thinking. The first word about a game can take a minute or two; later ones take seconds. "
            "You can go on playing."
        ),
        _("Coach"),
        _("Ask once more in a moment."),
    )


def render_silence(why: str) -> Markup:
    """Why the coach says nothing."""
    return html(
        '<div id="coach-told" class="stack tight" role="status"><p class="notice bad">{}</p></div>', why
    )


def render_advice(look: Look, advice: Advice) -> Markup:
    """What the coach says: how it stands, and every move with its value, the best first."""
    found = advice.judgement
    best = found.alternatives[0].value
    rows = [
        render_choice(words or one.move, one.value, best, share=one.share, why=why)
        for one, words, why in zip(
            found.alternatives, advice.told, advice.why or ((),) * len(advice.told), strict=True
        )
    ]
    return html(
        '<div id="coach-told" class="stack tight" role="status">{}<p class="small muted">{}</p>{}{}</div>',
        render_standing([v.chance for v in found.values], [v.points for v in found.values], look.names),
        _("Of each move: the chance to win, the expected lead in points, and what is lost of the best."),
        fold(rows),
        html('<p class="small muted">{}</p>', say_uncertainty(secret=found.secret)) if found.gaps else "",
    )
