"""Numbers that people type: with a point, or with the decimal sign of their language."""

from __future__ import annotations

import html
from datetime import date

import pytest
from starlette.testclient import TestClient

from spelunke.web.numbers import read_number, write_long_day, write_month
from spelunke.web.words import LANGUAGE

from .conftest import Guest

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


@pytest.mark.parametrize(
    ("language", "day", "month"),
    [
        ("en", "November 7, 2026", "November 2026"),
        ("de", "7. November 2026", "November 2026"),
        ("fi", "7. marraskuuta 2026", "marraskuu 2026"),
    ],
)
def test_days_and_months_are_written_in_words(language: str, day: str, month: str) -> None:
    token = LANGUAGE.set(language)
    try:
        assert (write_long_day(date(2026, 11, 7)), write_month(date(2026, 11, 7))) == (day, month)
    finally:
        LANGUAGE.reset(token)


@pytest.mark.parametrize("text", ["", "1,5", "1.000,5", "1e3", "nan", "inf", "1_0", "٣", "1.2.3", "."])
def test_nothing_else_is_a_number(text: str) -> None:
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
