"""What forms send: read strictly, refused in one sentence."""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request

from spelunke.bots.levels import default_level
from spelunke.core.game import Game
from spelunke.core.option import Choice, Count, Option, Split, Switch, write_value
from spelunke.house.plan import BOT, LINK, ME, OPEN, Clock, Plan
from spelunke.house.refusals import BadPlan
from spelunke.web.parts.markup import flag, html, join
from spelunke.web.refusal import Refusal
from spelunke.web.words import translate as _

FIELDS = 200


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, the last value of each name; files and other kinds of bodies are refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        if not kind and not await request.body():
            return {}
        raise Refusal(415, "not_a_form", _("Send this as a form."))
    form: FormData = await request.form(max_files=0, max_fields=FIELDS)
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}


def need(form: dict[str, str], name: str) -> str:
    """The field's text; refused when it lacks."""
    if name not in form:
        raise Refusal(400, "field_missing", _("The form lacks its field {name}.").format(name=repr(name)))
    return form[name]


def need_number(form: dict[str, str], name: str) -> int:
    """The field as a whole number from 0; refused when it is anything else."""
    text = need(form, name)
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refusal(400, "field_wrong", _("The field {name} is a whole number.").format(name=repr(name)))
    return int(text)


def read_plan(game: Game, form: dict[str, str]) -> Plan:
    """The plan of a table from the front page's buttons (`quick`) or from the page of a new table."""
    quick = form.get("quick", "")
    if quick:
        level = form.get("level") or default_level(game)
        others = {"bot": BOT + level, "link": LINK, "open": OPEN}
        if quick not in others:
            raise BadPlan("choose bot, link or open", "quick")
        return Plan(
            game=game.name, seats=(ME, *[others[quick]] * (game.usual_seats - 1)), listed=quick == "open"
        )
    seats = [form.get(f"seat.{seat}", "") for seat in range(max(game.seats))]
    kinds: dict[str, Literal["none", "live", "days"]] = {"none": "none", "live": "live", "days": "days"}
    clock = kinds.get(form.get("clock", "none"))
    if clock is None:
        raise BadPlan("choose none, live or days", "clock")
    return Plan(
        game=game.name,
        seats=tuple(seat for seat in seats if seat),
        options={
            name.removeprefix("option."): value
            for name, value in form.items()
            if name.startswith("option.") and value != ""
        },
        clock=Clock(
            kind=clock,
            minutes=_number(form, "minutes", 15),
            increment=_number(form, "increment", 10),
            days=_number(form, "days", 3),
        ),
        listed=form.get("listed", "on") == "on",
    )


def _number(form: dict[str, str], name: str, default: float) -> float:
    text = form.get(name, "") or str(default)
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value != value or abs(value) == float("inf"):  # NaN alone differs from itself
        raise BadPlan(f"{text!r} is not a number", name)
    return value


def read_orders(form: dict[str, str]) -> dict[str, str] | None:
    """Standing orders as a game's face names its fields (`order.…`); None forgets them.

    A button that says more than `set` or `clear` is told to the game as `do`.
    """
    pressed = form.get("standing", "set")
    if pressed == "clear":
        return None
    orders = {name.removeprefix("order."): value for name, value in form.items() if name.startswith("order.")}
    return orders if pressed == "set" else {**orders, "do": pressed}


def draw_option(game: Game, option: Option, given: dict[str, str] | None, tell: object = None) -> Markup:
    """One option of a game as a field of a form, with its help."""
    name = f"option.{option.name}"
    varies = callable(option.default)
    preset = "" if varies else write_value(option.preset(game.usual_seats))
    value = (given or {}).get(name, preset)
    translate = tell if callable(tell) else str
    hint = (
        html('<span class="hint" id="{}-hint">{}</span>', name, translate(option.help))
        if option.help
        else Markup()
    )
    described = html(' aria-describedby="{}-hint"', name) if option.help else Markup()
    if isinstance(option, Switch):
        return html(
            '<div class="field"><input type="hidden" name="{0}" value="off"><label class="check">'
            '<input type="checkbox" id="{0}" name="{0}" value="on"{1}{2}> {3}</label>{4}</div>',
            name,
            flag("checked", value == "on"),
            described,
            translate(option.title),
            hint,
        )
    field: Markup
    if isinstance(option, Choice):
        choices = (
            [html('<option value="">{}</option>', _("as usual for the number of players"))] if varies else []
        )
        choices += [
            html(
                '<option value="{}"{}>{}</option>',
                known,
                flag("selected", str(known) == value),
                translate(str(option.titles.get(known, known))),
            )
            for known in option.values
        ]
        field = html('<select id="{0}" name="{0}"{1}>{2}</select>', name, described, join(choices))
    elif isinstance(option, Count):
        field = html(
            '<input type="number" id="{0}" name="{0}" min="{1}" max="{2}" value="{3}"{4}>',
            name,
            option.least,
            option.most,
            value,
            described,
        )
    else:
        label = ", ".join(option.parts) if isinstance(option, Split) else ""
        field = html('<input id="{0}" name="{0}" value="{1}" title="{2}"{3}>', name, value, label, described)
    return html(
        '<div class="field"><label for="{}">{}</label>{}{}</div>', name, translate(option.title), field, hint
    )
