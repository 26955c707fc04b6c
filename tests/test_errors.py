"""Error messages for people: whole if they are short, cut in the middle if they quote long input."""

from __future__ import annotations

import pytest

from spelunke.core.digits import is_number
from spelunke.core.errors import LONGEST_SENTENCE, BadInput, BadOption, IllegalMove, shorten


def test_a_sentence_keeps_its_beginning_and_its_end() -> None:
    short = "a" * LONGEST_SENTENCE
    assert shorten(short) == short
    long = shorten(f"begin {'x' * 50_000} end")
    assert len(long) < LONGEST_SENTENCE
    assert long.startswith("begin x")
    assert long.endswith("x end")


@pytest.mark.parametrize("kind", [IllegalMove, BadInput, BadOption])
def test_every_error_is_short_enough(kind: type[Exception]) -> None:
    assert len(str(kind("'" + "9" * 60_000 + "' is no move; moves look like roll"))) < LONGEST_SENTENCE
    assert str(kind("'" + "9" * 60_000 + "' is no move; moves look like roll")).endswith("like roll")


def test_a_place_is_short_enough() -> None:
    error = BadInput("it is no number", "seats." + "x" * 9_000)
    assert len(error.place) <= LONGEST_SENTENCE
    assert str(error).endswith(": it is no number")


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("0", True),
        ("007", True),
        ("9" * 18, True),
        ("9" * 19, False),
        ("", False),
        ("²", False),
        ("٣", False),
    ],
)
def test_a_number_is_plain_digits(text: str, yes: bool) -> None:
    assert is_number(text) == yes
    assert not yes or int(text) < 2**63
