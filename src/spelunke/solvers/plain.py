"""Generic kernels: how any game is played out that says nothing of it, to the end and at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import legal
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, State, Stream


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Any legal action, each as likely; see :mod:`spelunke.core.contract`."""
    return int(out[below(stream, legal(s, seat, out))])


@kernel
def redeal(s: State, seat: int, stream: Stream) -> None:
    """Worlds are imagined one by one instead."""


@kernel
def stage(s: State) -> int:
    """The whole game is one part."""
    return 0


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Never asked, as every playout comes to the end."""
    points[:] = 0.0
    return 1.0
