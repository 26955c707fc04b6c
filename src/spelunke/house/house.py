"""The services of the house and their database: `House` holds the services, and `open_house` connects them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

from spelunke.analysis.analysis import Analyst
from spelunke.core.bot import AnyBot
from spelunke.games.game import Game
from spelunke.house.budgets import TABLES
from spelunke.house.daily import DayResults, Days
from spelunke.house.events import EventRunner, Events
from spelunke.house.hosting import (
    Closing,
    Evenings,
    Health,
    Hosting,
    Leaving,
    Measuring,
    Registry,
    Reports,
    check_health,
)
from spelunke.house.lobby import Inviting, Lists, Lobby, NextGames, Starting
from spelunke.house.matching import MATCH, Matching
from spelunke.house.notifications import Notifications, Outside
from spelunke.house.outbox import InLanguage
from spelunke.house.people import Devices, Lasting, Members, People, Profiles, Ties, Vacations
from spelunke.house.play import (
    Attendance,
    Chat,
    GoingOn,
    Hands,
    Looks,
    Play,
    Reactions,
    Showing,
    TableStore,
    Undoing,
)
from spelunke.house.ratings import Answers, Ratings
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import (
    PATIENCE_S,
    Now,
    Store,
    check,
    is_empty,
    keep_key,
    lock_alone,
    migrate_database,
    open_bus,
    open_engine,
)
from spelunke.house.study import Analyses, Coach, Histories, Judging, OwnAnalyses, OwnProblems, Replays
from spelunke.house.table import Pauses
from spelunke.house.work import Cleaner, Keeping, Scheduler, SeatBot, TaskRunner
from spelunke.records.signing import Signer


def _seat_bot(game: Game, level: str) -> AnyBot:
    from spelunke.bots.levels import seat_bot

    bot: AnyBot = seat_bot(game, level)
    return bot


def _analyst() -> Analyst:
    from spelunke.solvers.analyst import ProcessAnalyst

    return ProcessAnalyst()


class House:
    """A house on a database, with its services.

    Open it once per process with `open_house`, and close it at the end.

    The services are synchronous and thread-safe, and may wait for the disk. If a method mostly waits, a coroutine
    calls it by `await waiting.run(house.play.act, ...)` (see `house.store.waiting`). If a method computes for a long
    time, a coroutine calls it in a separate thread.

    The services, by purpose. Before the start: `lobby`, `next_games`, `inviting`, `lists`, `matching`. At a table:
    `play`, `looks`, `attendance`, `going_on`, `chat`, `reactions`, `showing`, `undoing`, `hands`. Days and events:
    `days`, `day_results`, `events`. After a game: `replays`, `analyses`, `own_analyses`, `judging`, `coach`,
    `histories`, `answers`, `own_problems`, `ratings`. People: `people`, `ties`, `vacations`, `members`, `devices`,
    `profiles`, `notifications`. Administration: `hosting`, `registry`, `reports`, `evenings`, `closing`, `leaving`,
    `measuring`.
    """

    def __init__(
        self,
        table_store: TableStore,
        *,
        threads: int,
        bots: SeatBot | None = None,
        analyst: Callable[[], Analyst] | None = None,
        held: IO[str] | None = None,
        keeping: Keeping | None = None,
        lasting: Lasting | None = None,
        outside: Outside | None = None,
        push_key: bytes | None = None,
        words: InLanguage | None = None,
    ) -> None:
        self._held = held
        self._closed = False
        self._tables = table_store
        self.store = store = table_store.store

        self.people = People(store)
        self.devices = Devices(store, lasting)
        self.members = Members(store, self.people, self.devices)
        self.profiles = Profiles(store)
        self.vacations = Vacations(store)
        self.ties = Ties(store, self.profiles, self.members.codes)

        self.play = Play(table_store)
        self.attendance = Attendance(table_store)
        self.looks = Looks(table_store, self.attendance)
        self.going_on = GoingOn(table_store)
        self.undoing = Undoing(table_store)
        self.hands = Hands(table_store)
        self.chat = Chat(table_store, self.people)

        self.replays = Replays(table_store)
        make_analyst = analyst or _analyst
        self.judging = Judging(make_analyst())
        self.coach = Coach(table_store, self.judging)
        self.reactions = Reactions(table_store)
        self.showing = Showing(table_store)
        self.analyses = Analyses(store, self.replays, make_analyst(), waits=threads > 0)
        self.own_analyses = OwnAnalyses(store, self.replays, make_analyst())
        self.answers = Answers(store, self.people)
        self.histories = Histories(table_store)
        self.own_problems = OwnProblems(store, self.replays)
        self.ratings = Ratings(table_store)

        starting = Starting(table_store)
        self.lists = Lists(table_store)
        self.lobby = Lobby(table_store, self.people, starting)
        self.next_games = NextGames(table_store, self.people, starting, self.replays, self.lobby)
        self.inviting = Inviting(table_store, self.people)
        self.matching = Matching(table_store, self.people, self.lobby, self.ratings)

        self.days = Days(store, self.people, self.lobby, starting)
        self.day_results = DayResults(table_store, self.days)
        self.event_runner = EventRunner(table_store, self.lobby, starting, self.play)
        self.events = Events(store, self.people, self.event_runner)

        self.leaving = Leaving(store, self.people, self.devices, self.members, self.play, self.lobby)
        self.registry = Registry(store)
        self.reports = Reports(table_store, self.profiles)
        self.measuring = Measuring(store, self.analyses)
        self.evenings = Evenings(store)
        self.closing = Closing(table_store, self.people)
        self.hosting = Hosting(store, self.people, self.devices, self.members, self.play, self.lobby)

        self.notifications = Notifications(store, outside or Outside(), push_key, words, runs=threads > 0)
        cleaner = Cleaner(table_store, keeping or Keeping(), forget=self.people.forget)
        work: dict[str, Callable[[], object]] = {
            "days": self._work_on_days,
            "events": self.event_runner.work,
            MATCH: self.matching.match,
        }
        self._runner = TaskRunner(table_store, starting, bots or _seat_bot, cleaner, self.ratings, work)
        self._scheduler = Scheduler(table_store, self._runner.do, threads=threads)
        table_store.schedule = self._scheduler.schedule
        store.begin_after_the_log()
        self.closing.begin()
        store.workers.check = self._check_others
        cleaner.begin()
        self._scheduler.begin()
        self.notifications.begin()

    def _check_others(self) -> None:
        """Find changes that other workers have made without notifying this worker.

        Mark tables in memory as outdated if their stored data has changed, and read whether a host has closed
        or opened the site.
        """
        self.closing.look_again()
        self._tables.check_held()

    @property
    def closed(self) -> str:
        """The host's reason for closing the site for a while, or an empty text if the site is open."""
        return self._tables.closed

    def _work_on_days(self) -> None:
        """Do the due work for games of the day: store missing results, then call `Days.work`."""
        while self.day_results.settle():
            pass
        self.days.work()

    def health(self, *also: str | None) -> Health:
        """Return the health of the house. Never raise.

        `also` are the results of the caller's own checks: each is a problem, or None. If one of them is a problem, the
        status is ``degraded`` or ``down``.
        """
        return check_health(self._tables, self._scheduler, also)

    def tick(self) -> int:
        """Do all due work in this thread, and return the number of tasks.

        This is for tests and programs without timers.
        """
        return self._scheduler.tick() + self.analyses.work_off() + self.notifications.tick()

    def close(self) -> None:
        """Stop timers and bots, commit the queued writes, and close the store.

        The next start resumes due work.
        """
        if not self._closed:
            self._closed = True
            self.analyses.close()
            self.own_analyses.close()
            self.judging.close()
            self.notifications.close()
            self._scheduler.close()
            self.store.close()
            if self._held is not None:
                self._held.close()


UNDO_PAUSES = 2.0
"""A bot's pause after a move that a person could take back, or after a throw, as a multiple of its usual pause."""


def open_house(
    database: str,
    *,
    redis: str = "",
    bot_pause: float = 0.7,
    nonce_wait: float = 5.0,
    bot_threads: int = 2,
    timers: bool = True,
    clock: Callable[[], float] | None = None,
    bots: SeatBot | None = None,
    analyst: Callable[[], Analyst] | None = None,
    alone: bool | None = None,
    patience: float = PATIENCE_S,
    keeping: Keeping | None = None,
    lasting: Lasting | None = None,
    signing_key: bytes | None = None,
    push_key: bytes | None = None,
    outside: Outside | None = None,
    words: InLanguage | None = None,
    in_memory: int = TABLES,
) -> House:
    """Open the house at an SQLAlchemy address (`sqlite:///path`, `postgresql+psycopg://...`).

    If the database is an SQLite file or empty, migrate it first. Raise HouseClosed if the database can't be
    used.

    `redis`: the address of the Redis server that connects several workers, or empty. `bot_pause`: the seconds
    before a bot moves. `nonce_wait`: the seconds for which a full table waits for nonces. `bot_threads`: the
    number of threads that run due tasks. `timers=False` leaves due work to `House.tick()`, for tests. `bots`
    and `analyst`: functions that make the bots and the analyst. Tests pass their own functions. `clock` returns
    seconds since 1970. If the clock jumps forward, the house treats the skipped time as passed. `patience`: the
    seconds to wait for a database that does not answer.

    `alone`: no other process writes to this database, so the house does not check the database for changes
    before it shows a table. By default, `alone` is true only for SQLite. If it is true, the house locks an SQLite
    file. `keeping`: the days for which unused data is kept. `lasting`: the lifetime of members' sessions.

    `signing_key`: the key with which the house signs players' hash chains, 32 bytes that all workers share. By
    default, a house on SQLite stores a key in a file beside its database, and a house on another database does not
    sign. `push_key`: the key for Web Push, 32 bytes. By default, a house on SQLite stores this key in a file too, and
    a house on another database has none. `outside`: the settings for outgoing messages. `words`: a function that
    returns the translator of a language. `in_memory`: the limit in bytes for replayed tables in memory.
    """
    engine = open_engine(database, most=2, patience=patience)
    sqlite = engine.dialect.name == "sqlite"
    alone = sqlite if alone is None else alone
    held = None
    try:
        if alone and sqlite:
            held = lock_alone(engine)
        if problem := check(engine):
            if not (sqlite or is_empty(engine)):
                raise HouseClosed(f"{problem}; `spelunke migrate` brings the database up to date")
            migrate_database(database)
        if signing_key is None and sqlite:
            signing_key = keep_key(Path(f"{engine.url.database}.key"), "signing")
        if push_key is None and sqlite:
            push_key = keep_key(Path(f"{engine.url.database}.push"), "push")
    except BaseException:
        engine.dispose()
        if held is not None:
            held.close()
        raise
    pauses = Pauses(
        bot_ms=int(bot_pause * 1000),
        nonce_ms=int(nonce_wait * 1000),
        undo_ms=int(bot_pause * UNDO_PAUSES * 1000),
    )
    reader = open_engine(database, autocommit=True, patience=patience)
    now = Now() if clock is None else clock if isinstance(clock, Now) else Now(clock, clock)
    store = Store(
        engine,
        reader,
        open_bus(redis),
        now,
        alone=alone,
        patience=patience,
        signer=None if signing_key is None else Signer(signing_key),
    )
    return House(
        TableStore(store, in_memory=in_memory, pauses=pauses),
        threads=bot_threads if timers else 0,
        bots=bots,
        analyst=analyst,
        held=held,
        keeping=keeping,
        lasting=lasting,
        outside=outside,
        push_key=push_key,
        words=words,
    )
