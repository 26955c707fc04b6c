"""Guests: a name and a secret id, without any registration."""

from __future__ import annotations

import secrets
import unicodedata

from sqlalchemy import Connection, insert, select, update

from spelunke.core.caches import NAME_S, PEOPLE, Cache
from spelunke.house.messages import Person
from spelunke.house.refusals import BadPlan, UnknownPerson
from spelunke.house.store.schema import people, seats, tables
from spelunke.house.store.writer import Write
from spelunke.house.table_store import TableStore

LONGEST_NAME = 24


def check_name(name: str) -> str:
    """The name on one line, without what can't be seen; raises BadPlan."""
    name = unicodedata.normalize("NFC", name)
    shown = "".join(" " if letter.isspace() else letter for letter in name)
    shown = "".join(letter for letter in shown if unicodedata.category(letter)[0] != "C")
    shown = " ".join(shown.split())
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise BadPlan(
            f"it has {len(shown)} characters that can be seen; 1 to {LONGEST_NAME} are right", "name"
        )
    return shown


class People:
    """Who is in the house."""

    def __init__(self, store: TableStore) -> None:
        self._store = store
        self._known: Cache[str, Person] = Cache(PEOPLE, each=400, seconds=None if store.alone else NAME_S)
        self._changes = 0

    def create(self, name: str) -> Person:
        """A new guest."""
        person = Person(id=secrets.token_urlsafe(18), name=check_name(name))
        row = {"id": person.id, "name": person.name, "created_ms": self._store.now()}
        self._store.writer.write(
            Write(call=lambda connection: connection.execute(insert(people), row).rowcount)
        )
        return person

    def known(self, person: str) -> Person | None:
        """Who that is, if it is at hand without asking the store."""
        return self._known.get(person)

    def find(self, person: str) -> Person:
        """Who that is; raises UnknownPerson."""
        known = self._known.get(person)
        if known is not None:
            return known
        changes = self._changes
        with self._store.read() as connection:
            name = connection.execute(select(people.c.name).where(people.c.id == person[:64])).scalar()
        if name is None:
            raise UnknownPerson("the house does not know you (any more); please tell us your name")
        found = Person(id=person, name=name)
        if changes == self._changes:  # else it may be the name of before
            self._known.put(person, found)
        return found

    def forget(self) -> None:
        """People were renamed or removed: ask the store who they are."""
        self._changes += 1
        self._known.clear()

    def rename(self, person: str, name: str) -> Person:
        """Another name, at the person's tables as well."""
        renamed = Person(id=self.find(person).id, name=check_name(name))
        mine = select(seats.c.table_id).where(seats.c.person == person)
        known = tables.c.status != "over"

        def change(connection: Connection) -> list[str]:
            connection.execute(update(people).where(people.c.id == person).values(name=renamed.name))
            counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
            touched = connection.execute(
                update(tables).where(tables.c.id.in_(mine), known).values(**counted).returning(tables.c.id)
            )
            return list(touched.scalars())

        touched = self._store.writer.write(Write(call=change))
        self.forget()
        for table_id in touched:
            self._store.changed(table_id)
        return renamed
