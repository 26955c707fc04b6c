"""A person's answers to problems are kept, on both databases, and are deleted with the person."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from spelunke.house.refusals import UnknownPerson


def test_a_problem_that_was_solved_once_stays_solved(house: Any) -> None:
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    for problem, right in (("one", False), ("two", True), ("one", True), ("two", False), ("three", False)):
        house.answers.keep(anna, "shanghaien", problem, right=right)
    assert house.answers.of(anna, "shanghaien") == {"one": True, "two": True, "three": False}
    assert house.answers.of(ben, "shanghaien") == {}
    assert house.answers.of(anna, "halunken") == {}
    with pytest.raises(UnknownPerson):
        house.answers.keep("nobody", "shanghaien", "one", right=True)


def test_answers_at_two_workers_at_the_same_moment_all_count(opener: Any) -> None:
    """Two people answer each of ten new problems at the same moment at two workers."""
    houses = [opener(), opener()]
    people = [houses[0].people.create(name).id for name in ("Anna", "Ben")]
    problems = [f"problem {n}" for n in range(10)]
    both = threading.Barrier(2, timeout=60)

    def answer(house: Any, person: str) -> None:
        for problem in problems:
            both.wait()
            house.answers.keep(person, "shanghaien", problem, right=True)

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(answer, *one) for one in zip(houses, people, strict=True)]:
            done.result(60)
    found = houses[0].answers.problems("shanghaien")
    assert {name: (one.tries, one.solved) for name, one in found.items()} == dict.fromkeys(problems, (2, 2))
    assert [houses[0].answers.solver(person, "shanghaien").tries for person in people] == [10, 10]
