"""The actions of hosts, and the log of these actions.

For example, hosts ban people, set the rules for new people, and call off games.

Each action is committed together with its line in the log. Lines are never changed or removed. The lists of
people and tables are in `house.hosting.registry`.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import structlog
from sqlalchemy import Connection, delete, func, insert, select, update

from spelunke.house.lobby import Lobby
from spelunke.house.people import (
    HOST,
    NOBODY,
    Devices,
    Doors,
    Members,
    People,
    find_ban,
    name_in_logs,
    put_ban,
)
from spelunke.house.play import Play
from spelunke.house.refusals import NotNow, UnknownProfile
from spelunke.house.store import Store, Write, bans, devices, house_log, members, people, profiles, tables

log = structlog.get_logger("spelunke.house.hosting.hosting")

LINES_A_PAGE = 50
Deed = Literal[
    "doors",
    "invitation",
    "host",
    "host no longer",
    "shut out",
    "let in",
    "called off",
    "report",
    "evening",
    "vacation",
    "closed",
    "opened",
]


class DeedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line in the log of hosts' actions.

    ``host`` is the name of the host, ``what`` the kind of action, and ``whom`` the name of the person
    concerned, or None. ``about`` has details, for example a table, a time in ms, or a reason.
    """

    at_ms: int
    host: str
    what: str
    whom: str | None
    about: str


class Hosting:
    """The actions of hosts. The caller must have checked that the person is a host (`Members.require_host`)."""

    def __init__(
        self, store: Store, known: People, at_hand: Devices, book: Members, play: Play, lobby: Lobby
    ) -> None:
        self._store = store
        self._people = known
        self._devices = at_hand
        self._members = book
        self._play = play
        self._lobby = lobby

    # --- people -----------------------------------------------------------------------------------------------------

    def shut_out(self, host: str, address: str, until_ms: int | None = None) -> None:
        """Ban the person whose page has this address, and log out their devices.

        `until_ms` is the end of the ban. If it is None, the ban is permanent. Raise UnknownProfile if there is no
        such person. Raise NotNow if the person is a host, or if `until_ms` has passed.
        """

        def change(connection: Connection) -> str:
            now = self._store.now()
            person = self._find(connection, address)
            if person == host:
                raise NotNow("you can't shut yourself out")
            role = connection.execute(select(members.c.role).where(members.c.person == person)).scalar()
            if role == HOST:
                raise NotNow("a host can't be shut out: remove them as host first")
            if until_ms is not None and until_ms <= now:
                raise NotNow("that time has passed: choose one in the future")
            put_ban(connection, person, now, until_ms)
            connection.execute(delete(devices).where(devices.c.person == person))
            self._note(connection, host, "shut out", person, str(until_ms or ""))
            return person

        person = self._store.writer.write(Write(call=change))
        log.info("shut out", who=name_in_logs(person), by=name_in_logs(host))
        self._people.forget()
        self._devices.forget()

    def let_in(self, host: str, address: str) -> None:
        """Lift the ban of the person whose page has this address.

        Raise UnknownProfile if there is no such person, or NotNow if no ban of the person is stored.
        """

        def change(connection: Connection) -> str:
            person = self._find(connection, address)
            if not connection.execute(delete(bans).where(bans.c.person == person)).rowcount:
                raise NotNow("this person is not shut out")
            self._note(connection, host, "let in", person)
            return person

        person = self._store.writer.write(Write(call=change))
        log.info("let in", who=name_in_logs(person), by=name_in_logs(host))
        self._people.forget()

    def set_host(self, host: str, address: str, *, to_be: bool) -> None:
        """Make a member a host of the site. If `to_be` is false, make a host an ordinary member again.

        `address` is the address of the member's page. Raise UnknownProfile if there is no such person. Raise NotNow
        if the person is no member. Also raise NotNow if a banned person would become a host, or if the site would
        have no host any more.
        """

        def change(connection: Connection) -> None:
            person = self._find(connection, address)
            others = select(func.count()).where(members.c.role == HOST, members.c.person != person)
            if not to_be and not connection.execute(others).scalar():
                raise NotNow("the site needs a host: make another member a host first")
            which = members.c.person == person
            values = {"role": HOST if to_be else None}
            if not connection.execute(update(members).where(which).values(values)).rowcount:
                raise NotNow("only a member can be a host")
            if to_be and find_ban(connection, person, self._store.now()):
                raise NotNow("this person is shut out: let them in again first")
            self._note(connection, host, "host" if to_be else "host no longer", person)

        self._store.writer.write(Write(call=change))
        log.info("host changed", host=to_be, by=name_in_logs(host))

    @staticmethod
    def _find(connection: Connection, address: str) -> str:
        known = people.c.id == profiles.c.person
        query = select(people.c.id).where(profiles.c.address == address[:16], known)
        readable = address.isascii() and address.isprintable()
        person: str | None = connection.execute(query).scalar() if readable else None
        if person is None:
            raise UnknownProfile("there is no such person")
        return person

    # --- the house ---------------------------------------------------------------------------------------------------

    def set_doors(self, host: str, doors: Doors) -> None:
        """Set the rules for new people: whether guests are accepted, and whether new members need an
        invitation.
        """
        about = f"guests {doors.guests}, members {doors.members}"
        self._members.set_doors(doors, lambda connection: self._note(connection, host, "doors", about=about))

    def invite(self, host: str) -> str:
        """Return a new invitation code, with which one person can become a member."""
        return self._members.codes.make(
            "invitation", also=lambda connection: self._note(connection, host, "invitation")
        )

    def call_off(self, host: str, table: str) -> None:
        """End a game without a winner, or close a table that waits for players.

        Raise UnknownTable if there is no such table, or NotNow if its game is over.
        """

        def note(connection: Connection) -> None:
            self._note(connection, host, "called off", about=table)

        with self._store.read() as connection:
            status = connection.execute(select(tables.c.status).where(tables.c.id == table)).scalar()
        if status in {"open", "ready"}:
            self._lobby.close(table, note)
        else:
            self._play.call_off(table, note)
        log.info("called off", table=table, by=name_in_logs(host))

    # --- the log -----------------------------------------------------------------------------------------------------

    def _note(
        self, connection: Connection, host: str, what: Deed, whom: str | None = None, about: str = ""
    ) -> None:
        row = {"at": self._store.now(), "host": host, "what": what, "whom": whom, "about": about}
        connection.execute(insert(house_log), row)

    def log(self, page: int = 1) -> tuple[tuple[DeedLine, ...], int]:
        """Return one page of the log's lines, the newest lines first, and the number of lines in the whole log.

        People who have deleted their accounts are shown as `NOBODY`, which names no person.
        """
        whom = people.alias()
        query = (
            select(house_log, people.c.name, whom.c.name.label("other"))
            .select_from(
                house_log.outerjoin(people, people.c.id == house_log.c.host).outerjoin(
                    whom, whom.c.id == house_log.c.whom
                )
            )
            .order_by(house_log.c.n.desc())
            .limit(LINES_A_PAGE)
            .offset(LINES_A_PAGE * (page - 1))
        )
        with self._store.read() as connection:
            count = int(connection.execute(select(func.count()).select_from(house_log)).scalar() or 0)
            lines = tuple(
                DeedLine(
                    at_ms=row.at,
                    host=row.name or NOBODY,
                    what=row.what,
                    whom=None if row.whom is None else row.other or NOBODY,
                    about=row.about,
                )
                for row in connection.execute(query)
            )
        return lines, count
