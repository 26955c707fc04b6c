"""Notifications to people about new rows of a table's log: it is their turn, or the game is over.

A person is notified of their turn only if their own page would show that it is their turn. Secret actions, passes,
and moves by standing orders (instructions that a player stored) cause a message only if another player gets a new
decision. For example, if several players may answer a move and all of them pass, the last pass may give another player
a new decision (docs/why/notifications.md).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection

from spelunke.house.outbox.noting import Note, note, settle
from spelunke.house.table import CALLED_OFF, HOUSE_OFF, LEFT, ROUND_OFF, TIME, Row, Table


class News(msgspec.Struct, frozen=True, kw_only=True):
    """The effects of a commit on people: notifications to store, and people whose turn has ended
    (``settled``).

    ``over``: the game has ended.
    """

    table: str
    notes: tuple[Note, ...]
    settled: tuple[str, ...]
    over: bool

    @property
    def people(self) -> tuple[str, ...]:
        """All people whose notifications change."""
        return (*(one.person for one in self.notes), *self.settled)

    def write(self, connection: Connection, now: int) -> None:
        """Store the new notifications, and mark old notifications about turns at the table as read.

        If the game has ended, mark the notifications of all people, and also notifications about a new round of an
        event. Otherwise, mark only the notifications of people whose turn has ended. Call this in the commit of the
        rows that cause the notifications.
        """
        if self.over:
            settle(connection, self.table, ("turn", "nudged", "round"), now)
        elif self.settled:
            settle(connection, self.table, ("turn", "nudged"), now, self.settled)
        note(connection, self.notes, now)


def news_of(table: Table, rows: list[Row], is_here: Callable[[int], bool], *, began: bool) -> News | None:
    """Return the effects of the newest rows on people, or None if there are none.

    The rows are already applied to the table. `is_here` returns whether a seat's person is looking at the
    table. `began`: the game starts with these rows. While a game runs, turns have effects only if each decision
    at the table may take days. In a lesson, turns never have effects.
    """
    if table.match is None or not (rows or began):
        return None
    if not table.running:
        return _ending(table, rows, is_here)
    if table.facts.clock.kind != "days" or table.lesson is not None:
        return None  # at a live table, the players are present
    before = () if began else table.asked_after[table.row - len(rows)]
    asked = tuple(seat for seat in table.actors if _plays(table, seat))
    actor = rows[0].seat if rows else None
    notes = [
        _note(table, seat, "turn")
        for seat in asked
        if seat not in before or (_is_new(table, seat, rows) and seat != actor)
    ]
    chairs = table.facts.chairs
    settled = [chairs[seat].person for seat in before if seat not in asked]
    found = News(
        table=table.facts.id,
        notes=tuple(one for one in notes if one is not None),
        settled=tuple(person for person in settled if person is not None),
        over=False,
    )
    return found if found.people else None


def _plays(table: Table, seat: int) -> bool:
    """Return whether the seat's person is playing: no bot plays for them, and they have not resigned."""
    chair = table.facts.chairs[seat]
    return chair.person is not None and table.bot_at(seat) is None and seat not in table.seating.resigned


def _is_new(table: Table, seat: int, rows: list[Row]) -> bool:
    opened = table.decisions.opened[seat]
    return bool(rows) and opened is not None and opened >= rows[0].number


def _note(table: Table, seat: int, kind: str) -> Note | None:
    facts = table.facts
    person = facts.chairs[seat].person
    if person is None:
        return None
    return Note(
        person=person,
        kind="turn" if kind == "turn" else "ended",
        table=facts.id,
        game=facts.game,
        live=facts.clock.kind != "days",
    )


def _ending(table: Table, rows: list[Row], is_here: Callable[[int], bool]) -> News | None:
    facts, ended = table.facts, table.seating.ended_by
    days = facts.clock.kind == "days"
    # People who are present have seen the end. At a live table, players who played to the end were present.
    # Players who had left before are notified.
    if not days and (ended is None or ended.note[0] not in {TIME, LEFT, CALLED_OFF}):
        return None
    by_house = ended is not None and (ended.note[0] in {TIME, LEFT} or ended.move in {HOUSE_OFF, ROUND_OFF})
    actor = rows[0].seat if rows and not by_house else None
    seats = [chair.seat for chair in facts.chairs if chair.person is not None and chair.seat != actor]
    notes = [_note(table, seat, "ended") for seat in seats if not is_here(seat)]
    return News(
        table=facts.id,
        notes=tuple(one for one in notes if one is not None),
        settled=tuple(chair.person for chair in facts.chairs if chair.person is not None),
        over=True,
    )
