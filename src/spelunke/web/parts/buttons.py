"""Draw the plain buttons of a table's page, from the table of operations."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, hidden, html
from spelunke.boards.stage import draw_once
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.house.messages import Look
from spelunke.house.operations import OPERATIONS, Button, Operation
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _


def act_key(look: Look) -> str:
    """Return a key per decision, so that a form sent twice plays once."""
    return f"page-{look.seat}-{look.ply:05d}"


def act_fields(look: Look) -> dict[str, str]:
    """Return the fields of each action: number and link of the look that it was chosen from."""
    link = look.chain.link if look.chain else ""
    return {"ply": str(look.ply), "key": act_key(look), "link": link}


def may_do(look: Look, word: str) -> bool:
    """Return whether the viewer may do the operation with this word."""
    return look.seat is not None if word == "seat" else word in look.may


def is_against_bots(look: Look) -> bool:
    """Return whether the viewer plays against bots alone."""
    return look.seat is not None and all(seat.you or seat.kind == "bot" for seat in look.seats)


def render_buttons(look: Look, game: Game, place: str, words: Collection[str] | None = None) -> list[Markup]:
    """Draw the viewer's buttons for one place of the page; `words` restricts them to these of `Look.may`."""
    own_board = game.hooks.has(Hooks.render_board)
    shown = [
        (operation, button)
        for operation in OPERATIONS.values()
        for button in operation.buttons
        if button.place == place
        and may_do(look, button.may or operation.may[0])
        and (words is None or (button.may or operation.may[0]) in words)
        and not (button.unless_board and own_board)
        and not (button.among_people and is_against_bots(look))
    ]
    shown.sort(key=lambda pair: pair[1].order)
    return [_render(look, operation, button) for operation, button in shown]


def _render(look: Look, operation: Operation, button: Button) -> Markup:
    if _carries_look(operation):
        return _draw(look, operation, button)
    rests = (look.table, look.origin is None, LANGUAGE.get(), "button", operation.name, button.label)
    return draw_once(rests, lambda: _draw(look, operation, button))


def _carries_look(operation: Operation) -> bool:
    """Return whether the input names the look that it was chosen from."""
    return operation.input is not None and "ply" in operation.input.__struct_fields__


def _draw(look: Look, operation: Operation, button: Button) -> Markup:
    if button.confirm is None:
        begun = look.origin is not None and button.from_position
        return _form(look, operation, button, begun or button.label)
    sentence, label = button.confirm
    return html(
        '<details id="{}" class="menu" hx-morph-skip><summary>{}</summary><div class="menu-body stack tight">'
        "<p>{}</p>{}</div></details>",
        operation.name,
        _(button.label),
        _(sentence),
        _form(look, operation, button, label),
    )


def _form(look: Look, operation: Operation, button: Button, label: str) -> Markup:
    fields = dict(button.fields)
    if _carries_look(operation):
        fields |= act_fields(look)
    return render_form(look, operation.name, fields, _(label), button.style, button.key)


def render_form(
    look: Look, deed: str, fields: Mapping[str, str], label: str, style: str = "", key: str = ""
) -> Markup:
    """Draw a form with one button, which a key may press, that runs an operation at the table."""
    keyed = html(' data-key="{0}" aria-keyshortcuts="{0}"', key) if key else NOTHING
    cap = html(' <kbd class="key" aria-hidden="true">{}</kbd>', key.upper()) if key else NOTHING
    return html(
        '<form method="post" action="/t/{0}/{1}" hx-post="/t/{0}/{1}" hx-swap="none">{2}'
        '<button class="button {3}"{5}>{4}{6}</button></form>',
        look.table,
        deed,
        hidden(**fields),
        style,
        label,
        keyed,
        cap,
    )
