"""Options of a table: what can be chosen, its default, and how it is told to the kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from spelunke.core.errors import BadOption

Value: TypeAlias = "bool | int | str | tuple[int, ...]"
Default: TypeAlias = "Value | Callable[[int], Value]"


OptionsText: TypeAlias = dict[str, Any]
"""Options as a position text holds them: JSON values, which the card of the game checks. The published schemas want
``Any``; they have no word for ``object``."""
Kind: TypeAlias = Literal["switch", "choice", "count", "split", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that the host of a table can choose.

    ``default`` may depend on the number of seats. ``source`` names where the option comes from. ``kind`` is the word
    by which forms and the API know how to ask for it. ``fine``: too fine for people, so that pages don't offer it;
    programs and the command line do.
    """

    kind: ClassVar[Kind] = "other"
    name: str
    title: str
    help: str = ""
    default: Default
    source: str = ""
    fine: bool = False

    def preset(self, seats: int) -> Value:
        """The value when nothing is said."""
        return self.default(seats) if callable(self.default) else self.default

    @property
    def choices(self) -> tuple[str | int, ...]:
        """What can be chosen, where that is a list."""
        return ()

    def call(self, value: str | int) -> str:
        """How one of ``choices`` is called."""
        return str(value)

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the most, where it is one whole number."""
        return None

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted, where there are several counts."""
        return ()

    def check(self, value: object) -> Value:
        """The value in its own type; text as a form or a command line gives it is understood. Raises BadOption."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """How many numbers the kernels see."""
        return 1

    @property
    def possible(self) -> str:
        """What the value can be, in a few words."""
        raise NotImplementedError

    def encode(self, value: Value) -> tuple[int, ...]:
        """The value as the kernels see it: ``width`` numbers."""
        raise NotImplementedError

    def decode(self, numbers: Sequence[int]) -> Value:
        """The value of these ``width`` numbers."""
        raise NotImplementedError

    def refuse(self, value: object, right: str) -> BadOption:
        """The refusal of a value, saying what would be right."""
        return BadOption(f"{value!r} is not possible here; choose {right}", f"option {self.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Option):
    """Off or on."""

    kind = "switch"
    default: Default = False

    def check(self, value: object) -> Value:
        """A truth value, or on/off as text. Raises BadOption."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in {"on", "true", "yes", "1"}:
            return True
        if isinstance(value, str) and value.lower() in {"off", "false", "no", "0", ""}:
            return False
        raise self.refuse(value, "on or off")

    @property
    def possible(self) -> str:
        """On or off."""
        return "on, off"

    def encode(self, value: Value) -> tuple[int, ...]:
        """0 or 1."""
        return (int(bool(value)),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """Off or on."""
        return bool(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Option):
    """One of several words or numbers; the kernels see its place in the list."""

    values: tuple[str | int, ...]
    titles: Mapping[str | int, str] = field(default_factory=dict)
    kind = "choice"

    @property
    def choices(self) -> tuple[str | int, ...]:
        """``values``."""
        return self.values

    def call(self, value: str | int) -> str:
        """Its title, or the value itself."""
        return str(self.titles.get(value, value))

    def check(self, value: object) -> Value:
        """One of ``values``, or its text. Raises BadOption."""
        for known in self.values:
            if not isinstance(value, bool) and (value == known or str(value) == str(known)):
                return known
        raise self.refuse(value, "one of " + ", ".join(str(v) for v in self.values))

    @property
    def possible(self) -> str:
        """All values."""
        return ", ".join(str(value) for value in self.values)

    def encode(self, value: Value) -> tuple[int, ...]:
        """Its place in ``values``."""
        return (self.values.index(value),)

    def decode(self, numbers: Sequence[int]) -> Value:
        """The value at that place."""
        return self.values[numbers[0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Option):
    """A whole number from ``least`` to ``most``."""

    least: int
    most: int
    kind = "count"

    @property
    def bounds(self) -> tuple[int, int]:
        """``least`` and ``most``."""
        return self.least, self.most

    def check(self, value: object) -> Value:
        """A whole number, or its digits. Raises BadOption."""
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
        """The least and the most."""
        return f"{self.least} to {self.most}"

    def encode(self, value: Value) -> tuple[int, ...]:
        """The number itself."""
        return (int(value),)  # type: ignore[arg-type]

    def decode(self, numbers: Sequence[int]) -> Value:
        """The number itself."""
        return int(numbers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Option):
    """Several counts that must add up to ``total``, written ``3/2/3``; ``parts`` names them in order."""

    parts: tuple[str, ...]
    total: int
    kind = "split"

    @property
    def counted(self) -> tuple[str, ...]:
        """``parts``."""
        return self.parts

    def check(self, value: object) -> Value:
        """Counts, or text like ``3/2/3``. Raises BadOption."""
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
        """What is counted, and the sum."""
        return f"counts of {' / '.join(self.parts)}, together {self.total}"

    def encode(self, value: Value) -> tuple[int, ...]:
        """The counts themselves."""
        assert isinstance(value, tuple)
        return value

    @property
    def width(self) -> int:
        """One number for each part."""
        return len(self.parts)

    def decode(self, numbers: Sequence[int]) -> Value:
        """The counts themselves."""
        return tuple(int(number) for number in numbers)


def write_value(value: Value) -> str:
    """The value as people write it: ``on``, ``again``, ``3``, ``3/2/3``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "/".join(str(part) for part in value)
    return str(value)
