"""The list of a person's games, and tables that begin from a position, with SQLite and with PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import event, insert, select, update

from spelunke.house.plan import BOT, HERE, LINK, ME, Plan
from spelunke.house.store.schema import seats, tables
from spelunke.house.study.histories import GameWish
from spelunke.house.table import BY_BOT, BY_DEVICE, Row, find_helped
from spelunke.house.table.facts import Chair


def test_my_games_are_listed_without_being_replayed(house: Any, sit: Callable[..., Any]) -> None:
    table = sit(house)
    anna = table.people[0].id
    assert house.histories.own(anna) == ((), 0)
    table.play(4)
    house.play.resign(table.id, anna, table.key())
    (line,), count = house.histories.own(anna)
    assert count == 1
    assert (line.table, line.names, line.seat, line.ranks) == (table.id, ("Anna", "Ben"), 0, (2, 1))
    assert (line.scores, line.reason) == (None, "resigned")
    assert house.histories.own(anna, 2) == ((), 1)
    assert house.histories.count_finished(anna, table.id, 3) == 1
    assert house.histories.count_finished(anna, "no-table", 3) == 0
    # a game that ended before endings were stored
    with house.store.engine.begin() as connection:
        connection.execute(update(tables).values(outcome=None))
    for _ in range(2):
        assert house.histories.own(anna)[0] == (line,)
    assert house.lists.my_tables(anna, finished=False) == ()
    assert [line.table for line in house.lists.my_tables(anna)] == [table.id]


def test_the_starting_position_of_a_game_is_stored(house: Any, opener: Any, table: Any) -> None:
    table.play(6)
    anna = table.people[0].id
    house.play.resign(table.id, anna, table.key())
    made = house.next_games.play_on(table.id, anna, ply=house.replays.look(table.id).plies - 2)
    house.lobby.add_nonce(made, anna, "mine")
    other = opener().looks.look(made, anna)
    assert other.status == "playing"
    assert other.origin == (table.id, house.replays.look(table.id).plies - 2)
    assert other.view == house.looks.look(made, anna).view


def test_a_thousand_games_are_listed_by_as_many_questions_as_one(house: Any, table: Any) -> None:
    anna = table.people[0].id
    house.play.resign(table.id, anna, table.key())
    asked: list[str] = []
    engine = house.store.engine

    @event.listens_for(engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(statement)

    assert house.histories.own(anna)[1] == 1
    for_one = len(asked)
    add_copies(engine, table.id, 999)
    asked.clear()
    games, count = house.histories.own(anna, 10)
    assert (len(games), count) == (100, 1000)
    assert len(asked) == for_one
    assert house.histories.count_finished(anna, table.id, 3) == 3


def add_copies(engine: Any, table_id: str, many: int) -> None:
    """Add ``many`` copies of this table with its finished game."""
    with engine.begin() as connection:
        told = dict(connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one())
        chairs = [
            dict(row)
            for row in connection.execute(select(seats).where(seats.c.table_id == table_id)).mappings()
        ]
        names = [f"copy{number:06d}" for number in range(many)]
        connection.execute(
            insert(tables),
            [{**told, "id": name, "ended_ms": told["ended_ms"] - k} for k, name in enumerate(names)],
        )
        connection.execute(insert(seats), [{**chair, "table_id": name} for name in names for chair in chairs])


def test_a_game_that_a_bot_helped_with_is_not_won(house: Any, table: Any, clockwork: Any) -> None:
    anna, ben = table.people
    table.play(2)
    house.play.stand_in(table.id, anna.id)
    for _turn in range(12):
        clockwork.wait(5)
        house.tick()
        if table.asked() == ben:
            table.play(1)
    house.play.come_back(table.id, anna.id)
    house.play.resign(table.id, ben.id, table.key())
    (line,), _count = house.histories.own(anna.id)
    assert line.ranks[line.seat] == 1
    assert line.helped
    (tally,) = house.histories.tallies(anna.id, anna.id)
    assert (tally.played, tally.won) == (1, 0)
    assert house.histories.own(anna.id, 1, GameWish(ended="won"))[1] == 0
    assert not house.histories.own(ben.id)[0][0].helped
    # a game that ended before the store had a column for helped seats
    with house.store.engine.begin() as connection:
        connection.execute(update(tables).values(outcome=None))
    assert house.histories.own(anna.id)[0] == (line,)
    assert house.histories.tallies(anna.id, anna.id)[0].won == 0


def test_a_bots_help_is_found_beside_players_at_a_shared_device() -> None:
    def chair(seat: int, plan: str) -> Chair:
        return Chair(seat, plan, None, None, None, None, None, 0)

    chairs = [chair(0, ME), chair(1, HERE), chair(2, LINK), chair(3, LINK), chair(4, BOT + "mate")]
    rows = [Row(1, 2, "bid 3", 0, bot="mate"), Row(2, 3, "bid 4", 0), Row(3, 4, "bid 5", 0, bot="mate")]
    assert find_helped(chairs, rows) == (BY_DEVICE, BY_DEVICE, BY_BOT, 0, 0)


def test_the_level_of_the_last_game_against_bots_is_known(
    house: Any, sit: Callable[..., Any], clockwork: Any
) -> None:
    table = sit(house)
    anna = table.people[0]
    house.play.resign(table.id, anna.id, table.key())
    assert house.histories.last_levels(anna.id) == {}, "nobody plays bots there"
    for game, short in (("shanghaien", False), ("sanghai", True)):
        lesson = house.next_games.begin_lesson(anna.id, game, short=short)
        house.play.call_off(lesson, lambda connection: None)
    assert house.histories.last_levels(anna.id) == {}, "nobody has chosen the bots of a lesson"
    for level in ("mate", "deckhand"):
        clockwork.wait(60)
        against = house.lobby.create(anna.id, Plan(game="shanghaien", seats=("me", f"bot:{level}")))
        house.lobby.add_nonce(against, anna.id, "mine")
        house.play.resign(against, anna.id, f"key-of-{level}")
        assert house.histories.last_levels(anna.id) == {"shanghaien": level}
