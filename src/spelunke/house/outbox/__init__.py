"""Notifications, stored in the same commit as their causes. The package `house.notifications` sends them."""

from spelunke.house.outbox.kinds import (
    HOUR_MS,
    KINDS,
    MINUTE_MS,
    PAUSES_MS,
    SECOND_MS,
    WAYS,
    InLanguage,
    Kind,
    Message,
    Told,
    Way,
    gather,
    say,
)
from spelunke.house.outbox.letters import ALERTS, PAUSE_MS, PER_DAY, put_alerts, put_letter
from spelunke.house.outbox.noting import (
    Note,
    count_told,
    forget_people,
    is_open,
    note,
    read_people,
    remove_old,
    settle,
    wake,
)
from spelunke.house.outbox.turns import news_of
