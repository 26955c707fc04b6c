"""What a seat of Dinghy sees: everything."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt

from dinghy import GAME
from dinghy.rules import State
from spelunke.core import values
from spelunke.core.kernel import kernel
from spelunke.core.values import Stream


class View(values.View, frozen=True):
    """The whole table, as a position has it."""

    table: dict[str, object]


def view(s: State, seat: int | None) -> View:
    """The same for all seats."""
    return View(seat, GAME.notation.write_position(s))


def imagine(seen: View, stream: Stream) -> State:
    """Nothing is hidden."""
    return cast(State, GAME.notation.parse_position(seen.table))


FEATURES = 5


def feature_names() -> tuple[str, ...]:
    """See ``features``."""
    return ("my turn", "aboard", "mine", "the next one's", "rowing")


@kernel
def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """The seat's own first."""
    out[0] = 1.0 if s.turn == seat else 0.0
    out[1] = s.aboard / 20.0
    out[2] = s.ashore[seat] / 20.0
    out[3] = s.ashore[(seat + 1) % s.seats] / 20.0
    out[4] = s.rowing
