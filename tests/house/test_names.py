"""What seats are called when several are called the same."""

from __future__ import annotations

from spelunke.core.ui import tell_apart


def test_equal_names_are_numbered_from_the_second_on() -> None:
    assert tell_apart(["Anna", "Mate", "Mate", "Anna", "Mate"]) == (
        "Anna",
        "Mate",
        "Mate 2",
        "Anna 2",
        "Mate 3",
    )
