"""Lists of tables are sorted and shortened only by facts that their reader may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from circle import LIVE, Circle
from spelunke.house.plan import Plan
from spelunke.house.store.schema import tables


@pytest.fixture
def window(house: Any) -> tuple[Circle, list[int]]:
    """Return a table of Sanghai, and the seats that may call there: at least two."""
    circle = Circle(house, LIVE, 6, {"hep_seconds": 12})
    return circle, circle.to_window(2)


def test_a_secret_pass_does_not_move_a_table_up_the_list(
    house: Any, clockwork: Any, window: tuple[Circle, list[int]], sit: Callable[..., Any]
) -> None:
    circle, (first, second, *_rest) = window
    clockwork.wait(1)
    other = sit(house, Plan(game="shanghaien", seats=("me", "open")))

    def front() -> list[str]:
        return [line.table for line in house.lists.running_tables(limit=1)]

    def noticed() -> Any:
        with house.store.read() as connection:
            return connection.execute(select(tables.c.noticed_ms).where(tables.c.id == circle.id)).scalar()

    before = noticed()
    assert before == circle.house.lists.running_tables()[1].since_ms
    assert front() == [other.id]
    clockwork.wait(1)
    circle.act(second, "pass")
    assert front() == [other.id]
    assert noticed() == before
    clockwork.wait(1)
    circle.act(first, "hep")
    assert front() == [circle.id]
    assert noticed() == house.lists.running_tables()[0].since_ms > before


def test_tables_with_equal_times_are_ordered_by_id(house: Any, sit: Callable[..., Any]) -> None:
    made = [sit(house) for _ in range(3)]
    ids = sorted(table.id for table in made)
    assert [line.table for line in house.lists.running_tables()] == ids
    assert [line.table for line in house.lists.running_tables(limit=2)] == ids[:2]


def test_a_rematch_is_no_open_table_while_its_free_seats_are_kept(
    house: Any, sit: Callable[..., Any]
) -> None:
    table = sit(house, Plan(game="shanghaien", seats=("me", "open")))
    anna, ben = table.people
    house.play.resign(table.id, ben.id, table.key())
    made = house.next_games.rematch(table.id, anna.id)
    assert made not in [line.table for line in house.lists.open_tables()]
    house.next_games.decline_rematch(table.id, ben.id)
    assert made in [line.table for line in house.lists.open_tables()]


def test_the_list_of_tables_marks_lessons(house: Any, table: Any) -> None:
    anna = table.people[0]
    lesson = house.next_games.begin_lesson(anna.id, "sanghai")
    told = {line.table: line.lesson for line in house.lists.my_tables(anna.id)}
    assert told == {table.id: False, lesson: True}
