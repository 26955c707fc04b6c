"""Finished games: lists, replays, records, analyses, and problems.

The package also has the coach for running games, and computes the values of single positions.
"""

from spelunke.house.study.analyses import Analyses, AnalysisLook
from spelunke.house.study.coach import Advice, Coach, FirstLook
from spelunke.house.study.histories import PAGE, Ended, GameLine, GameTally, GameWish, Histories, LastGame
from spelunke.house.study.judging import Judging
from spelunke.house.study.own_analyses import OwnAnalyses
from spelunke.house.study.own_problems import OwnProblem, OwnProblems, Posed
from spelunke.house.study.replays import Eyes, Replays
from spelunke.house.study.teller import Teller, say_next, say_to_player, say_why
