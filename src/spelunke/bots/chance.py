"""The bot that plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.game import Game


class ChanceBot:
    """Every legal action is as likely."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, view: Any, legal: Sequence[Any], stream: npt.NDArray[np.int64]) -> Any:
        """See :class:`spelunke.core.bot.Bot`."""
        return legal[int(below(stream, len(legal)))]
