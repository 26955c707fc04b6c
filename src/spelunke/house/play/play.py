"""The actions of seats at running tables. Each is committed before the person gets an answer.

For the actions of bots and clocks, see `house.work.task_runner`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Literal

import msgspec
from sqlalchemy import Connection, update

from spelunke.core.errors import GameOver, NotYourTurn, Refused
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.house.messages import Answer
from spelunke.house.play.table_store import TableStore, keep_chair
from spelunke.house.play.turns import MOST_TRIES, Tries
from spelunke.house.refusals import BadPlan, HouseClosed, NotNow
from spelunke.house.sight import Viewer, check_link
from spelunke.house.store import Change, Conflict, tables
from spelunke.house.table import (
    ALONE,
    COME_BACK,
    DRAW,
    HOUSE_OFF,
    READ,
    RESIGN,
    STAND_IN,
    Attention,
    Chair,
    Table,
    call_back,
    check_lesson,
    go_on,
    hold,
    move_on_arrival,
)

LONGEST_ORDERS = 4096


class Play:
    """The actions of seats at running tables."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store
        self._store = table_store.store

    def act(self, table_id: str, person: str, move: str, ply: int, key: str, link: str = "") -> Answer:
        """Play a move text for the person's seat. Return after the move is stored.

        `ply` is the `Look.ply` of the look from which the person chose the move. `key` is a text of 8 to 64
        characters, new for each action. `link` is the `Look.chain.link` of that look, or empty if the client
        does not store the hash chain. Raise AnotherPast if `link` differs from the server's value at this
        ply. If the seat's decision in that look has ended or a new one has begun, play nothing and return the status
        ``stale``.

        If the seat has already acted with the same `key`, play nothing and return the status ``repeated``.

        Raise UnknownTable, NotSeated, BadText, IllegalMove, NotYourTurn, GameOver or NotNow. Raise BadPlan if
        `key` is malformed, or SiteClosed while a host has closed the site and the table has a live clock. After these
        errors the table is unchanged. Raise HouseClosed if the move can't be stored, or if it is not known whether it
        was stored. The caller may then send the move again with the same `key`.
        """
        check_key(key)
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                # Admit the action: it must be this seat's turn, and the move must be for the present state.
                table = turn.table
                viewer, seat = turn.viewer(person)
                if table.log.has(seat, key):
                    return viewer.answer("repeated")
                _expect_person(table, seat)
                if link:
                    check_link(viewer, ply, link)
                opened, seen = table.decisions.opened[seat], viewer.seen
                if opened is None and ply >= seen:
                    raise NotYourTurn(_not_asked(viewer))
                if opened is None or not viewer.noticed.counts[opened] <= ply <= seen:
                    if turn.fresh:
                        return viewer.answer("stale")
                    continue

                # Apply, commit, publish, answer.
                if Hooks.action_on_arrival in table.game.hooks.offered:
                    move = move_on_arrival(table, seat, move, turn.at)
                if table.lesson is not None:
                    check_lesson(table, seat, move)
                return turn.play(viewer, move, key)

    def take_back(self, table_id: str, person: str, ply: int, key: str, link: str = "") -> Answer:
        """Take back the person's own secret (sealed) action while others still choose.

        The parameters are those of `act`. Raise NotNow if no choice can be taken back, or an error of `act`.
        """
        with self._tables.open(table_id) as slot:
            seat = slot.table.facts.require_seat(person)
            move = Viewer(slot.table, seat).take_back
            if move is None and not slot.table.log.has(seat, key):
                raise NotNow("there is no choice that you can take back now")
        return self.act(table_id, person, move or "", ply, key, link)

    def answer_draw(
        self,
        table_id: str,
        person: str,
        *,
        answer: Literal["offer", "accept", "decline"],
        key: str | None = None,
    ) -> Answer:
        """Offer a draw, or accept or decline an offer: see `offer_draw`, `accept_draw` and `decline_draw`."""
        if answer == "offer":
            return self.offer_draw(table_id, person)
        if answer == "decline":
            return self.decline_draw(table_id, person)
        return self.accept_draw(table_id, person, key or secrets.token_hex(8))

    def resign(self, table_id: str, person: str, key: str) -> Answer:
        """Resign. If only one seat is left that has not given up, the game ends.

        Otherwise a bot plays for the person to the end of the game. If the seat has already resigned with the
        same `key`, return the status ``repeated``. Raise UnknownTable. Raise NotSeated if the person has no
        seat. Raise NotNow if the game has not started or the person has resigned already, or GameOver after the
        game. Raise BadPlan if `key` is malformed.
        """
        check_key(key)
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                table = turn.table
                viewer, seat = turn.viewer(person)
                if table.log.has(seat, key):
                    return viewer.answer("repeated")
                if table.facts.started_ms is None and table.facts.status != "over":
                    raise NotNow("the game has not started; leave the table instead")
                if not table.running:
                    raise GameOver("the game is over; nobody can resign any more")
                if seat in table.seating.resigned:
                    raise NotNow("you have resigned already")
                return turn.play(viewer, f"{RESIGN} {stand_in_level(table.game)}", key)

    def call_off(
        self, table_id: str, also: Callable[[Connection], None] = lambda _: None, *, note: str = HOUSE_OFF
    ) -> None:
        """End a game without a winner, on the order of a host of the site or at the end of a tournament's round.

        `note` is the row of the log that gives the reason: `HOUSE_OFF` for a host, `ROUND_OFF` for a round. The
        writes of `also` are committed together with the end. Raise UnknownTable, or NotNow if the game is not running.
        """
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                if not turn.table.running:
                    raise NotNow("there is nothing to call off: the game is over")
                turn.apply(0, note)
                turn.commit(also)
                return

    def accept_draw(self, table_id: str, person: str, key: str) -> Answer:
        """Accept a draw. When all people at the table have offered or accepted, the game ends in a draw.

        Until then, the acceptance is stored as an offer of this seat. Raise UnknownTable. Raise NotSeated if
        the person has no seat, NotNow if no other seat has a valid offer or the person has given up, or Refused if
        the table was changed at the same moment. Raise BadPlan if `key` is malformed.
        """
        check_key(key)
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                table = turn.table
                viewer, seat = turn.viewer(person)
                if table.log.has(seat, key):
                    return viewer.answer("repeated")
                offers = table.offers.valid
                if not table.running or not set(offers) - {seat}:
                    raise NotNow("there is no offer of a draw")
                _expect_in_play(table, seat)
                if set(table.people) <= {*offers, seat}:
                    return turn.play(viewer, DRAW, key)
                if turn.fresh:
                    break
        return self._offer(table_id, person, key)  # the others must accept as well

    def offer_draw(self, table_id: str, person: str) -> Answer:
        """Offer a draw to all others. A person may do this once between two of their moves.

        If another seat has a valid offer already, the offer is an acceptance: see `accept_draw`. The offer ends
        when another seat acts visibly. Raise UnknownTable. Raise NotSeated if the person has no
        seat, NotNow if the person can't offer a draw now, or Refused if the table was changed at the same
        moment.
        """
        with self._tables.open(table_id) as slot:
            table = slot.table
            seat = table.facts.require_seat(person)
            if not table.running:
                raise NotNow("you can offer a draw only while the game is running")
            if not table.can_agree:
                raise NotNow("you can offer a draw only if all players are people, not bots")
            _expect_in_play(table, seat)
            crossed = bool(set(table.offers.valid) - {seat})
            if not crossed and table.offers.made_since_own_move(seat):
                raise NotNow(
                    "you have offered a draw already; you can offer another one after your next move"
                )
        key = secrets.token_hex(8)
        return self.accept_draw(table_id, person, key) if crossed else self._offer(table_id, person, key)

    def _offer(self, table_id: str, person: str, key: str) -> Answer:
        """Store a draw offer. If all people now have a valid offer, perhaps made at the same moment, end the game."""
        answer = self._change_offers(table_id, person, lambda table, seat: table.offers.with_offer(seat))
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                if not turn.table.running or not set(turn.table.people) <= set(turn.table.offers.valid):
                    return answer
                return turn.play(turn.viewer(person)[0], DRAW, key)

    def decline_draw(self, table_id: str, person: str) -> Answer:
        """Decline all valid draw offers of other seats.

        Raise UnknownTable. Raise NotSeated if the person has no seat, NotNow if no other seat has a valid
        offer or the person has given up, or Refused if the table was changed at the same moment.
        """

        def without(table: Table, seat: int) -> dict[int, int]:
            _expect_in_play(table, seat)
            offers = table.offers.declined_by(seat)
            if offers is None:
                raise NotNow("there is no offer of a draw")
            return offers

        return self._change_offers(table_id, person, without)

    def _change_offers(
        self, table_id: str, person: str, make: Callable[[Table, int], dict[int, int]]
    ) -> Answer:
        with self._tables.open(table_id) as slot:
            offers = make(slot.table, slot.table.facts.require_seat(person))
            text = msgspec.json.encode({str(seat): row for seat, row in offers.items()}).decode()
            rev = slot.table.facts.rev + 1

            def change(connection: Connection) -> None:
                done = connection.execute(
                    update(tables).where(tables.c.id == table_id, tables.c.rev == rev).values(offers=text)
                )
                if done.rowcount != 1:
                    raise Refused(
                        "somebody else changed the table at the same moment; look at it again, then choose"
                    )

            self._tables.change(table_id, change)
        with self._tables.open(table_id) as slot:
            return Viewer(slot.table, slot.table.facts.require_seat(person)).answer("done")

    def go_on_in_lesson(
        self, table_id: str, person: str, way: Literal["read", "alone"], ply: int, key: str
    ) -> Answer:
        """Continue a lesson.

        `way` is ``read`` if the learner has read the text, and ``alone`` if they play the rest without the
        lesson. `ply`, `key`, and the statuses ``stale`` and ``repeated`` are the same as for `act`. Raise
        BadPlan if `key` is malformed. Raise UnknownTable. Raise NotSeated if the person has no seat. Raise
        NotNow if the lesson is over, or if `way` is ``read`` while the lesson waits for a move. Raise GameOver
        after the game.
        """
        check_key(key)
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, seat = turn.viewer(person)
                if turn.table.log.has(seat, key):
                    return viewer.answer("repeated")
                _expect_person(turn.table, seat)
                if ply < viewer.seen:
                    if turn.fresh:
                        return viewer.answer("stale")
                    continue
                if "go_alone" not in viewer.operations:
                    raise NotNow("this lesson is already over")
                if way == "read" and "read_on" not in viewer.operations:
                    raise NotNow("the lesson is waiting for your move: follow its text")
                return turn.play(viewer, READ if way == "read" else ALONE, key)

    def stand_in(self, table_id: str, person: str, level: str | None = None) -> Answer:
        """Let a bot play for the person's own seat until the person calls `come_back`.

        `level` is the bot's level, by default the game's usual one. Raise UnknownTable. Raise NotSeated if the
        person has no seat. Raise NotNow if the game has not started or a bot plays already, GameOver after the
        game, BadPlan if the game has no such level, or SiteClosed while the game is paused.
        """
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, seat = turn.viewer(person)
                _expect_person(turn.table, seat)
                return turn.play(viewer, f"{STAND_IN} {check_level(turn.table.game, level)}")

    def come_back(self, table_id: str, person: str) -> Answer:
        """Take the person's own seat back from the bot.

        Raise UnknownTable. Raise NotSeated if the person has no seat. Raise NotNow if no bot plays for the
        person, or if they have given up. Raise SiteClosed while the game is paused.
        """
        tries = Tries(self._tables, table_id)
        while True:
            with tries.turn() as turn:
                viewer, seat = turn.viewer(person)
                if not turn.table.running or turn.table.seating.stand_ins[seat] is None:
                    raise NotNow("no bot plays for you")
                if seat in turn.table.seating.resigned:
                    raise NotNow("you have resigned this game; a bot plays it to its end")
                return turn.play(viewer, COME_BACK, secrets.token_hex(8))

    def set_orders(self, table_id: str, person: str, orders: object) -> None:
        """Store standing orders (instructions for coming decisions) for the person's seat. Nobody else sees them.

        `orders` is any JSON value of at most 4,096 characters. None deletes the stored orders. Raise NotSeated
        if the person has no seat, NotNow if the game has not started or the person has resigned, BadPlan if the
        orders are too long, or BadInput if the game refuses them. No browser window is notified. So another window
        of this person shows the new orders only after its stream has checked the table again, or after it has
        requested the table again.
        """
        text = None if orders is None else msgspec.json.encode(orders).decode()
        if text is not None and len(text) > LONGEST_ORDERS:
            raise BadPlan(f"standing orders have at most {LONGEST_ORDERS} characters", "orders")

        def make(table: Table, chair: Chair) -> Chair:
            if table.match is None:
                raise NotNow("you can give standing orders only after the start of the game")
            if chair.seat in table.seating.resigned:
                raise NotNow("you have resigned this game; a bot plays it to its end")
            checked = Viewer(table, chair.seat).check_orders(text)
            for task in [task for task in table.in_vain if task[:2] == ("standing", chair.seat)]:
                del table.in_vain[task]
            return msgspec.structs.replace(chair, orders=checked, orders_rev=chair.orders_rev + 1)

        self._change_chair(table_id, person, make)

    def hold_summary(self, table_id: str, person: str) -> None:
        """Record that the person's page shows the summary of the last round.

        Bots then wait until the person dismisses the summary, but only for a limited time. Raise UnknownTable,
        or NotSeated if the person has no seat.
        """
        self._attend(table_id, person, hold)

    def dismiss_summary(self, table_id: str, person: str) -> None:
        """Dismiss the summary of the last round for all people at the person's device.

        Raise UnknownTable, or NotSeated if the person has no seat.
        """
        with self._tables.open(table_id) as slot:
            there = [chair.person for chair in slot.table.facts.at_device(person)]
        for one in there or [person]:
            if one is not None:
                self._attend(table_id, one, go_on)

    def recall_summary(self, table_id: str, person: str) -> None:
        """Show the summary of the last round again.

        Raise UnknownTable, NotSeated if the person has no seat, or NotNow before a round has ended.
        """
        self._attend(table_id, person, call_back)

    def _attend(self, table_id: str, person: str, change: Callable[[Table, Attention], Attention]) -> None:
        """Change the record of the summaries that a person has seen. Notify only the person's own browser windows."""

        def make(table: Table, chair: Chair) -> Chair:
            return msgspec.structs.replace(chair, attention=change(table, chair.attention))

        self._change_chair(table_id, person, make)

    def _change_chair(self, table_id: str, person: str, make: Callable[[Table, Chair], Chair]) -> None:
        """Change secret fields of the person's chair (the stored data of a seat).

        `make` returns the changed chair. If the table's tasks change too (for example a bot's move is due
        later), store them in the same commit. If `Attention.rev` has increased, publish a change, so that the
        person's browser windows are updated. Raise NotSeated, or HouseClosed after too many conflicts. Errors of
        `make` are passed on.
        """
        for _ in range(MOST_TRIES):
            with self._tables.open(table_id) as slot:
                table, facts = slot.table, slot.table.facts
                before = facts.chairs[facts.require_seat(person)]
                after = make(table, before)
                if after == before:
                    return
                chairs = tuple(after if chair.seat == after.seat else chair for chair in facts.chairs)
                table.adopt(msgspec.structs.replace(facts, chairs=chairs, rev=facts.rev + 1))
                try:
                    self._tables.commit(slot, [], keep_chair(table, after), quiet=True)
                except Conflict:
                    continue
                if after.attention.rev != before.attention.rev:
                    version = table.facts.rev + table.row
                    self._store.bus.publish(Change(table=table_id, ply=table.row, version=version))
                return
        raise HouseClosed("too many changes at this table at once; please try again")


def _expect_person(table: Table, seat: int) -> None:
    if table.match is None:
        raise NotNow("the game has not started yet")
    if not table.running:
        raise GameOver("the game is over; nothing can be played any more")
    if table.seating.stand_ins[seat] is not None:
        raise NotNow("a bot plays for you; take over from the bot first")


def _expect_in_play(table: Table, seat: int) -> None:
    if seat not in table.people:
        raise NotNow("you have resigned this game; a bot plays it to its end")


def _not_asked(viewer: Viewer) -> str:
    asked = ", ".join(viewer.table.names[seat] for seat in viewer.asked)
    return f"it is not your turn; wait for {asked}" if asked else "it is not your turn"


def check_key(key: str) -> str:
    """Return the key of an action (it identifies repeated requests) if it is well-formed. Otherwise raise BadPlan."""
    if not (8 <= len(key) <= 64 and key.isascii() and key.isprintable() and " " not in key):
        raise BadPlan(
            "the key of an action has 8 to 64 ASCII characters (plain letters, digits or signs) and no spaces",
            "key",
        )
    return key


def check_level(game: Game, level: str | None) -> str:
    """Return the given level of the game's bots. If it is None, return the level of bots for absent people.

    Raise BadPlan if the game has no such level.
    """
    if level is None:
        return stand_in_level(game)
    if level not in game.levels:
        raise BadPlan(f"{game.title} has no bot {level!r}; it has {', '.join(game.levels)}", "bot")
    return level


def stand_in_level(game: Game) -> str:
    """Return the level of bots that play for absent people.

    It is the level that the game marks as `default`, or else its first level. Raise BadPlan if the game has
    no bots.
    """
    marked = [name for name, level in game.levels.items() if level.get("default")]
    if not (marked or game.levels):
        raise BadPlan(f"{game.title} has no bots", "bot")
    return (marked or list(game.levels))[0]
