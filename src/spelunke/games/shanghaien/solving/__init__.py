"""Exact play of a round, and what crews are worth between rounds.

The rest of the game uses what is named here and nothing else of this folder. How it is done: docs/why/solver.md.
"""

from spelunke.games.shanghaien.solving.endings import Judge
from spelunke.games.shanghaien.solving.oracle import Oracle
from spelunke.games.shanghaien.solving.stages import guess
from spelunke.games.shanghaien.solving.stakes import Aim

__all__ = ["Aim", "Judge", "Oracle", "guess"]
