"""The planner: it finds the cards missing for a contract, and the layings that put down the most points.

Other modules of the game use only the names listed here. The results are exact, not estimates (N-C11). The
compiled functions (kernels) of the planner do not read the state of a game. They get the counts of a hand by
kind (``h``, int16[53]) and a :class:`Wish`, the contract that is to be laid.
"""

from spelunke.games.sanghai.planning.arranging import arrange, arrange_into, new_plan, read_plan
from spelunke.games.sanghai.planning.choices import SPAN
from spelunke.games.sanghai.planning.counts import wilds_in
from spelunke.games.sanghai.planning.filling import can_lay_all_but_one
from spelunke.games.sanghai.planning.lacking import can_lay, lacking, lacking_less, lacking_without
from spelunke.games.sanghai.planning.plans import PLANNED, Planned
from spelunke.games.sanghai.planning.pricing import FAR
from spelunke.games.sanghai.planning.unloading import unload
from spelunke.games.sanghai.planning.wish import Wish, begin, go_on, least_cards, wish

__all__ = [
    "FAR",
    "PLANNED",
    "SPAN",
    "Planned",
    "Wish",
    "arrange",
    "arrange_into",
    "begin",
    "can_lay",
    "can_lay_all_but_one",
    "go_on",
    "lacking",
    "lacking_less",
    "lacking_without",
    "least_cards",
    "new_plan",
    "read_plan",
    "unload",
    "wilds_in",
    "wish",
]
