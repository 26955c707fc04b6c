"""The chat at a table."""

from __future__ import annotations

import threading
from collections import deque

from sqlalchemy import Connection, func, insert, select

from spelunke.house.people import People
from spelunke.house.play.table_store import TableStore
from spelunke.house.readable import is_readable
from spelunke.house.refusals import BadMessage, NotNow, TooFast
from spelunke.house.store import WATCHING, chat

LONGEST_MESSAGE = 300
MOST_MESSAGES = 2000
PACE = (5, 10)
"""The most messages of one person in a period, and the length of this period in seconds."""


class Chat:
    """The chat at tables, with a rate limit per person in this process."""

    def __init__(self, table_store: TableStore, people: People) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people
        self._said: dict[str, deque[float]] = {}
        self._gate = threading.Lock()

    def say(self, table_id: str, person: str, text: str, key: str | None = None) -> None:
        """Post a message of 1 to 300 characters. A person may post 5 messages in 10 seconds.

        Spectators may post too. If the person has posted a message with the same `key` before, post nothing.
        Raise UnknownTable or UnknownPerson. Raise BadMessage if the message is too long or not readable
        (`is_readable`), or TooFast after too many messages. Raise WatchLater for a spectator if only
        the table's players may see its game now. Raise NotNow if the chat is full.
        """
        text = " ".join(text.split())
        if len(text) > LONGEST_MESSAGE or not is_readable(text):
            raise BadMessage(f"a message has 1 to {LONGEST_MESSAGE} characters", "text")
        name = self._people.find(person).name
        if key is not None:
            with self._store.read() as connection:
                if _is_said(connection, table_id, person, key):
                    return
        self._keep_pace(person)
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        seat = facts.seat_of(person)
        if seat is None:
            facts.admit_spectator()
        # Before the start, all share one chat. Later, spectators have a chat of their own.
        watches = seat is None and facts.status not in {"open", "ready"}
        room = chat.c.n > WATCHING if watches else chat.c.n <= WATCHING
        row = {"table_id": table_id, "person": person, "seat": seat, "name": name, "text": text, "key": key}

        def write(connection: Connection) -> None:
            # The same request may have been sent twice at once.
            if key is not None and _is_said(connection, table_id, person, key):
                return
            query = select(func.max(chat.c.n)).where(chat.c.table_id == table_id, room)
            n = int(connection.execute(query).scalar() or (WATCHING if watches else 0)) + 1
            if n % WATCHING > MOST_MESSAGES:
                raise NotNow(f"this table already has {MOST_MESSAGES} messages, which is the limit")
            connection.execute(insert(chat), {**row, "n": n, "at": self._store.now()})

        everybody = not watches and not (facts.chat_closed and seat is not None)
        self._tables.change(table_id, write, shown=everybody)
        if not everybody:
            self._tables.changed(table_id)

    def _keep_pace(self, person: str) -> None:
        now = self._store.now() / 1000
        with self._gate:
            if len(self._said) > 10_000:
                self._said.clear()
            said = self._said.setdefault(person, deque(maxlen=PACE[0]))
            if len(said) == PACE[0] and now - said[0] < PACE[1]:
                raise TooFast("you sent too many messages at once; wait a few seconds")
            said.append(now)


def _is_said(connection: Connection, table_id: str, person: str, key: str) -> bool:
    """Return whether the person has posted a message with this key at the table."""
    same = (chat.c.table_id == table_id, chat.c.person == person, chat.c.key == key)
    return connection.execute(select(chat.c.n).where(*same)).first() is not None
