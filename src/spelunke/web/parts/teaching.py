"""Draw help for newcomers at a table: the meanings of their choices, and a tour of the symbols on the page."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import html, join
from spelunke.core.words import Translator, plain
from spelunke.games.explaining import Meaning
from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.web.words import translate as _

HOUSE_SIGNS = (
    ("#turn", plain("Whose turn it is"), plain("This line shows what you have to do, or who has to move.")),
    (
        ".seat",
        plain("A player"),
        plain(
            "The player's name. Marks show whether the player is a bot, and whether a person is here, away or offline. The player to move is highlighted."
        ),
    ),
    (".clock", plain("Clock"), plain("The player's remaining time. It runs down during the player's turn.")),
    (
        ".lamp",
        plain("Lamp"),
        plain("If the lamp is lit, this player has chosen. Choices stay hidden until everybody has chosen."),
    ),
    (
        "#connection",
        plain("Connection"),
        plain("“Live” means that this page shows every change immediately."),
    ),
    (
        "#log",
        plain("What happened"),
        plain("Every move in words. If details are hidden, the switch “Show the whole log” shows them."),
    ),
    (".keys-button", plain("Keys"), plain("The list of keys with which you can play without a mouse.")),
)
"""The symbols around every game's board: their CSS selectors, names and meanings."""


def render_ask() -> Markup:
    """Draw the button that opens the explanations of the choices.

    The style sheet draws the button's symbol, so that screen readers don't read it as a part of the prompt.
    """
    return html(
        '<button type="button" class="ask-meaning" popovertarget="meanings" aria-label="{}"></button>',
        _("What does this mean?"),
    )


def render_meanings(look: Look, meanings: tuple[Meaning, ...]) -> Markup:
    """Draw a dialog with the meaning of each choice.

    When the pointer or the keyboard focus is on the button of a choice, a script shows the meaning beside the button.
    """
    rows = join(
        html(
            '<div><dt>{}</dt><dd id="meaning-{}" data-moves="{}">{}</dd></div>',
            meaning.choice,
            number,
            "\n".join(meaning.moves),
            meaning.text,
        )
        for number, meaning in enumerate(meanings)
    )
    return html(
        '<div id="meanings" popover class="keys-over meanings" role="dialog" aria-labelledby="meanings-title">'
        '<div class="dialog-head"><h2 id="meanings-title">{title}</h2><button type="button" class="button quiet push" popovertarget="meanings"'
        ' popovertargetaction="hide">{close}</button></div>'
        '<div class="dialog-body stack"><dl class="signs">{rows}</dl>'
        '<form method="post" action="/me/explain"><input type="hidden" name="back" value="/t/{table}">'
        '<button class="button quiet" name="explain" value="never">{off}</button>'
        '<p class="small muted">{on}</p></form></div></div>',
        title=_("What does this mean?"),
        close=_("Close"),
        rows=rows,
        table=look.table,
        off=_("Turn these explanations off"),
        on=_("To see them again, choose “Explain my possible moves” in your settings."),
    )


def list_signs(game: Game, translate: Translator) -> list[tuple[str, str, str]]:
    """Return the symbols of the page and of the game's board: CSS selectors, names and meanings."""
    own = [
        (f"#board {sign.where}", translate(sign.name), translate(sign.text)) for sign in game.hooks.signs()
    ]
    return (
        [(where, _(name), _(text)) for where, name, text in HOUSE_SIGNS[:1]]
        + own
        + [(where, _(name), _(text)) for where, name, text in HOUSE_SIGNS[1:]]
    )


def render_tour(game: Game, translate: Translator) -> Markup:
    """Draw the tour: a script explains the visible symbols one by one. Without scripts, the tour stays hidden."""
    stops = join(
        html('<li data-where="{}"><h2>{}</h2><p>{}</p></li>', where, name, text)
        for where, name, text in list_signs(game, translate)
    )
    return html(
        '<div id="tour" class="tour" role="dialog" aria-modal="false" aria-label="{label}" tabindex="-1" hidden>'
        '<ol class="tour-stops">{stops}</ol>'
        '<div class="row spread"><span class="muted" id="tour-count"></span>'
        '<span class="row"><button type="button" class="button quiet" data-tour="end">{end}</button>'
        '<button type="button" class="button" data-tour="back">{back}</button>'
        '<button type="button" class="button primary" data-tour="next" data-last="{done}">{forward}</button></span></div></div>',
        label=_("A tour of the symbols on the table"),
        stops=stops,
        end=_("Leave the tour"),
        back=_.within("of a tour", "Back"),
        forward=_("Next"),
        done=_.within("of a tour", "Done"),
    )
