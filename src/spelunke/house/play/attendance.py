"""Who comes and goes at tables: streams and requests become presence, and when somebody was last there is stored."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from sqlalchemy import Connection, update

from spelunke.house.messages import Glance, Knowledge
from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import HouseClosed
from spelunke.house.sight.absence import Absence
from spelunke.house.sight.viewers import Viewer
from spelunke.house.store.schema import seats
from spelunke.house.store.writer import Write
from spelunke.house.table.presence import Stay


class Attendance:
    """What streams and pages tell of their persons."""

    def __init__(self, store: TableStore) -> None:
        self._store = store

    def glances(
        self,
        table_id: str,
        readers: Sequence[tuple[str | None, Stay | None]],
        newest: tuple[int, int] | None = None,
    ) -> list[Glance]:
        """See `House.glances`."""
        came, found = [], []
        seen: dict[Knowledge, Glance] = {}
        # strangers are many, and see the same
        strange: Glance | None = None
        with self._store.open(table_id, newest=newest) as slot:
            for person, stay in readers:
                if person is None and strange is not None and (stay is None or stay.seat is None):
                    found.append(strange)
                    continue
                viewer = Viewer.of(slot.table, person)
                if stay is not None and self._store.presence.stay(stay, viewer.seat):
                    came.append(stay)
                    seen.clear()  # somebody's coming is seen
                    strange = None
                knowledge = viewer.knowledge(person)
                glance = seen.get(knowledge)
                if glance is None:
                    glance = seen[knowledge] = self.glance_of(viewer, person)
                strange = glance if person is None else strange
                found.append(glance)
        for stay in came:
            self._note(stay)
        return found

    def glance_of(self, viewer: Viewer, person: str | None, absence: Absence | None = None) -> Glance:
        """What a look of that viewer, who is this person, would have now."""
        absence = absence or Absence(viewer, self._store.presence, self._store.now())
        again = absence.again
        left = None if again is None else max(0, again - self._store.now())
        return Glance(viewer.version, absence.stamp, left, viewer.knowledge(person))

    def leave(self, stay: Stay) -> None:
        """See `House.leave_stream`."""
        if self._store.presence.leave(stay):
            self._note(stay)

    def ping(self, table_id: str, person: str, *, near: bool) -> None:
        """See `House.ping`."""
        seat = self._seat_of(table_id, person)
        if seat is None:
            return
        if near:
            self._store.presence.ping(table_id, seat)
        else:
            self._store.presence.read(table_id, seat, near=False)

    def fetched(self, table_id: str, person: str) -> None:
        """See `House.fetched`."""
        hushed = self._store.presence.hushed(table_id, person)
        seat = self._seat_of(table_id, person)
        if seat is not None and not hushed:
            self._store.presence.read(table_id, seat)

    def _seat_of(self, table_id: str, person: str) -> int | None:
        with self._store.open(table_id, fresh=False) as slot:
            return slot.table.facts.seat_of(person)

    def _note(self, stay: Stay) -> None:
        """Store when the seat's person was there last; nobody waits for it, and it may get lost."""
        here = (seats.c.table_id == stay.table, seats.c.seat == stay.seat)
        now = self._store.now()

        def write(connection: Connection) -> None:
            connection.execute(update(seats).where(*here).values(seen_ms=now))

        with contextlib.suppress(HouseClosed):
            self._store.writer.submit(Write(call=write))
