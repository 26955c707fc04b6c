"""People, members and guests: their names, secret ids and portraits, and whether the coach advises them.

For the data that only members have, see `house.people.members`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, insert, literal, or_, select, update
from sqlalchemy.exc import IntegrityError

from spelunke.core.caches import Cache
from spelunke.core.words import Translator, plain
from spelunke.house.budgets import NAME_S, PEOPLE
from spelunke.house.messages import Person
from spelunke.house.people.bans import FOR_GOOD
from spelunke.house.people.portraits import check_portrait
from spelunke.house.refusals import BadPlan, NameTaken, NotAllowed, UnknownPerson
from spelunke.house.store import Store, Write, bans, house_settings, members, people, seats, tables

LONGEST_NAME = 24
NOBODY = plain("somebody who left")
"""The name of the people to whom games and results go when an account is deleted.

A person with an account can choose this name too, so the column `gone` marks the people who received the games.
"""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""A pattern for invisible letters, marks and symbols of Unicode.

They are those with the property Default_Ignorable_Code_Point, the empty pattern of Braille, the empty note head and the
Khitan filler. `_tidy` removes invisible format characters, such as the soft hyphen.
"""


def call_person(name: str, words: Translator) -> str:
    """Return a person's name for a reader. Translate it only if it is the name of people who left (`NOBODY`).

    A number may follow this name, and stays unchanged.
    """
    if not name.startswith(NOBODY):
        return name
    number = name.removeprefix(NOBODY)
    return words(NOBODY) + number if number == "" or number[1:].isdigit() else name


def call_names(names: tuple[str, ...], words: Translator) -> tuple[str, ...]:
    """Return the names of a table's players for a reader (see `call_person`)."""
    return tuple(call_person(name, words) for name in names)


def check_name(name: str, field: str = "name") -> str:
    """Return the name on one line and without invisible characters.

    If it is empty or too long, raise BadPlan, which says the `field`.
    """
    shown = clean_name(name)
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise BadPlan(f"a name has 1 to {LONGEST_NAME} visible characters; this one has {len(shown)}", field)
    return shown


def clean_name(name: str) -> str:
    """Return a name, or a part of one, in the form in which names are stored.

    The stored form has one line, and no invisible characters such as the joiners of emoji.
    """
    return _tidy(_UNSEEN.sub("", name))


def _tidy(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    shown = "".join(" " if letter.isspace() else letter for letter in name)
    return " ".join("".join(letter for letter in shown if unicodedata.category(letter)[0] != "C").split())


def keys_of(name: str) -> tuple[str, ...]:
    """Return the keys (see `fold_name`) under which a member with this name may be stored.

    Usually there is one key. In the past, the characters in `_UNSEEN` were not removed from names. If the name
    contains such characters, there are two keys: first the key with them, then the key without them. Use the
    last key to count the login attempts for a name. If nobody can have the name, the only key is an empty text.
    """
    try:
        key = fold_name(check_name(name))
    except BadPlan:
        return ("",)  # a name that nobody has, treated like any other
    before = fold_name(_tidy(name))
    return (key,) if before == key else (before, key)


def fold_name(name: str) -> str:
    """Return the form in which names are compared, without differences such as case and width of letters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # Folding may replace one character by many, and the column holds at most 128.
    return folded if len(folded) <= 128 else hashlib.sha256(folded.encode()).hexdigest()


def like_name(part: str) -> ColumnElement[bool]:
    """Return an SQL condition for people whose name contains the text `part`, in upper or lower case."""
    # SQLite ignores case for ASCII only, so search for each usual form.
    ways = sorted({part, part.lower(), part.upper(), part.capitalize(), part.title()})
    return or_(*(people.c.name.icontains(way, autoescape=True) for way in ways))


def put_name(connection: Connection, person: str, name: str) -> list[str]:
    """Store a person's name, then call `touch_tables` and return its result."""
    connection.execute(update(people).where(people.c.id == person).values(name=name))
    return touch_tables(connection, person)


def touch_tables(connection: Connection, person: str) -> list[str]:
    """Increase the revision of each unfinished table at which the person sits. Return the tables' ids.

    The new revision makes workers update the data of these tables in memory.
    """
    mine = select(seats.c.table_id).where(seats.c.person == person)
    known = tables.c.status != "over"
    counted = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
    touched = connection.execute(
        update(tables).where(tables.c.id.in_(mine), known).values(**counted).returning(tables.c.id)
    )
    return list(touched.scalars())


class People:
    """Creates, finds and changes people. Recently used people are cached."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: Cache[str, Person] = Cache(PEOPLE, each=400, seconds=None if store.alone else NAME_S)
        # increases when this process clears the cache
        self.changes = 0

    def create(self, name: str, *, brought: bool = False) -> Person:
        """Make a new guest and return them. Raise NotAllowed if the site accepts no guests.

        A guest who plays on the device of a table's host (`brought`) is always accepted. Raise BadPlan for an
        unusable name.
        """
        person = Person(id=secrets.token_urlsafe(18), name=check_name(name))
        closed = exists().where(house_settings.c.name == "guests", house_settings.c.value == "closed")
        row = select(literal(person.id), literal(person.name), literal(self._store.now()))
        row = row if brought else row.where(~closed)

        def put(connection: Connection) -> None:
            # The insertion also checks whether the site accepts guests. This saves a query for each guest.
            made = insert(people).from_select(["id", "name", "created_ms"], row).returning(people.c.id)
            if connection.execute(made).first() is None:
                raise NotAllowed("this site accepts no guests: log in, or ask its host to invite you")

        self._store.writer.write(Write(call=put))
        return person

    def known(self, person: str) -> Person | None:
        """Return the person if they are in the cache, or else None."""
        return self._known.get(person)

    def find(self, person: str) -> Person:
        """Return the person with this id. Raise UnknownPerson if there is none."""
        known = self._known.get(person)
        if known is not None:
            return known
        changes = self.changes
        with self._store.read() as connection:
            query = (
                select(
                    people.c.name,
                    members.c.person.is_not(None),
                    bans.c.since_ms,
                    bans.c.until_ms,
                    people.c.figure,
                    people.c.colour,
                    people.c.coached,
                )
                .select_from(people.outerjoin(members).outerjoin(bans, bans.c.person == people.c.id))
                .where(people.c.id == person[:64])
            )
            row = connection.execute(query).first()
        if row is None:
            raise UnknownPerson("you have no account here yet; please give your name")
        shut_out = None if row[2] is None else row[3] or FOR_GOOD
        found = Person(
            id=person,
            name=row[0],
            member=bool(row[1]),
            shut_out_ms=shut_out,
            figure=row[4] or "",
            colour=row[5] or "",
            coached=bool(row[6]),
        )
        if changes == self.changes:  # if a person changed meanwhile, `found` may be outdated
            self._known.put(person, found)
        return found

    def forget(self) -> None:
        """Clear the cache, because some people were changed or removed."""
        self.changes += 1
        self._known.clear()

    def rename(self, person: str, name: str) -> Person:
        """Rename a person, at their tables too.

        Raise BadPlan for an unusable name. If the person is a member, raise NameTaken if another member has the name.
        A guest may have the same name as a member.
        """
        known = self.find(person)
        renamed = msgspec.structs.replace(known, name=check_name(name), shut_out_ms=None)

        def change(connection: Connection) -> list[str]:
            if known.member:
                mine = members.c.person == person
                try:
                    with connection.begin_nested():
                        key = fold_name(renamed.name)
                        connection.execute(update(members).where(mine).values(name_key=key))
                except IntegrityError:
                    raise taken(renamed.name) from None
            return put_name(connection, person, renamed.name)

        touched = self._store.writer.write(Write(call=change))
        self.forget()
        for table_id in touched:
            self._store.changed(table_id)
        return renamed

    def choose_portrait(self, person: str, figure: str, colour: str) -> Person:
        """Store the figure and the colour of the person's portrait, and show it at their unfinished tables too.

        Raise BadPlan if the figure or the colour is unknown.
        """
        check_portrait(figure, colour)
        return self._keep(person, figure=figure, colour=colour)

    def choose_coach(self, person: str, *, coached: bool) -> Person:
        """Store whether the coach advises this person at every decision, or only on request."""
        return self._keep(person, coached=coached)

    def _keep(self, person: str, **chosen: str | bool) -> Person:
        known = self.find(person)

        def change(connection: Connection) -> list[str]:
            connection.execute(update(people).where(people.c.id == person).values(**chosen))
            return touch_tables(connection, person)

        touched = self._store.writer.write(Write(call=change))
        self.forget()
        for table_id in touched:
            self._store.changed(table_id)
        return msgspec.structs.replace(known, **chosen)


def taken(name: str) -> NameTaken:
    """Return the error for a name that a member already has."""
    return NameTaken(f"a member of this house is called {name!r} already: choose another name")
