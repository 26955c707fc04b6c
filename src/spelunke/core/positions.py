"""What the position texts of all games have in common: options, and seats that may be nobody.

How a text's shape is read is in :mod:`spelunke.core.reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from spelunke.core.game import Game

OptionsText: TypeAlias = dict[str, Any]
"""Options as a position text holds them: JSON values, which the card of the game checks. The published schemas want
``Any``; they have no word for ``object``."""


def write_options(game: Game, seats: int, numbers: Sequence[int]) -> OptionsText:
    """The options of a state (its field ``options``) that differ from their default."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in game.options_of(numbers).items()
        if value != game.option(name).preset(seats)
    }


def none_if_negative(number: int) -> int | None:
    """A seat, field or card as texts and views have it: None where kernels write a negative number for nobody."""
    return None if number < 0 else int(number)
