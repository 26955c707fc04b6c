"""Ratings of players, of problems, and of people who solve problems.

The ratings of players are computed from the logs of rated tables. A player has one rating for each game and number of
seats. All other ratings are computed from people's first answers to problems.
"""

from spelunke.house.ratings.answers import Answers, ProblemLine, Solver
from spelunke.house.ratings.counting import Counted, count_rows, count_table
from spelunke.house.ratings.ratings import (
    LINES,
    Board,
    BoardLine,
    RatingLine,
    RatingPoint,
    Ratings,
    Recount,
    read_skills,
)
from spelunke.house.ratings.skill import CERTAIN, MIDDLE, MU, POINTS, Skill, rate, read_points, show_points
