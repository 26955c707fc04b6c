"""A seat's choice whether spectators may see what it sees."""

from __future__ import annotations

from sqlalchemy import Connection, update

from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import NotNow
from spelunke.house.store import seats


class Showing:
    """Stores the choice. It holds for one table, and can be changed at any time."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store

    def show(self, table_id: str, person: str, *, shown: bool) -> None:
        """Let spectators see through this seat's eyes, or no longer. Raise NotSeated or NotNow."""
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
