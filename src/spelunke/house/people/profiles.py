"""The page of a person: its address, which opens nothing and tells nothing of how one comes in, and who may see it.

Who may not see a page is told what is told of a page that never was. Why it is made like this: docs/why/profiles.md.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from typing import Literal, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from spelunke.house.refusals import BadPlan, UnknownProfile
from spelunke.house.store import Store, Write, key_changes, members, people, profiles, seats, tables

Shown = Literal["everybody", "mates", "nobody"]
"""Who sees a page: whoever has its address, those who have played with its person, or only that person."""

DEFAULT: dict[bool, Shown] = {True: "mates", False: "nobody"}
"""Where nothing was chosen, of a member and of a guest."""
_UNSEEN = exists(
    select(key_changes.c.n).where(key_changes.c.person == profiles.c.person, key_changes.c.seen.is_(False))
)
_ADDRESS = re.compile(r"[\w-]{16}", re.ASCII)


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """Whose page it is, as this reader may know; `person` never leaves the house.

    `changed`: there is something to tell that person of how they come in (`house.key_changes`); false for others.
    """

    person: str
    address: str
    name: str
    member: bool
    since_ms: int
    shown: Shown
    own: bool
    changed: bool = False
    figure: str = ""
    colour: str = ""


def read_shown(stored: str | None, *, member: bool) -> Shown:
    """Who sees a page, as it is stored or by default."""
    for one in get_args(Shown):
        if stored == one:
            chosen: Shown = one
            return chosen
    return DEFAULT[member]


def put_profiles(connection: Connection, persons: Collection[str]) -> None:
    """An address for each of these who has none."""
    known = set(connection.execute(select(profiles.c.person).where(profiles.c.person.in_(persons))).scalars())
    for person in sorted(set(persons) - known):
        row = {"person": person, "address": secrets.token_urlsafe(12), "shown": None}
        try:
            with connection.begin_nested():
                connection.execute(insert(profiles), row)
        except IntegrityError:  # another worker, in the same moment
            pass


class Profiles:
    """Finds pages for who may see them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, person: str) -> Profile:
        """A person's own page; it is given an address when that is first asked for. Raises UnknownProfile."""
        found = self._read(profiles.c.person == person, person)
        if found is None:
            self._store.writer.write(Write(call=lambda connection: put_profiles(connection, [person])))
            found = self._read(profiles.c.person == person, person)
        if found is None:
            raise _unknown()
        return found

    def find(self, address: str, reader: str | None) -> Profile:
        """The page with this address; raises UnknownProfile where there is none that the reader may see."""
        found = self._read(profiles.c.address == address, reader) if _ADDRESS.fullmatch(address) else None
        if found is None or not (
            found.own or found.shown == "everybody" or (found.shown == "mates" and self._met(found, reader))
        ):
            raise _unknown()
        return found

    def choose(self, person: str, shown: str) -> None:
        """Settle who sees a person's page; raises BadPlan."""
        if shown not in get_args(Shown):
            raise BadPlan(f"choose one of {', '.join(get_args(Shown))}", "shown")

        def change(connection: Connection) -> None:
            put_profiles(connection, [person])
            connection.execute(update(profiles).where(profiles.c.person == person).values(shown=shown))

        self._store.writer.write(Write(call=change))

    def _read(self, which: ColumnElement[bool], reader: str | None) -> Profile | None:
        query = (
            select(
                profiles.c.person,
                profiles.c.address,
                profiles.c.shown,
                people.c.name,
                people.c.figure,
                people.c.colour,
                people.c.created_ms,
                members.c.since_ms,
                _UNSEEN.label("unseen"),
            )
            .select_from(
                profiles.join(people, people.c.id == profiles.c.person).outerjoin(
                    members, members.c.person == profiles.c.person
                )
            )
            .where(which)
        )
        with self._store.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        member = row.since_ms is not None
        return Profile(
            person=row.person,
            address=row.address,
            name=row.name,
            member=member,
            since_ms=row.since_ms if member else row.created_ms,
            shown=read_shown(row.shown, member=member),
            own=row.person == reader,
            changed=bool(row.unseen) and row.person == reader,
            figure=row.figure or "",
            colour=row.colour or "",
        )

    def _met(self, found: Profile, reader: str | None) -> bool:
        """Whether a game was begun at which both sat."""
        if reader is None:
            return False
        other = seats.alias()
        query = (
            select(seats.c.seat)
            .join(other, other.c.table_id == seats.c.table_id)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(seats.c.person == reader, other.c.person == found.person, tables.c.started_ms.is_not(None))
            .limit(1)
        )
        with self._store.read() as connection:
            return connection.execute(query).first() is not None


def _unknown() -> UnknownProfile:
    return UnknownProfile("there is no such page here, or it is not shown to you")
