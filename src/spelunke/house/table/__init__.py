"""The state of a table in memory: stored facts, the game replayed from the log, clocks, presence, and tasks.

This package does not use the database.
"""

from spelunke.house.table.arrival import check_lesson, move_on_arrival
from spelunke.house.table.attention import (
    bots_wait_until,
    call_back,
    go_on,
    hold,
    is_shown,
    orders_wait_until,
)
from spelunke.house.table.behind import find_behind, find_open_part, hides_nothing
from spelunke.house.table.clocks import Clocks
from spelunke.house.table.companions import YOUNGER, name_seats, seat_companions
from spelunke.house.table.facts import OF_DAY, Attention, Chair, Facts
from spelunke.house.table.log import (
    AGREE,
    ALONE,
    ASK,
    AWAY,
    CALLED_OFF,
    COME_BACK,
    DRAW,
    HOUSE_OFF,
    LEFT,
    LESSON,
    READ,
    REFUSE,
    RESIGN,
    ROUND_OFF,
    SHORT,
    STAND_IN,
    TIME,
    UNDO,
    Row,
)
from spelunke.house.table.presence import Presence, Sighting, Sign, Stay
from spelunke.house.table.seating import BY_BOT, BY_DEVICE, BY_UNDO, find_helped
from spelunke.house.table.table import Table
from spelunke.house.table.tasks import LEASE_MS, Pauses, Task, is_given_up, start_task, tasks_of
from spelunke.house.table.undoing import deciders, mates, seat_to_undo, undoable
