"""Draw the panel in which a reader begins the analysis of a finished game, and the line with its progress."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html
from spelunke.house.study import AnalysisLook
from spelunke.web.words import translate as _


@dataclass(frozen=True, slots=True)
class Device:
    """The addresses of the files that the reader's device needs to compute an analysis.

    ``script`` is the browser's program, ``module`` has the game's rules in WebAssembly, and ``plan`` lists the playouts
    to compute. ``weights`` has the game's networks. It is an empty text if the game has none.
    """

    script: str
    module: str
    plan: str
    weights: str = ""


def render_progress(look: AnalysisLook) -> Markup:
    """Draw the line above the board while the game has no analysis: the progress, or why the last attempt failed.

    The progress has the focus when the page opens. If there is nothing to say, draw an empty element.
    """
    if look.status == "failed":
        return html('<div id="replay-verdict" class="an-verdict blunder"><p>{}</p></div>', look.problem)
    if look.status != "working":
        return html('<div id="replay-verdict"></div>')
    words = _("The analysis is about to begin. This can take a minute or two.")
    share = NOTHING
    if look.done:
        words = _.many(
            "The game is being analysed: {done} of {plies} step.",
            "The game is being analysed: {done} of {plies} steps.",
            look.plies,
        ).format(done=look.done, plies=look.plies)
        share = html(' max="{}" value="{}"', max(1, look.plies), look.done)
    return html(
        '<div id="replay-verdict" class="an-verdict an-progress" data-working tabindex="-1" autofocus>'
        '<p role="status">{}</p><progress class="an-bar"{} aria-label="{}"></progress></div>',
        words,
        share,
        _("Analysis"),
    )


def render_begin(look: AnalysisLook, device: Device | None) -> Markup:
    """Draw the panel of a game without an analysis, with a button that requests one.

    If the reader's device can compute the analysis, the button's form has the addresses that the script
    ``own-analysis.js`` needs. If no analysis is possible, or one is being computed, draw an empty element.
    """
    if look.status not in ("none", "failed"):
        return html('<div id="replay-analysis"></div>')
    inside = html(
        '<p>{}</p><form id="analyse" method="post" action="/t/{}/analyse"{}><button class="button primary">{}</button></form>{}',
        _("See what each decision cost, where the game turned, and who was lucky."),
        look.table,
        html(
            ' data-script="{}" data-module="{}" data-plan="{}" data-weights="{}"',
            device.script,
            device.module,
            device.plan,
            device.weights,
        )
        if device
        else "",
        _("Analyse the game"),
        _render_device() if device else "",
    )
    return html(
        '<section id="replay-analysis" class="panel an-panel" aria-labelledby="analysis-title"><div class="panel-head"><h2 id="analysis-title">{}</h2></div>'
        '<div class="panel-body stack tight">{}</div></section>',
        _("Analysis"),
        inside,
    )


def _render_device() -> Markup:
    """Draw three hidden elements: two notes, and the progress of an analysis on the reader's device.

    The script ``own-analysis.js`` makes them visible. It shows the second note only if the browser has no WebAssembly.
    """
    return html(
        '<p id="own-note" class="small muted" hidden>{}</p><p id="no-own-note" class="small muted" hidden>{}</p>'
        '<div id="own-work" class="stack tight" hidden>'
        '<p role="status">{}</p><progress class="an-bar" max="1" value="0" aria-label="{}"></progress>'
        '<button id="own-stop" type="button" class="button">{}</button></div>',
        _("Your device computes the analysis, and only you will see it."),
        _("Your browser can't run WebAssembly, so the server computes the analysis."),
        _("Your device is analysing the game. You can look at the game meanwhile."),
        _("Analysis"),
        _("Stop the analysis"),
    )
