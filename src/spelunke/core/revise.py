"""Generic kernel for games with sealed choices: what a seat may still change (see ``revise`` in the contract)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.contract import revise
from spelunke.core.kernel import kernel


@kernel
def revise_at(pool: npt.NDArray[Any], i: int, seat: int, out: npt.NDArray[np.int16]) -> int:
    """The seat's changes into ``out``; how many."""
    return revise(pool[i], seat, out)
