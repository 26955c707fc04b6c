"""Numbers that people type: with a point, or with the decimal sign of their language."""

from __future__ import annotations

import html
import re
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from spelunke import web
from spelunke.house.ratings import RatingPoint
from spelunke.web.numbers import read_number, write_date, write_month, write_percent, write_short
from spelunke.web.parts.ratings import say_history
from spelunke.web.words import LANGUAGE

from .conftest import Guest

TEMPLATES = Path(web.__file__).parent / "templates"
FORM = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "clock": "live"}


@pytest.mark.parametrize("language", ["de", "nl", "fr", "it", "fi"])
def test_the_sign_of_the_language_and_a_point_are_read(language: str) -> None:
    token = LANGUAGE.set(language)
    try:
        assert [read_number(text) for text in ("0,5", "0.5", "12", "1,", ",5", "−0,5")] == [
            0.5,
            0.5,
            12.0,
            1.0,
            0.5,
            -0.5,
        ]
    finally:
        LANGUAGE.reset(token)


@pytest.mark.parametrize("text", ["", "1,5", "1.000,5", "1e3", "nan", "inf", "1_0", "٣", "1.2.3", "."])
def test_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_number(text)


def test_a_form_takes_the_sign_of_the_reader(anna: Guest) -> None:
    client: TestClient = anna.client
    client.cookies.set("language", "fi")
    for minutes in ("0,5", "0.5"):
        answer = client.post("/tables", data={**FORM, "minutes": minutes}, follow_redirects=False)
        assert answer.status_code == 303
        look = anna.get(f"/tables/{answer.headers['location'].partition('/t/')[2]}").json()
        assert look["clock"]["minutes"] == 0.5


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "'half' is not a number; write it like 1.5"),
        ("de", "'half' ist keine Zahl; schreib sie wie 1,5"),
    ],
)
def test_a_text_is_refused_with_an_example(client: TestClient, language: str, said: str) -> None:
    client.cookies.set("language", language)
    answer = client.post("/tables", data={**FORM, "minutes": "half"}, follow_redirects=False)
    assert answer.status_code == 400
    assert said in html.unescape(answer.text)


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["2.5", "+3", "0", "−0.25", "12.5 %", "2026-11-27", "November 2026"]),
        ("de", ["2,5", "+3", "0", "−0,25", "12,5\xa0%", "27.11.2026", "November 2026"]),
        ("fi", ["2,5", "+3", "0", "−0,25", "12,5\xa0%", "27.11.2026", "marraskuu 2026"]),
    ],
)
def test_numbers_and_days_are_written_in_the_readers_language(language: str, written: list[str]) -> None:
    token = LANGUAGE.set(language)
    try:
        assert [
            write_short(2.5, 2),
            write_short(3.0, 1, sign=True),
            write_short(0.001, 2, sign=True),
            write_short(-0.25, 2),
            write_percent(12.5, 1),
            write_date("2026-11-27"),
            write_month(date(2026, 11, 27)),
        ] == written
    finally:
        LANGUAGE.reset(token)


def test_no_template_formats_numbers_without_the_language() -> None:
    for file in TEMPLATES.glob("*.html"):
        assert not re.search(r'"%[^"]*[fg%][^"]*"\|format', file.read_text()), file.name


def test_a_chart_of_two_ratings_tells_of_one_game_between_them() -> None:
    points = [
        RatingPoint(table="t", at_ms=0, place=1, gone=False, points=value, either_side=50)
        for value in (1500, 1530)
    ]
    assert say_history(points).startswith(
        "The chart of the rating begins at 1500 and ends at 1530, 1 game later."
    )
