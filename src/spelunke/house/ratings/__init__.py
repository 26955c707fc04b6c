"""Ratings of people, computed from the logs of rated tables.

A person has one rating for each game and number of seats.
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
