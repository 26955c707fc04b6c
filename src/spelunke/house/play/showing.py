"""Two marks that a seat can have: that spectators may see everything that it sees, and that a program plays for it."""

from __future__ import annotations

from sqlalchemy import Connection, update

from spelunke.core.caches import Cache
from spelunke.house.budgets import MARKED
from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import NotAllowed, NotNow
from spelunke.house.store import seats
from spelunke.house.table import Table


class Showing:
    """Stores two marks of a seat.

    The first mark means that spectators may see everything that the seat sees. A person can change it while the table
    is not over. The second mark means that a program plays for the seat.
    """

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._marked: Cache[tuple[str, str], bool] = Cache(MARKED, each=200)

    def show(self, table_id: str, person: str, *, shown: bool) -> None:
        """Set whether spectators may see everything that the person's seat sees.

        Raise UnknownTable. Raise NotSeated if the person has no seat. Raise NotNow if the game hides nothing,
        or if the table is over.
        """
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
        """Raise NotAllowed if programs may not play at the table.

        They may not play rated games. They may not play a game of the day until that day is over. Raise
        UnknownTable if there is no such table.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        if facts.rated:
            raise NotAllowed("programs can't play rated games: choose a table without rating")
        if facts.of_day and facts.players_only:
            raise NotAllowed(
                "Programs can't play the game of the day. Play it on its page, or in a terminal in which you have "
                "logged in with the link from your account page."
            )

    def is_marked(self, table_id: str, person: str) -> bool:
        """Return whether the cache says that a program plays for the person's seat.

        If the cache has no entry for the seat, return False.
        """
        return self._marked.get((table_id, person)) is not None

    def mark_program(self, table_id: str, person: str) -> None:
        """Mark the person's seat as played by a program.

        Call this when a program sits down or moves with the person's token. If the seat's newest move is
        secret, do nothing, because the mark would show that the seat has chosen. The mark is then set by the first
        call after the move has become visible. If the person has no seat, do nothing. Raise UnknownTable if there is
        no such table.
        """
        with self._tables.open(table_id) as slot:
            table, facts = slot.table, slot.table.facts
            seat = facts.seat_of(person)
            if seat is None or not (facts.chairs[seat].program or _shows_newest(table, seat)):
                return
            known = facts.chairs[seat].program

        def change(connection: Connection) -> None:
            here = (seats.c.table_id == table_id, seats.c.seat == seat)
            connection.execute(update(seats).where(*here).values(program=True))

        if not known:
            self._tables.change(table_id, change)
        if facts.started_ms is not None:  # before the start the seat may get another person
            self._marked.put((table_id, person), True)


def _shows_newest(table: Table, seat: int) -> bool:
    """Return whether spectators have seen the newest log row of a seat, or any later row.

    A row can be secret from spectators for a while. If the seat has no row in the log, return True.
    """
    rows = table.log.rows
    newest = next((index for index in range(len(rows) - 1, -1, -1) if rows[index].seat == seat), None)
    if newest is None:
        return True
    spectator = table.noticed(None)
    return spectator.seen > spectator.counts[newest]
