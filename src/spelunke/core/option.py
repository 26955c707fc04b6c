"""Options of a table: the possible values, the default, and their encoding for the kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from spelunke.core.errors import BadOption

Value: TypeAlias = "bool | int | str | tuple[int, ...]"
Default: TypeAlias = "Value | Callable[[int], Value]"


OptionsText: TypeAlias = dict[str, Any]
"""Options as a position text holds them: JSON values, which the game checks.

The published schemas need ``Any``, because they can't express ``object``.
"""
Kind: TypeAlias = Literal["switch", "choice", "count", "split", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that the host of a table can choose.

    ``default`` may depend on the number of seats. ``source`` names the origin of the option. ``kind`` selects
    the form field and the API type. ``fine``: too detailed for most people, so pages don't offer it; programs
    and the command line do.
    """

    kind: ClassVar[Kind] = "other"
    name: str
    title: str
    help: str = ""
    default: Default
    source: str = ""
    fine: bool = False

    def preset(self, seats: int) -> Value:
        """Return the default for this number of seats."""
        return self.default(seats) if callable(self.default) else self.default

    @property
    def choices(self) -> tuple[str | int, ...]:
        """The possible values, if they can be listed."""
        return ()

    def call(self, value: str | int) -> str:
        """Return the title of one of ``choices``."""
        return str(value)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The smallest and the largest possible value, if the value is one whole number."""
        return None

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of the counts, if the value has several."""
        return ()

    def check(self, value: object) -> Value:
        """Return the value in its own type; accept text from a form or a command line. Raise BadOption."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """The number of numbers that the kernels see."""
        return 1

    @property
    def possible(self) -> str:
        """A short description of the possible values."""
        raise NotImplementedError

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the value as the kernels see it: ``width`` numbers."""
        raise NotImplementedError

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the value of these ``width`` numbers."""
        raise NotImplementedError

    def refuse(self, value: object, right: str) -> BadOption:
        """Return the error for an invalid value; ``right`` describes the valid ones."""
        return BadOption(f"{value!r} is not possible here; choose {right}", f"option {self.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Option):
    """Off or on."""

    kind = "switch"
    default: Default = False

    def check(self, value: object) -> Value:
        """Return a truth value, or on/off given as text. Raise BadOption."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in {"on", "true", "yes", "1"}:
            return True
        if isinstance(value, str) and value.lower() in {"off", "false", "no", "0", ""}:
            return False
        raise self.refuse(value, "on or off")

    @property
    def possible(self) -> str:
        """The form of a value: on or off."""
        return "on, off"

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return 0 or 1."""
        return (int(bool(value)),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return False or True."""
        return bool(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Option):
    """One of several words or numbers; the kernels see its index in the list."""

    values: tuple[str | int, ...]
    titles: Mapping[str | int, str] = field(default_factory=dict)
    kind = "choice"

    @property
    def choices(self) -> tuple[str | int, ...]:
        """The possible values."""
        return self.values

    def call(self, value: str | int) -> str:
        """Return the title of a value, or the value itself if it has no title."""
        return str(self.titles.get(value, value))

    def check(self, value: object) -> Value:
        """Return one of ``values``, also if given as text. Raise BadOption."""
        for known in self.values:
            if not isinstance(value, bool) and (value == known or str(value) == str(known)):
                return known
        raise self.refuse(value, f"one of {', '.join(str(v) for v in self.values)}")

    @property
    def possible(self) -> str:
        """All values."""
        return ", ".join(str(value) for value in self.values)

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the index of the value in ``values``."""
        return (self.values.index(value),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the value at that index."""
        return self.values[numbers[0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Option):
    """A whole number from ``least`` to ``most``."""

    least: int
    most: int
    kind = "count"

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest possible value."""
        return self.least, self.most

    def check(self, value: object) -> Value:
        """Return a whole number, also if given as digits. Raise BadOption."""
        try:
            if isinstance(value, (bool, float)):
                raise ValueError
            number = int(value)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            raise self.refuse(value, f"a whole number from {self.least} to {self.most}") from None
        if not self.least <= number <= self.most:
            raise self.refuse(value, f"a whole number from {self.least} to {self.most}")
        return int(number)

    @property
    def possible(self) -> str:
        """The smallest and the largest possible value, as text."""
        return f"{self.least} to {self.most}"

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the number itself."""
        return (int(value),)  # type: ignore[arg-type]

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the number itself."""
        return int(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Option):
    """Several counts that must add up to ``total``, written ``3/2/3``; ``parts`` names them in order."""

    parts: tuple[str, ...]
    total: int
    kind = "split"

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of the counts."""
        return self.parts

    def check(self, value: object) -> Value:
        """Return the counts, also if given as text like ``3/2/3``. Raise BadOption."""
        right = f"{len(self.parts)} counts ({', '.join(self.parts)}) that add up to {self.total}, like {self._like()}"
        try:
            pieces = value.split("/") if isinstance(value, str) else list(value)  # type: ignore[call-overload]
            if any(isinstance(piece, (bool, float)) for piece in pieces):
                raise ValueError
            counts = tuple(int(piece) for piece in pieces)
        except (TypeError, ValueError):
            raise self.refuse(value, right) from None
        if len(counts) != len(self.parts) or min(counts) < 0 or sum(counts) != self.total:
            raise self.refuse(value, right)
        return counts

    def _like(self) -> str:
        default = self.preset(2)
        return "/".join(str(n) for n in default) if isinstance(default, tuple) else str(default)

    @property
    def possible(self) -> str:
        """The form of a value: the names of the counts, and their sum."""
        return f"counts of {' / '.join(self.parts)}, together {self.total}"

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the counts themselves."""
        assert isinstance(value, tuple)
        return value

    @property
    def width(self) -> int:
        """One number for each part."""
        return len(self.parts)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the counts themselves."""
        return tuple(int(number) for number in numbers)


def write_value(value: Value) -> str:
    """Return the value as people write it: ``on``, ``again``, ``3``, ``3/2/3``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    return str(value)
