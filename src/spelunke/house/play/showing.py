"""Two marks of a seat: spectators may see what it sees, and a program plays for it."""

from __future__ import annotations

from sqlalchemy import Connection, update

from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.store import seats


class Showing:
    """Stores the marks with the seat. A person's choice applies to one table, and can be changed at any time."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store

    def show(self, table_id: str, person: str, *, shown: bool) -> None:
        """Set whether spectators may see what this seat sees. Raise NotSeated or NotNow."""
        with self._tables.open(table_id) as slot:
            table = slot.table
            seat = table.facts.require_seat(person)
            if not (table.game.hidden or table.game.together):
                raise NotNow(f"nothing is hidden in {table.game.title}: spectators see all that you see")
            if table.facts.status == "over":
                raise NotNow("the game is over; everybody can replay it from each seat")

        def change(connection: Connection) -> None:
            here = (seats.c.table_id == table_id, seats.c.seat == seat)
            connection.execute(update(seats).where(*here).values(eyes=shown))

        self._tables.change(table_id, change)

    def check_program(self, table_id: str) -> None:
        """Raise NotAllowed if the table is rated, because programs may not sit down there."""
        with self._tables.open(table_id) as slot:
            rated = slot.table.facts.rated
        if rated:
            raise NotAllowed("a rated game is for people: programs play at tables without rating")

    def mark_program(self, table_id: str, person: str) -> None:
        """Mark a seat as played by a program of its person, because it was taken with a token.

        This is possible only before the start.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        seat = facts.seat_of(person)
        if seat is None or facts.chairs[seat].program or facts.started_ms is not None:
            return

        def change(connection: Connection) -> None:
            here = (seats.c.table_id == table_id, seats.c.seat == seat)
            connection.execute(update(seats).where(*here).values(program=True))

        self._tables.change(table_id, change)
