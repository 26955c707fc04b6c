"""Reactions: short messages of a seat, such as cheers, which are shown beside its portrait for a short time."""

from __future__ import annotations

import threading
from collections import deque

from sqlalchemy import Connection, update

from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import BadMessage, NotNow, TooFast
from spelunke.house.sight import Viewer
from spelunke.house.store import seats

WORDS = ("cheers", "bravo", "haha", "ouch", "hm", "thanks")
PACE = (3, 10.0)
"""The most reactions of one person in a period, at all tables together, and the length of this period in
seconds.
"""
MOST_PACED = 10_000


class Reactions:
    """Accepts reactions, with a rate limit per person in this process."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._said: dict[str, deque[float]] = {}
        self._gate = threading.Lock()

    def react(self, table_id: str, person: str, word: str) -> None:
        """Show one of `WORDS` beside the portrait of the person's seat.

        A person may send 3 reactions in 10 seconds. Raise UnknownTable. Raise BadMessage for any other word,
        NotSeated if the person has no seat, or TooFast after too many reactions. Raise NotNow before the game,
        or if no person plays at another device.
        """
        if word not in WORDS:
            raise BadMessage(f"{word!r} is no reaction; choose {', '.join(WORDS)}", "word")
        with self._tables.open(table_id) as slot:
            seat = slot.table.facts.require_seat(person)
            may = Viewer.of(slot.table, person).operations
        if "react" not in may:
            raise NotNow(
                "you can react only in a game that has begun, and only if somebody else plays at your table on another "
                "device"
            )
        self._keep_pace(person)
        now = self._store.now()

        def change(connection: Connection) -> None:
            here = (seats.c.table_id == table_id, seats.c.seat == seat)
            connection.execute(update(seats).where(*here).values(reaction=word, reaction_ms=now))

        self._tables.change(table_id, change)

    def _keep_pace(self, person: str) -> None:
        now = self._store.now() / 1000
        with self._gate:
            if len(self._said) > MOST_PACED:
                self._said.clear()
            said = self._said.setdefault(person, deque(maxlen=PACE[0]))
            if len(said) == PACE[0] and now - said[0] < PACE[1]:
                raise TooFast("you sent too many reactions at once; wait a few seconds")
            said.append(now)
