"""The list of the games that somebody has played, and tables that begin from a position, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import update

from spelunke.house.store.schema import tables


def test_my_games_are_listed_without_being_replayed(house: Any, sit: Callable[..., Any]) -> None:
    table = sit(house)
    anna = table.people[0].id
    assert house.my_games(anna) == ((), 0)
    table.play(4)
    house.resign(table.id, anna, table.key())
    (line,), count = house.my_games(anna)
    assert count == 1
    assert (line.table, line.names, line.seat, line.ranks) == (table.id, ("Anna", "Ben"), 0, (2, 1))
    assert (line.scores, line.reason) == (None, "resigned")
    assert house.my_games(anna, 2) == ((), 1)
    # one that ended before endings were stored
    with house._store.engine.begin() as connection:
        connection.execute(update(tables).values(outcome=None))
    for _ in range(2):
        assert house.my_games(anna)[0] == (line,)
    assert house.my_tables(anna, finished=False) == ()
    assert [line.table for line in house.my_tables(anna)] == [table.id]


def test_where_a_game_begins_is_stored(house: Any, opener: Any, table: Any) -> None:
    table.play(6)
    anna = table.people[0].id
    house.resign(table.id, anna, table.key())
    made = house.play_on(table.id, anna, ply=house.replay(table.id).plies - 2)
    house.add_nonce(made, anna, "mine")
    other = opener().look(made, anna)
    assert other.status == "playing"
    assert other.origin == (table.id, house.replay(table.id).plies - 2)
    assert other.view == house.look(made, anna).view
