"""The names of guests who have not chosen one."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from spelunke.house.people.people import LONGEST_NAME
from spelunke.web import names, words

LANGUAGES = ["en", "de", "nl", "fr", "it", "fi"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_names_of_a_language_are_short_and_differ(language: str) -> None:
    say = words.house_in(language)
    first, second = (say(part).split(", ") for part in (names.FIRST, names.SECOND))
    found = [say(names.NAME).format(first=one, second=other) for one in first for other in second]
    assert len(set(found)) == len(found) >= 400
    assert max(map(len, found)) <= LONGEST_NAME


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_gets_a_name_in_the_language_of_the_page(client: TestClient, language: str) -> None:
    client.cookies.set("language", language)
    client.post("/tables", data={"game": "shanghaien", "quick": "bot"})
    page = client.get("/me/settings").text
    name = re.search(r'autocomplete="nickname" value="([^"]+)"', page)
    assert name
    say = words.house_in(language)
    assert any(noun in name[1] for noun in say(names.SECOND).split(", "))
    client.cookies.set("language", "en" if language != "en" else "de")
    assert name[1] in client.get("/me/settings").text, "a name stays"
