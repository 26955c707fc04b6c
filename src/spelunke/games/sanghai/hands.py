"""The learned costs of hands, which :mod:`.learning` found. They are stored in a file beside this module.

The cost of a hand is the expected points of its seat in this round, minus the mean points of the other seats.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.games.sanghai import GAME
from spelunke.games.sanghai.estimates import SIGNS
from spelunke.games.sanghai.shrewd import LEARNED, usual

SCHEDULES: Final = tuple(
    str(name) for option in GAME.options if option.name == "schedule" for name in option.choices
)
FILE = Path(__file__).with_name("hands.json")


class Hands(msgspec.Struct, frozen=True):
    """The result of learning: its origin, its error, and the numbers with which :mod:`.estimates` computes costs."""

    recipe: str
    date: str
    error: float
    """The root mean square error in points, measured on hands that were not used for learning."""
    spread: float
    """The standard deviation in points of the real costs, over the same hands as ``error``."""
    schedules: list[str]
    """The names of the schedules whose contracts were learned.

    In other schedules, the bot chooses by the planner alone.
    """
    units: list[list[float]]
    numbers: list[float]

    @property
    def net(self) -> npt.NDArray[np.float64]:
        """The weights of the network that predicts the costs of hands, with one row for each hidden unit."""
        return np.array(self.units)

    @property
    def tuned(self) -> npt.NDArray[np.float64]:
        """The tuned numbers, such as margins between choices, that :mod:`.shrewd` describes.

        The number at the index ``LEARNED`` has a bit for each schedule of contracts for which costs were learned.
        """
        found = np.array(self.numbers)
        found[LEARNED] = sum(1 << SCHEDULES.index(name) for name in self.schedules)
        return found

    def knows(self, schedule: int) -> bool:
        """Return whether costs of hands were learned for this schedule of contracts.

        ``schedule`` is the index of the schedule in ``SCHEDULES``.
        """
        return SCHEDULES[schedule] in self.schedules

    @staticmethod
    def nothing() -> Hands:
        """Return the values before any learning: a network of zeros, and the default tuned numbers."""
        return Hands("", "", 0.0, 0.0, list(SCHEDULES), [[0.0] * (SIGNS + 2)], usual().tolist())


@lru_cache(maxsize=1)
def load() -> Hands:
    """Return the learned costs from ``hands.json``. The file is read only once."""
    return msgspec.json.decode(FILE.read_bytes(), type=Hands)
