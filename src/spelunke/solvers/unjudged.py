"""Generic kernels: the defaults of searches and playouts for a game without ``knowledge``.

They play to the end at random.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import legal
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, State, Stream


@kernel
def stage(s: State) -> int:
    """Return 0 (:func:`spelunke.core.contract.stage`): the game has one part."""
    return 0


@kernel
def value(s: State, seat: int) -> float:
    """Return 0 (:func:`spelunke.core.contract.value`): nothing beyond the payoff."""
    return 0.0


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a random legal action (:func:`spelunke.core.contract.answer`); advance the stream."""
    return int(out[below(stream, legal(s, seat, out))])


@kernel
def redeal(s: State, seat: int, stream: Stream) -> None:
    """Do nothing (:func:`spelunke.core.contract.redeal`): worlds are imagined one by one instead."""


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write zeros (:func:`spelunke.core.contract.forecast`); never called, because every playout reaches the end."""
    points[:] = 0.0
    return 1.0
