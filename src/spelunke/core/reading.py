"""How position texts are read in every game: their shape and their options, refused with the place and the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from spelunke.core.errors import BadInput, BadOption, BadPosition

if TYPE_CHECKING:
    from spelunke.core.game import Game

T = TypeVar("T")


def read_shape(data: Any, shape: type[T], where: str = "") -> T:
    """The text's parts as the game's own types. Raises BadPosition with the place, or `where` for the whole."""
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        raise BadPosition(reason, (place or where).strip("`$.")) from None


def read_setup(game: Game, seats: int, options: dict[str, Any]) -> Any:
    """The setup vector of so many seats and these options. Raises BadPosition at the option, or at the seats."""
    try:
        return game.setup(seats, game.settle(seats, options))
    except BadOption as error:
        raise BadPosition(error.reason, f"options.{error.place.removeprefix('option ')}") from None
    except BadInput as error:
        raise BadPosition(error.reason, "seats") from None
