"""The lobby: creating tables, and joining them before their games start."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import Connection, case, delete, func, insert, select, update

from spelunke.games import find_game
from spelunke.house.lobby.founding import NewTable, PlannedChair, new_word
from spelunke.house.lobby.starting import Starting
from spelunke.house.outbox import note, read_people, settle
from spelunke.house.people import People, are_friends, check_company, check_name
from spelunke.house.plan import BOT, HERE, LINK, ME, OPEN, Plan
from spelunke.house.play import TableStore, check_level
from spelunke.house.refusals import BadNonce, BadPlan, NotAllowed, NotNow, NotSeated, SeatTaken, SiteClosed
from spelunke.house.store import Write, due, event_tables, seats, tables, touch
from spelunke.house.table import Chair, Facts, start_task
from spelunke.records.chain import nonce_commitment
from spelunke.records.fairness import is_nonce
from spelunke.records.signing import is_link


class Lobby:
    """Operations on tables before their start."""

    def __init__(self, table_store: TableStore, people: People, starting: Starting) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people
        self._starting = starting

    # --- operations until the start

    def create(
        self,
        person: str,
        plan: Plan,
        also: Callable[[Connection, str], None] = lambda connection, table: None,
    ) -> str:
        """Make a table for a plan, and return its id (10 letters and digits). For `also`, see `found`.

        If no seat is free, the table is `ready` at once. Raise UnknownPerson, UnknownGame, NotAllowed,
        BadOption, BadPlan, BadInput, or SiteClosed if a host has closed the site.
        """
        host = self._people.find(person)
        game = find_game(plan.game)
        settled = game.settle(len(plan.seats), plan.options)
        if plan.rated and not host.member:
            raise NotAllowed("only members can play rated games: become a member, or play without rating")
        plan.check_rated(standard=not game.changed(len(plan.seats), settled))
        clock = (plan.clock or plan.usual_clock).check()
        if plan.seats.count(ME) != 1:
            raise BadPlan("exactly one seat must be 'me', the seat of the table's host", "seats")
        for number, word in enumerate(plan.seats):
            if word.startswith(BOT):
                check_level(game, word.removeprefix(BOT))
            elif word.startswith(HERE):
                check_name(word.removeprefix(HERE), f"seats[{number}]")
            elif word not in {ME, OPEN, LINK}:
                raise BadPlan(
                    f"{word!r} is not possible; choose “me”, “open”, “link”, “here:NAME” or “bot:LEVEL”",
                    f"seats[{number}]",
                )
        if plan.shares_device and clock.kind != "none":
            raise BadPlan("people who share a device play without a clock: choose “No clock”", "clock")
        chairs = [PlannedChair(word, person if word == ME else None) for word in plan.seats]
        for number, word in enumerate(plan.seats):
            if word.startswith(HERE):
                mate = self._people.create(word.removeprefix(HERE), brought=True)
                chairs[number] = PlannedChair(HERE, mate.id)
        return self.found(
            NewTable(
                game=game,
                options=settled,
                clock=clock,
                chairs=chairs,
                host=person,
                listed=plan.listed,
                terms=plan.terms,
            ),
            also=also,
        )

    def found(
        self,
        new: NewTable,
        *,
        begin: bool = True,
        also: Callable[[Connection, str], None] = lambda connection, table: None,
    ) -> str:
        """Make a table, and return its id.

        If the new table is a rematch, notify the people for whom a seat is kept. If the earlier table already has a
        rematch, make no table and return the id of that rematch. If `begin` is false, the caller must start the
        table. `also` is called with the new table's id, and its writes are committed together with the table. Raise
        UnknownPerson if nobody has the id `new.host`, or SiteClosed if a host of the site has closed it.
        """
        if self._tables.closed:
            raise SiteClosed(self._tables.closed)
        table_id = new.id or new_word(10)
        now = self._store.now()
        notes = new.rematch_notes(table_id, by=self._people.find(new.host).name)

        def make(connection: Connection) -> str:
            if new.previous is not None:
                # The first person to ask makes the rematch; the others find it.
                free = (tables.c.id == new.previous, tables.c.rematch.is_(None))
                values = {"rematch": table_id, "rev": tables.c.rev + 1, "shown": tables.c.shown + 1}
                if connection.execute(update(tables).where(*free).values(**values)).rowcount != 1:
                    made = connection.execute(select(tables.c.rematch).where(tables.c.id == new.previous))
                    return str(made.scalar())
            connection.execute(insert(tables), new.row(table_id, now))
            connection.execute(insert(seats), new.chair_rows(table_id))
            self._store_start(connection, table_id, now if new.full else None)
            note(connection, notes, now)
            also(connection, table_id)
            return table_id

        made = self._store.writer.write(Write(call=make))
        self._store.noted(one.person for one in notes)
        if begin:
            self._keep_due(made)
        return made

    def _keep_due(self, table_id: str) -> None:
        """Store the future tasks of a table that has changed. If the table's game can start now, start it."""
        with self._tables.open(table_id) as slot:
            self._tables.commit(slot, [], quiet=True)
        self._starting.start(table_id, nonces_due=False)

    def join(self, table_id: str, person: str, *, invite: str = "", seat: int | None = None) -> int:
        """Sit down at a free seat, and return its number. A person who is already seated keeps their seat.

        If no `seat` is given, take a seat that is kept for the person, else a seat planned as `link`, else any other
        free seat that is kept for nobody. `invite` is the code in the table's link. It is needed for seats planned as
        `link`. Raise SeatTaken if the seat is taken. If two people want the same seat at the same time, one of them
        gets the seat, and SeatTaken is raised for the other. Raise UnknownPerson, UnknownTable, NotNow, NotAllowed or
        BadPlan.
        """
        known = self._people.find(person)
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        if (sits := facts.seat_of(person)) is not None:
            return sits
        if facts.status != "open":
            raise NotNow(
                "all seats are taken; find another table"
                if facts.started_ms or facts.status == "ready"
                else "the table is closed"
            )
        invited = secrets.compare_digest(invite.encode(), facts.invite.encode())
        if seat is not None and not 0 <= seat < len(facts.chairs):
            raise BadPlan(f"there is no seat {seat}; the seats are 0 to {len(facts.chairs) - 1}", "seat")
        wanted = [c for c in facts.chairs if c.free and seat in {None, c.seat} and c.kept in {None, person}]
        allowed = [c for c in wanted if c.plan != LINK or invited]
        if wanted and not allowed:
            raise NotNow("to sit down there, you need the table's link; ask the host of the table for it")
        if not wanted and any(c.free and c.kept for c in facts.chairs):
            raise NotNow("the free seats are kept for other players; find another table")
        if not allowed:
            raise SeatTaken("somebody else sits there; choose a free seat")
        if facts.rated and not known.member:
            raise NotAllowed("this game is rated: become a member first, or choose a game without rating")
        # First choose the seat that is kept for this person, and then a seat for people with the link.
        allowed.sort(key=lambda chair: (chair.kept is None, chair.plan != LINK))

        def sit(connection: Connection) -> int:
            mine = select(seats.c.seat).where(seats.c.table_id == table_id, seats.c.person == person)
            if (already := connection.execute(mine).scalar()) is not None:
                return int(already)
            self._check_company(connection, facts, person, invited=invited)
            for chair in allowed:
                free = (seats.c.table_id == table_id, seats.c.seat == chair.seat, seats.c.person.is_(None))
                kept = (
                    seats.c.plan == chair.plan,
                    seats.c.kept == chair.kept if chair.kept else seats.c.kept.is_(None),
                )
                done = connection.execute(update(seats).where(*free, *kept).values(person=person, kept=None))
                if done.rowcount == 1:
                    self._settle_status(connection, table_id)
                    settle(
                        connection, table_id, ("rematch", "invited", "found"), self._store.now(), (person,)
                    )
                    if facts.previous is not None:
                        touch(connection, facts.previous)
                    return chair.seat
            raise SeatTaken("somebody else was faster: the seat is taken")

        found = self._tables.change(table_id, sit)
        self._note(table_id)
        if facts.previous is not None:
            self._store.changed(facts.previous)
        self._keep_due(table_id)
        return found

    @staticmethod
    def _check_company(connection: Connection, facts: Facts, person: str, *, invited: bool) -> None:
        """Raise NotAllowed if the person may not sit down at the table.

        They may not sit down with a person whom they have blocked, or with a person who has blocked them. If the table
        is for its host's friends, everybody else needs the table's link (`invited`) or a seat that is kept for them.
        """
        others = select(seats.c.person).where(seats.c.table_id == facts.id, seats.c.person.is_not(None))
        check_company(connection, person, connection.execute(others).scalars())
        kept = any(chair.kept == person for chair in facts.chairs)
        if facts.friends and not (invited or kept or are_friends(connection, facts.host, person)):
            raise NotAllowed(
                "this table is for friends of its host: send the host a friend request, or ask for the table's link"
            )

    def _note(self, table_id: str) -> None:
        """Drop the cached number of unread notifications for each person who has notifications about the table.

        Call this after notifications about the table were marked as read.
        """
        with self._store.read() as connection:
            self._store.noted(read_people(connection, table_id))

    def _settle_status(self, connection: Connection, table_id: str) -> None:
        """Set the table's status before the start: `ready` if no seat is free, or else `open`.

        The table's row in the database must be locked. Raise NotNow if the game has started.
        """
        free = select(func.count()).where(
            seats.c.table_id == table_id, seats.c.person.is_(None), seats.c.plan.in_((ME, OPEN, LINK))
        )
        full = connection.execute(free).scalar() == 0
        ready = self._store.now() if full else None
        values = {"status": "ready" if full else "open", "ready_ms": ready}
        before = (tables.c.id == table_id, tables.c.status.in_(("open", "ready")))
        if connection.execute(update(tables).where(*before).values(**values)).rowcount != 1:
            raise NotNow("the game has started already")
        if full:
            settle(connection, table_id, ("invited",), self._store.now())
        self._store_start(connection, table_id, ready)

    def _store_start(self, connection: Connection, table_id: str, ready_ms: int | None) -> None:
        """Store the task that starts the game, in the commit that makes the table ready.

        So the game starts even if the server crashes right after that commit. If `ready_ms` is None, delete
        the task.
        """
        connection.execute(delete(due).where(due.c.table_id == table_id))
        if ready_ms is not None:
            connection.execute(insert(due), start_task(table_id, ready_ms, self._tables.pauses).stored())

    def leave(self, table_id: str, person: str) -> None:
        """Leave a table that has not started. If the host leaves, the table closes (status `over`).

        Raise UnknownTable or NotSeated. Raise NotNow if the game has started, or if the table belongs to a tournament:
        without its players, its round would not go on.
        """
        facts = self._before_start(table_id)
        self._seated(facts, person)

        def stand_up(connection: Connection) -> None:
            of_event = select(event_tables.c.event).where(event_tables.c.table_id == table_id)
            if connection.execute(of_event).first() is not None:
                raise NotNow(
                    "you can't leave a table of a tournament; you can resign after the game has started"
                )
            if person == facts.host:
                self._close(connection, facts)
                return
            here = (seats.c.table_id == table_id, seats.c.person == person)
            # Delete this person's data from the seat, so that the next person does not get it.
            given = {"nonce": None, "nonce_commitment": None}
            # Only a seat that was open to all is open again. Every other seat needs the table's link.
            plan = case((seats.c.plan == OPEN, OPEN), else_=LINK)
            free = {**given, "person": None, "plan": plan, "standing": None, "standing_rev": 0}
            free |= {
                "eyes": None,
                "program": None,
                "seen_ms": None,
                "nudged_ms": None,
                "nudged_by": None,
                "call_off_ms": None,
            }
            connection.execute(update(seats).where(*here).values(free))
            opened = (tables.c.id == table_id, tables.c.closed_ms.is_not(None))
            if connection.execute(update(tables).where(*opened).values(closed_ms=None)).rowcount:
                # Some people may have opened their nonces. The next person on the seat would choose a nonce later
                # than that, so all people send new ones.
                connection.execute(update(seats).where(seats.c.table_id == table_id).values(given))
            self._settle_status(connection, table_id)

        self._tables.change(table_id, stand_up)
        self._tell_left(facts)

    def close(self, table_id: str, also: Callable[[Connection], None]) -> None:
        """Close a table that has not started, on the order of a host of the site.

        The writes of `also` are committed together with this change. Raise NotNow if the game has started or
        the table is closed.
        """
        facts = self._before_start(table_id)

        def change(connection: Connection) -> None:
            self._close(connection, facts)
            also(connection)

        self._tables.change(table_id, change)
        self._tell_left(facts)

    def _close(self, connection: Connection, facts: Facts) -> None:
        before = (tables.c.id == facts.id, tables.c.status.in_(("open", "ready")))
        values = {"status": "over", "ended_ms": self._store.now(), "result": "closed"}
        if connection.execute(update(tables).where(*before).values(**values)).rowcount != 1:
            raise NotNow("the game has started already")
        self._store_start(connection, facts.id, None)
        settle(connection, facts.id, ("rematch", "invited", "found"), self._store.now())
        if facts.previous is not None:  # the players there may offer another rematch
            offered = (tables.c.id == facts.previous, tables.c.rematch == facts.id)
            connection.execute(update(tables).where(*offered).values(rematch=None))
            touch(connection, facts.previous)

    def _tell_left(self, facts: Facts) -> None:
        """Publish that a person left a table, or that the table was closed.

        If the table is a rematch, publish a change of the previous table too.
        """
        self._note(facts.id)
        if facts.previous is not None:
            self._store.changed(facts.previous)
        with self._tables.open(facts.id) as slot:
            self._tables.commit(slot, [], quiet=True)

    def add_nonce(self, table_id: str, person: str, nonce: str = "", commitment: str = "") -> None:
        """Store the person's nonce (a text that contributes to chance), or first a commitment to it (its
        SHA-256).

        A nonce has 1 to 64 printable characters without spaces. When all seats are taken and all people have
        sent a nonce or a commitment, nobody can change theirs any more. People who sent a commitment then
        send the nonce itself, and the game starts. After a few seconds (setting `nonce_wait`), or by `start`,
        the game starts without the missing nonces. Until the start, nobody sees the nonces of others. If the
        same nonce or commitment is sent again, nothing changes. Raise BadNonce, UnknownTable, NotSeated or NotNow.
        """
        if bool(nonce) == bool(commitment):
            raise BadNonce(
                "give either the text (nonce) or its commitment (the SHA-256 of the text), not both",
                "nonce",
            )
        if nonce and not is_nonce(nonce):
            raise BadNonce(
                "your text (nonce) must have 1 to 64 ASCII characters (plain letters, digits or signs) and no spaces",
                "nonce",
            )
        if commitment and not is_link(commitment):
            raise BadNonce(
                "a commitment has 64 hexadecimal digits: the SHA-256 of the text (nonce)", "commitment"
            )
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        seat = facts.seat_of(person)
        chair = None if seat is None else facts.chairs[seat]
        if chair and (
            (nonce and chair.nonce == nonce) or (commitment and chair.nonce_commitment == commitment)
        ):
            return  # sent again, perhaps because the answer was lost, and the game has started
        self._seated(self._before_start(table_id), person)

        def add(connection: Connection) -> None:
            found = connection.execute(
                select(tables.c.status, tables.c.closed_ms).where(tables.c.id == table_id)
            ).one()
            if found.status not in {"open", "ready"}:
                raise NotNow("the game has started; it is too late to add randomness")
            here = (seats.c.table_id == table_id, seats.c.person == person)
            given: dict[str, str | None] = {"nonce": nonce or None, "nonce_commitment": commitment or None}
            if found.closed_ms is not None:
                bound = connection.execute(select(seats.c.nonce_commitment).where(*here)).scalar()
                if commitment or bound is None:
                    raise NotNow("all texts (nonces) are being revealed; it is too late to change yours")
                if nonce_commitment(nonce) != bound:
                    raise BadNonce("this is not the text (nonce) that you committed to", "nonce")
                given = {"nonce": nonce}
            connection.execute(update(seats).where(*here).values(given))

        self._tables.change(table_id, add)
        self._starting.start(table_id, nonces_due=False)

    def fill(self, table_id: str, person: str, level: str | None = None, seat: int | None = None) -> None:
        """Put a bot on the free seat `seat`, or bots on all free seats. Only the host may do this.

        If `level` is None, the bots have the game's default level. If the game has started meanwhile, do nothing. Raise
        UnknownTable, NotSeated, NotNow or BadPlan.
        """
        if self._plays(table_id, person):
            return
        facts = self._before_start(table_id)
        self._seated(facts, person)
        if person != facts.host:
            raise NotNow("only the host of the table can fill seats with bots")
        if facts.rated:
            raise NotNow("a rated game is for people only: wait for players, or make a table without rating")
        word = BOT + check_level(find_game(facts.game), level)
        free = [c.seat for c in facts.chairs if c.free and seat in {None, c.seat}]
        if not free:
            raise NotNow("a bot can take only a free seat")

        def place(connection: Connection) -> None:
            here = (seats.c.table_id == table_id, seats.c.seat.in_(free), seats.c.person.is_(None))
            connection.execute(update(seats).where(*here).values(plan=word, kept=None))
            self._settle_status(connection, table_id)
            if unkept:
                settle(connection, table_id, ("rematch",), self._store.now(), unkept)

        unkept = [c.kept for c in facts.chairs if c.seat in free and c.kept is not None]
        self._tables.change(table_id, place)
        self._note(table_id)
        self._keep_due(table_id)

    def start(self, table_id: str, person: str) -> None:
        """Start the game without waiting for further nonces. Any seated person may do this.

        If some people have sent only a commitment to a nonce, first wait a few seconds for their nonces. All seats
        must be taken. If the game has started meanwhile, do nothing. Raise UnknownTable, NotSeated or NotNow.
        """
        if self._plays(table_id, person):
            return
        facts = self._before_start(table_id)
        self._seated(facts, person)
        if facts.status == "open":
            raise NotNow("some seats are still free; wait for players, or let bots take them")
        self._starting.start(table_id, nonces_due=True)

    def _plays(self, table_id: str, person: str) -> bool:
        """Return whether the game is running and the person has a seat in it.

        If so, `fill` and `start` have nothing left to do.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        return facts.status == "playing" and facts.seat_of(person) is not None

    def _before_start(self, table_id: str) -> Facts:
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
        if facts.status not in {"open", "ready"}:
            raise NotNow("the game has started already" if facts.started_ms else "the table is closed")
        return facts

    @staticmethod
    def _seated(facts: Facts, person: str) -> Chair:
        seat = facts.seat_of(person)
        if seat is None:
            raise NotSeated("you have no seat at this table")
        return facts.chairs[seat]
