"""The database tables for friends, reports, ratings, club evenings, games of the day, events, and similar things.

They include `seeks`: requests of people for a game with strangers. All other database tables are in `schema`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Float,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

from spelunke.house.store.schema import metadata

ties = Table(
    "ties",
    metadata,
    # the relation from a person to another one, see `house.people.ties`
    Column("person", String(32), nullable=False),
    Column("other", String(32), nullable=False, index=True),
    # `friend` in both directions, `asked`, `blocked`, `muted`, `device` in both directions
    Column("kind", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "other", "kind"),
)

reports = Table(
    "reports",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("reporter", String(32), nullable=False),
    Column("about", String(32), nullable=False, index=True),
    Column("table_id", String(16)),
    # JSON: the lines of chat in question, as they were at that time
    Column("lines", Text, nullable=False),
    Column("text", Text, nullable=False),
    # the host who decided, the time, and the decision (see `house.hosting.reports`); None while the report is open
    Column("host", String(32)),
    Column("decided_ms", BigInteger),
    Column("decision", String(8)),
)

ratings = Table(
    "ratings",
    metadata,
    # computed from `results`, in the order of the games' ends
    Column("person", String(32), nullable=False),
    Column("game", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "game", "seats"),
    Index("ratings_by_game", "game", "seats", "mu"),
)

results = Table(
    "results",
    metadata,
    # a person's place in a rated game, from its log, and the rating after it
    Column("table_id", String(16), nullable=False),
    Column("person", String(32), nullable=False),
    Column("game", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    # whether the person left before the end, and whether the result changes their rating
    Column("gone", Boolean, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("mu", Double),
    Column("sigma", Double),
    PrimaryKeyConstraint("table_id", "person"),
    Index("results_by_pool", "game", "seats", "ended_ms", "table_id"),
    Index("results_by_person", "person", "game", "seats", "ended_ms"),
)

seeks = Table(
    "seeks",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    Column("game", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    # see `house.matching.seeks.Pace`
    Column("pace", String(8), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    # the time at which a page of the person last requested the seek
    Column("seen_ms", BigInteger, nullable=False),
    # the table that was found, and the time
    Column("table_id", String(16)),
    Column("found_ms", BigInteger),
    Index("seeks_by_kind", "game", "seats", "pace", "rated"),
)

evenings = Table(
    "evenings",
    metadata,
    # evenings of the club, in its calendar
    Column("id", String(16), primary_key=True),
    Column("title", String(64), nullable=False),
    Column("about", Text, nullable=False),
    Column("begins_ms", BigInteger, nullable=False, index=True),
    Column("minutes", Integer, nullable=False),
    # the time zone in which a weekly evening keeps its hour
    Column("zone", String(64), nullable=False),
    # `once` or `weekly`
    Column("every", String(8), nullable=False),
    Column("ends_ms", BigInteger),
    Column("changed_ms", BigInteger, nullable=False),
)

vacations = Table(
    "vacations",
    metadata,
    Column("person", String(32), nullable=False),
    Column("from_ms", BigInteger, nullable=False),
    Column("to_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "from_ms"),
)

seeds = Table(
    "seeds",
    metadata,
    # the event that has this seed: `day:GAME:DAY` or `event:ID`
    Column("event", String(64), primary_key=True),
    Column("seed", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    # the times at which the seed was fixed, is first used, and is published (None: not known yet)
    Column("made_ms", BigInteger, nullable=False),
    Column("begins_ms", BigInteger, nullable=False),
    Column("reveal_ms", BigInteger),
)

days = Table(
    "days",
    metadata,
    Column("game", String(64), nullable=False),
    # the date in UTC: 2026-11-24
    Column("day", String(10), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("level", String(64), nullable=False),
    # the number of different deals, of which each person gets one
    Column("deals", Integer, nullable=False),
    PrimaryKeyConstraint("game", "day"),
)

day_plays = Table(
    "day_plays",
    metadata,
    Column("game", String(64), nullable=False),
    Column("day", String(10), nullable=False),
    Column("person", String(32), nullable=False),
    Column("table_id", String(16), nullable=False, unique=True),
    Column("deal", Integer, nullable=False),
    Column("began_ms", BigInteger, nullable=False),
    # the result; None until the game is over. `lead` is the number of points ahead of the mean of the others.
    Column("ended_ms", BigInteger),
    Column("place", Integer),
    Column("lead", Float),
    # the reason why the result does not count: `helped`, `late`, `given up`; empty if it counts
    Column("without", String(16)),
    PrimaryKeyConstraint("game", "day", "person"),
    Index("day_plays_by_person", "person", "day"),
    Index("day_plays_by_result", "game", "day", "deal", "lead"),
    Index("day_plays_open", "ended_ms"),
)

day_choices = Table(
    "day_choices",
    metadata,
    # the number of times that each move was played in a position of a day's deal
    Column("game", String(64), nullable=False),
    Column("day", String(10), nullable=False),
    Column("deal", Integer, nullable=False),
    # the beginning of the SHA-256 of the whole position and the seat
    Column("spot", String(24), nullable=False),
    Column("move", String(200), nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("game", "day", "deal", "spot", "move"),
)

events = Table(
    "events",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("host", String(32), nullable=False),
    # JSON: see `house.events.EventPlan`
    Column("plan", Text, nullable=False),
    Column("status", String(8), nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("begins_ms", BigInteger),
    # the end of the present round
    Column("ends_ms", BigInteger),
    # the end of the pause after it
    Column("paused_ms", BigInteger),
    Column("made_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("season", Integer, nullable=False),
    Column("next_season", String(16)),
    Column("rev", Integer, nullable=False, server_default="0"),
    Index("events_by_status", "status", "begins_ms"),
)

event_players = Table(
    "event_players",
    metadata,
    Column("event", String(16), nullable=False),
    Column("number", Integer, nullable=False),
    # None for a bot, which has a level
    Column("person", String(32)),
    Column("level", String(64)),
    Column("since", Integer, nullable=False),
    # the last round in which the player took part before leaving the event
    Column("until", Integer),
    Column("division", Integer, nullable=False),
    PrimaryKeyConstraint("event", "number"),
    Index("event_players_by_person", "person"),
)

event_tables = Table(
    "event_tables",
    metadata,
    Column("event", String(16), nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    # None for a bye, and until the table is made
    Column("table_id", String(16)),
    # JSON: the entrants' numbers by seat; places and points ahead when it is over
    Column("players", Text, nullable=False),
    Column("ranks", Text),
    Column("leads", Text),
    PrimaryKeyConstraint("event", "round", "number"),
    Index("event_tables_by_table", "table_id"),
)

problem_ratings = Table(
    "problem_ratings",
    metadata,
    # a problem's rating, computed from the first answers in their order
    Column("game", String(64), nullable=False),
    Column("problem", String(16), nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    PrimaryKeyConstraint("game", "problem"),
)

solvers = Table(
    "solvers",
    metadata,
    # a person's rating at the problems of a game; the streaks count problems solved at the first try in a row
    Column("person", String(32), nullable=False),
    Column("game", String(64), nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    PrimaryKeyConstraint("person", "game"),
)

own_problems = Table(
    "own_problems",
    metadata,
    Column("person", String(32), nullable=False),
    Column("table_id", String(16), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("game", String(64), nullable=False),
    Column("theme", String(64), nullable=False),
    Column("cost", Float, nullable=False),
    # JSON: the decision as it was analysed
    Column("body", Text, nullable=False),
    # the number of times in a row that the problem was solved; the interval until it returns grows with this number
    Column("box", Integer, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "table_id", "ply"),
    Index("own_problems_due", "person", "due_ms"),
)
