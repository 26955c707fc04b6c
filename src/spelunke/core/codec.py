"""Encode a fixed list of values as numbers: the number of a value is its index in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Codec(Generic[T]):
    """A fixed list of values, in which each value is encoded as its index. The values must be hashable.

    The constructor raises ValueError if two values are equal.
    """

    def __init__(self, values: Iterable[T]) -> None:
        self.values: tuple[T, ...] = tuple(values)
        numbers = {value: number for number, value in enumerate(self.values)}
        if len(numbers) != len(self.values):
            raise ValueError("two values of the table are the same")
        # returns the value's number; raises KeyError if the list doesn't contain the value
        self.encode: Callable[[T], int] = numbers.__getitem__
        # returns the value of the number; raises IndexError past the end of the list
        self.decode: Callable[[int], T] = self.values.__getitem__

    def __len__(self) -> int:
        return len(self.values)
