"""The notation of games without a ``notation.py``, made from the fields of their actions and states.

The text of a move has the tag of the action, then the values of its fields. For example, ``place 2 left`` is the text
of ``Place(card=2, side="left")``. A position has the number of seats, the options that differ from their defaults, and
the fields of the state.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core.contract import Rules
from spelunke.core.errors import BadGame, BadPosition, BadText
from spelunke.core.kernel import Within, pool
from spelunke.core.option import Value as OptionValue
from spelunke.core.values import Action, ChanceOutcome, State
from spelunke.core.words import plain
from spelunke.games.parts import Moves
from spelunke.games.reading import Table, read_setup, read_shape

FORMS_SHOWN = 8
Block: TypeAlias = npt.NDArray[np.int16]
Value = TypeVar("Value", Action, ChanceOutcome)


class PositionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a position file.

    If a field of the state is missing, it keeps its value from the start of a game.
    """

    seats: int
    state: dict[str, object] = {}
    options: dict[str, object] = {}


class Described(Table, Protocol):
    """The part of :class:`spelunke.games.game.Game` that this notation needs."""

    @property
    def title(self) -> str:
        """The name of the game, for people."""
        ...

    @property
    def package(self) -> str:
        """The dotted name of the game's folder."""
        ...

    @property
    def rules(self) -> Rules[State]:
        """The kernels of the rules."""
        ...

    @property
    def moves(self) -> Moves[Action, ChanceOutcome, State]:
        """The typed actions and outcomes of chance."""
        ...

    def options_of(self, numbers: Sequence[int]) -> dict[str, OptionValue]:
        """Return the options that the field ``options`` of a state encodes."""
        ...

    def changed(self, seats: int, settled: dict[str, OptionValue]) -> dict[str, str]:
        """Return the options in ``settled`` that differ from their defaults, each with its value as text for people."""
        ...


def write_value(value: object) -> str:
    """Return a field's value as text. The value is a bool, an int, a text, None, or a tuple of these.

    Raise TypeError if the value has another type, or if it is a text that is empty or contains spaces.
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case str() if value and not any(letter.isspace() for letter in value):
            return value.casefold()
        case None:
            return "-"
        case tuple():
            return ",".join(map(write_value, value)) or "-"
    raise TypeError(f"{value!r} has no word of its own: write a notation.py for this game")


def write_struct(value: msgspec.Struct) -> str:
    """Return an action or an outcome of chance as text.

    Raise TypeError if :func:`write_value` can't write one of its fields.
    """
    words = [write_value(getattr(value, name)) for name in value.__struct_fields__]
    return " ".join([str(value.__struct_config__.tag), *words])


def name_form(value: msgspec.Struct) -> str:
    """Return the form of the text for an action or an outcome of chance: its tag, then the names of its fields.

    The names are in capitals. For example, the form for ``Place(card=2)`` is ``place CARD``.
    """
    return " ".join([str(value.__struct_config__.tag), *(name.upper() for name in value.__struct_fields__)])


class FieldNotation:
    """The notation of a game that defines none (see :class:`spelunke.games.parts.Notation`).

    If two moves of the game have the same text, :meth:`parse` raises BadGame. If two outcomes of chance have the same
    text, :meth:`parse_chance` raises BadGame.
    """

    def __init__(self, game: Described) -> None:
        self.game = game

    @cached_property
    def _actions(self) -> Mapping[str, Action]:
        return self._by_text(self.game.moves.decode, range(self.game.rules.ACTIONS))

    @cached_property
    def _outcomes(self) -> Mapping[str, ChanceOutcome]:
        return self._by_text(self.game.moves.decode_chance, range(self.game.rules.OUTCOMES))

    @cached_property
    def _bounds(self) -> Mapping[str, Within]:
        """The bounds of the state's fields, for each field that declares bounds."""
        shape = importlib.import_module(f"{self.game.package}.rules").State
        return {
            name: part
            for name, hint in get_type_hints(shape, include_extras=True).items()
            if get_origin(hint) is Annotated
            for part in get_args(hint)
            if isinstance(part, Within)
        }

    def _by_text(self, decode: Callable[[int], Value], numbers: Iterable[int]) -> Mapping[str, Value]:
        found: dict[str, Value] = {}
        for value in map(decode, numbers):
            if found.setdefault(write_struct(value), value) != value:
                raise BadGame(
                    f"two moves are written {write_struct(value)!r}: it needs a notation.py",
                    self.game.package,
                )
        return found

    def write(self, action: Action) -> str:
        """Return an action as move text."""
        return write_struct(action)

    def parse(self, text: str, s: State | None = None) -> Action:
        """Return the action that a move text means. Raise BadText if there is none."""
        return self._read(text, self._actions, plain("a move"))

    def write_chance(self, chance: ChanceOutcome) -> str:
        """Return an outcome of chance as text."""
        return write_struct(chance)

    def parse_chance(self, text: str, s: State | None = None) -> ChanceOutcome:
        """Return the outcome of chance that a text means. Raise BadText if there is none."""
        return self._read(text, self._outcomes, plain("an outcome of chance"))

    def _read(self, text: str, known: Mapping[str, Value], what: str) -> Value:
        found = known.get(" ".join(text.casefold().split()))
        if found is None:
            forms = list(dict.fromkeys(map(name_form, known.values())))
            shown = ", ".join(forms[:FORMS_SHOWN]) + (", …" if len(forms) > FORMS_SHOWN else "")
            raise BadText(f"{text!r} is not {what} of {self.game.title}; it knows: {shown or 'none'}")
        return found

    def write_position(self, s: State) -> dict[str, object]:
        """Return a state as the contents of a position file (see :class:`PositionText`)."""
        record = _fields(s)
        seats = int(record["seats"])
        settled = self.game.options_of(record["options"].tolist())
        return {
            "seats": seats,
            "options": dict(self.game.changed(seats, settled)),
            "state": {
                name: value.tolist() for name, value in record.items() if name not in ("seats", "options")
            },
        }

    def parse_position(self, text: dict[str, object], where: str = "") -> State:
        """Return the state that the contents of a position file describe.

        If they describe no state, raise BadPosition. The error says which part is wrong, and why.
        """
        told = read_shape(text, PositionText, where)
        setup = read_setup(self.game, told.seats, told.options)
        s: State = pool(self.game.rules.STATE, 1)[0]
        self.game.rules.start(s, setup)
        record = _fields(s)
        for name, given in told.state.items():
            if name not in record or name in ("seats", "options"):
                raise BadPosition(f"{self.game.title} has no such field", f"state.{name}")
            record[name][...] = self._checked(name, given, record[name])
        actors = self.game.rules.actors(s)
        if actors > 0 and actors >> told.seats:
            raise BadPosition("the turn is of a seat that this table does not have", "state")
        return s

    def _checked(self, name: str, given: object, now: Block) -> Block:
        """Convert a value of a field to an array. Raise BadPosition if its shape or its numbers are wrong.

        ``now`` is the array of the field at the start of a game. If the field declares no bounds, each number in
        ``given`` must equal the number at its place in ``now``.
        """
        place = f"state.{name}"
        numbers = _flatten(given, now.shape, place)
        bounds = self._bounds.get(name)
        if bounds is None and numbers != now.ravel().tolist():
            raise BadPosition(
                "the game does not say which values are possible here (Within in its State)", place
            )
        if bounds is not None and not all(bounds.least <= number <= bounds.most for number in numbers):
            raise BadPosition(f"it must be from {bounds.least} to {bounds.most}", place)
        return np.array(numbers, np.int16).reshape(now.shape)


def _fields(s: State) -> dict[str, Block]:
    """Return each field of a state as an array. The arrays share the memory of the state."""
    row = np.asarray(s)
    return {name: row[name] for name in s.dtype.names or ()}


def _flatten(given: object, shape: tuple[int, ...], place: str) -> list[int]:
    """Return the numbers in nested lists as one flat list.

    Raise BadPosition if the lists do not have the shape ``shape``, or if one of their elements is not a whole number.
    """
    if not shape:
        if isinstance(given, bool) or not isinstance(given, int):
            raise BadPosition("it must be a whole number", place)
        return [given]
    if not isinstance(given, list) or len(given) != shape[0]:
        raise BadPosition(f"it must be a list of {shape[0]}", place)
    return [number for n, part in enumerate(given) for number in _flatten(part, shape[1:], f"{place}[{n}]")]
