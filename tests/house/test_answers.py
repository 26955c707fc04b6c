"""A person's answers to problems are stored, and are deleted with the person (with SQLite and with PostgreSQL)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import create_engine, text, update

from spelunke.house.refusals import UnknownPerson
from spelunke.house.store import problem_ratings
from waiting import wait_until


def test_a_problem_that_was_solved_once_stays_solved(house: Any) -> None:
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    for problem, right in (("one", False), ("two", True), ("one", True), ("two", False), ("three", False)):
        house.answers.keep(anna, "shanghaien", problem, right=right)
    assert house.answers.of(anna, "shanghaien") == {"one": True, "two": True, "three": False}
    assert house.answers.of(ben, "shanghaien") == {}
    assert house.answers.of(anna, "halunken") == {}
    with pytest.raises(UnknownPerson):
        house.answers.keep("nobody", "shanghaien", "one", right=True)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_answers_to_a_problem_at_two_workers_at_the_same_moment_all_count(house: Any, database: str) -> None:
    """If a worker stores an answer to a problem before another worker has committed its own, both answers count."""
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    house.answers.keep(ben, "shanghaien", "one", right=True)
    other = create_engine(database)
    waits = text(
        "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    )
    with ThreadPoolExecutor(1) as pool, other.connect() as watching:
        with other.begin() as connection:
            connection.execute(update(problem_ratings).values(tries=2, solved=2))
            kept = pool.submit(house.answers.keep, anna, "shanghaien", "one", right=True)
            wait_until(lambda: kept.done() or watching.execute(waits).scalar(), "nothing waits")
        kept.result(60)
    other.dispose()
    found = house.answers.problems("shanghaien")["one"]
    assert (found.tries, found.solved) == (3, 3)
