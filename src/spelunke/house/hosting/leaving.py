"""The export of a person's data, and the deletion of an account. Finished games are kept.

A game belongs to all its players. So the seats of a person who leaves go to a new person in the database, with
the name "somebody who left" and the mark `gone`. Nobody can log in as the new person.
"""

from __future__ import annotations

import secrets

import msgspec
import structlog
from sqlalchemy import Connection, Select, case, delete, insert, select, update

from spelunke.core.errors import SpelunkeError
from spelunke.house.daily import forget_days
from spelunke.house.events import forget_events
from spelunke.house.lobby import Lobby
from spelunke.house.messages import Person
from spelunke.house.outbox import forget_people
from spelunke.house.people import HOST, NOBODY, Devices, Members, People, name_in_logs, remove_ties
from spelunke.house.plan import LINK
from spelunke.house.play import Play
from spelunke.house.refusals import HouseClosed, NotNow
from spelunke.house.store import (
    Store,
    Write,
    answers,
    bans,
    channels,
    chat,
    codes,
    day_plays,
    devices,
    event_players,
    events,
    house_log,
    key_changes,
    members,
    notification_choices,
    notifications,
    own_problems,
    passkeys,
    people,
    profiles,
    ratings,
    reports,
    results,
    seats,
    seeks,
    solvers,
    tables,
    ties,
    touch,
    vacations,
)

log = structlog.get_logger("spelunke.house.hosting.leaving")

_SEAT = (
    "seen_ms",
    "nonce_commitment",
    "nudged_ms",
    "call_off_ms",
    "attention",
    "reaction",
    "reaction_ms",
    "eyes",
    "program",
)
_RATED = ("table_id", "game", "seats", "seat", "place", "gone", "counts", "mu", "sigma", "ended_ms")
_DAY = ("game", "day", "table_id", "deal", "began_ms", "ended_ms", "place", "lead", "without")
_PROBLEM = ("game", "table_id", "ply", "theme", "cost", "body", "box", "due_ms", "tries", "made_ms")
_ENTRY = ("number", "since", "until", "division")
_EVENT = ("id", "game", "plan", "status", "round", "begins_ms", "made_ms", "ended_ms", "season")
_CHANNEL = ("kind", "address", "created_ms", "confirmed_ms", "stopped_ms", "sent_ms", "problem", "ended_ms")


class Leaving:
    """Exports people's data, and deletes accounts."""

    def __init__(
        self, store: Store, known: People, at_hand: Devices, book: Members, play: Play, lobby: Lobby
    ) -> None:
        self._store = store
        self._people = known
        self._devices = at_hand
        self._members = book
        self._play = play
        self._lobby = lobby

    # --- what is stored -------------------------------------------------------------------------------------------

    def about(self, person: Person) -> dict[str, object]:
        """Return, as plain JSON values, all data about a person except records of games.

        Leave out secrets with which somebody could act in the person's name: tokens, password hashes and codes. Also
        leave out people who used the same browser, and the names of hosts whose actions concern the person. From each
        report about the person, leave out the reporter, the table and the text, because they could show who reported
        the person. Also leave out the reported messages until the hosts have decided on the report.
        """
        member = self._members.of(person.id)
        with self._store.read() as connection:
            since = connection.execute(select(people.c.created_ms).where(people.c.id == person.id)).scalar()
            return {
                "name": person.name,
                "portrait": {"figure": person.figure, "colour": person.colour},
                "coached": person.coached,
                "guest_since_ms": since,
                "member": None
                if member is None
                else {
                    "since_ms": member.since_ms,
                    "host": member.host,
                    "has_password": member.has_password,
                    "passkeys": msgspec.to_builtins(member.passkeys),
                    "recovery_codes_left": member.recovery_codes,
                },
                "page": _rows(
                    connection,
                    select(profiles.c.address, profiles.c.shown, profiles.c.offline).where(
                        profiles.c.person == person.id
                    ),
                ),
                "key_changes": _rows(
                    connection,
                    select(key_changes.c.what, key_changes.c.label, key_changes.c.at)
                    .where(key_changes.c.person == person.id)
                    .order_by(key_changes.c.n),
                ),
                "devices": msgspec.to_builtins(self._devices.of(person.id)),
                "tables": _tables(connection, person.id),
                **_told(connection, person.id),
                "chat": _rows(
                    connection,
                    select(chat.c.table_id, chat.c.text, chat.c.at)
                    .where(chat.c.person == person.id)
                    .order_by(chat.c.at),
                ),
                "problems": _rows(
                    connection,
                    select(
                        answers.c.game, answers.c.problem, answers.c.at_once, answers.c.solved, answers.c.at
                    )
                    .where(answers.c.person == person.id)
                    .order_by(answers.c.at),
                ),
                **_company(connection, person.id),
            }

    def finished(self, person: str) -> list[str]:
        """Return the ids of the tables at which the person has finished a game, oldest first."""
        mine = (
            tables.c.id == seats.c.table_id,
            seats.c.person == person,
            tables.c.status == "over",
            tables.c.started_ms.is_not(None),
        )
        with self._store.read() as connection:
            query = select(tables.c.id).where(*mine).order_by(tables.c.ended_ms, tables.c.id)
            return list(connection.execute(query).scalars())

    # --- leaving --------------------------------------------------------------------------------------------------

    def leave(self, person: str) -> None:
        """Delete a person's account and data. First resign running games and leave waiting tables.

        Raise UnknownPerson, or NotNow if the person is the only host and there are other members.
        """
        self._people.find(person)
        with self._store.read() as connection:
            _check_hosts(connection, person)
        for _ in range(3):  # A person who sits down elsewhere meanwhile leaves that table in the next pass.
            for table_id, status in self._open(person):
                try:
                    if status == "playing":
                        self._play.resign(table_id, person, f"leave-{secrets.token_hex(8)}")
                    else:
                        self._lobby.leave(table_id, person)
                except HouseClosed:
                    raise
                except SpelunkeError as error:
                    # For example, the table's log is damaged. Only the seat is handed over.
                    log.info("a table stays as it is", table=table_id, error=str(error))
        touched = self._store.writer.write(Write(call=lambda connection: self._remove(connection, person)))
        log.info("left the house", who=name_in_logs(person))
        self._people.forget()
        self._devices.forget()
        for table_id in touched:
            self._store.changed(table_id)

    def _open(self, person: str) -> list[tuple[str, str]]:
        mine = (tables.c.id == seats.c.table_id, seats.c.person == person, tables.c.status != "over")
        with self._store.read() as connection:
            return [
                (row.id, row.status)
                for row in connection.execute(select(tables.c.id, tables.c.status).where(*mine))
            ]

    def _remove(self, connection: Connection, person: str) -> list[str]:
        _check_hosts(connection, person)
        now = self._store.now()
        sits = select(seats.c.table_id).where((seats.c.person == person) | (seats.c.kept == person))
        says = select(chat.c.table_id).where(chat.c.person == person)
        hosts = select(tables.c.id).where(tables.c.host == person)
        touched = sorted(set(connection.execute(sits.union(says, hosts)).scalars()))
        for table_id in touched:
            touch(connection, table_id)
        free = {"kept": None, "plan": LINK}
        connection.execute(update(seats).where(seats.c.kept == person).values(free))
        _hand_over(connection, person, now)
        forget_people(connection, (person,))
        remove_ties(connection, (person,))
        connection.execute(delete(reports).where(reports.c.reporter == person))
        connection.execute(delete(reports).where(reports.c.about == person))
        own = (
            chat,
            answers,
            solvers,
            own_problems,
            passkeys,
            devices,
            codes,
            profiles,
            bans,
            key_changes,
            members,
        )
        for table in (*own, seeks, vacations):
            connection.execute(delete(table).where(table.c.person == person))
        connection.execute(delete(people).where(people.c.id == person))
        return touched


def _hand_over(connection: Connection, person: str, now: int) -> None:
    """Transfer a person's seats, tables, results, ratings, games of the day and events to a new person.

    The new person has the name `NOBODY`. If there is nothing to transfer, make no new person.
    """
    nobody = secrets.token_urlsafe(18)
    connection.execute(insert(people), {"id": nobody, "name": NOBODY, "created_ms": now, "gone": True})
    gone = {"person": nobody, "standing": None, "attention": None}
    kept = connection.execute(update(seats).where(seats.c.person == person).values(gone)).rowcount
    kept += connection.execute(update(tables).where(tables.c.host == person).values(host=nobody)).rowcount
    for table in (results, ratings):
        kept += connection.execute(
            update(table).where(table.c.person == person).values(person=nobody)
        ).rowcount
    kept += forget_days(connection, person, nobody)
    kept += forget_events(connection, person, nobody, now)
    if not kept:
        connection.execute(delete(people).where(people.c.id == nobody))


def _check_hosts(connection: Connection, person: str) -> None:
    """Raise NotNow if this person is the site's only host, and the site has other members."""
    found = select(members.c.person, members.c.role)
    roles = {row.person: row.role for row in connection.execute(found)}
    others = [role for other, role in roles.items() if other != person]
    if roles.get(person) == HOST and others and HOST not in others:
        raise NotNow("the site needs a host: make another member a host first")


def _rows(connection: Connection, query: Select[*tuple[object, ...]]) -> list[dict[str, object]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _told(connection: Connection, person: str) -> dict[str, object]:
    """Return the person's notifications, the addresses that receive them, and the person's choices about them."""
    return {
        "told": _rows(
            connection,
            select(*(notifications.c[name] for name in ("kind", "table_id", "by_name", "at", "read_ms")))
            .where(notifications.c.person == person)
            .order_by(notifications.c.at),
        ),
        "told_by": _rows(
            connection,
            select(*(channels.c[name] for name in _CHANNEL))
            .where(channels.c.person == person)
            .order_by(channels.c.created_ms),
        ),
        "told_how": _rows(
            connection,
            select(
                notification_choices.c.off,
                notification_choices.c.zone,
                notification_choices.c.quiet_from,
                notification_choices.c.quiet_to,
                notification_choices.c.language,
                notification_choices.c.letters,
            ).where(notification_choices.c.person == person),
        ),
    }


def _company(connection: Connection, person: str) -> dict[str, object]:
    """Return the second part of the data that `Leaving.about` exports.

    It has the person's friends and blocks, reports, ratings, seeks, vacations, games of the day, tournaments, problems
    and bans. It also has the person's own actions as a host, and the actions of hosts that concern the person.
    """
    other = people.alias()
    friends = (
        select(ties.c.kind, other.c.name, ties.c.at)
        .join(other, other.c.id == ties.c.other)
        .where(ties.c.person == person, ties.c.kind != "device")
        .order_by(ties.c.at, other.c.name)
    )
    chosen = {
        "ratings": (ratings, ("game", "seats", "mu", "sigma", "games", "at")),
        "rated_games": (results, _RATED),
        "seeks": (seeks, ("game", "seats", "pace", "rated", "created_ms")),
        "vacations": (vacations, ("from_ms", "to_ms")),
        "days": (day_plays, _DAY),
        "own_problems": (own_problems, _PROBLEM),
        "problem_ratings": (solvers, ("game", "mu", "sigma", "tries", "streak", "longest")),
        "bans": (bans, ("since_ms", "until_ms")),
    }
    told = select(reports.c.at, reports.c.table_id, reports.c.text, reports.c.lines).where(
        reports.c.reporter == person
    )
    lines = case((reports.c.decided_ms.is_not(None), reports.c.lines)).label("lines")
    heard = select(reports.c.at, lines, reports.c.decided_ms, reports.c.decision).where(
        reports.c.about == person
    )
    entered = (
        select(events.c.id, events.c.game, *(event_players.c[one] for one in _ENTRY))
        .join(events, events.c.id == event_players.c.event)
        .where(event_players.c.person == person)
        .order_by(events.c.made_ms, events.c.id)
    )
    hosted = select(*(events.c[one] for one in _EVENT)).where(events.c.host == person)
    did = select(house_log.c.at, house_log.c.what, house_log.c.about).where(house_log.c.host == person)
    met = select(house_log.c.at, house_log.c.what, house_log.c.about).where(house_log.c.whom == person)
    return {
        "people": _rows(connection, friends),
        "reports": _rows(connection, told.order_by(reports.c.n)),
        "reports_about": _rows(connection, heard.order_by(reports.c.n)),
        "tournaments": _rows(connection, entered),
        "own_tournaments": _rows(connection, hosted.order_by(events.c.made_ms, events.c.id)),
        "done_as_host": _rows(connection, did.order_by(house_log.c.n)),
        "done_by_hosts": _rows(connection, met.order_by(house_log.c.n)),
        **{
            name: _rows(
                connection, select(*(table.c[one] for one in columns)).where(table.c.person == person)
            )
            for name, (table, columns) in chosen.items()
        },
    }


def _tables(connection: Connection, person: str) -> list[dict[str, object]]:
    query = (
        select(
            tables.c.id,
            tables.c.game,
            tables.c.status,
            tables.c.created_ms,
            tables.c.started_ms,
            tables.c.ended_ms,
            tables.c.result,
            seats.c.seat,
            seats.c.nonce,
            seats.c.standing,
            *(seats.c[one] for one in _SEAT),
        )
        .where(tables.c.id == seats.c.table_id, seats.c.person == person)
        .order_by(tables.c.created_ms, tables.c.id)
    )
    return _rows(connection, query)
