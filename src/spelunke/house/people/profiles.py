"""The public page of a person: its address, and the people who may read it.

The address gives no rights and reveals nothing. If a reader may not see a page, the answer is the same as for
a page that does not exist. For the reasons, see docs/why/profiles.md.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from typing import Literal, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, select, update

from spelunke.core.words import plain
from spelunke.house.refusals import BadPlan, UnknownProfile
from spelunke.house.store import (
    Store,
    Write,
    insert_new,
    key_changes,
    members,
    people,
    profiles,
    seats,
    tables,
    ties,
)

Shown = Literal["everybody", "mates", "nobody"]
"""The people who may see a person's page.

`everybody`: everybody who has the address of the page. `mates`: friends of that person, and people who have
played with them. `nobody`: only that person.
"""

DEFAULT: dict[bool, Shown] = {True: "mates", False: "nobody"}
"""For a member (True) and for a guest (False), the people who may see this person's page by default."""
_UNSEEN = exists(
    select(key_changes.c.n).where(key_changes.c.person == profiles.c.person, key_changes.c.seen.is_(False))
)
_ADDRESS = re.compile(r"[\w-]{16}", re.ASCII)


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A person's public page, as one reader may see it.

    `person` is the person's secret id, which never leaves the server. `shown` says who may read the page.
    `own`: the reader is that person. `changed`: the person has not confirmed some changes of their logins
    (`house.people.key_changes`). `offline`: friends don't see when the person is online. For other readers,
    `changed` and `offline` are always false.
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
    offline: bool = False


def read_shown(stored: str | None, *, member: bool) -> Shown:
    """Return the setting that says which people may see a page: its owner's choice (`stored`), or the default."""
    for one in get_args(Shown):
        if stored == one:
            chosen: Shown = one
            return chosen
    return DEFAULT[member]


def put_profiles(connection: Connection, persons: Collection[str]) -> None:
    """Give each of these people an address for their page, unless they have one."""
    known = set(connection.execute(select(profiles.c.person).where(profiles.c.person.in_(persons))).scalars())
    for person in sorted(set(persons) - known):
        row = {"person": person, "address": secrets.token_urlsafe(12), "shown": None}
        insert_new(connection, profiles, row)


def met_by(connection: Connection, reader: str, persons: Collection[str]) -> frozenset[str]:
    """Return the people among `persons` who are friends of the reader, or have played at a table with the reader."""
    friends = select(ties.c.other).where(
        ties.c.person == reader, ties.c.kind == "friend", ties.c.other.in_(persons)
    )
    other = seats.alias()
    played = (
        select(other.c.person)
        .distinct()
        .select_from(seats)
        .join(other, other.c.table_id == seats.c.table_id)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(seats.c.person == reader, other.c.person.in_(persons), tables.c.started_ms.is_not(None))
    )
    return frozenset(person for query in (friends, played) for person in connection.execute(query).scalars())


class Profiles:
    """Finds the pages that a reader may see, and stores people's choices for their pages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, person: str) -> Profile:
        """Return a person's own page. If it has no address yet, make one.

        Raise UnknownProfile if there is no such person.
        """
        found = self._read(profiles.c.person == person, person)
        if found is None:
            self._store.writer.write(Write(call=lambda connection: put_profiles(connection, [person])))
            found = self._read(profiles.c.person == person, person)
        if found is None:
            raise _unknown()
        return found

    def find(self, address: str, reader: str | None) -> Profile:
        """Return the page with this address.

        Raise UnknownProfile if it does not exist or the reader may not see it.
        """
        found = self._read(profiles.c.address == address, reader) if _ADDRESS.fullmatch(address) else None
        if found is None or not (
            found.own or found.shown == "everybody" or (found.shown == "mates" and self._met(found, reader))
        ):
            raise _unknown()
        return found

    def choose(self, person: str, shown: str) -> None:
        """Set who may see a person's page. Raise BadPlan for an unknown choice."""
        if shown not in get_args(Shown):
            raise BadPlan(f"choose one of {', '.join(get_args(Shown))}", "shown")

        def change(connection: Connection) -> None:
            put_profiles(connection, [person])
            connection.execute(update(profiles).where(profiles.c.person == person).values(shown=shown))

        self._store.writer.write(Write(call=change))

    def show_online(self, person: str, *, shown: bool) -> None:
        """Set whether a person's friends see that the person is online."""

        def change(connection: Connection) -> None:
            put_profiles(connection, [person])
            mine = profiles.c.person == person
            connection.execute(update(profiles).where(mine).values(offline=not shown))

        self._store.writer.write(Write(call=change))

    def _read(self, which: ColumnElement[bool], reader: str | None) -> Profile | None:
        query = (
            select(
                profiles.c.person,
                profiles.c.address,
                profiles.c.shown,
                profiles.c.offline,
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
            offline=bool(row.offline) and row.person == reader,
        )

    def _met(self, found: Profile, reader: str | None) -> bool:
        """Return whether the reader is a friend of the page's person, or has played with that person."""
        if reader is None:
            return False
        with self._store.read() as connection:
            return found.person in met_by(connection, reader, [found.person])


def _unknown() -> UnknownProfile:
    return UnknownProfile(plain("there is no such page here, or it is not shown to you"))
