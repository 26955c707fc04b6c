"""Two functions that write parts of position texts: one writes options, the other None for a negative number.

:mod:`spelunke.games.reading` checks the structure of a position text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spelunke.core.option import OptionsText

if TYPE_CHECKING:
    from spelunke.games.game import Game


def write_options(game: Game, seats: int, numbers: Sequence[int]) -> OptionsText:
    """Return the options that differ from their default, decoded from a state's field ``options``."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in game.options_of(numbers).items()
        if value != game.option(name).preset(seats)
    }


def none_if_negative(number: int) -> int | None:
    """Return the number of a seat, field or card, or None if it is negative.

    Kernels use a negative number for "none". Texts and views use None.
    """
    return None if number < 0 else int(number)
