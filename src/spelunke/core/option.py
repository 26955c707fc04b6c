"""Options of a table: the possible values, the default, and their encoding for the kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from spelunke.core.errors import BadOption

Value: TypeAlias = "bool | int | str | tuple[int, ...]"
Default: TypeAlias = "Value | Callable[[int], Value]"


OptionsText: TypeAlias = dict[str, Any]
"""Options in the text of a position: JSON values that the game checks.

The values have the type ``Any``, because the published schemas can't express ``object``.
"""
Kind: TypeAlias = Literal["switch", "choice", "count", "split", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A setting that the host of a table can choose.

    ``default`` is a value, or a function of the number of seats. ``source`` names the rule that the option comes
    from. ``kind`` selects the form field and the API type. If ``fine`` is true, the option is too detailed for
    most people: pages don't offer it, but programs and the command line do.
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
        """The possible values of a :class:`Choice`. For other options, an empty tuple."""
        return ()

    def call(self, value: str | int) -> str:
        """Return the title of one of ``choices``."""
        return str(value)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The smallest and the largest possible value of a :class:`Count`. For other options, None."""
        return None

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of the counts of a :class:`Split`. For other options, an empty tuple."""
        return ()

    def check(self, value: object) -> Value:
        """Check a value, and return it in the option's own type. The text of a form or a command line is
        accepted too.

        Raise BadOption if the value is not possible.
        """
        raise NotImplementedError

    @property
    def width(self) -> int:
        """The number of ints that encode a value for the kernels."""
        return 1

    @property
    def possible(self) -> str:
        """The possible values as a short text."""
        raise NotImplementedError

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the ``width`` ints that encode the value for the kernels."""
        raise NotImplementedError

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the value that these ``width`` ints encode."""
        raise NotImplementedError

    def refuse(self, value: object, right: str) -> BadOption:
        """Return the error for an invalid value; ``right`` describes the valid values."""
        return BadOption(f"{value!r} is not possible here; choose {right}", f"option {self.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Option):
    """An option that is off or on."""

    kind = "switch"
    default: Default = False

    def check(self, value: object) -> Value:
        """Return the value as a bool. Texts such as ``on`` are accepted too. Raise BadOption if the value is
        invalid.
        """
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in {"on", "true", "yes", "1"}:
            return True
        if isinstance(value, str) and value.lower() in {"off", "false", "no", "0", ""}:
            return False
        raise self.refuse(value, "on or off")

    @property
    def possible(self) -> str:
        """The two values as text."""
        return "on, off"

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return a tuple with 0 for off, or 1 for on."""
        return (int(bool(value)),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return False for 0, else True."""
        return bool(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Option):
    """An option with several words or numbers as values. Kernels get the index of the value in ``values``."""

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
        """Return the member of ``values`` that is equal to ``value`` or has the same text.

        Raise BadOption if there is none, or if ``value`` is a bool.
        """
        for known in self.values:
            if not isinstance(value, bool) and (value == known or str(value) == str(known)):
                return known
        raise self.refuse(value, f"one of {', '.join(str(v) for v in self.values)}")

    @property
    def possible(self) -> str:
        """All values, separated by commas."""
        return ", ".join(str(value) for value in self.values)

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return a tuple with the index of the value in ``values``."""
        return (self.values.index(value),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the value at the encoded index."""
        return self.values[numbers[0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Option):
    """An option whose value is a whole number from ``least`` to ``most``."""

    least: int
    most: int
    kind = "count"

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest possible value."""
        return self.least, self.most

    def check(self, value: object) -> Value:
        """Return ``value`` as an int. A whole number or a text of digits is accepted.

        Raise BadOption if the value is invalid or out of bounds.
        """
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
        """Return a tuple with the number, unchanged."""
        return (int(value),)  # type: ignore[arg-type]

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the encoded number as an int."""
        return int(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Option):
    """An option whose value is several counts that add up to ``total``, written ``3/2/3``.

    ``parts`` are the names of the counts, in order.
    """

    parts: tuple[str, ...]
    total: int
    kind = "split"

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of this option's counts, in order."""
        return self.parts

    def check(self, value: object) -> Value:
        """Return the count of each part as a tuple. ``value`` has the counts as numbers, or is a text like ``3/2/3``.

        Raise BadOption if the counts are invalid.
        """
        right = f"{len(self.parts)} numbers that add up to {self.total}, like {self._like()}"
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
        """A text about the possible values: the names of a value's counts, and the sum of these counts."""
        return f"counts of {' / '.join(self.parts)} that add up to {self.total}"

    def encode(self, value: Value) -> tuple[int, ...]:
        """Return the counts unchanged."""
        assert isinstance(value, tuple)
        return value

    @property
    def width(self) -> int:
        """The number of counts."""
        return len(self.parts)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Return the counts unchanged."""
        return tuple(int(number) for number in numbers)


def write_value(value: Value) -> str:
    """Return the value as text, in the form that people write: ``on``, ``again``, ``3``, ``3/2/3``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    return str(value)
