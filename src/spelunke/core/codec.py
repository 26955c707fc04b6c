"""Encode the values of a table as numbers: each value's number is its index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Codec(Generic[T]):
    """Values of a fixed table and their numbers. The values must be hashable and different."""

    def __init__(self, values: Iterable[T]) -> None:
        self.values: tuple[T, ...] = tuple(values)
        self._numbers = {value: number for number, value in enumerate(self.values)}
        if len(self._numbers) != len(self.values):
            raise ValueError("two values of the table are the same")

    def __len__(self) -> int:
        return len(self.values)

    def encode(self, value: T) -> int:
        """Return the value's number; raise KeyError if the table doesn't contain the value."""
        return self._numbers[value]

    def decode(self, number: int) -> T:
        """Return the value of the number; raise IndexError past the end of the table."""
        return self.values[number]
