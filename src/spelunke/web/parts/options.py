"""Draw the options of a game as fields of a form, and list changed options in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.core.option import Kind, Option, write_value
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.web.words import tongue_of
from spelunke.web.words import translate as _

ACROSS = 22
"""The number of letters for which a list has room in one line with the title of its option."""


def render_option(
    game: Game, option: Option, given: Mapping[str, str] | None, translate: Translator, wrong: str = ""
) -> Markup:
    """Draw an option of a game as a field of a form, with its help.

    If the server has refused the option's value, ``wrong`` is the reason.
    """
    name = f"option.{option.name}"
    value = (given or {}).get(name, usual_value(game, option))
    hint = described = NOTHING
    notes = []
    if wrong:
        hint, notes = html('<span class="error" id="wrong">{}</span>', wrong), ["wrong"]
    if option.help:
        hint += html('<span class="hint" id="{}-hint">{}</span>', name, translate(option.help))
        notes.append(f"{name}-hint")
    if notes:
        described = html(' aria-describedby="{}"', " ".join(notes))
    if wrong:
        described = html(' aria-invalid="true" autofocus{}', described)
    if option.kind == "switch":
        return html(
            '<div class="field"><input type="hidden" name="{0}" value="off"><label class="check">'
            '<input type="checkbox" id="{0}" name="{0}" value="on"{1}{2}> {3}</label>{4}</div>',
            name,
            flag("checked", value == "on"),
            described,
            translate(option.title),
            hint,
        )
    render = INPUTS.get(option.kind, _render_line)
    long = callable(option.default) or any(
        len(translate(option.call(known))) > ACROSS for known in option.choices
    )
    return html(
        '<div class="field{}"><label for="{}">{}</label>{}{}</div>',
        " long" if long else "",
        name,
        translate(option.title),
        render(option, name, value, described, translate),
        hint,
    )


def usual_value(game: Game, option: Option) -> str:
    """Return the value of the option's field in a new form. It is empty if it depends on the number of players."""
    return "" if callable(option.default) else write_value(option.preset(game.usual_seats))


def _render_list(option: Option, name: str, value: str, described: Markup, translate: Translator) -> Markup:
    usual = html('<option value="">{}</option>', _("by the number of players"))
    choices = [usual] if callable(option.default) else []
    choices += [
        html(
            '<option value="{}"{}>{}</option>',
            known,
            flag("selected", str(known) == value),
            translate(option.call(known)),
        )
        for known in option.choices
    ]
    return html('<select id="{0}" name="{0}"{1}>{2}</select>', name, described, join(choices))


def _render_number(option: Option, name: str, value: str, described: Markup, _tell: Translator) -> Markup:
    least, most = option.bounds or ("", "")
    usual = html(' placeholder="{}"', _("as usual")) if callable(option.default) else NOTHING
    return html(
        '<input type="number" id="{0}" name="{0}" min="{1}" max="{2}" value="{3}"{4}{5}>',
        name,
        least,
        most,
        value,
        usual,
        described,
    )


def _render_line(_option: Option, name: str, value: str, described: Markup, _tell: Translator) -> Markup:
    return html('<input id="{0}" name="{0}" value="{1}"{2}>', name, value, described)


def tell_options(name: str, changed: Mapping[str, str]) -> str:
    """Return the changed options of a table in words: `Rounds: four short ones, Jokers can be swapped out`."""
    game, translate = find_game(name), tongue_of().games
    told = []
    for option in game.options:
        if option.name not in changed:
            continue
        title, value = translate(option.title), changed[option.name]
        if option.kind == "switch":
            told.append(title if value == "on" else _("off: {option}").format(option=title))
            continue
        known = next((choice for choice in option.choices if str(choice) == value), None)
        what = value if known is None else translate(option.call(known))
        told.append(_("{name}: {what}").format(name=title, what=what))
    return ", ".join(told)


INPUTS: Mapping[Kind, Callable[[Option, str, str, Markup, Translator], Markup]] = {
    "choice": _render_list,
    "count": _render_number,
}
"""Functions that draw an option's field, by the option's kind.

The other kinds have no function here: a switch gets a checkbox, and any other option gets a text field.
"""
