"""Close the site for a while, and open it again.

A live clock gives each seat some minutes for the whole game. When a host closes the site, the tables with live clocks
pause, and their players see the reason. While the site is closed, nobody can make a new table. At a table with a live
clock, nobody can move, take a move back, let a bot stand in, or go on without an absent player. Neither bots nor
standing orders (instructions that players stored) make moves there. No clock runs out, and no window (the time after
which a seat's silence counts as an answer) closes. But players can resign or agree on a draw, because that costs nobody
else anything. No event begins, continues or ends a round. When the site opens, each running live clock is set back to
the time that the seat had at the start of its present decision, each open window begins again, and rounds of events
with live clocks last longer by the time for which the site was closed. If the site has only one server process, a
restart of this process also opens the site.
"""

from __future__ import annotations

from typing import Any

import structlog
from sqlalchemy import Connection, Select, delete, func, insert, select

from spelunke.core.errors import SpelunkeError
from spelunke.house.events import put_off_rounds
from spelunke.house.people import People
from spelunke.house.play import TableStore, Tries
from spelunke.house.readable import is_readable
from spelunke.house.refusals import BadMessage, NotNow
from spelunke.house.store import WATCHING, Write, chat, house_log, house_settings, tables, touch
from spelunke.house.table import AWAY

log = structlog.get_logger("spelunke.house.hosting.closing")

SETTING = "closed"
LONGEST = 200


class Closing:
    """Closes and opens the site. The caller must have checked that the person is a host."""

    def __init__(self, table_store: TableStore, people: People) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people

    def word(self) -> str:
        """Return the host's reason for closing the site, or an empty text if the site is open."""
        query = select(house_settings.c.value).where(house_settings.c.name == SETTING)
        with self._store.read() as connection:
            return str(connection.execute(query).scalar() or "")

    def close(self, host: str, word: str) -> int:
        """Close the site, and show the reason `word` to all players.

        Return the number of running tables with a live clock. Raise BadMessage if the reason is empty
        or too long, or NotNow if the site is already closed.
        """
        word = " ".join(word.split())
        if len(word) > LONGEST or not is_readable(word):
            raise BadMessage(
                f"say in 1 to {LONGEST} characters why the site is closed and when it opens again",
                "word",
            )
        name = self._people.find(host).name

        def put(connection: Connection) -> list[str]:
            if connection.execute(_closed()).first() is not None:
                raise NotNow("the site is already closed")
            connection.execute(insert(house_settings), {"name": SETTING, "value": word})
            self._log(connection, host, word)
            running = [str(one) for one in connection.execute(_live()).scalars()]
            for table_id in running:
                touch(connection, table_id)
                self._say(connection, table_id, host, name, word)
            return running

        running = self._store.writer.write(Write(call=put))
        for table_id in running:
            self._tables.changed(table_id)
        self._set(word)
        log.info("the house is closed", tables=len(running))
        return len(running)

    def open(self, host: str) -> None:
        """Open the site again. Raise NotNow if it is already open."""

        def change(connection: Connection) -> None:
            if not self._end(connection):
                raise NotNow("the site is already open")
            self._log(connection, host, "")

        if self.word():
            self._restart_all()  # before the house opens, or else a window might close before it is open again
        self._store.writer.write(Write(call=change))
        self._set("")

    def begin(self) -> None:
        """Open the site if it is still closed from an earlier run.

        If other processes may serve the site, leave it closed.
        """
        if not (word := self.word()):
            return
        if not self._store.alone:
            self._tables.closed = word
            return
        self._restart_all()
        self._store.writer.write(Write(call=self._end))

    def look_again(self) -> str:
        """Read from the database whether the site is closed, because another worker may have closed or
        opened it.

        Return the reason for closing, or an empty text if the site is open.
        """
        self._set(self.word())
        return self._tables.closed

    def _set(self, word: str) -> None:
        """Store, in the memory of this worker, why the site is closed. If the reason changes, update all open pages."""
        if word != self._tables.closed:
            self._tables.closed = word
            self._store.bus.deliver_everywhere()

    def _end(self, connection: Connection) -> bool:
        """Mark the house as open: delete the reason for closing. Put off the ends of rounds of events with live clocks.

        The ends are put off by the time for which the site was closed. If it is already open, only return False.
        """
        if not connection.execute(delete(house_settings).where(house_settings.c.name == SETTING)).rowcount:
            return False
        closed, now = select(func.max(house_log.c.at)).where(house_log.c.what == SETTING), self._store.now()
        put_off_rounds(connection, now - int(connection.execute(closed).scalar() or now))
        return True

    def _restart_all(self) -> None:
        with self._store.read() as connection:
            running = [str(one) for one in connection.execute(_live()).scalars()]
        for table_id in running:
            try:
                self._restart(table_id)
            except SpelunkeError as error:  # one table must not hold the others up
                log.warning("a table does not go on", table=table_id, error=str(error))

    def _restart(self, table_id: str) -> None:
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                if turn.table.running and turn.table.actors:
                    turn.apply(turn.table.actors[0], AWAY)
                    turn.commit()
                return

    def _say(self, connection: Connection, table_id: str, host: str, name: str, word: str) -> None:
        last = select(func.max(chat.c.n)).where(chat.c.table_id == table_id, chat.c.n <= WATCHING)
        row = {"table_id": table_id, "person": host, "seat": None, "name": name, "text": word, "key": None}
        n = int(connection.execute(last).scalar() or 0) + 1
        connection.execute(insert(chat), {**row, "n": n, "at": self._store.now()})

    def _log(self, connection: Connection, host: str, about: str) -> None:
        line = {
            "at": self._store.now(),
            "host": host,
            "what": "closed" if about else "opened",
            "about": about,
        }
        connection.execute(insert(house_log), {**line, "whom": None})


def _closed() -> Select[Any]:
    return select(house_settings.c.value).where(house_settings.c.name == SETTING)


def _live() -> Select[Any]:
    live = (tables.c.status == "playing", tables.c.clock.like('%"kind":"live"%'))
    return select(tables.c.id).where(*live).order_by(tables.c.id)  # a fixed order prevents deadlocks
