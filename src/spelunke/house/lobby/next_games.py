"""Tables for which the host has entered no plan of options and seats.

They are lessons, rematches, and games from positions of finished games.
"""

from __future__ import annotations

from sqlalchemy import Connection, update

from spelunke.games import find_game
from spelunke.house.lobby.founding import NewTable, PlannedChair, word_for_rematch
from spelunke.house.lobby.lobby import Lobby
from spelunke.house.lobby.starting import Starting
from spelunke.house.outbox import settle
from spelunke.house.people import People
from spelunke.house.plan import BOT, HERE, LINK, ME
from spelunke.house.play import TableStore, check_level
from spelunke.house.refusals import BadPlan, NotNow
from spelunke.house.store import seats, touch
from spelunke.house.study import Replays
from spelunke.house.table import LESSON, SHORT
from spelunke.records.record import Origin


class NextGames:
    """Makes tables for which the host has entered no plan of options and seats.

    They are lessons, rematches, and games from positions of finished games.
    """

    def __init__(
        self, table_store: TableStore, people: People, starting: Starting, replays: Replays, lobby: Lobby
    ) -> None:
        self._tables = table_store
        self._store = table_store.store
        self._people = people
        self._starting = starting
        self._replays = replays
        self._lobby = lobby

    def begin_lesson(self, person: str, name: str, *, short: bool = False) -> str:
        """Begin a lesson of a game, and return the id of its table. Chance and bots follow the lesson.

        If `short` is true, begin the shorter lesson. Raise UnknownPerson, UnknownGame or SiteClosed. Raise BadPlan
        if the game has no such lesson.
        """
        self._people.find(person)
        game = find_game(name)
        lesson = game.hooks.lesson()
        if lesson is None:
            raise BadPlan(f"{game.title} has no guided game; read its rules instead", "game")
        if short and not lesson.short:
            raise BadPlan(f"the lesson of {game.title} has no short version", "short")
        chairs = [PlannedChair(word, person if word == ME else None) for word in lesson.seats]
        table = self._lobby.found(
            NewTable(
                game=game,
                options=game.settle(len(lesson.seats), lesson.options),
                chairs=chairs,
                host=person,
            ),
            begin=False,
        )
        self._starting.start(table, nonces_due=True, lesson=f"{LESSON} {SHORT}" if short else LESSON)
        return table

    def again(self, table_id: str, person: str, *, level: str | None = None) -> str:
        """Make the next game after a game against bots, and return the id of its table.

        `level` is the bots' level. By default, the bots keep the level that they had. Raise BadPlan if another person
        took part in the game on a device of their own. Also raise the errors of `rematch`.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
            facts.require_seat(person)
        there = [chair.person for chair in facts.at_device(person)]
        if any(chair.person not in (None, person, *there) for chair in facts.chairs):
            raise BadPlan(
                "you can choose the bots' level only after a game in which all people played on your device",
                "level",
            )
        return self.rematch(table_id, person, level=level)

    def rematch(self, table_id: str, person: str, *, level: str | None = None) -> str:
        """Offer a rematch or accept it, and return the id of its table.

        The settings stay the same, and all players move on by one seat. At the first request, the table is
        made, the person who asks sits down, and the other people's seats are reserved for them. The game
        starts when all have accepted. If the first request has a `level`, all bots get that level. Later requests do
        not change it. If several people play on one device, only its owner can make the first request, because the
        host of a table is the owner of its shared device. If the rematch is already offered, but none of its seats is
        reserved for the person, only return the id of its table. Raise UnknownTable, NotSeated, NotNow, BadPlan or
        SiteClosed. Raise NotAllowed if the person has blocked somebody at the table of the rematch, or if somebody
        there has blocked the person.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
            facts.require_seat(person)
        if facts.rematch is not None:
            if person in facts.invited:
                self._lobby.join(facts.rematch, person)
            return facts.rematch
        if facts.status != "over" or facts.started_ms is None:
            raise NotNow("you can offer a rematch only after the game")
        # the host of a table is the owner of its shared device
        if facts.shares_device and person != facts.host:
            raise NotNow("if several people play on one device, only its owner can offer a rematch")
        game = find_game(facts.game)
        bot = None if level is None else BOT + check_level(game, level)
        chairs = [
            PlannedChair(
                (bot or c.plan) if c.level else HERE if c.here else ME,
                c.person if c.here or c.person == person else None,
                c.person,
            )
            for c in (*facts.chairs[1:], facts.chairs[0])
        ]
        made = self._lobby.found(
            NewTable(
                game=game,
                options=game.settle(len(chairs), facts.options),
                clock=facts.clock,
                chairs=chairs,
                host=person,
                id=word_for_rematch(
                    game, facts.id, [c.level for c in facts.chairs], [c.level for c in chairs]
                ),
                listed=facts.listed,
                previous=facts.id,
                terms=facts.terms,
            )
        )
        self._store.changed(table_id)
        # If two people offer at once, the second one accepts.
        self._lobby.join(made, person)
        return made

    def decline_rematch(self, table_id: str, person: str) -> None:
        """Decline the rematch. Then anybody with the link of the rematch's table may take the person's seat there.

        Raise UnknownTable, NotSeated or NotNow.
        """
        with self._tables.open(table_id) as slot:
            facts = slot.table.facts
            facts.require_seat(person)
        if facts.rematch is None or person not in facts.invited:
            raise NotNow("no seat in a rematch is kept for you")
        free = (seats.c.table_id == facts.rematch, seats.c.kept == person, seats.c.person.is_(None))

        offered = facts.rematch

        def decline(connection: Connection) -> None:
            connection.execute(update(seats).where(*free).values(kept=None, plan=LINK))
            settle(connection, offered, ("rematch",), self._store.now(), (person,))
            touch(connection, table_id)

        self._tables.change(offered, decline)
        self._store.noted((person,))
        self._store.changed(table_id)

    def play_on(
        self,
        table_id: str,
        person: str,
        *,
        ply: int | None = None,
        seat: int | None = None,
        level: str | None = None,
    ) -> str:
        """Make a table that begins with a position of a finished game, and return its id.

        `ply` is the number of plies before the position; None is the end. The person sits at `seat`. By
        default this is the seat that they had, or else the seat to act. Bots of the given level take the
        other seats. By default, the finished game's bots keep their levels and, if possible, their names. The
        record of the new game names the finished one. Raise UnknownPerson, NotNow, BadPlan, SiteClosed, or the
        errors of `Replays.look`.
        """
        self._people.find(person)
        match, position, own = self._replays.branch(table_id, person, ply)
        if match.over:
            raise NotNow("the game is over in that position; choose an earlier one")
        if seat is not None and not 0 <= seat < match.seats:
            raise BadPlan(f"there is no seat {seat}; the seats are 0 to {match.seats - 1}", "seat")
        game = match.game
        asked = match.actors[0] if match.actors else 0
        mine = next(choice for choice in (seat, own, asked) if choice is not None)
        usual = check_level(game, level)
        with self._tables.open(table_id) as slot:
            before = [chair.level for chair in slot.table.facts.chairs]
        chairs = [
            PlannedChair(ME, person)
            if here == mine
            else PlannedChair(BOT + ((level is None and earlier) or usual), None)
            for here, earlier in enumerate(before)
        ]
        text = game.notation.write_position(match.state)
        return self._lobby.found(
            NewTable(
                game=game,
                options=match.options,
                chairs=chairs,
                host=person,
                id=word_for_rematch(game, table_id, before, [chair.level for chair in chairs]),
                origin=Origin(table=table_id, ply=position, position=text, chained=True),
            )
        )
