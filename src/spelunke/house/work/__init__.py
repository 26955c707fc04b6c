"""Background work of the house, done when it is due."""

from spelunke.house.work.cleaning import Cleaner, Keeping
from spelunke.house.work.scheduler import Scheduler
from spelunke.house.work.task_runner import SeatBot, TaskRunner
