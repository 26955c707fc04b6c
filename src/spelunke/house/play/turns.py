"""Changes to a running table. If another worker has changed the table first, the change is tried again.

Each attempt locks the table.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import msgspec
from sqlalchemy import Connection, update

from spelunke.core.errors import SpelunkeError
from spelunke.house.messages import Answer
from spelunke.house.play.table_store import Slot, TableStore
from spelunke.house.refusals import HouseClosed, SiteClosed
from spelunke.house.sight import Viewer
from spelunke.house.store import Conflict, tables, write_ending
from spelunke.house.table import AWAY, CALLED_OFF, DRAW, RESIGN, Row, Table, find_helped

MOST_TRIES = 12
WHILE_PAUSED = {AWAY, CALLED_OFF, DRAW, RESIGN}
"""The notes that can be added to the log of a paused game. They give time back, or end the game for somebody."""


class Tries:
    """The attempts of one action at a table.

    The first attempt uses the table in memory. Later attempts read all stored changes first. New rows get the
    time at which the action arrived, even if it waited for the table or for other commits. But no row gets an
    earlier time than the row before it. Use this class as `while True: with tries.turn() as turn: ...`, and end the
    loop by a `return` inside the `with` block.
    """

    __slots__ = ("began", "came", "lost", "number", "table_id", "table_store")

    def __init__(self, table_store: TableStore, table_id: str) -> None:
        self.table_store = table_store
        self.table_id = table_id
        self.came = table_store.store.now()
        self.began = time.perf_counter()
        self.number = 0
        # the number of conflicts
        self.lost = 0

    @contextlib.contextmanager
    def turn(self) -> Iterator[Turn]:
        """Open the table for the next attempt, and yield the `Turn`.

        If the attempt fails, drop the rows that it applied but did not commit. If another worker changed the
        table first (Conflict), the turn ends without an error, and the caller must try again. The turn also
        ends without an error if the first attempt is refused, because the table in memory may have been outdated. If
        a later attempt is refused, raise the error. Raise HouseClosed if the store refuses the write, and after too
        many attempts.
        """
        self.number += 1
        if self.number > MOST_TRIES:
            raise HouseClosed("too many changes at this table at once; please try again")
        with self.table_store.open(self.table_id, fresh=self.number > 1) as slot:
            before = slot.table.row
            try:
                yield Turn(self, slot)
            except Conflict:
                self.lost += 1
            except SpelunkeError as error:
                if slot.kept is not None and slot.table.row != before:
                    slot.forget()
                # If the store refused, the outcome may be unknown, so only the person may retry.
                if self.number > 1 or isinstance(error, HouseClosed):
                    raise
            except BaseException:
                slot.forget()
                raise


class Turn:
    """One attempt to change a table.

    `at` is the time for new rows of the log. `fresh` is true if the table in memory had all stored changes when the
    attempt began.
    """

    __slots__ = ("_slot", "_tries", "at", "fresh", "rows", "table")

    def __init__(self, tries: Tries, slot: Slot) -> None:
        self._tries = tries
        self._slot = slot
        self.table: Table = slot.table
        self.fresh = tries.number > 1
        self.at = max(tries.came, self.table.last_at)
        self.rows: list[Row] = []

    def viewer(self, person: str) -> tuple[Viewer, int]:
        """Return a `Viewer` for the person's seat, and the number of that seat.

        Raise NotSeated if the person has no seat.
        """
        seat = self.table.facts.require_seat(person)
        return Viewer(self.table, seat), seat

    def apply(self, seat: int, move: str, key: str | None = None, bot: str | None = None) -> None:
        """Apply a move of a seat to the table, as a new row of the log. Only `commit` stores the row.

        `key` identifies the request for the move. `bot` is the level of the bot that moved, or None. Raise an
        error of the match if the move is not possible. While the game is paused, accept only the moves in
        `WHILE_PAUSED`, such as a resignation, and raise SiteClosed for all others.
        """
        if self.table.paused and move.partition(" ")[0] not in WHILE_PAUSED:
            raise SiteClosed(self.table.paused)
        self.rows.append(self.table.apply(Row(self.table.row + 1, seat, move, self.at, key, bot)))

    def commit(self, also: Callable[[Connection], None] | None = None) -> list[Row]:
        """Commit all rows and notify viewers. Return those rows whose effect spectators can see.

        First, if chance (dice or cards) acts next, draw its outcomes and add them as rows. If the game ends,
        the writes of `also` are committed together with the end. If the game does not end, `also` is not
        called. Raise the errors of `Writer.write`.
        """
        table, metrics = self.table, self._tries.table_store.store.metrics
        self.rows.extend(table.decide_chance(self.at))
        self._tries.table_store.commit(self._slot, self.rows, None if table.running else self._ending(also))
        if not table.running:
            metrics.ended.labels(table.facts.game, table.facts.result).inc()
        counts = table.noticed(None).counts
        told = [row for row in self.rows if counts[row.number] > counts[row.number - 1]]
        if told and self._tries.lost:
            metrics.conflicts.inc(self._tries.lost)
        for row in told:  # secret rows change no metrics
            if row.seat < 0:
                metrics.chances.inc()
            elif not row.is_note and row.bot is None:
                metrics.actions.labels("done").inc()
                metrics.acting.observe(time.perf_counter() - self._tries.began)
        return told

    def play(self, viewer: Viewer, move: str, key: str | None = None) -> Answer:
        """Apply a move of the viewer's own seat, commit it, and return the `Answer` for the seat's person.

        If the move has a `key` and is not secret, also record that the person is present. After a secret move, this
        record would show spectators that the person has moved.
        """
        assert viewer.seat is not None
        self.apply(viewer.seat, move, key)
        if self.rows[0] in self.commit() and key is not None:
            self._tries.table_store.store.presence.read(self._tries.table_id, viewer.seat)
        return Viewer(self.table, viewer.seat).answer("done")

    def _ending(self, also: Callable[[Connection], None] | None) -> Callable[[Connection], None]:
        """Mark the game as over in the table's facts (its stored data except the log).

        Return a function that stores the end of the game and makes the writes of `also`.
        """
        table, at = self.table, self.at
        outcome = table.outcome
        assert outcome is not None
        facts, result = table.facts, outcome.reason
        ending = write_ending(outcome, find_helped(table.facts.chairs, table.log.rows))
        rev, shown = facts.rev + 1, facts.shown + 1
        table.adopt(
            msgspec.structs.replace(facts, status="over", ended_ms=at, rev=rev, shown=shown, result=result)
        )
        counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}

        def change(connection: Connection) -> None:
            values = {**counted, "status": "over", "ended_ms": at, "result": result, "outcome": ending}
            connection.execute(update(tables).where(tables.c.id == facts.id).values(**values))
            if also is not None:
                also(connection)

        return change
