"""Start games when everybody has sent a nonce, or when the time for nonces is over."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, update

from spelunke.games.lesson import LEARNER
from spelunke.house.play import MOST_TRIES, Slot, TableStore
from spelunke.house.refusals import HouseClosed
from spelunke.house.store import Conflict, tables
from spelunke.house.table import Facts, Row


class Starting:
    """Starts games at tables whose seats are all taken."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def start(self, table_id: str, nonces_due: bool, *, lesson: str = "") -> bool:
        """Start the game of a `ready` table if it can start now. Return whether the game is running.

        If some people have sent neither a nonce nor a commitment to one, the game can start only if the time for
        nonces is over (`nonces_due`). If some have sent only a commitment, the first call does not start the game.
        From this call on, the server accepts only the nonces that belong to these commitments. When all of these
        nonces have arrived, or after a few seconds, another call starts the game.

        If the table is a lesson, `lesson` is the text of the first row in its log. Raise HouseClosed after too many
        conflicts with other changes.
        """
        for _ in range(MOST_TRIES):
            with self._tables.open(table_id) as slot:
                table, facts = slot.table, slot.table.facts
                if facts.status != "ready":
                    return facts.status == "playing"
                now = self._store.now()
                if facts.missing_nonces and facts.closed_ms is None and not nonces_due:
                    return False
                if facts.unopened_nonces and facts.closed_ms is None:
                    if self._close_nonces(slot, now):
                        return False
                    continue
                if facts.unopened_nonces and now < (facts.closed_ms or 0) + self._tables.pauses.nonce_ms:
                    return False
                table.adopt(
                    msgspec.structs.replace(
                        facts, status="playing", started_ms=now, rev=facts.rev + 1, shown=facts.shown + 1
                    )
                )
                table.begin()
                rows = [table.apply(Row(1, LEARNER, lesson, now))] if lesson else []
                rows += table.decide_chance(now)
                try:
                    settling = _settling(facts, status="playing", started_ms=now)
                    self._tables.commit(slot, rows, settling, began=True)
                except Conflict:
                    self._store.metrics.conflicts.inc()
                    continue
                self._store.metrics.started.labels(facts.game).inc()
                return True
        raise HouseClosed("too many changes at this table at once; please try again")

    def _close_nonces(self, slot: Slot, now: int) -> bool:
        """Store that from now on, the table accepts a nonce only from a player who has already sent its commitment.

        Return True if this was stored, or False if another change of the table was stored first.
        """
        facts = slot.table.facts
        slot.table.adopt(
            msgspec.structs.replace(facts, closed_ms=now, rev=facts.rev + 1, shown=facts.shown + 1)
        )
        try:
            self._tables.commit(slot, [], _settling(facts, closed_ms=now))
        except Conflict:
            self._store.metrics.conflicts.inc()
            return False
        return True


def _settling(facts: Facts, **values: str | int) -> Callable[[Connection], None]:
    """Return a function that stores the given `values` in a table whose game has not started yet.

    If the table has changed since `facts` was read, or is no longer `ready`, the function raises Conflict.
    """

    def change(connection: Connection) -> None:
        counted = {"rev": facts.rev + 1, "shown": tables.c.shown + 1}
        same = (tables.c.id == facts.id, tables.c.rev == facts.rev, tables.c.status == "ready")
        if connection.execute(update(tables).where(*same).values(**counted, **values)).rowcount != 1:
            raise Conflict("the table changed before its game could start")

    return change
