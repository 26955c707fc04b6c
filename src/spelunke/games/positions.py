"""Parts that the position texts of all games share: options, and seats that may be empty.

:mod:`spelunke.games.reading` checks the shape of a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spelunke.core.option import OptionsText

if TYPE_CHECKING:
    from spelunke.games.game import Game


def write_options(game: Game, seats: int, numbers: Sequence[int]) -> OptionsText:
    """Return the options of a state (its field ``options``) that differ from their default."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in game.options_of(numbers).items()
        if value != game.option(name).preset(seats)
    }


def none_if_negative(number: int) -> int | None:
    """Return a seat, field or card for texts and views.

    If it is negative, which means none in kernels, return None.
    """
    return None if number < 0 else int(number)
