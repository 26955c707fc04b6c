"""Generic kernels: what searches and playouts take for a game without judgement of its own: to the end, at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import legal
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, State, Stream


@kernel
def stage(s: State) -> int:
    """See :func:`spelunke.core.contract.stage`: the game is one."""
    return 0


@kernel
def value(s: State, seat: int) -> float:
    """See :func:`spelunke.core.contract.value`: nothing beyond the payoff."""
    return 0.0


@kernel
def answer(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """See :func:`spelunke.core.contract.answer`: every legal action is as likely."""
    return int(out[below(stream, legal(s, seat, out))])


@kernel
def redeal(s: State, seat: int, stream: Stream) -> None:
    """See :func:`spelunke.core.contract.redeal`: worlds are imagined one by one instead."""


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """See :func:`spelunke.core.contract.forecast`: never asked, as every playout comes to the end."""
    points[:] = 0.0
    return 1.0
