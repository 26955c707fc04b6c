"""The codec of a table of values: each value's number is its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Codec(Generic[T]):
    """Values of a fixed table and their numbers, total both ways. The values must be hashable and differ."""

    def __init__(self, values: Iterable[T]) -> None:
        self.values: tuple[T, ...] = tuple(values)
        self._numbers = {value: number for number, value in enumerate(self.values)}
        if len(self._numbers) != len(self.values):
            raise ValueError("two values of the table are the same")

    def __len__(self) -> int:
        return len(self.values)

    def encode(self, value: T) -> int:
        """The number of the value; raises KeyError where the table doesn't have it."""
        return self._numbers[value]

    def decode(self, number: int) -> T:
        """The value of the number; raises IndexError past the table."""
        return self.values[number]
