"""Generic kernels for searches and playouts of a game that has no such kernels of its own.

With these defaults, a playout is random and ends with the game.
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
    """Return 0, because the whole game is one part (see :func:`spelunke.core.contract.stage`)."""
    return 0


@kernel
def value(s: State, seat: int) -> float:
    """Return 0, because only the payoff at the end counts (see :func:`spelunke.core.contract.value`)."""
    return 0.0


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a random legal action (see :func:`spelunke.core.contract.answer`). Advance the stream."""
    return int(out[below(stream, legal(s, seat, out))])


@kernel
def redeal(s: State, seat: int, stream: Stream) -> None:
    """Do nothing (see :func:`spelunke.core.contract.redeal`).

    With this default, the caller replaces the hidden facts by random ones before the playouts.
    """


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write zeros into ``points``, and return 1 (see :func:`spelunke.core.contract.forecast`).

    With the default :func:`stage`, this kernel is never called, because all playouts reach the end of the game.
    """
    points[:] = 0.0
    return 1.0
