"""What the position texts of all games have in common: options, and seats that may be nobody.

How a text's shape is read is in :mod:`spelunke.games.reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spelunke.core.option import OptionsText

if TYPE_CHECKING:
    from spelunke.games.game import Game


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
