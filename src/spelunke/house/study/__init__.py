"""Finished games: replays, analyses, and problems from them. Also the coach for running games."""

from spelunke.house.study.analyses import Analyses
from spelunke.house.study.coach import Coach
from spelunke.house.study.histories import PAGE, Ended, GameWish, Histories
from spelunke.house.study.judging import Judging
from spelunke.house.study.own_analyses import OwnAnalyses
from spelunke.house.study.own_problems import OwnProblem, OwnProblems, Posed
from spelunke.house.study.replays import Eyes, Replays
from spelunke.house.study.teller import Teller, say_move, say_next, say_why
