"""The form for standing orders. The server follows them to call for discards while a player is away."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, hidden, html, join
from spelunke.core.errors import BadInput
from spelunke.games.sanghai.orders import (
    BY_TEXT,
    check_orders,
    choose_orders,
    compose_orders,
    orders_of,
    read_orders,
)
from spelunke.games.sanghai.ui.drafts import render_rehearsal
from spelunke.games.sanghai.ui.frame import Frame

FIELDS = ("text", "call", "most", "from", "to")
"""The fields of the form. In the page, each name has the prefix ``order.``."""


def render_orders(frame: Frame) -> Markup:
    """Render the standing orders of this seat. Nobody else sees them.

    Return nothing for a spectator, in a replay, after the player has resigned, after the end of the game,
    and at a table with two players.
    """
    seen = frame.view
    barred = frame.scene.past or not frame.scene.takes_orders
    if frame.me is None or seen.phase == "over" or seen.seats == 2 or barred:
        return NOTHING
    rests = (
        frame.scene.private,
        *(frame.scene.draft.get(f"order.{name}") for name in FIELDS),
        frame.considered,
        seen.contracts,
        seen.hep_limit,
    )
    return frame.kept("orders", rests, lambda: _orders(frame))


def _orders(frame: Frame) -> Markup:
    kept, now = frame.scene.private, _stored(frame)
    shown = _say_orders(frame, now)
    typed = frame.scene.draft.get("order.text", (shown,))[-1]
    clear = (
        html(
            '<button id="sg-b-clear" class="button quiet" name="standing" value="clear">{}</button>',
            frame.say("Delete the orders"),
        )
        if now
        else NOTHING
    )
    known = orders_of(kept)
    answers = known is not None and (known.wants or known.limits)
    saved = (
        frame.say("They answer for you: {orders}", orders=" · ".join(shown.splitlines())) if answers else ""
    )
    wrong = render_wrong(frame)
    return html(
        '<details id="{}-orders" class="sg-orders"{}><summary>{}<span class="sg-saved" role="status">{}</span></summary>'
        "{}"
        '<details id="{}-orders-text"{}><summary>{}</summary>'
        '<p class="small">{}</p>'
        '<label><span class="sr">{}</span><textarea name="order.text" rows="3" maxlength="400" data-draft'
        ' aria-describedby="{}-wrong-text">{}</textarea></label>{}'
        '<div class="row"><button id="sg-b-set" class="button" name="standing" value="set">{}</button>'
        '<button id="sg-b-try" class="button quiet" name="draft" value="orders">{}</button></div></details>'
        '<div class="row">{}</div>'
        "{}</details>",
        frame.id,
        flag("open", typed != shown),
        frame.say("Standing orders for calls"),
        saved,
        _order_form(frame, now, shown, wrong["form"]),
        frame.id,
        flag("open", bool(_is_free_text(now, len(frame.view.contracts)) or typed != shown)),
        frame.say("Write the orders as text"),
        frame.say(
            "Write one order per line, for example: any nine · hearts · what helps · at most one more · no calls "
            "in round 3 · pass"
        ),
        frame.say("Orders"),
        frame.id,
        typed,
        wrong["text"],
        frame.say("Save this text"),
        frame.say("Try these orders"),
        clear,
        render_rehearsal(frame),
    )


def _stored(frame: Frame) -> str:
    """Return the text of the stored orders of this seat, or an empty text."""
    kept = frame.scene.private
    return str(kept.get("text", "")) if isinstance(kept, Mapping) else ""


def render_wrong(frame: Frame) -> dict[str, Markup]:
    """Render the errors in the unsent text and in the unsent fields, to show each of them at its place.

    They are the errors with which the server would refuse these orders. An element without an error is empty.
    """
    given = {name: values[-1] for name in FIELDS if (values := frame.scene.draft.get(f"order.{name}"))}
    found = {"text": "", "form": ""}
    if "text" in given:
        found["text"] = _refusal(frame, {"text": given["text"]})
    if "call" in given:
        refused = _refusal(frame, {**given, "was": _say_orders(frame, _stored(frame)), "do": "form"})
        found["form"] = "" if refused == found["text"] else refused
    return {
        name: html(
            '<div id="{}-wrong-{}" class="sg-wrong">{}</div>',
            frame.id,
            name,
            html('<p class="error" data-refusal>{}</p>', frame._.refusal(reason)) if reason else NOTHING,
        )
        for name, reason in found.items()
    }


def _refusal(frame: Frame, orders: Mapping[str, str]) -> str:
    """Return the reason for which the server would refuse these orders, or an empty text."""
    try:
        check_orders(orders, frame.view)
    except BadInput as error:
        return error.reason
    return ""


def _say_orders(frame: Frame, text: str) -> str:
    """Return the text of stored orders in the viewer's language.

    Translate each line that the form or the button "Always pass in this round" can write, and leave other lines
    unchanged. The parser of orders understands the translations, so the viewer can save the text again.
    """
    return "\n".join(_say_order(frame, line) for line in text.splitlines())


def _say_order(frame: Frame, line: str) -> str:
    within = frame._.within
    # Translators: standing orders for calls, in small letters; only with words that `order_words.py` knows.
    if line == "what helps":
        return within("order", "what helps")
    if line == "pass":
        return within("order", "pass")
    number = line.rsplit(maxsplit=1)[-1] if line else ""
    if line == f"at most {number}":
        return within("order", "at most {n}").format(n=number)
    if line == f"never in round {number}":
        return within("order", "no calls in round {n}").format(n=number)
    if line == f"only in rounds {number}":
        return within("order", "only in rounds {span}").format(span=number)
    return line


def _is_free_text(now: str, last: int) -> bool:
    """Return whether these orders contain anything that the form can't express in a game with ``last`` rounds."""
    known = orders_of({"text": now})
    if known is None:
        return True
    rounds = tuple(number for number in known.rounds if number <= last) or known.rounds
    fields = choose_orders(now, last)
    return read_orders(compose_orders(fields, last)) != msgspec.structs.replace(known, rounds=rounds)


def _order_form(frame: Frame, now: str, shown: str, wrong: Markup) -> Markup:
    """Render a form for the most frequent kinds of standing orders. `wrong` is the error in its fields.

    It asks for the cards to call for, the most calls in a round, and the first and the last round with calls. A hidden
    field has the text that the page shows at first, so that the server knows whether the player has changed it.
    """
    last = len(frame.view.contracts)
    chosen = choose_orders(now, last)
    calls = [
        ("", frame.say("ask me each time")),
        ("helps", frame.say("cards that help my hand")),
        ("pass", frame.say("no card at all")),
    ]
    if _is_free_text(now, last):
        chosen["call"] = BY_TEXT
        calls.insert(0, (BY_TEXT, frame.say("what the text below says")))
    most = int(chosen.get("most") or 1)
    chosen |= {name: values[-1] for name in FIELDS if (values := frame.scene.draft.get(f"order.{name}"))}
    counts = [
        (str(n), frame.say("at most {n} in a round", n=n))
        for n in sorted({*range(1, frame.view.hep_limit + 1), most})
    ]
    asked = (
        ("call", frame.say("Call for"), calls),
        ("most", frame.say("How many"), [("", frame.say("as many as I can get")), *counts]),
        ("from", frame.say("From round"), [("", "1"), *((str(n), str(n)) for n in range(2, last + 1))]),
        ("to", frame.say("To round"), [*((str(n), str(n)) for n in range(1, last)), ("", str(last))]),
    )
    fields = []
    for name, label, choices in asked:
        options = join(
            html(
                '<option value="{}"{}>{}</option>',
                value,
                flag("selected", bool(value == chosen.get(name, ""))),
                text,
            )
            for value, text in choices
        )
        fields.append(
            html(
                '<div class="field"><label for="sg-order-{}">{}</label>'
                '<select id="sg-order-{}" name="order.{}" data-draft aria-describedby="{}-wrong-form">{}</select></div>',
                name,
                label,
                name,
                name,
                frame.id,
                options,
            )
        )
    return html(
        '{}<div class="sg-order-form">{}</div>{}'
        '<div class="row"><button id="sg-b-form" class="button" name="standing" value="form">{}</button></div>',
        hidden(**{"order.was": shown}),
        join(fields),
        wrong,
        frame.say("Save these orders"),
    )
