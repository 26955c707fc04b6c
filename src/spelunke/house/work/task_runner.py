"""Run tasks that are due, for example bots' moves, expired clocks, and silence that counts as an answer."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping

import msgspec
import structlog

from spelunke.core.bot import AnyBot
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput, IllegalMove
from spelunke.core.values import Action, View
from spelunke.games.game import Game
from spelunke.house.lobby import Starting
from spelunke.house.people import Vacations
from spelunke.house.play import TableStore, Tries, Turn, stand_in_level
from spelunke.house.ratings import Ratings
from spelunke.house.refusals import SiteClosed, UnknownTable
from spelunke.house.sight import Viewer
from spelunke.house.store import Write
from spelunke.house.table import (
    AWAY,
    LEASE_MS,
    TIME,
    Table,
    Task,
    bots_wait_until,
    is_given_up,
    move_on_arrival,
    orders_wait_until,
    tasks_of,
)
from spelunke.house.work.cleaning import KIND as CLEAN
from spelunke.house.work.cleaning import Cleaner
from spelunke.records.dealt import seed_thoughts

log = structlog.get_logger("spelunke.house.table.tasks")

LATE_MS = 5_000
"""The longest usual delay, in ms, of the task that ends a clock.

A longer delay shows that no worker was running. Then the seat has no penalty: the time for the decision starts again.
"""

CLOSED_MS = 5_000
"""The time in ms after which a task of a paused table is tried again, while a host has closed the site."""

SeatBot = Callable[[Game, str], AnyBot]


class TaskRunner:
    """Runs due tasks.

    A task changes its table through `Tries`, as people's actions do. So if another worker changes the table at
    the same time, the task is tried again.
    """

    def __init__(
        self,
        table_store: TableStore,
        starting: Starting,
        seat_bot: SeatBot,
        cleaner: Cleaner,
        counter: Ratings,
        house_work: Mapping[str, Callable[[], object]] | None = None,
    ) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._cleaner = cleaner
        self._ratings = counter
        self._vacations = Vacations(self._store)
        self._starting = starting
        self._seat_bot = seat_bot
        # functions for tasks that belong to no table, by kind
        self._house_work = house_work or {}
        self._local = threading.local()

    def do(self, task: Task) -> None:
        """Run one task. If it is no longer valid, store the table's valid tasks instead."""
        if task.kind == CLEAN:
            self._cleaner.clean()
            return
        if task.kind in self._house_work:
            self._house_work[task.kind]()
            return
        try:
            self._do_at_table(task)
        except UnknownTable:  # the table was deleted meanwhile
            self._store.writer.write(Write(due=(task.table_id, [])))
        except SiteClosed:
            self._put_off(task.table_id)

    def _do_at_table(self, task: Task) -> None:
        done = True
        if task.kind == "start":
            done = self._starting.start(task.table_id, nonces_due=True)
            if done:
                self._store.metrics.due.labels(task.kind).inc()
        else:
            todo = {
                "bot": self._move_bot,
                "clock": self._end_time,
                "window": self._close_window,
                "standing": self._follow_orders,
                "rate": self._count,
            }
            done = todo[task.kind](task) if task.kind in todo else False
        if not done:
            self._store_anew(task)

    def _store_anew(self, task: Task) -> None:
        """Replace the stored tasks of a table by the tasks that belong to its present state.

        If `task` itself is among these tasks, it had no effect. If this happens too often (see `is_given_up`), the
        task is dropped, because otherwise it would occupy a thread for ever. It is normal that a task has no effect
        once. For example, the task of a bot has no effect while a person reads a summary. If the person closes the
        summary before this function runs, the same task is stored again.
        """
        with self._tables.open(task.table_id) as slot:
            due = [(other.name, other.at) for other in tasks_of(slot.table, self._tables.pauses)]
            if (task.name, task.at) in due:
                slot.table.in_vain[task.kind, task.seat, task.row] += 1
                if task.kind != "standing" and is_given_up(slot.table, task):
                    log.error("due work leads to nothing", kind=task.kind, table=task.table_id)
            slot.tasks = None
            self._tables.commit(slot, [], quiet=True)

    def _put_off(self, table_id: str) -> None:
        """Store a paused table's tasks for a later time.

        When the host opens the site again, the tasks are stored with their own times.
        """
        due = []
        with self._tables.open(table_id) as slot:
            again = self._store.now() + CLOSED_MS if slot.table.paused else 0
            for task in tasks_of(slot.table, self._tables.pauses):
                at = max(task.at, again)
                due.append(msgspec.structs.replace(task, at=at, claimed_ms=at + LEASE_MS))
            self._store.writer.write(Write(due=(table_id, [task.stored() for task in due])))
            slot.tasks = None  # the next commit stores the tasks again, even if they have not changed
            self._tables.schedule(table_id, due)

    def _move_bot(self, task: Task) -> bool:
        with self._tables.open(task.table_id) as slot:
            table, seat = slot.table, task.seat
            level, view = table.bot_at(seat), Viewer(table, seat).view
            same = table.decisions.opened[seat] == task.row
            if level is None or not same or view is None:
                return False
            if table.paused:  # it would think in vain
                raise SiteClosed(table.paused)
            game, legal = table.game, table.moment.legal(seat)
            deal, seed = table.facts.deal, table.facts.seed
            step = None if table.lesson is None else table.lesson.due(seat)
        if step is not None:
            return self._answer(task, step.move, level)
        began = time.perf_counter()
        # At tables of an event with the same moves, a bot makes the same decision.
        thoughts = (
            secrets.randbits(63) if deal is None else seed_thoughts(bytes.fromhex(seed), deal, seat, task.row)
        )
        text = game.notation.write(self._think(game, level, view, legal, thoughts))
        thought = time.perf_counter() - began
        try:
            return self._answer(task, text, level, thought)
        except (BadInput, IllegalMove) as error:
            log.error("a bot chose what is not legal", game=game.name, level=level, error=str(error))
            return self._answer(task, game.notation.write(secrets.choice(legal)), level)

    def _think(self, game: Game, level: str, view: View, legal: tuple[Action, ...], thoughts: int) -> Action:
        if len(legal) == 1:
            return legal[0]
        stream = seed_stream(thoughts)
        try:
            # Keep one bot per thread and level: a bot may keep scratch space, but nothing of a game.
            bots: dict[tuple[str, str], AnyBot] = self._local.__dict__.setdefault("bots", {})
            bot = bots.get((game.name, level))
            if bot is None:
                bot = bots[game.name, level] = self._seat_bot(game, level)
            return bot.choose(view, legal, stream)
        except Exception as error:  # noqa: BLE001  # A failing bot must not stop the others at the table.
            log.error("a bot failed", game=game.name, level=level, error=repr(error))
        return secrets.choice(legal)

    def _follow_orders(self, task: Task) -> bool:
        with self._tables.open(task.table_id) as slot:
            table, viewer = slot.table, Viewer(slot.table, task.seat)
            kept = table.facts.chairs[task.seat].orders
            same = table.decisions.opened[task.seat] == task.row
            if kept is None or not same or table.match is None or table.bot_at(task.seat):
                return False
            text = viewer.move_by_orders()
            if text is None:
                return False
        return self._answer(task, text, None)

    def _answer(self, task: Task, text: str, bot: str | None, thought: float | None = None) -> bool:
        """Play this move text for the task's seat if the task's decision is still open.

        While the task must wait because somebody reads a summary, do not play the move. Return whether the move was
        played. `bot` is the level of the bot that moves, or None for a person's orders.
        `thought` is the bot's thinking time in seconds.
        """
        seat, tries = task.seat, Tries(self._tables, task.table_id)
        while True:
            with tries.turn() as turn:
                table = turn.table
                same = table.decisions.opened[seat] == task.row and table.bot_at(seat) == bot
                # Somebody may have opened a summary meanwhile.
                wait = orders_wait_until if task.kind == "standing" else bots_wait_until
                if not same or wait(table) > turn.at or not table.running:
                    if turn.fresh:
                        return False
                    continue
                turn.apply(seat, move_on_arrival(table, seat, text, turn.at), bot=bot)
                return self._commit(task, turn, thought)

    def _count(self, task: Task) -> bool:
        self._ratings.count(task.table_id)
        return True

    def _end_time(self, task: Task) -> bool:
        seat, tries = task.seat, Tries(self._tables, task.table_id)
        while True:
            with tries.turn() as turn:
                table = turn.table
                end = table.clocks.deadline(seat) if table.running else None
                if end is None or end > turn.at or table.decisions.opened[seat] != task.row:
                    if turn.fresh:
                        return False
                    continue
                if table.paused:
                    raise SiteClosed(table.paused)
                late = turn.at - end > LATE_MS or self._is_on_vacation(table, seat)
                turn.apply(seat, AWAY if late else f"{TIME} {stand_in_level(table.game)}")
                return self._commit(task, turn)

    def _is_on_vacation(self, table: Table, seat: int) -> bool:
        """Return whether the seat may exceed its time without a penalty, because its person is on vacation.

        A vacation does not stop a live clock.
        """
        person = table.facts.chairs[seat].person
        return table.facts.clock.kind != "live" and person is not None and self._vacations.is_away(person)

    def _close_window(self, task: Task) -> bool:
        tries = Tries(self._tables, task.table_id)
        while True:
            with tries.turn() as turn:
                table = turn.table
                for seat in table.actors:
                    end = table.window_closes(seat)
                    text = table.moment.silence(seat) if end is not None and end <= turn.at else None
                    if text is not None:
                        turn.apply(seat, text)
                if turn.rows:
                    return self._commit(task, turn)
                if turn.fresh:
                    return False

    def _commit(self, task: Task, turn: Turn, thought: float | None = None) -> bool:
        """Commit the rows that a task has added to `turn`, and return True.

        If spectators can't see any effect of these rows, do nothing more. Otherwise, if the task is for standing
        orders, record that the person at the task's seat is present. Count a task of any other kind in the metrics.
        `thought` is the thinking time of a bot in seconds, or None.
        """
        if turn.commit():
            # Standing orders are private, so their moves count as their owner's own.
            if task.kind == "standing":
                self._store.presence.read(task.table_id, task.seat)
            else:
                self._store.metrics.due.labels(task.kind).inc()
            if thought is not None:
                self._store.metrics.thinking.observe(thought)
        return True
