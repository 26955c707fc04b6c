"""A form for setting up a position: the row with its dice, the roll, both crews, and trick cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from spelunke.boards.markup import escape, flag, html, join
from spelunke.core.errors import BadPosition
from spelunke.core.words import Translator
from spelunke.games.positions import none_if_negative
from spelunke.games.reading import read_shape
from spelunke.games.shanghaien.cards import DEALT, NATIONS, Card, Sailor, TrickCard, write_card
from spelunke.games.shanghaien.events import COLOURS, TRICK_NAMES, name_card
from spelunke.games.shanghaien.position import CrewText, PositionText, SeatText
from spelunke.games.shanghaien.state import NOTHING
from spelunke.games.shanghaien.ui import art

# --- the form -----------------------------------------------------------------------------------------------------


def _choose(name: str, label: object, choices: Sequence[tuple[str, object]], chosen: str) -> Markup:
    options = join(
        html('<option value="{}"{}>{}</option>', value, flag("selected", value == chosen), text)
        for value, text in choices
    )
    return html('<select name="{}" aria-label="{}" autocomplete="off">{}</select>', name, label, options)


def _field(label: object, inner: Markup) -> Markup:
    return html('<label class="field sh-set"><span>{}</span>{}</label>', label, inner)


def _names(_: Translator) -> tuple[str, ...]:
    return tuple(_("Player {n}").format(n=seat + 1) for seat in range(2))


def _cards(_: Translator) -> list[tuple[str, str]]:
    every: list[Card] = [Sailor(nation, value) for nation in NATIONS for value in range(1, 5)]
    every += [TrickCard(trick) for trick in DEALT]
    return [("", "–"), *((write_card(card), name_card(card, _)) for card in every)]


def render_setup(position: Mapping[str, object], translate: Translator) -> Markup:
    """Return the fields of the form, filled in from a position."""
    _ = translate
    at = msgspec.convert(dict(position), PositionText)
    numbers = [("", "–"), *((str(n), n) for n in range(1, 7))]
    low, high = (*at.rolled, 0, 0)[:2]
    players = [(str(seat), name) for seat, name in enumerate(_names(_))]
    moment = [
        _field(_("Round"), _choose("tavern", _("Round"), [(str(n), n) for n in range(1, 9)], str(at.tavern))),
        _field(_("To move"), _choose("turn", _("To move"), players, str(at.turn))),
        _field(
            _("Who began the round"),
            _choose(
                "starter",
                _("Who began the round"),
                [("", "–"), *players],
                "" if at.starter is None else str(at.starter),
            ),
        ),
        _field(
            _("Card 1 is"),
            _choose(
                "direction",
                _("Card 1 is"),
                [
                    ("", _("not fixed")),
                    ("left", _.within("end of the row", "left")),
                    ("right", _.within("end of the row", "right")),
                ],
                at.direction or "",
            ),
        ),
        _field(_("First die rolled"), _choose("low", _("First die rolled"), numbers, str(low or ""))),
        _field(_("Second die rolled"), _choose("high", _("Second die rolled"), numbers, str(high or ""))),
    ]
    return html(
        '<div class="sh-setup stack tight"><input type="hidden" name="kept" value="{}">'
        '<div class="sh-setup-moment">{}</div>{}{}</div>',
        msgspec.json.encode(position).decode(),
        join(moment),
        _row(at, _),
        _crews(at, _),
    )


def _row(at: PositionText, _: Translator) -> Markup:
    """Render the six places of the row, with fields for each card and for the dice of both seats."""
    cards = _cards(_)
    dice = [[0] * 6, [0] * 6]
    for seat, part in enumerate(at.seats):
        for number in part.dice:
            dice[seat][6 - number if at.direction == "right" else number - 1] += 1
    counts = [(str(n) if n else "", n or "–") for n in range(7)]

    def dice_of(seat: int, place: int) -> str:
        return _("Dice of {name} at place {place}").format(name=_names(_)[seat], place=place + 1)

    places = join(
        html(
            '<li><span class="small muted">{}</span>{}{}{}</li>',
            _("Place {place}").format(place=k + 1),
            _choose(f"dice.1.{k}", dice_of(1, k), counts, str(dice[1][k] or "")),
            _choose(
                f"row.{k}",
                _("Place {place}").format(place=k + 1),
                cards,
                at.row[k] if k < len(at.row) else "",
            ),
            _choose(f"dice.0.{k}", dice_of(0, k), counts, str(dice[0][k] or "")),
        )
        for k in range(6)
    )
    return html(
        '<fieldset class="sh-setup-row"><legend>{}</legend><p class="small muted">{}</p><ol>{}</ol></fieldset>',
        _("The row, from left to right"),
        _("The dice of player 1 are below each card, those of player 2 above it."),
        places,
    )


def _crews(at: PositionText, _: Translator) -> Markup:
    head = join(html('<th scope="col">{}</th>', text) for text in (_("Crew"), *_names(_)))
    rows = join(
        html(
            '<tr><th scope="row">{} {}</th>{}</tr>',
            art.emblem(nation.number),
            _(COLOURS[nation]),
            join(
                _text(
                    f"crew.{seat}.{nation}",
                    f"{_(COLOURS[nation])}, {player}",
                    _write_crew(at.seats[seat], nation),
                )
                for seat, player in enumerate(_names(_))
            ),
        )
        for nation in NATIONS
    )
    held = _("Trick cards in hand")
    tricks = html(
        '<tr><th scope="row">{}</th>{}</tr>',
        held,
        join(
            _text(f"tricks.{seat}", f"{held}, {player}", " ".join(at.seats[seat].tricks))
            for seat, player in enumerate(_names(_))
        ),
    )
    spent = html(
        '<tr><th scope="row">{}</th>{}</tr>',
        _("Has played a trick in this round"),
        join(
            html(
                '<td><input type="checkbox" name="spent.{}" aria-label="{}"{}></td>',
                seat,
                player,
                flag("checked", at.seats[seat].trick_spent),
            )
            for seat, player in enumerate(_names(_))
        ),
    )
    words = ", ".join(f"{trick} ({_(TRICK_NAMES[trick])})" for trick in DEALT)
    return html(
        '<fieldset class="sh-setup-crews"><legend>{}</legend><p class="small muted">{}</p><table class="table"><thead><tr>{}</tr></thead><tbody>{}{}{}</tbody></table></fieldset>',
        _("Crews"),
        _("Write sailors by value, like 1 1 3, and trick cards by name: {words}.").format(words=words),
        head,
        rows,
        tricks,
        spent,
    )


def _text(name: str, label: str, value: str) -> Markup:
    return html(
        '<td><input name="{}" value="{}" aria-label="{}" maxlength="60" autocomplete="off"></td>',
        name,
        value,
        label,
    )


def _write_crew(seat: SeatText, nation: object) -> str:
    crew = next((crew for key, crew in seat.crew.items() if key == nation), CrewText())
    return " ".join([*map(str, crew.sailors), *crew.jokers])


# --- the position of a form ----------------------------------------------------------------------------------------


class _Form:
    """The fields that a form sent. If a name has several values, the last value counts."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = fields

    def text(self, name: str, longest: int = 200) -> str:
        return self._fields[name][-1].strip()[:longest] if self._fields.get(name) else ""

    def words(self, name: str) -> list[str]:
        return self.text(name).replace(",", " ").split()

    def number(self, name: str, least: int, most: int, otherwise: int) -> int:
        text = self.text(name)
        if not text:
            return otherwise
        if not (text.isascii() and text.isdecimal() and len(text) < 4 and least <= int(text) <= most):
            raise BadPosition(f"write a whole number from {least} to {most}, not {escape(text)!r}", name)
        return int(text)

    def kept(self) -> PositionText:
        """Return the position that the form began from. It is in the hidden field ``kept``.

        If this field is empty, return an empty position. Raise BadPosition if its text is not a position.
        """
        try:
            found = msgspec.json.decode(self.text("kept", 8000) or "{}")
        except (msgspec.DecodeError, UnicodeDecodeError):
            found = None
        if isinstance(found, dict):
            kept = read_shape({"seats": [{}, {}]} | found, PositionText, "kept")
            if len(kept.seats) == 2:
                return kept
        raise BadPosition("the hidden field of the form must be a JSON object", "kept")


def read_setup(fields: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return the position text for the fields of a form. Raise BadPosition if a field can't be read.

    The position keeps the parts that the form does not show, with two exceptions. If the form changes the row, no card
    stays face down. The phase, the announced die, and the tricks and rerolls of this turn are reset if the form changes
    one of these: the row, the round, the seat to move, the starter, the direction, or the roll.

    Cards, crews and tricks are not checked here: wrong text stays in the position as typed. The calling code then
    refuses the position with a reason, and shows the form again with this text.
    """
    form = _Form(fields)
    kept = form.kept()
    direction = form.text("direction") or None
    row = [form.text(f"row.{k}") for k in range(6)]
    while row and not row[-1]:
        row.pop()
    starter = form.number("starter", 0, 1, NOTHING)
    rolled = [form.number(name, 1, 6, 0) for name in ("low", "high")]
    at = msgspec.structs.replace(
        kept,
        seats=[_read_seat(form, seat, kept.seats[seat], direction) for seat in range(2)],
        row=row,
        tavern=form.number("tavern", 1, 8, 1),
        turn=form.number("turn", 0, 1, 0),
        starter=none_if_negative(starter),
        direction=direction,
        rolled=rolled if any(rolled) else [],
    )
    if row != kept.row:
        at.face_down = []
    if _moment(at) != _moment(kept):  # the kept parts of a turn belong to another moment
        at.named, at.trick_this_turn, at.rerolled = None, False, False
        at.phase = "turn"
    if at.phase == "turn":
        at.phase = "dealing" if len(row) < 6 else "rolled" if at.rolled else "turn"
    built: dict[str, object] = msgspec.to_builtins(at)
    return built


def _moment(at: PositionText) -> tuple[object, ...]:
    return at.row, at.tavern, at.turn, at.starter, at.direction, at.rolled


def _read_seat(form: _Form, seat: int, kept: SeatText, direction: str | None) -> SeatText:
    dice = [
        6 - k if direction == "right" else k + 1
        for k in range(6)
        for _ in range(form.number(f"dice.{seat}.{k}", 0, 6, 0))
    ]
    return msgspec.structs.replace(
        kept,
        dice=sorted(dice),
        crew={
            nation: _read_crew(words) for nation in NATIONS if (words := form.words(f"crew.{seat}.{nation}"))
        },
        tricks=form.words(f"tricks.{seat}"),
        trick_spent=bool(form.text(f"spent.{seat}")),
    )


def _read_crew(words: list[str]) -> CrewText:
    """Return the sailors and jokers of a crew. Each digit is a sailor, so ``1 3 3`` can be written as ``133``."""
    digits = [word for word in words if word.isascii() and word.isdecimal()]
    return CrewText(sorted(map(int, "".join(digits))), [word for word in words if word not in digits])
