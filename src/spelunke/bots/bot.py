"""What a bot is: it gets a view and the legal actions, and names one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class Bot(Protocol):
    """A player for one seat. A bot holds nothing from one choice to the next, so any worker can ask it."""

    def choose(self, view: Any, legal: Sequence[Any], stream: npt.NDArray[np.int64]) -> Any:
        """One of the legal actions (never empty), or a larger move of the game that begins with one.

        ``stream`` is the bot's own chance and moves in place: same view, actions and stream, same choice.
        """
        ...
