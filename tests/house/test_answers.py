"""A person's answers to problems are kept, on both databases, and are deleted with the person."""

from __future__ import annotations

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
