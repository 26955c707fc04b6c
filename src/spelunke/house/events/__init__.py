"""Tournaments and leagues: their entrants, rounds and standings."""

from spelunke.house.events.book import put_off_rounds
from spelunke.house.events.events import Events, forget_events
from spelunke.house.events.plans import EventLine, EventLook, EventPlan, EventPlayer, EventTable
from spelunke.house.events.rounds import Kind, count_rounds, pair_round, split_divisions, split_tables
from spelunke.house.events.runner import EventRunner
from spelunke.house.events.standings import Entrant, Meeting, Place, Scoring, next_divisions, rank_all
