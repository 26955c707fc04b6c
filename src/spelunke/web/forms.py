"""Parse forms strictly. A form with an error is refused with one sentence about the error."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeVar, get_args, get_type_hints
from urllib.parse import parse_qsl

import msgspec
from python_multipart.multipart import parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from spelunke.bots.levels import default_level
from spelunke.core.digits import is_number
from spelunke.core.errors import BadInput
from spelunke.core.words import plain
from spelunke.games.game import Game, Settled
from spelunke.house.inputs import Body
from spelunke.house.people import check_name
from spelunke.house.plan import BOT, HERE, LINK, ME, MOST_DELAY, OPEN, Clock, Plan
from spelunke.house.refusals import BadPlan
from spelunke.web.names import invent
from spelunke.web.numbers import read_number
from spelunke.web.refusal import Refusal
from spelunke.web.words import translate as _

FIELDS = 200
PLAIN_FORM = "application/x-www-form-urlencoded"
CHARSETS = frozenset({"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "windows-1252"})
EXAMPLE = 1.5
"""The number that error messages give as an example, written with the decimal sign of the reader's language."""
NO_NUMBER = plain("The field {name} must be a whole number.")

Input = TypeVar("Input", bound=Body)


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, with the last value of each name. Refuse files, and a body that is no form."""
    return dict(await read_fields(request))


async def read_fields(request: Request) -> list[tuple[str, str]]:
    """Return all fields of a form in order. Refuse files, and a body that is no form."""
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in (PLAIN_FORM, "multipart/form-data"):
        if not kind and not await request.body():
            return []
        raise Refusal(415, "not_a_form", _("Send the request as a form."))
    if content_type != PLAIN_FORM:
        _check_charset(content_type)
    if kind == PLAIN_FORM:  # each move sends such a form, and Starlette's parser is slow
        text = (await request.body()).decode("latin-1")
        try:
            return parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            raise HTTPException(400) from None
    form = await request.form(max_files=0, max_fields=FIELDS)
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def _check_charset(content_type: str) -> None:
    """Refuse charsets that no browser uses, because some of Python's encodings fail or don't return text."""
    _kind, parameters = parse_options_header(content_type)
    charset = parameters.get(b"charset", b"utf-8").decode("latin-1").strip().lower()
    if charset not in CHARSETS:
        raise Refusal(400, "charset_unknown", _("Send this form in UTF-8."))


def need(form: dict[str, str], name: str) -> str:
    """Return the field's text. If the field is missing, refuse the form."""
    if name not in form:
        raise Refusal(
            400, "field_missing", _("The form is missing its field {name}.").format(name=repr(name))
        )
    return form[name]


def read_input(kind: type[Input], form: Mapping[str, str], own: Mapping[str, str]) -> Input:
    """Return the input of an operation, read from the fields of a form.

    ``own`` has the server's values for required fields that the form lacks. Refuse a form in which another required
    field is missing, or in which a value is wrong.

    Fields that the page sets, such as numbers, are checked before the texts that a person typed. The operation
    itself limits the length of texts.
    """
    found: dict[str, object] = {}
    for name, type_, required, is_text in _fields_of(kind):
        text = need({**own, **form}, name) if required else form.get(name, "")
        if text or required:
            found[name] = text if is_text else _read_value(name, type_, text)
    return kind(**found)


@cache
def _fields_of(kind: type[Body]) -> tuple[tuple[str, object, bool, bool], ...]:
    """Return the fields of an operation's input: name, type, whether it is required, and whether it is a text.

    Text fields come last.
    """
    hints = get_type_hints(kind)
    texts = {name for name, hint in hints.items() if str in (hint, *get_args(hint))}
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name in texts)
    return tuple((field.name, field.type, field.required, field.name in texts) for field in fields)


def _read_value(name: str, kind: object, text: str) -> object:
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        about = msgspec.inspect.type_info(kind)
        extra = about.extra if isinstance(about, msgspec.inspect.Metadata) else None
        sentence = _((extra or {}).get("refusal", NO_NUMBER))
        raise Refusal(400, "field_wrong", sentence.format(name=repr(name))) from None


def read_plan(game: Game, form: dict[str, str]) -> Plan:
    """Return the settings of a new table, from a button of the front page (`quick`) or from the form for new tables.

    The form for new tables has the buttons “Open the table” and “Play on this device” (`quick` is “here”). For both
    buttons, use all fields of the form. Raise BadPlan for a value that is not possible, or BadInput if the game has
    too few seats for the named people.
    """
    quick = form.get("quick", "")
    if quick and not shows_seats(form):
        level = form.get("level") or default_level(game)
        others = {"bot": BOT + level, "link": LINK, "open": OPEN, "here": HERE}
        if quick not in others:
            raise BadPlan("choose “bot”, “link”, “open” or “here”", "quick")
        preset = game.preset(form.get("preset", "")) if quick in ("bot", "here") else None
        options: dict[str, object] = dict(preset.options) if preset else {}
        count = preset.seats if preset else game.usual_seats
        if quick == "here":
            count = _count_seats(game, options, count, len(_mates(form)))
        return Plan(
            game=game.name,
            seats=_name_mates((ME, *[others[quick]] * (count - 1)), form),
            options=options,
            listed=quick == "open",
        )
    given: dict[str, object] = {
        name.removeprefix("option."): value
        for name, value in form.items()
        if name.startswith("option.") and value != ""
    }
    kinds: dict[str, Literal["usual", "none", "live", "days"]]
    kinds = {"usual": "usual", "none": "none", "live": "live", "days": "days"}
    clock = kinds.get(form.get("clock", "usual"))
    if clock is None:
        raise BadPlan("choose “usual”, “none”, “live” or “days”", "clock")
    plan = Plan(
        game=game.name,
        seats=_name_mates(_read_seats(game, given, form), form),
        options=given,
        listed=form.get("listed", "on") == "on",
        rated=form.get("rated") == "on",
        friends=form.get("friends") == "on",
        chat_closed=form.get("chat_closed") == "on",
        delay=_delay(form),
    )
    # The page hides the other times, so they must not refuse the form.
    fields = {"live": ("minutes", "increment", "grace"), "days": ("days",)}.get(clock, ("grace",))
    times = {name: _number(form, name) for name in fields if form.get(name, "").strip()}
    kind = plan.usual_clock.kind if clock == "usual" else clock
    return msgspec.structs.replace(plan, clock=msgspec.structs.replace(Clock(kind=kind), **times))


def shows_seats(form: dict[str, str]) -> bool:
    """Return whether the form says who sits at each seat."""
    return any(name.startswith("seat.") for name in form)


def _read_seats(game: Game, options: Mapping[str, object], form: dict[str, str]) -> tuple[str, ...]:
    """Return the seats in the form for new tables. Give each named mate (person at the same device) a seat.

    The field `offered` has the seats that the page suggested. If the form still has exactly these seats, the person has
    not chosen the number of bots. In this case, if there are named mates, keep only as many bots as the game needs
    without a change of its rules. Without a bot, the way to play could turn into that for two players.
    """
    seats = [form.get(f"seat.{seat}", "") for seat in range(max(game.seats))]
    seats = [seat for seat in seats if seat]
    mates = len(_mates(form))
    unchanged = form.get("offered") == ",".join(seats)
    seats = _seat_mates(seats, mates, alone=form.get("quick") != "here")
    if mates and unchanged:
        people = sum(not seat.startswith(BOT) for seat in seats)
        shown = _settle(game, len(seats), options)
        counts = (
            count
            for count in range(people, len(seats))
            if (rules := _settle(game, count, options)) is not None and shown in (None, rules)
        )
        seats = seats[: next(counts, len(seats))]
    return tuple(seats)


def _seat_mates(seats: list[str], mates: int, *, alone: bool) -> list[str]:
    """Return the seats, with a seat at this device for each named mate.

    A mate is another person who plays at this device. `mates` is the number of named mates. They take seats at this
    device first, then seats for anybody, then seats of bots. If there are more mates than such seats, add seats.

    `alone` says whether the player may be the only person at this device. If `alone` is false, `mates` is 0, and no
    seat is at this device, mates without names take all seats for anybody and all seats of bots. If there are no such
    seats, add one seat at this device.
    """
    free = [at for at, seat in enumerate(seats) if seat == OPEN]
    free += [at for at, seat in enumerate(seats) if seat.startswith(BOT)]
    missing = max(0, mates - seats.count(HERE))
    if not alone and not mates and HERE not in seats:
        missing = max(1, len(free))
    taken = free[:missing]
    return [HERE if at in taken else seat for at, seat in enumerate(seats)] + [HERE] * (missing - len(taken))


def _name_mates(seats: tuple[str, ...], form: dict[str, str]) -> tuple[str, ...]:
    """Return the seats, with a name added to each seat of a person at this device.

    The names come from the field `names`. Missing names are invented.
    """
    names = iter(_mates(form))
    return tuple(HERE + next(names, invent()) if seat == HERE else seat for seat in seats)


def _mates(form: dict[str, str]) -> list[str]:
    return [check_name(name, "names") for name in form.get("names", "").split(",") if name.strip()]


def _count_seats(game: Game, options: Mapping[str, object], usual: int, mates: int) -> int:
    """Return the number of seats for the person who makes the table and ``mates`` named people at the same device.

    If ``mates`` is 0, return ``usual``. Raise BadPlan if the game needs more players, and BadInput if it has too few
    seats.
    """
    if not mates:
        return usual
    try:
        game.settle(mates + 1, options)
    except BadInput:
        others = next(
            (seats - 1 for seats in range(mates + 2, usual + 1) if _settle(game, seats, options) is not None),
            0,
        )
        if others:
            raise BadPlan(f"give the names of at least {others} other players", "names") from None
        raise
    return mates + 1


def _settle(game: Game, seats: int, options: Mapping[str, object]) -> Settled | None:
    """Return all rules of a table with this number of seats, or None if the options don't allow it."""
    try:
        return game.settle(seats, options)
    except BadInput:
        return None


def _delay(form: dict[str, str]) -> int:
    text = form.get("delay", "") or "0"
    if not is_number(text) or int(text) > MOST_DELAY:
        raise BadPlan(f"{text!r} is not possible; choose 0 to {MOST_DELAY} steps", "delay")
    return int(text)


def _number(form: dict[str, str], name: str) -> float:
    text = form[name].strip()
    try:
        return read_number(text)
    except ValueError:
        raise BadPlan(f"{text!r} is not a number; write it like {EXAMPLE}", name) from None


def read_orders(form: dict[str, str]) -> dict[str, str] | None:
    """Return the standing orders (moves to play later) from a form, or None if the form deletes the stored orders.

    The keys of the result are the names of the fields on the game's board. In the form, each name has the prefix
    `order.`. If the person pressed a button other than `set` or `clear`, the key `do` has the button's name.
    """
    pressed = form.get("standing", "set")
    if pressed == "clear":
        return None
    orders = {name.removeprefix("order."): value for name, value in form.items() if name.startswith("order.")}
    return orders if pressed == "set" else {**orders, "do": pressed}
