"""Tournaments and leagues: their entrants, rounds and standings."""

from spelunke.house.events.events import Events, forget_events
from spelunke.house.events.plans import EventLine, EventLook, EventPlan, EventPlayer, EventTable
from spelunke.house.events.rounds import (
    Entrant,
    Kind,
    Meeting,
    Place,
    Scoring,
    count_rounds,
    next_divisions,
    pair_round,
    rank_all,
    split_tables,
)
