"""The game of the day: its seeds, its tables, and the comparison of all people who played it."""

from spelunke.house.daily.days import DAYS, Day, Days, event_of, forget_days
from spelunke.house.daily.results import (
    PAGE,
    DayMark,
    DayResults,
    Others,
    ResultLine,
    Standing,
    Streak,
    lead_of,
)
