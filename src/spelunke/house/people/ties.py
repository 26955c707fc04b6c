"""Relations between people: friends, and people whom somebody has blocked or muted.

A friendship is stored in both directions. A block is stored in one direction, and the blocked person never
sees it in a list. For the effects, see docs/why/company.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, or_, select, update

from spelunke.house.outbox import Note, note, settle
from spelunke.house.people.codes import Codes, read_code, take_code
from spelunke.house.people.people import check_name, fold_name
from spelunke.house.people.profiles import Profiles, put_profiles
from spelunke.house.refusals import NotAllowed, NotNow, TooFast, UnknownProfile
from spelunke.house.store import (
    Store,
    Write,
    chat,
    devices,
    insert_new,
    members,
    people,
    profiles,
    seats,
    tables,
    ties,
)

Tie = Literal["friend", "asked", "blocked", "muted", "device"]
"""The kind of relation from one person to another.

``friend``: they are friends. ``asked``: the person wants to be the other's friend. ``blocked`` and ``muted``:
the person has blocked or muted the other. ``device``: both have used the same browser.
"""
Change = Literal["befriend", "decline", "unfriend", "block", "unblock", "mute", "unmute"]

MOST_FRIENDS = 500
MOST_ASKED = 50
"""The most unanswered friend requests of one person."""
HERE_MS = 5 * 60_000
"""The time in ms for which a person counts as online after the last recorded visit of one of their devices."""


class TieLine(msgspec.Struct, frozen=True, kw_only=True):
    """Another person in a list of people. ``address`` is the address of their page.

    ``at_ms`` is the time at which the relation began, in milliseconds since 1970. In the result of `Ties.others_at`,
    it is the time at which the other person signed up on this site. ``here``: the other person is online. Only friends
    may see whether somebody is online.
    """

    name: str
    address: str
    at_ms: int
    here: bool = False
    figure: str = ""
    colour: str = ""


class Company(msgspec.Struct, frozen=True, kw_only=True):
    """A person's lists of people: friends, open friend requests, and blocked and muted people.

    ``asking`` are people who want to be the person's friend. ``asked`` are people to whom the person has sent
    a request.
    """

    friends: tuple[TieLine, ...] = ()
    asking: tuple[TieLine, ...] = ()
    asked: tuple[TieLine, ...] = ()
    blocked: tuple[TieLine, ...] = ()
    muted: tuple[TieLine, ...] = ()


def read_blocked(connection: Connection, persons: Collection[str]) -> set[tuple[str, str]]:
    """Return all pairs of these people in which the first person has blocked the second."""
    query = select(ties.c.person, ties.c.other).where(
        ties.c.kind == "blocked", ties.c.person.in_(persons), ties.c.other.in_(persons)
    )
    return {(row.person, row.other) for row in connection.execute(query)}


def check_company(connection: Connection, person: str, others: Iterable[str]) -> None:
    """Raise NotAllowed if the person has blocked one of ``others``, or one of ``others`` has blocked the person."""
    for one, other in sorted(read_blocked(connection, {person, *others})):
        if one == person:
            raise NotAllowed("you have blocked somebody at this table: to sit down, unblock them first")
        if other == person:
            raise NotAllowed(
                "somebody at this table has blocked you, so you can't sit down; choose another table"
            )


def are_friends(connection: Connection, person: str, other: str) -> bool:
    """Return whether two people are friends."""
    return connection.execute(_is(person, other, "friend")).first() is not None


def friends_of(person: str) -> Select[tuple[str]]:
    """Return an SQL query for the ids of a person's friends."""
    return select(ties.c.other).where(ties.c.person == person, ties.c.kind == "friend")


def is_hosted_for(reader: str | None) -> ColumnElement[bool]:
    """Return the SQL condition for tables whose hosts let this reader find them in a list.

    These are the tables for everybody, the reader's own tables, and the tables for friends of a host if the reader is
    one of these friends.
    """
    everybody = or_(tables.c.friends.is_(None), tables.c.friends.is_(False))
    if reader is None:
        return everybody
    return or_(everybody, tables.c.host == reader, tables.c.host.in_(friends_of(reader)))


def remove_ties(connection: Connection, persons: Collection[str]) -> None:
    """Delete all relations from and to these people."""
    connection.execute(delete(ties).where(or_(ties.c.person.in_(persons), ties.c.other.in_(persons))))


class Ties:
    """Changes and lists the relations between people. Only members can be friends. Guests can block and mute."""

    def __init__(self, store: Store, pages: Profiles, codes: Codes) -> None:
        self._store = store
        self._profiles = pages
        self._codes = codes

    def of(self, person: str) -> Company:
        """Return the person's lists of people, each sorted by name."""
        other = people.alias()
        last = select(func.max(devices.c.seen_ms)).where(devices.c.person == other.c.id).scalar_subquery()
        query = (
            select(
                ties.c.person,
                ties.c.kind,
                ties.c.at,
                other.c.name,
                other.c.figure,
                other.c.colour,
                profiles.c.address,
                profiles.c.offline,
                last.label("seen"),
            )
            .select_from(
                ties.join(
                    other,
                    or_(
                        and_(ties.c.person == person, ties.c.other == other.c.id),
                        and_(ties.c.other == person, ties.c.kind == "asked", ties.c.person == other.c.id),
                    ),
                ).join(profiles, profiles.c.person == other.c.id)
            )
            .where(or_(ties.c.person == person, ties.c.other == person))
            .order_by(func.lower(other.c.name), other.c.id)
        )
        found: dict[str, list[TieLine]] = {}
        since = self._store.now() - HERE_MS
        with self._store.read() as connection:
            for row in connection.execute(query):
                kind = row.kind if row.person == person else "asking"
                found.setdefault(kind, []).append(
                    TieLine(
                        name=row.name,
                        address=row.address,
                        at_ms=row.at,
                        here=kind == "friend" and not row.offline and (row.seen or 0) > since,
                        figure=row.figure or "",
                        colour=row.colour or "",
                    )
                )
        return Company(
            friends=tuple(found.get("friend", ())),
            asking=tuple(found.get("asking", ())),
            asked=tuple(found.get("asked", ())),
            blocked=tuple(found.get("blocked", ())),
            muted=tuple(found.get("muted", ())),
        )

    def between(self, person: str, other: str) -> frozenset[str]:
        """Return the kinds of all relations that `person` has to `other`, for example ``friend``.

        If `other` has asked to be a friend of `person`, the result contains ``asking``.
        """
        query = select(ties.c.person, ties.c.kind).where(
            or_(
                and_(ties.c.person == person, ties.c.other == other),
                and_(ties.c.person == other, ties.c.other == person, ties.c.kind == "asked"),
            )
        )
        with self._store.read() as connection:
            rows = list(connection.execute(query))
        return frozenset(row.kind if row.person == person else "asking" for row in rows)

    def others_at(self, person: str, table_id: str) -> tuple[TieLine, ...]:
        """Return the members at a table whom the person could ask to be friends.

        Leave out friends, members whom the person has already asked or blocked, members who have blocked the
        person, and members whose page nobody may see. If the person is a guest or has no seat at the table, the
        result is empty. In each `TieLine`, ``at_ms`` is the time at which the member signed up on this site.
        """
        known = select(ties.c.other).where(
            ties.c.person == person, ties.c.kind.in_(("friend", "asked", "blocked"))
        )
        blocking = select(ties.c.person).where(ties.c.other == person, ties.c.kind == "blocked")
        query = (
            select(people.c.id, people.c.name, profiles.c.address, members.c.since_ms)
            .select_from(
                seats.join(people, people.c.id == seats.c.person)
                .join(members, members.c.person == people.c.id)
                .outerjoin(profiles, profiles.c.person == people.c.id)
            )
            .where(seats.c.table_id == table_id, people.c.id.not_in(known), people.c.id.not_in(blocking))
            .where(or_(profiles.c.shown.is_(None), profiles.c.shown != "nobody", people.c.id == person))
            .order_by(seats.c.seat)
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        if not any(row.id == person for row in rows) or len(rows) < 2:
            return ()
        if missing := [row.id for row in rows if row.address is None]:
            self._store.writer.write(Write(call=lambda connection: put_profiles(connection, missing)))
            with self._store.read() as connection:
                rows = connection.execute(query).all()
        return tuple(
            TieLine(name=row.name, address=row.address or "", at_ms=row.since_ms)
            for row in rows
            if row.id != person
        )

    def note_device(self, person: str, other: str) -> None:
        """Store that two people have used the same browser. Hosts can see this (`house.hosting.figures`)."""

        def put(connection: Connection) -> None:
            for one, two in ((person, other), (other, person)):
                _put(connection, one, two, "device", self._store.now())

        if person != other:
            self._store.writer.write(Write(call=put))

    def befriend(self, person: str, name: str) -> bool:
        """Send a friend request to the member with this name. Return whether the two are friends now.

        If the member has already sent a request to the person, the two become friends at once. Raise BadPlan for an
        unusable name. Raise NotAllowed if the person is a guest, or if the member has blocked the person. Raise NotNow
        if no member has the name, if the name is the person's own, if the two are friends already, if the person has
        blocked the member, or if one of the two would get too many friends. Raise TooFast if too many requests of the
        person are unanswered.
        """
        self._need_member(person)
        name = check_name(name)
        query = select(members.c.person).where(members.c.name_key == fold_name(name))
        with self._store.read() as connection:
            other = connection.execute(query).scalar()
        if other is None:
            raise NotNow(
                f"no member is called {name!r}: make a link for a friend, and send it to this person"
            )
        return self._change(person, other, "befriend")

    def change(self, person: str, address: str, what: Change) -> bool:
        """Change the relation of `person` to the owner of the page with this address.

        Return whether the two are friends now.

        Raise NotNow, NotAllowed or TooFast if this change is not possible now (see `befriend`). Raise
        UnknownProfile if the person may not see the page and has no relation to the page's owner.
        """
        query = select(profiles.c.person).where(profiles.c.address == address[:16])
        with self._store.read() as connection:
            other = connection.execute(query).scalar()
        if other is None or not self.between(person, other):
            other = self._profiles.find(address, person).person
        return self._change(person, other, what)

    def make_link(self, person: str) -> str:
        """Return a code for a link that makes two members friends: `person`, and the member who uses the link.

        The code works once, within a week. Raise NotAllowed if `person` is a guest.
        """
        self._need_member(person)
        return self._codes.make("friend", person)

    def whose_link(self, code: str, person: str | None) -> str:
        """Return the name of the person who made the code of a friend link. The code stays valid.

        Raise SpentCode if the code is not valid. Raise NotNow if `person` made the code, or UnknownProfile if
        its maker has left.
        """
        maker = self._codes.look("friend", code)
        with self._store.read() as connection:
            name = connection.execute(select(people.c.name).where(people.c.id == maker)).scalar()
        if maker is None or name is None:
            raise UnknownProfile("the person who made this link has left the site")
        if maker == person:
            raise NotNow("this is your own link: send it to a friend")
        return str(name)

    def take_link(self, code: str, person: str) -> str:
        """Make two people friends: `person`, and the maker of this code. Return the id of the code's maker.

        Raise NotAllowed for a guest, or if the code's maker has blocked the person. Raise NotNow if the two are friends
        already, if the person has blocked the maker, or if one of them has too many friends. Also raise the errors of
        `whose_link`. After an error, the code stays valid.
        """
        self.whose_link(code, person)
        self._need_member(person)

        def change(connection: Connection) -> str:
            now = self._store.now()
            maker = take_code(connection, "friend", read_code(code), now)
            assert maker is not None  # no code of this kind is made without a person
            self._check_strangers(connection, person, maker)
            self._join(connection, person, maker, now)
            return maker

        maker = self._store.writer.write(Write(call=change))
        self._store.noted((person, maker))
        return maker

    # --- the changes themselves

    def _change(self, person: str, other: str, what: Change) -> bool:
        if person == other:
            raise NotNow("you chose yourself: choose somebody else")
        if what == "befriend":
            self._need_member(person)
            self._need_member(other, yours=False)
        does = {
            "befriend": self._ask,
            "decline": self._end,
            "unfriend": self._end,
            "block": self._block,
            "unblock": self._lift("blocked"),
            "mute": self._mute,
            "unmute": self._lift("muted"),
        }[what]

        def change(connection: Connection) -> tuple[bool, list[str]]:
            put_profiles(connection, (person, other))
            now = self._store.now()
            does(connection, person, other, now)
            talks = what in {"block", "unblock", "mute", "unmute"}
            touched = _touch_chats(connection, other) if talks else []
            return connection.execute(_is(person, other, "friend")).first() is not None, touched

        friends, touched = self._store.writer.write(Write(call=change))
        self._store.noted((person, other))
        for table_id in touched:
            self._store.changed(table_id)
        return friends

    def _ask(self, connection: Connection, person: str, other: str, now: int) -> None:
        self._check_strangers(connection, person, other)
        if connection.execute(_is(other, person, "asked")).first():
            self._join(connection, person, other, now)
            return
        count = select(func.count()).where(ties.c.person == person, ties.c.kind == "asked")
        if int(connection.execute(count).scalar() or 0) >= MOST_ASKED:
            raise TooFast(
                f"{MOST_ASKED} people have not answered your friend requests yet: wait until some of them answer"
            )
        _put(connection, person, other, "asked", now)
        row = connection.execute(
            select(people.c.name, profiles.c.address)
            .join(profiles, profiles.c.person == people.c.id)
            .where(people.c.id == person)
        ).one()
        told = Note(person=other, kind="friend", table=row.address, game="", live=False, by=row.name)
        note(connection, (told,), now)

    def _join(self, connection: Connection, person: str, other: str, now: int) -> None:
        for one in (person, other):
            count = select(func.count()).where(ties.c.person == one, ties.c.kind == "friend")
            if int(connection.execute(count).scalar() or 0) >= MOST_FRIENDS:
                raise NotNow(
                    f"you or the other person has {MOST_FRIENDS} friends already, which is the limit"
                )
        self._drop(connection, person, other, ("asked",))
        for one, two in ((person, other), (other, person)):
            _put(connection, one, two, "friend", now)
        self._settle(connection, person, other, now)

    def _end(self, connection: Connection, person: str, other: str, now: int) -> None:
        if not self._drop(connection, person, other, ("friend", "asked")):
            raise NotNow("you are not friends, and there is no friend request between you")
        self._settle(connection, person, other, now)

    def _block(self, connection: Connection, person: str, other: str, now: int) -> None:
        self._drop(connection, person, other, ("friend", "asked"))
        self._settle(connection, person, other, now)
        _put(connection, person, other, "blocked", now)

    @staticmethod
    def _mute(connection: Connection, person: str, other: str, now: int) -> None:
        _put(connection, person, other, "muted", now)

    @staticmethod
    def _lift(kind: Literal["blocked", "muted"]) -> Callable[[Connection, str, str, int], None]:
        def lift(connection: Connection, person: str, other: str, _now: int) -> None:
            mine = (ties.c.person == person, ties.c.other == other, ties.c.kind == kind)
            if not connection.execute(delete(ties).where(*mine)).rowcount:
                raise NotNow(
                    "you have not blocked this person"
                    if kind == "blocked"
                    else "you have not muted this person"
                )

        return lift

    @staticmethod
    def _check_strangers(connection: Connection, person: str, other: str) -> None:
        """Raise an error if one of two people has blocked the other, or if the two are friends already."""
        blocks = read_blocked(connection, {person, other})
        if (person, other) in blocks:
            raise NotNow("you have blocked this person: unblock them first")
        if (other, person) in blocks:
            raise NotAllowed("this person accepts no friend requests from you")
        if connection.execute(_is(person, other, "friend")).first():
            raise NotNow("you are friends already")

    @staticmethod
    def _drop(connection: Connection, person: str, other: str, kinds: tuple[Tie, ...]) -> int:
        pair = or_(
            and_(ties.c.person == person, ties.c.other == other),
            and_(ties.c.person == other, ties.c.other == person),
        )
        return connection.execute(delete(ties).where(pair, ties.c.kind.in_(kinds))).rowcount

    @staticmethod
    def _settle(connection: Connection, person: str, other: str, now: int) -> None:
        """Mark the notifications of friend requests between two people as read."""
        query = select(profiles.c.person, profiles.c.address).where(profiles.c.person.in_((person, other)))
        for row in connection.execute(query).all():
            reader = other if row.person == person else person
            settle(connection, row.address, ("friend",), now, (reader,))

    def _need_member(self, person: str, *, yours: bool = True) -> None:
        with self._store.read() as connection:
            found = connection.execute(select(members.c.person).where(members.c.person == person)).first()
        if found is None:
            raise NotAllowed(
                "only members can have friends: become a member first"
                if yours
                else "this person is a guest: only members can be your friends"
            )


def _is(person: str, other: str, kind: Tie) -> Select[tuple[str]]:
    return select(ties.c.kind).where(ties.c.person == person, ties.c.other == other, ties.c.kind == kind)


def _put(connection: Connection, person: str, other: str, kind: Tie, now: int) -> None:
    """Store a relation unless it is stored already."""
    insert_new(connection, ties, {"person": person, "other": other, "kind": kind, "at": now})


def _touch_chats(connection: Connection, other: str) -> list[str]:
    """Mark as changed all unfinished tables with chat messages by `other`. Return the ids of these tables.

    After this, each reader's chat is computed again, without messages of people whom the reader has blocked or
    muted.
    """
    said = select(chat.c.table_id).where(chat.c.person == other)
    here = (tables.c.id.in_(said), tables.c.status != "over")
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
    touched = connection.execute(update(tables).where(*here).values(**counted).returning(tables.c.id))
    return list(touched.scalars())
