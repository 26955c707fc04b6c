"""Reports about people to the hosts, with the reported messages, and the hosts' decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, tuple_, update

from spelunke.house.people import NOBODY, Profiles, put_profiles
from spelunke.house.play import TableStore
from spelunke.house.readable import is_readable
from spelunke.house.refusals import BadMessage, NotNow, TooFast
from spelunke.house.sight import Viewer
from spelunke.house.store import Write, chat, house_log, people, profiles, reports

Decision = Literal["nothing", "removed", "warned"]
"""A host's decision on a report.

``nothing``: no action. ``removed``: the reported messages were deleted. ``warned``: a host has talked to the
person.
"""

LONGEST = 1000
MOST_LINES = 20
MOST_OPEN = 10
"""The most undecided reports that one person may have made."""
A_PAGE = 20


class Said(msgspec.Struct, frozen=True):
    """A reported message, as it was at the time of the report."""

    n: int
    name: str
    text: str
    at_ms: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report about a person, as hosts see it.

    ``about`` is the name of the reported person, and ``address`` the address of their page. ``others`` is the
    number of other reports about the same person. ``host``, ``decided_ms`` and ``decision`` are None while
    the report is open.
    """

    n: int
    at_ms: int
    reporter: str
    about: str
    address: str
    table: str | None
    lines: tuple[Said, ...]
    text: str
    others: int
    host: str | None = None
    decided_ms: int | None = None
    decision: str | None = None


class Reports:
    """Accepts reports, and stores the decisions of hosts.

    The callers of `decide` must check that the person who decides is a host.
    """

    def __init__(self, table_store: TableStore, pages: Profiles) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._profiles = pages

    def report_lines(self, table_id: str, person: str, *, lines: Sequence[int], text: str = "") -> None:
        """Report chat messages at a table to the hosts.

        `person` is the reporter, who must be able to read the messages. `lines` are the numbers of the messages.
        One person must have written all of them. `text` is the reporter's comment. Raise UnknownTable, BadMessage,
        NotNow or TooFast.
        """
        with self._tables.open(table_id) as slot:
            facts, readable = slot.table.facts, Viewer.of(slot.table, person).chat
        wanted = set(lines)
        found = [line for line in readable if line.n in wanted]
        if not found or len(found) != len(wanted) or len(found) > MOST_LINES:
            raise BadMessage(f"choose 1 to {MOST_LINES} messages that you can read at this table", "lines")
        writers = {writer for line, writer in zip(facts.chat, facts.writers, strict=True) if line.n in wanted}
        if len(writers) > 1:
            raise BadMessage("choose messages of one person only; report other people separately", "lines")
        said = tuple(Said(line.n, line.name, line.text, line.at_ms) for line in found)
        self._put(person, writers.pop(), text, table_id, said)

    def report_person(self, person: str, address: str, text: str) -> None:
        """Report another person to the hosts. `address` is the address of that person's page, and `text` the reason.

        Raise UnknownProfile, BadMessage, NotNow or TooFast.
        """
        if not text.strip():
            raise BadMessage("say in a few words what happened", "text")
        self._put(person, self._profiles.find(address, person).person, text, None, ())

    def _put(self, person: str, about: str, text: str, table: str | None, lines: tuple[Said, ...]) -> None:
        text = " ".join(text.split())
        if len(text) > LONGEST or (text and not is_readable(text)):
            raise BadMessage(f"a report has at most {LONGEST} characters", "text")
        if about == person:
            raise NotNow("you can report only other people")
        row = {"reporter": person, "about": about, "table_id": table, "text": text}
        row["lines"] = msgspec.json.encode(lines).decode()

        def put(connection: Connection) -> None:
            mine = (reports.c.reporter == person, reports.c.decided_ms.is_(None))
            count = connection.execute(select(func.count()).select_from(reports).where(*mine)).scalar()
            if int(count or 0) >= MOST_OPEN:
                raise TooFast(
                    f"{MOST_OPEN} of your reports are not decided yet: wait for the hosts' decisions"
                )
            put_profiles(connection, (about,))
            connection.execute(insert(reports), {**row, "at": self._store.now()})

        self._store.writer.write(Write(call=put))

    def count_open(self) -> int:
        """Return the number of undecided reports."""
        query = select(func.count()).select_from(reports).where(reports.c.decided_ms.is_(None))
        with self._store.read() as connection:
            return int(connection.execute(query).scalar() or 0)

    def list(self, *, decided: bool, page: int = 1) -> tuple[tuple[Report, ...], int]:
        """Return a page of reports, and the number of all reports in the list.

        Open reports are sorted oldest first, and decided ones newest first.
        """
        which = reports.c.decided_ms.is_not(None) if decided else reports.c.decided_ms.is_(None)
        order = reports.c.n.desc() if decided else reports.c.n
        return self._read(which, order, A_PAGE * (page - 1))

    def about(self, address: str) -> tuple[Report, ...]:
        """Return the newest reports about the person whose page has this address, at most `A_PAGE`."""
        person = select(profiles.c.person).where(profiles.c.address == address[:16]).scalar_subquery()
        return self._read(reports.c.about == person, reports.c.n.desc(), 0)[0]

    def decide(self, host: str, n: int, decision: Decision) -> None:
        """Store the decision on the report with this number.

        With ``removed``, also delete the reported messages. A ban is a separate action. Raise NotNow if the
        report does not exist or is already decided.
        """

        def change(connection: Connection) -> str | None:
            now = self._store.now()
            fresh = (reports.c.n == n, reports.c.decided_ms.is_(None))
            values = {"host": host, "decided_ms": now, "decision": decision}
            if not connection.execute(update(reports).where(*fresh).values(values)).rowcount:
                raise NotNow("this report was decided already, or the person who sent it has left")
            row = connection.execute(select(reports).where(reports.c.n == n)).one()
            line = {"at": now, "host": host, "what": "report", "whom": row.about, "about": decision}
            connection.execute(insert(house_log), line)
            if decision != "removed" or row.table_id is None:
                return None
            said = msgspec.json.decode(row.lines, type=tuple[Said, ...])
            here = (chat.c.table_id == row.table_id, chat.c.person == row.about)
            # A later message can have the number of a deleted one.
            same = tuple_(chat.c.n, chat.c.at).in_([(one.n, one.at_ms) for one in said])
            connection.execute(delete(chat).where(*here, same))
            return str(row.table_id)

        table = self._store.writer.write(Write(call=change))
        if table is not None:
            self._tables.change(table, lambda _connection: None)

    def _read(
        self, which: ColumnElement[bool], order: ColumnElement[int], skip: int
    ) -> tuple[tuple[Report, ...], int]:
        reporter, about, host, other = people.alias(), people.alias(), people.alias(), reports.alias()
        others = select(func.count()).where(other.c.about == reports.c.about, other.c.n != reports.c.n)
        query = (
            select(
                reports,
                reporter.c.name.label("by"),
                about.c.name.label("whom"),
                host.c.name.label("judge"),
                profiles.c.address,
                others.scalar_subquery().label("others"),
            )
            .select_from(
                reports.outerjoin(reporter, reporter.c.id == reports.c.reporter)
                .outerjoin(about, about.c.id == reports.c.about)
                .outerjoin(host, host.c.id == reports.c.host)
                .outerjoin(profiles, profiles.c.person == reports.c.about)
            )
            .where(which)
            .order_by(order)
            .limit(A_PAGE)
            .offset(skip)
        )
        with self._store.read() as connection:
            count = connection.execute(select(func.count()).select_from(reports).where(which)).scalar()
            rows = connection.execute(query).all()
        return tuple(
            Report(
                n=row.n,
                at_ms=row.at,
                reporter=row.by or NOBODY,
                about=row.whom or NOBODY,
                address=row.address or "",
                table=row.table_id,
                lines=msgspec.json.decode(row.lines, type=tuple[Said, ...]),
                text=row.text,
                others=row.others,
                host=(row.judge or NOBODY) if row.decided_ms else None,
                decided_ms=row.decided_ms,
                decision=row.decision,
            )
            for row in rows
        ), int(count or 0)
