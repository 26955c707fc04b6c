"""Playing: what seats do, each committed before it is acknowledged. What the house does by itself is in `duty`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, update

from spelunke.core.errors import GameOver, NotYourTurn, Refused, SpelunkeError
from spelunke.core.game import Game
from spelunke.house.customs import arrive, check_private
from spelunke.house.messages import Answer
from spelunke.house.refusals import BadPlan, HouseClosed, NotNow, NotSeated
from spelunke.house.store.schema import seats, tables
from spelunke.house.store.writer import Conflict
from spelunke.house.table_store import TableStore
from spelunke.house.tables import COME_BACK, DRAW, RESIGN, STAND_IN, Row, Table

ATTEMPTS = 12


Make = Callable[[Table, int, int], "list[Row] | None"]


class Play:
    """Actions at running tables."""

    def __init__(self, store: TableStore) -> None:
        self._store = store

    def act(self, table: str, person: str, move: str, ply: int, key: str) -> Answer:
        """See `House.act`."""
        check_key(key)
        began = time.perf_counter()

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            self._expect_person(live, seat)
            counts = live.seen(seat)
            opened = live.opened[seat]
            if opened is None and ply < counts[-1]:
                return None
            if opened is None:
                raise NotYourTurn(_not_asked(live, seat))
            if not counts[opened] <= ply <= counts[-1]:
                return None
            return [live.apply(Row(live.ply + 1, seat, arrive(live, seat, move, at), at, key))]

        answer = self.do(table, lambda live: require_seat(live, person), key, make)
        self._store.metrics.actions.labels(answer.status).inc()
        self._store.metrics.acting.observe(time.perf_counter() - began)
        return answer

    def take_back(self, table: str, person: str, ply: int, key: str) -> Answer:
        """See `House.take_back`."""
        with self._store.open(table) as slot:
            live = slot.table
            assert live is not None
            seat = require_seat(live, person)
            move = next((text for text in revise_texts(live, seat) if reopens(live, seat, text)), None)
            if move is None and (seat, key) not in live.keys:
                raise NotNow("there is no choice of yours that can be taken back now")
        return self.act(table, person, move or "", ply, key)

    def resign(self, table: str, person: str, key: str) -> Answer:
        """See `House.resign`."""
        check_key(key)

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            if not live.running:
                raise GameOver("the game is over; nobody can resign any more")
            if seat in live.resigned:
                raise NotNow("you have resigned already")
            return [live.apply(Row(live.ply + 1, seat, f"{RESIGN} {stand_in_level(live.game)}", at, key))]

        return self.do(table, lambda live: require_seat(live, person), key, make)

    def accept_draw(self, table: str, person: str, key: str) -> Answer:
        """See `House.accept_draw`."""
        check_key(key)
        missing: list[int] = []

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            offers = live.offers()
            if not live.running or not set(offers) - {seat}:
                raise NotNow("nobody offers a draw (any more)")
            missing[:] = [s for s in people_at(live) if s not in offers and s != seat]
            return [] if missing else [live.apply(Row(live.ply + 1, seat, DRAW, at, key))]

        answer = self.do(table, lambda live: require_seat(live, person), key, make)
        return self._offer(table, person) if missing else answer

    def offer_draw(self, table: str, person: str) -> Answer:
        """See `House.offer_draw`."""
        with self._store.open(table) as slot:
            live = slot.table
            assert live is not None
            seat = require_seat(live, person)
            if not live.running:
                raise NotNow("a draw can be offered while a game is played")
            if not can_agree(live):
                raise NotNow("a draw is agreed between people; bots play on")
            if live.offered_since_own_move(seat):
                raise NotNow("you have offered a draw already; you can again after your next move")
        return self._offer(table, person)

    def _offer(self, table: str, person: str) -> Answer:
        return self._change_offers(table, person, lambda live, seat: {**live.facts.offers, seat: live.ply})

    def decline_draw(self, table: str, person: str) -> Answer:
        """See `House.decline_draw`."""

        def without(live: Table, seat: int) -> dict[int, int]:
            standing = set(live.offers()) - {seat}
            if not standing:
                raise NotNow("nobody offers a draw (any more)")
            return {s: -ply - 1 if s in standing else ply for s, ply in live.facts.offers.items()}

        return self._change_offers(table, person, without)

    def _change_offers(self, table: str, person: str, make: Callable[[Table, int], dict[int, int]]) -> Answer:
        with self._store.open(table) as slot:
            live = slot.table
            assert live is not None
            offers = make(live, require_seat(live, person))
            text = msgspec.json.encode({str(seat): ply for seat, ply in offers.items()}).decode()
            rev = live.facts.rev + 1

            def change(connection: Connection) -> None:
                done = connection.execute(
                    update(tables).where(tables.c.id == table, tables.c.rev == rev).values(offers=text)
                )
                if done.rowcount != 1:
                    raise Refused("somebody changed the table at the same moment; look again")

            self._store.change(table, change)
        return self._now(table, person)

    def stand_in(self, table: str, person: str, level: str | None) -> Answer:
        """See `House.stand_in`."""

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            self._expect_person(live, seat)
            return [live.apply(Row(live.ply + 1, seat, f"{STAND_IN} {check_level(live.game, level)}", at))]

        return self.do(table, lambda live: require_seat(live, person), None, make)

    def come_back(self, table: str, person: str) -> Answer:
        """See `House.come_back`."""

        def make(live: Table, seat: int, at: int) -> list[Row] | None:
            if not live.running or live.stands_in[seat] is None:
                raise NotNow("no bot plays for you")
            if seat in live.resigned:
                raise NotNow("you have resigned this game; the bot plays it to its end")
            return [live.apply(Row(live.ply + 1, seat, COME_BACK, at))]

        return self.do(table, lambda live: require_seat(live, person), None, make)

    def set_standing(self, table: str, person: str, text: str | None) -> None:
        """Store a seat's standing orders. Raises BadInput where the game refuses them.

        Nobody else is told anything, not even that something changed: the owner's version goes up, but no hint goes
        out, so the owner's other windows find it at their next look.
        """
        with self._store.open(table) as slot:
            live = slot.table
            assert live is not None
            seat = require_seat(live, person)
            if live.match is None:
                raise NotNow("standing orders can be kept once the game has begun")
            text = check_private(live, seat, text)
            where = (seats.c.table_id == table, seats.c.seat == seat)
            self._store.change(
                table,
                lambda connection: connection.execute(
                    update(seats).where(*where).values(standing=text, standing_rev=seats.c.standing_rev + 1)
                ),
                shown=False,
            )
        with self._store.open(table) as slot:
            assert slot.table is not None
            slot.table.given_up = {left for left in slot.table.given_up if left[:2] != ("standing", seat)}
            self._store.commit(slot, [], quiet=True)

    def start(self, table: str, nonces_due: bool) -> bool:
        """Start a table that is `ready`: when all people gave a nonce, or when their time for it is over.

        Returns whether it plays now.
        """
        for _ in range(ATTEMPTS):
            with self._store.open(table) as slot:
                live = slot.table
                assert live is not None
                facts = live.facts
                if facts.status != "ready":
                    return facts.status == "playing"
                missing = [c for c in facts.chairs if c.person is not None and c.nonce is None]
                if missing and not nonces_due:
                    return False
                now = self._store.now()
                live.facts = msgspec.structs.replace(
                    facts, status="playing", started_ms=now, rev=facts.rev + 1, shown=facts.shown + 1
                )
                live.begin()
                rows = live.draw_chance(now)

                def change(connection: Connection, rev: int = facts.rev, now: int = now) -> None:
                    values = {
                        "rev": rev + 1,
                        "shown": tables.c.shown + 1,
                        "status": "playing",
                        "started_ms": now,
                    }
                    same = (tables.c.id == table, tables.c.rev == rev, tables.c.status == "ready")
                    if connection.execute(update(tables).where(*same).values(**values)).rowcount != 1:
                        raise Conflict("the table changed before it could start")

                try:
                    self._store.commit(slot, rows, change)
                except Conflict:
                    continue
                self._store.metrics.started.labels(facts.game).inc()
                return True
        raise HouseClosed("too many changes at this table at once; please try again")

    def do(self, table: str, find: Callable[[Table], int], key: str | None, make: Make) -> Answer:
        """Let `make` apply rows to the newest state and commit them; again from the newest state if others were first.

        A refusal that may rest on an old state is only given after looking at the store. What is done counts from when
        it came here, not from when the table was free or the others had committed; only the log's times never go back.
        """
        came = self._store.now()
        for attempt in range(ATTEMPTS):
            fresh = attempt > 0
            with self._store.open(table, fresh=fresh) as slot:
                live = slot.table
                assert live is not None
                before = live.ply
                try:
                    seat = find(live)
                    if key is not None and (seat, key) in live.keys:
                        return _answer_now(live, seat, "repeated")
                    at = max(came, live.last_at)
                    rows = make(live, seat, at)
                    if rows is None and not fresh:
                        continue
                    if not rows:
                        return _answer_now(live, seat, "stale" if rows is None else "done")
                    if live.at_chance:
                        rows.extend(live.draw_chance(at))
                except SpelunkeError:
                    if live.ply != before:
                        self._store.forget(slot)
                    if not fresh:
                        continue
                    raise
                except BaseException:
                    self._store.forget(slot)
                    raise
                try:
                    self._store.commit(slot, rows, self._ending(live, at) if not live.running else None)
                except Conflict:
                    continue
                self._store.metrics.chances.inc(sum(row.seat < 0 for row in rows))
                return _answer_now(live, seat, "done")
        raise HouseClosed("too many changes at this table at once; please try again")

    def _ending(self, live: Table, at: int) -> Callable[[Connection], None]:
        outcome = live.outcome()
        assert outcome is not None
        facts = live.facts
        summary = outcome.reason
        self._store.metrics.ended.labels(facts.game, outcome.reason).inc()
        live.facts = msgspec.structs.replace(
            facts, status="over", ended_ms=at, rev=facts.rev + 1, shown=facts.shown + 1, result=summary
        )
        values = {"rev": tables.c.rev + 1, "shown": tables.c.shown + 1, "status": "over", "ended_ms": at}

        def change(connection: Connection) -> None:
            here = tables.c.id == facts.id
            connection.execute(update(tables).where(here).values(**values, result=summary))

        return change

    def _now(self, table: str, person: str) -> Answer:
        with self._store.open(table) as slot:
            assert slot.table is not None
            return _answer_now(slot.table, require_seat(slot.table, person), "done")

    @staticmethod
    def _expect_person(live: Table, seat: int) -> None:
        if live.match is None:
            raise NotNow("the game has not started yet")
        if not live.running:
            raise GameOver("the game is over; nothing can be played any more")
        if live.stands_in[seat] is not None:
            raise NotNow("a bot plays for you; come back to your seat first")


def _answer_now(live: Table, seat: int, status: Any) -> Answer:
    return Answer(status=status, ply=live.seen(seat)[-1], version=version_of(live, seat))


def version_of(live: Table, viewer: int | None) -> int:
    """A number that goes up with each change that the viewer (a seat, None: a spectator) can see."""
    own = live.facts.chairs[viewer].standing_rev if viewer is not None else 0
    return live.facts.shown + live.seen(viewer)[-1] + own


def revise_texts(live: Table, seat: int) -> tuple[str, ...]:
    """The move texts by which the seat can change what it has sealed."""
    return tuple(live.game.notation.write(action) for action in live.revisions(seat))


def reopens(live: Table, seat: int, move: str) -> bool:
    """Whether this revision takes the choice back, so that the seat is asked again."""
    assert live.match is not None
    live.match.act(seat, live.match.parse(move))
    asked = seat in live.match.actors
    live.match.undo()
    return asked


def _not_asked(live: Table, seat: int) -> str:
    names = [chair.name or f"the bot at seat {chair.seat + 1}" for chair in live.facts.chairs]
    asked = " and ".join(names[other] for other in live.asked(seat))
    return f"it is not your turn; {asked} is asked" if asked else "it is not your turn"


def check_key(key: str) -> None:
    """Raises BadPlan for a key of the wrong form."""
    if not (8 <= len(key) <= 64 and key.isascii() and key.isprintable() and " " not in key):
        raise BadPlan("8 to 64 printable characters without spaces are right", "key")


def check_level(game: Game, level: str | None) -> str:
    """A level of bots that the game has (None: the one that stands in); raises BadPlan."""
    if level is None:
        return stand_in_level(game)
    if level not in game.levels:
        raise BadPlan(f"{game.title} has no bot {level!r}; it has {', '.join(game.levels)}", "bot")
    return level


def stand_in_level(game: Game) -> str:
    """The level that plays for people who are away: the one marked `default`, else the first."""
    marked = [name for name, level in game.levels.items() if level.get("default")]
    if not (marked or game.levels):
        raise BadPlan(f"{game.title} has no bots", "bot")
    return (marked or list(game.levels))[0]


def require_seat(live: Table, person: str | None) -> int:
    """The person's seat; raises NotSeated."""
    seat = live.facts.seat_of(person)
    if seat is None:
        raise NotSeated("you have no seat at this table; you may watch")
    return seat


def people_at(live: Table) -> list[int]:
    """The seats of people who have not resigned."""
    return [c.seat for c in live.facts.chairs if c.person is not None and c.seat not in live.resigned]


def can_agree(live: Table) -> bool:
    """Whether a draw can be agreed: at least two people and nobody else play."""
    return len(people_at(live)) >= 2 and all(c.level is None for c in live.facts.chairs)
