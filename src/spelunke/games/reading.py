"""Read position texts: their structure and their options. Errors name the place and the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol, TypeVar

import msgspec

from spelunke.core.errors import BadInput, BadOption, BadPosition, BadText
from spelunke.core.misfit import explain_misfit
from spelunke.core.option import Value
from spelunke.core.values import Numbers

T = TypeVar("T")


class Table(Protocol):
    """A protocol: the methods of :class:`spelunke.games.game.Game` that check seats and options."""

    def settle(self, seats: int, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """Return every option with its checked value."""
        ...

    def setup(self, seats: int, settled: dict[str, Value]) -> Numbers:
        """Return the number of seats, then the options as numbers, as the kernel ``start`` takes them.

        ``settled`` has all options.
        """
        ...


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Turn a BadText that is raised inside the ``with`` block into a BadPosition at this place.

    Use it to read a move text that is part of a position text.
    """
    try:
        yield
    except BadText as error:
        raise BadPosition(error.reason, place) from None


def read_shape(data: object, shape: type[T], where: str = "") -> T:
    """Return the data as an object of the type ``shape``.

    If the data do not fit the type, raise BadPosition with the reason and the place of the wrong part. If the data
    are wrong as a whole, the place is ``where``.
    """
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        reason, place = explain_misfit(str(error))
        raise BadPosition(reason, place or where) from None


def read_setup(game: Table, seats: int, options: Mapping[str, object]) -> Numbers:
    """Return the number of seats, then the options as numbers, as the kernel ``start`` takes them.

    Raise BadPosition if the number of seats or an option is not allowed.
    """
    try:
        return game.setup(seats, game.settle(seats, options))
    except BadOption as error:
        raise BadPosition(error.reason, f"options.{error.place.removeprefix('option ')}") from None
    except BadInput as error:
        raise BadPosition(error.reason, "seats") from None
