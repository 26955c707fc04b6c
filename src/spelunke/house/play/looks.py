"""Make looks: a look is a table's state as a person or a spectator may see it, for pages, streams and
programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from spelunke.core.words import Translator, plain
from spelunke.house.messages import Glance, Look, ToldRows
from spelunke.house.play.attendance import Attendance
from spelunke.house.play.hands import find_decider
from spelunke.house.play.table_store import TableStore
from spelunke.house.refusals import BadPlan, NotNow, NotSeated
from spelunke.house.sight import Absence, Viewer, look_at, told_since
from spelunke.house.table import Table, undoable

NO_LOG = 1 << 30


class Looks:
    """Makes looks: a look is the state of a table as one reader may see it.

    A reader is a person, or None for a spectator without a name.
    """

    def __init__(self, table_store: TableStore, attendance: Attendance) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._attendance = attendance

    def look(
        self,
        table_id: str,
        person: str | None = None,
        *,
        since: int = 0,
        translate: Translator = plain,
        words: Translator = plain,
        draft: Mapping[str, Sequence[str]] | None = None,
        recall: bool = False,
    ) -> Look:
        """Return the table as this person may see it.

        Of the log rows that the person has noticed, the first `since` are left out. `translate` is for the game's
        sentences, and `words` for the site's. Both must be the same function objects at each call, because they are
        keys of cached sentences. `draft` has the fields of a form that the person has not sent. The draft affects only
        `Look.considered`, which nobody else receives. `recall`: include the summary of the last round even if the board
        does not show it now. Raise UnknownTable. Raise UnknownGame if this server lacks the table's game, or the
        version of its rules. Raise WatchLater for a spectator if only the table's players may see its game now.
        """
        return self.visit(
            table_id, person, since=since, translate=translate, words=words, draft=draft, recall=recall
        )[1]

    def visit(
        self,
        table_id: str,
        person: str | None = None,
        *,
        since: int = 0,
        translate: Translator = plain,
        words: Translator = plain,
        draft: Mapping[str, Sequence[str]] | None = None,
        recall: bool = False,
        fresh: bool = True,
        signs: bool = True,
        decides: int | None = None,
    ) -> tuple[Glance, Look]:
        """Return a `Glance` and a `Look` for the person. The `Glance` is a short description of the `Look`.

        For most parameters, see `look`. Readers with equal glances may get the same look. If `fresh` is false,
        use the table in memory as it is, even if newer changes are stored. If `signs` is false, make no new
        signature for the hash chain in the look. On a shared device, `decides` is the
        seat that may decide while no person's view is open (see `find_decider`). If it is given and the look is a
        spectator's, `Look.legal` has the legal actions of this seat, and `Look.may` has ``undo`` if the person who has
        just acted on the device can take this move back. Raise the errors of `look`.
        """
        with self._tables.open(table_id, fresh=fresh) as slot:
            viewer = Viewer.of(slot.table, person)
            now = self._store.now()
            absence = Absence.of(viewer, self._store.presence, now)
            look = look_at(
                viewer,
                absence,
                named=person is not None,
                now=now,
                undo_ms=self._tables.pauses.undo_ms,
                since=since,
                translate=translate,
                words=words,
                draft=draft,
                signer=self._store.signer,
                recall=recall,
                signs=signs,
            )
            if decides is not None and look.seat is None and decides == find_decider(slot.table):
                look = _open_decision(look, slot.table, decides)
            left = None if absence.again is None else max(0, absence.again - now)
            return Glance(look.version, absence.stamp, left, viewer.knowledge(person)), look

    def consider(
        self, table_id: str, person: str, *, fields: Mapping[str, Sequence[str]]
    ) -> msgspec.Struct | None:
        """Return the game's preview of a form that the person has not sent, or None if the game makes no preview.

        Raise the errors of `look`, or NotSeated if the person has no seat.
        """
        look = self.look(table_id, person, since=NO_LOG, draft=fields)
        if look.seat is None:
            raise NotSeated("you have no seat at this table; you may watch")
        return look.considered

    def version(self, table_id: str, person: str | None = None) -> int:
        """Return the number of the present version of a person's look (see `Looks`). This takes little time.

        Raise UnknownTable. Raise WatchLater for a spectator if only the table's players may see its game now.
        """
        with self._tables.open(table_id) as slot:
            return Viewer.of(slot.table, person).version

    def told(self, table_id: str, person: str | None = None, *, since: int = 0, viewer: str = "") -> ToldRows:
        """Return the texts from which this person's hash chain is computed.

        With all texts, anybody can compute the chain again. Leave out the texts of the first `since` rows of
        the chain. When the game is over, `viewer` may select another chain: the number of a seat, or
        ``spectator``. Raise UnknownTable. Raise BadPlan for any other `viewer`. Raise NotNow before the game
        starts, or if `viewer` is given before the game is over. Raise WatchLater for a spectator if only the
        table's players may see its game now.
        """
        with self._tables.open(table_id) as slot:
            asked = Viewer.of(slot.table, person)
            if viewer:
                if slot.table.outcome is None:
                    raise NotNow("you can see the hash chains of others only after the game is over")
                seats = {str(seat): seat for seat in range(slot.table.seats)}
                if viewer not in {"spectator", *seats}:
                    raise BadPlan(f"choose spectator, or a seat from 0 to {slot.table.seats - 1}", "viewer")
                asked = Viewer(slot.table, seats.get(viewer))
            return told_since(asked, since, self._store.signer)


def _open_decision(look: Look, table: Table, seat: int) -> Look:
    """Add the legal actions of the deciding seat to a spectator's look, and the undo of the newest move.

    The undo is added only if nobody on another device must agree. It reveals the standing orders of nobody: the people
    at the device know who has just pressed a button on it.
    """
    assert table.match is not None
    write, actions = table.game.notation.write, table.moment.legal(seat)
    mover = table.match.plies[-1].seat if table.match.plies else None
    here = {chair.seat for chair in table.facts.at_device(table.facts.host)}
    undoes = mover in here and not table.paused and undoable(table, mover) == "undo"
    return msgspec.structs.replace(
        look,
        legal=tuple((one, write(one)) for one in actions),
        may=look.may | {"undo"} if undoes else look.may,
        undo_of=mover if undoes else None,
    )
