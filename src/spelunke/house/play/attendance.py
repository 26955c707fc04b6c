"""Attendance: the people who are at a table, derived from their open event streams and their page requests.

The time of each person's last presence is stored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from sqlalchemy import Connection, update

from spelunke.house.messages import Glance, Knowledge
from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import HouseClosed
from spelunke.house.sight import Absence, Viewer
from spelunke.house.store import Write, seats
from spelunke.house.table import Stay


class Attendance:
    """The attendance of people at tables, derived from their open event streams and their page requests."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def glance(self, table_id: str, person: str | None = None, stay: Stay | None = None) -> Glance:
        """Return a `Glance`: a short description of what the person would see at the table now.

        If it differs from the person's previous glance, the caller must send the person a new `Look`. `stay` stands
        for the person's open stream (the method `stay` makes it). If it is given, also record that the stream is open.
        Raise the errors of `TableStore.open`. Raise WatchLater for a spectator if only the table's players may see its
        game now.
        """
        return self.glances(table_id, [(person, stay)])[0]

    def glances(
        self,
        table_id: str,
        readers: Sequence[tuple[str | None, Stay | None]],
        newest: tuple[int, int] | None = None,
    ) -> list[Glance]:
        """Return a glance at one table for each reader.

        `readers` pairs each person with the `Stay` of their open stream, or with None. `newest` is the
        `Change.newest` of the last change that the caller received. If `newest` is given, the database need not always
        be read (see `TableStore.open`). Raise the errors of `glance`.
        """
        came, found = [], []
        seen: dict[Knowledge, Glance] = {}
        # the glance of all readers who are not logged in: there may be many, and they all see the same
        strange: Glance | None = None
        with self._tables.open(table_id, newest=newest) as slot:
            # While no hand is open at a shared device, the stream has no person, and counts for the host's seat.
            taken = [
                slot.table.facts.seat_of(stay.host if person is None and stay is not None else person)
                for person, stay in readers
            ]
            for (person, stay), seat in zip(readers, taken, strict=True):
                unseated = seat is None and (stay is None or stay.seat is None)
                if person is None and unseated and strange is not None:
                    found.append(strange)
                    continue
                viewer = Viewer.of(slot.table, person)
                if stay is not None and self._store.presence.stay(stay, seat):
                    came.append(stay)
                    seen.clear()  # the others' glances change when a person arrives
                    strange = None
                knowledge = viewer.knowledge(person)
                glance = seen.get(knowledge)
                if glance is None:
                    now = self._store.now()
                    absence = Absence.of(viewer, self._store.presence, now)
                    left = None if absence.again is None else max(0, absence.again - now)
                    glance = Glance(viewer.version, absence.stamp, left, knowledge)
                    seen[knowledge] = glance
                strange = glance if person is None else strange
                found.append(glance)
        for stay in came:
            self._note(stay)
        return found

    def stay(self, table_id: str, *, lasting: bool) -> Stay:
        """Return a `Stay` that represents a new stream. Pass it to each call of `glances` for that stream.

        The first of these calls records that the stream's person is present. If the stream is `lasting`, later calls
        keep the person present until the stream ends. Otherwise the person stays present only with a `ping` every
        45 s. Call `leave` when the stream ends.
        """
        return Stay(table_id, lasting=lasting)

    def hush(self, table_id: str, person: str) -> None:
        """Ignore the next call of `fetched` for this person, if it comes within a few seconds.

        Call this when the person has sent a form. Otherwise the page request that follows would mark the
        person as present, and so tell others that the person has acted.
        """
        self._store.presence.hush(table_id, person)

    def leave(self, stay: Stay) -> None:
        """Record that the stream has ended. This never waits or raises."""
        if self._store.presence.leave(stay):
            self._note(stay)

    def ping(self, table_id: str, person: str, *, near: bool = True) -> None:
        """Record a ping from a page that has an open stream.

        If `near` is false, record a poll instead: a request from a page in a background tab, without a stream.
        """
        seat = self._seat_of(table_id, person)
        if seat is None:
            return
        if near:
            self._store.presence.ping(table_id, seat)
        else:
            self._store.presence.read(table_id, seat, near=False)

    def fetched(self, table_id: str, person: str) -> None:
        """Record that the person requested the table's page, or looked at the table with a program.

        If `hush` was called for this person a moment ago, record nothing.
        """
        hushed = self._store.presence.hushed(table_id, person)
        seat = self._seat_of(table_id, person)
        if seat is not None and not hushed:
            self._store.presence.read(table_id, seat)

    def _seat_of(self, table_id: str, person: str) -> int | None:
        facts = self._tables.facts_in_memory(table_id)
        if facts is not None:
            return facts.seat_of(person)
        with self._tables.open(table_id, fresh=False) as slot:
            return slot.table.facts.seat_of(person)

    def _note(self, stay: Stay) -> None:
        """Store the present time as the time at which the person at the stream's seat was last seen.

        Nobody waits for this write, and it may be lost.
        """
        here = (seats.c.table_id == stay.table, seats.c.seat == stay.seat)
        now = self._store.now()

        def write(connection: Connection) -> None:
            connection.execute(update(seats).where(*here).values(seen_ms=now))

        with contextlib.suppress(HouseClosed):
            self._store.writer.submit(Write(call=write))
