"""Exact play of a round, and the value of the crews between rounds.

Other modules of the game use only the names that are listed here, and the module :mod:`.elsewhere`.
docs/why/solver.md describes the method.
"""

from spelunke.games.shanghaien.solving.endings import Judge
from spelunke.games.shanghaien.solving.learned import error_of
from spelunke.games.shanghaien.solving.learned import read_stages as learned
from spelunke.games.shanghaien.solving.oracle import Oracle
from spelunke.games.shanghaien.solving.stages import as_if_over, guess
from spelunke.games.shanghaien.solving.stakes import Aim

__all__ = ["Aim", "Judge", "Oracle", "as_if_over", "error_of", "guess", "learned"]
