"""What a seat of Dinghy sees: everything."""

from typing import cast

import numpy as np
import numpy.typing as npt

from dinghy import GAME
from dinghy.rules import State
from spelunke.core import values
from spelunke.core.kernel import kernel
from spelunke.core.values import Stream

FEATURES = 5


class View(values.View, frozen=True):
    """The fields of a position, and the additional fields that the board shows."""

    table: dict[str, object]
    turn: int
    aboard: int
    ashore: tuple[int, ...]


def view(s: State, seat: int | None) -> View:
    """Return what a seat may see; None is a spectator."""
    ashore = tuple(int(barrels) for barrels in s.ashore[: s.seats])
    return View(seat, GAME.notation.write_position(s), int(s.turn), int(s.aboard), ashore)


def imagine(seen: View, stream: Stream) -> State:
    """Return a state that fits the view. A game with secrets fills them in at random here."""
    return cast(State, GAME.notation.parse_position(seen.table))


def feature_names() -> tuple[str, ...]:
    """Name the numbers of ``features``."""
    return ("my turn", "aboard", "mine", "those of the next player", "rowing")


@kernel
def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write what the seat sees as numbers of about 0 to 1, for learning programs."""
    out[0] = 1.0 if s.turn == seat else 0.0
    out[1] = s.aboard / 20.0
    out[2] = s.ashore[seat] / 20.0
    out[3] = s.ashore[(seat + 1) % s.seats] / 20.0
    out[4] = s.rowing
