"""The choices of players who wait for an absent player: remind them, let a bot play, win, or end the game."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection, update

from spelunke.house.messages import Answer, Wait
from spelunke.house.outbox import Note, note
from spelunke.house.play.play import stand_in_level
from spelunke.house.play.table_store import TableStore
from spelunke.house.play.turns import Tries
from spelunke.house.refusals import NotNow, SiteClosed
from spelunke.house.sight import Absence, Viewer
from spelunke.house.store import seats
from spelunke.house.table import CALLED_OFF, LEFT, STAND_IN

Way = Literal["bot", "win", "off"]
WORDS: dict[Way, str] = {"bot": "let_bot", "win": "take_win", "off": "call_off"}


class GoingOn:
    """The actions of players who wait for an absent player.

    Whether an action is possible depends only on facts that these players know. So a refusal does not reveal
    which seats have answered in secret.
    """

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def nudge(self, table_id: str, person: str, seat: int) -> Answer:
        """Remind the absent player at `seat` of their turn.

        This is possible once a minute per seat, or every 12 hours if each decision may take days. Raise
        UnknownTable. Raise NotSeated if the person has no seat, NotNow if the person can't remind this player
        now, or SiteClosed while the game is paused.
        """
        with self._tables.open(table_id) as slot:
            viewer = Viewer(slot.table, slot.table.facts.require_seat(person))
            if "nudge" not in self._wait(viewer, seat).may:
                raise NotNow("you can't nudge this player now; give them some time")
            own, now = viewer.seat, self._store.now()
            told = _nudged(viewer, seat)

            def change(connection: Connection) -> None:
                here = (seats.c.table_id == table_id, seats.c.seat == seat)
                values = {"nudged_ms": now, "nudged_by": own}
                connection.execute(update(seats).where(*here).values(**values))
                note(connection, told, now)

            self._tables.change(table_id, change)
            self._store.noted(one.person for one in told)
        return self._answer(table_id, person)

    def go_on(self, table_id: str, person: str, seat: int, how: Way) -> Answer:
        """Go on without the player at `seat`, who was absent on their turn for at least `Clock.grace` minutes.

        `how` is one of three ways. ``bot``: a bot plays for the absent player until they return. ``win``: at a
        table with two seats, the person wins. ``off``: if all present players agree, the game is called
        off without a winner; until then, only the person's agreement is stored. Raise UnknownTable. Raise
        NotSeated if the person has no seat, NotNow if this is not possible now, or SiteClosed while the game is
        paused.
        """
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, own = turn.viewer(person)
                wait = self._wait(viewer, seat)
                if WORDS[how] not in wait.may:
                    raise NotNow(_why_not(viewer, wait, how, self._store.now()))
                if how == "off" and set(wait.missing) - {own}:
                    if turn.fresh:
                        break  # the other present players must agree as well
                    continue
                if how == "bot":
                    turn.apply(seat, f"{STAND_IN} {stand_in_level(turn.table.game)}")
                elif how == "win":
                    turn.apply(seat, LEFT)
                else:
                    turn.apply(own, f"{CALLED_OFF} {seat}")  # ratings need to know who was away
                turn.commit()
                return Viewer(turn.table, own).answer("done")
        self._agree(table_id, person)
        return self._call_off_if_agreed(table_id, person, seat)

    def _agree(self, table_id: str, person: str) -> None:
        """Record that the person agrees to call the game off."""
        with self._tables.open(table_id) as slot:
            own = slot.table.facts.require_seat(person)
            if not slot.table.running:
                return

            def change(connection: Connection) -> None:
                here = (seats.c.table_id == table_id, seats.c.seat == own)
                connection.execute(update(seats).where(*here).values(call_off_ms=self._store.now()))

            self._tables.change(table_id, change)

    def _call_off_if_agreed(self, table_id: str, person: str, seat: int) -> Answer:
        """End the game if all players who must agree have agreed.

        `go_on` calls this after it has stored an agreement, because the last two players may have agreed at the same
        moment.
        """
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, own = turn.viewer(person)
                wait = Absence(viewer, self._store.presence, self._store.now()).wait_for(seat)
                if wait is not None and "call_off" in wait.may and not wait.missing:
                    turn.apply(own, f"{CALLED_OFF} {seat}")
                    turn.commit()
                return Viewer(turn.table, own).answer("done")

    def _wait(self, viewer: Viewer, seat: int) -> Wait:
        if viewer.table.running and viewer.table.paused:
            raise SiteClosed(viewer.table.paused)
        if not 0 <= seat < viewer.table.seats:
            raise NotNow(f"there is no seat {seat}; the seats are 0 to {viewer.table.seats - 1}")
        wait = Absence(viewer, self._store.presence, self._store.now()).wait_for(seat)
        if wait is None:
            raise NotNow("the player at that seat is not absent, or you are not waiting for them")
        return wait

    def _answer(self, table_id: str, person: str) -> Answer:
        with self._tables.open(table_id) as slot:
            return Viewer(slot.table, slot.table.facts.require_seat(person)).answer("done")


def _nudged(viewer: Viewer, seat: int) -> tuple[Note, ...]:
    """Return the notification that reminds the seat's person. If no person sits there, the result is empty.

    People who share the host's device read no notifications, so the notification goes to the host.
    """
    facts = viewer.table.facts
    person = facts.host if facts.chairs[seat].here else facts.chairs[seat].person
    if person is None or viewer.chair is None:
        return ()
    live = facts.clock.kind != "days"
    name = viewer.table.names[viewer.chair.seat]
    return (Note(person=person, kind="nudged", table=facts.id, game=facts.game, live=live, by=name),)


def _why_not(viewer: Viewer, wait: Wait, how: Way, now: int) -> str:
    if wait.grace_ends_ms is None:
        return "at this table a player may take days for each decision; wait until their time is up"
    if wait.grace_ends_ms > now:
        return f"this player may still come back; wait {(wait.grace_ends_ms - now + 999) // 1000} s"
    if how == "off" and viewer.seat in wait.agreed:
        return "you have agreed already; wait for the others to agree"
    if how == "win" and (viewer.table.seats > 2 or len(viewer.table.people) < 2):
        return "you can claim the win only at a table of two people"
    return "it is your turn too: make your move first"
