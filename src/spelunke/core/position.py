"""What the position texts of all games have in common when they are written; :mod:`.reading` is the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from spelunke.core.values import Numbers

if TYPE_CHECKING:
    from spelunke.core.game import Game, Settled

OptionsText: TypeAlias = dict[str, Any]
"""The options in a position text, as JSON gave them: ``read_setup`` checks them. (msgspec has no narrower type whose
schema is the same.)"""


def changed_options(game: Game, seats: int, options: Numbers) -> Settled:
    """Of what a state holds in ``options``, int16[slots]: the values that differ from the default for so many seats."""
    return {
        name: value
        for name, value in game.options_of(options.tolist()).items()
        if value != game.option(name).preset(seats)
    }


def none_if_negative(number: int) -> int | None:
    """A seat, field or card as texts and views have it: None where the kernels write a negative number for nobody."""
    return None if number < 0 else int(number)
