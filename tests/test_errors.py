"""Error messages for people: whole if they are short, cut in the middle if they quote long input."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from spelunke.core.digits import is_number
from spelunke.core.errors import LONGEST_SENTENCE, BadInput, BadOption, IllegalMove, shorten
from spelunke.core.misfit import explain_misfit


def test_a_sentence_keeps_its_beginning_and_its_end() -> None:
    short = "a" * LONGEST_SENTENCE
    assert shorten(short) == short
    long = shorten(f"begin {'x' * 50_000} end")
    assert len(long) < LONGEST_SENTENCE
    assert long.startswith("begin x")
    assert long.endswith("x end")


@pytest.mark.parametrize("kind", [IllegalMove, BadInput, BadOption])
def test_every_error_has_a_bounded_length(kind: type[Exception]) -> None:
    assert len(str(kind("'" + "9" * 60_000 + "' is no move; moves look like roll"))) < LONGEST_SENTENCE
    assert str(kind("'" + "9" * 60_000 + "' is no move; moves look like roll")).endswith("like roll")


def test_a_place_has_a_bounded_length() -> None:
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


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request, with one field of each kind."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=3)] = "a"
    seat: Annotated[int, msgspec.Meta(ge=0, le=7)] = 0
    level: str | None = None
    what: Literal["bot", "win"] = "bot"
    seats: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)] = ("a", "b")
    pair: tuple[int, int] = (1, 2)
    options: dict[str, str] = {}


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("[]", "", "it must be an object, not a list"),
        ('{"title": 1}', "", "it has an unknown field `title`"),
        ('{"name": 1}', "name", "it must be a text, not a whole number"),
        ('{"name": ""}', "name", "it must have at least 1 character"),
        ('{"name": "abcd"}', "name", "it must have at most 3 characters"),
        ('{"seat": -1}', "seat", "it must be at least 0"),
        ('{"seat": 8}', "seat", "it must be at most 7"),
        ('{"level": 2}', "level", "it must be a text or null, not a whole number"),
        ('{"what": "off"}', "what", "it can't be 'off'; choose bot, win"),
        ('{"seats": ["a"]}', "seats", "it must have at least 2 entries"),
        ('{"seats": ["a", 1]}', "seats[1]", "it must be a text, not a whole number"),
        ('{"pair": [1]}', "pair", "it must have exactly 2 entries"),
        ('{"options": {"a": true}}', "options[...]", "it must be a text, not true or false"),
    ],
)
def test_a_misfit_in_a_request_is_explained_in_plain_words(body: str, place: str, reason: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(body, type=Order)
    assert explain_misfit(str(refused.value), Order) == (reason, place)


def test_a_field_that_is_missing_is_named() -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode("{}", type=msgspec.defstruct("Say", [("text", str)]))
    assert explain_misfit(str(refused.value)) == ("it lacks the field `text`", "")
