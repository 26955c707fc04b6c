"""Invitations of members by name, before a table starts."""

from __future__ import annotations

from sqlalchemy import Connection, select

from spelunke.house.outbox import Note, count_told, note
from spelunke.house.people import People, check_name, fold_name, read_blocked
from spelunke.house.play import TableStore
from spelunke.house.refusals import NotAllowed, NotNow, TooFast
from spelunke.house.store import Write, members

MOST = 20
"""The most members whom a host may invite by name to one table."""


class Inviting:
    """Invites members to tables by name. People who have a table's link need no invitation."""

    def __init__(self, table_store: TableStore, people: People) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people

    def invite(self, table_id: str, person: str, name: str) -> None:
        """Notify the member with this name that the table's host invites them. Only the host may do this.

        Raise UnknownTable, NotSeated, NotNow, NotAllowed, TooFast or BadPlan.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        facts.require_seat(person)
        if person != facts.host:
            raise NotNow("only the host of the table can invite somebody")
        if facts.status != "open" or not any(chair.free and chair.kept is None for chair in facts.chairs):
            raise NotNow("every seat is taken or kept for somebody")
        name = check_name(name)
        query = select(members.c.person).where(members.c.name_key == fold_name(name))
        with self._store.read() as connection:
            found = connection.execute(query).scalar()
        if found is None:
            raise NotNow(f"no member is called {name!r}: check the name, or send the table's link")
        if facts.seat_of(found) is not None:
            raise NotNow("this person sits at this table already")
        told = Note(
            person=found,
            kind="invited",
            table=table_id,
            game=facts.game,
            live=facts.clock.kind != "days",
            by=self._people.find(person).name,
        )

        def tell(connection: Connection) -> None:
            if (found, person) in read_blocked(connection, {person, found}):
                raise NotAllowed("this person accepts no invitations from you")
            if count_told(connection, table_id, "invited") >= MOST:
                raise TooFast(
                    f"{MOST} people were invited to this table already: wait for their answers, "
                    "or send the table's link"
                )
            note(connection, (told,), self._store.now())

        self._store.writer.write(Write(call=tell))
        self._store.noted((found,))
