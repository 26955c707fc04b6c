"""Work that the server does automatically at a given time."""

from spelunke.house.work.cleaning import Cleaner, Keeping
from spelunke.house.work.scheduler import Scheduler
from spelunke.house.work.task_runner import SeatBot, TaskRunner
