"""What a person has answered of problems is kept, on both databases, and goes with the person."""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.refusals import UnknownPerson


def test_the_first_answer_is_kept_and_what_is_solved_stays_solved(house: Any) -> None:
    anna, ben = (house.create_guest(name).id for name in ("Anna", "Ben"))
    for problem, right in (("one", False), ("two", True), ("one", True), ("two", False), ("three", False)):
        house.answer_problem(anna, "shanghaien", problem, right=right)
    assert house.answered(anna, "shanghaien") == {"one": True, "two": True, "three": False}
    assert house.answered(ben, "shanghaien") == {}
    assert house.answered(anna, "halunken") == {}
    with pytest.raises(UnknownPerson):
        house.answer_problem("nobody", "shanghaien", "one", right=True)
