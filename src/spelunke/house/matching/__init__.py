"""Quick match: people look for a game with certain settings, and the server seats them together."""

from spelunke.house.matching.groups import Waiting, find_group, width_of
from spelunke.house.matching.seeks import KIND as MATCH
from spelunke.house.matching.seeks import PACES, Matching, Pace, SeekLine
