"""Draw the buttons of a table's page, from the list of operations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, hidden, html, join
from spelunke.boards.stage import draw_once
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.house.messages import Look
from spelunke.house.operation import Button, Operation
from spelunke.house.operations import OPERATIONS
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _

OPEN_KEY = "open-"
"""The prefix of a key on a page without an open hand, for a decision or an undo. The number of the seat follows it."""


def act_key(look: Look) -> str:
    """Return a key that identifies a seat's decision.

    Thanks to the key, the server plays a move only once, even if the page sends the move's form twice.
    """
    if look.seat is None:
        return f"{OPEN_KEY}{look.actors[0]}-{look.ply:05d}"
    return f"page-{look.seat}-{look.ply:05d}"


def act_fields(look: Look) -> dict[str, str]:
    """Return the fields that every form with a move contains.

    With the `key`, the server recognizes a form that was sent twice. With the `ply` and the `link` (the newest hash
    of the viewer's hash chain), it recognizes an outdated page.
    """
    link = look.chain.link if look.chain else ""
    return {"ply": str(look.ply), "key": act_key(look), "link": link}


def is_against_bots(look: Look) -> bool:
    """Return whether all opponents are bots or people at the viewer's own device. Return False for a spectator."""
    return look.seat is not None and all(
        seat.you or seat.kind == "bot" or seat.here or (seat.host and look.seats[look.seat].here)
        for seat in look.seats
    )


class _Shown(NamedTuple):
    """A button of an operation.

    `word` is the permission in `Look.may` that the button needs. If `names_look`, the button's form says for
    which state of the table it was made: it contains the fields of `act_fields`, or the key of an undo.
    """

    operation: Operation
    button: Button
    word: str
    names_look: bool


def list_buttons() -> dict[str, list[_Shown]]:
    """Return the buttons of all operations: for each place on the page, its buttons in the order of display."""
    found: dict[str, list[_Shown]] = {}
    for operation in OPERATIONS.values():
        fields = () if operation.input is None else operation.input.__struct_fields__
        for button in operation.buttons:
            word = button.may or operation.may[0]
            found.setdefault(button.place, []).append(
                _Shown(operation, button, word, "ply" in fields or operation.name == "undo")
            )
    for buttons in found.values():
        buttons.sort(key=lambda one: one.button.order)
    return found


BUTTONS = list_buttons()


def render_buttons(look: Look, game: Game, place: str, words: Collection[str] | None = None) -> list[Markup]:
    """Draw the viewer's buttons for one place of the page.

    If `words` is given, draw only the buttons whose `word` is in `words`. If no button at this place depends on the
    ply, the result is cached.
    """
    may = look.may if look.seat is None else look.may | {"seat"}
    shown = [
        one
        for one in BUTTONS.get(place, ())
        if (one.word in may or _is_spent(look, one))
        and (words is None or one.word in words)
        and not (one.button.unless_board and Hooks.render_board in game.hooks.offered)
        and not (one.button.among_people and is_against_bots(look))
    ]
    draw = partial(_draw, look)
    if not shown or any(one.names_look for one in shown):
        return list(map(draw, shown))
    labels = tuple([(one.operation.name, one.button.label, _is_spent(look, one)) for one in shown])
    whose = (look.seat, look.undo_of, look.names)
    key = (look.table, look.origin is None, LANGUAGE.get(), "buttons", place, labels, whose)
    return [draw_once(key, lambda: join(map(draw, shown)))]


def _is_spent(look: Look, one: _Shown) -> bool:
    """Return whether this is the button for a draw offer, and the viewer's own offer is still open.

    Such a button stays in its place, but is disabled. Otherwise the next button would move under the finger.
    """
    offers = look.seat is not None and look.seats[look.seat].offers_draw
    return offers and one.word == "offer_draw" and one.word not in look.may


def _draw(look: Look, one: _Shown) -> Markup:
    operation, button = one.operation, one.button
    fields = button.fields
    if operation.name == "undo":  # otherwise a form that was sent twice would take back two moves
        whose = f"{OPEN_KEY}{look.undo_of}" if look.seat is None else f"undo-{look.seat}"
        fields = {**fields, "key": f"{whose}-{look.ply:05d}-{fields['answer']}"}
    elif one.names_look:
        fields = {**fields, **act_fields(look)}
    begun = look.origin is not None and button.from_position
    label = _(begun or button.label)
    actor = look.undo_of if one.word == "undo" else None
    if one.word in ("resign", "offer_draw") and any(seat.here for seat in look.seats):
        actor = look.seat  # several people look at this page
    if actor is not None:
        label = _("{name}: {what}").format(name=look.names[actor], what=label)
    if button.confirm is None:
        spent = _is_spent(look, one)
        return render_form(look, operation.name, fields, label, button.style, button.key, disabled=spent)
    sentence, yes = button.confirm
    if len(look.seats) == 2:
        sentence = button.for_two or sentence
    return html(
        '<details id="{}" class="menu" hx-morph-skip><summary>{}</summary><div class="menu-body stack tight">'
        "<p>{}</p>{}</div></details>",
        operation.name,
        label,
        _(sentence),
        render_form(look, operation.name, fields, _(yes), button.style, button.key),
    )


def render_form(
    look: Look,
    operation: str,
    fields: Mapping[str, str],
    label: str,
    style: str = "",
    key: str = "",
    *,
    disabled: bool = False,
) -> Markup:
    """Draw a form with one button that runs an operation at the table. `key` is the button's keyboard shortcut."""
    keyed = html(' data-key="{0}" aria-keyshortcuts="{0}"', key) if key else NOTHING
    if disabled:
        keyed = Markup(" disabled")
    cap = html(' <kbd class="key" aria-hidden="true">{}</kbd>', key.upper()) if key else NOTHING
    return html(
        '<form method="post" action="/t/{0}/{1}" hx-post="/t/{0}/{1}" hx-swap="none">{2}'
        '<button class="button {3}"{5}>{4}{6}</button></form>',
        look.table,
        operation,
        hidden(**fields),
        style,
        label,
        keyed,
        cap,
    )
