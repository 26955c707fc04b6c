"""Search engines and screen readers: the language of each page, its other languages, its title and description."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from spelunke.web.words import NAMES, languages

from .conftest import Guest

PAGES = ("/", "/rules/shanghaien", "/rules/halunken", "/rules/sanghai", "/problems/shanghaien", "/verify")


def head(page: str) -> tuple[str, str]:
    """Return the title and the description of a page."""
    title = re.search("<title>(.*?)</title>", page)
    description = re.search('<meta name="description" content="([^"]*)"', page)
    assert title
    assert description
    return title[1], description[1]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_names_its_language_and_all_others(client: TestClient, path: str) -> None:
    descriptions = set()
    for language in languages():
        answer = client.get(f"{path}?lang={language}")
        assert answer.headers["content-language"] == language
        assert f'<html lang="{language}"' in answer.text
        links = dict(re.findall(r'rel="alternate" hreflang="([\w-]+)" href="([^"]*)"', answer.text))
        assert links == {
            **{other: f"{path}?lang={other}" for other in languages()},
            "x-default": path,
        }
        descriptions.add(head(answer.text)[1])
    assert len(descriptions) == len(languages()), "each language has its own description"


@pytest.mark.parametrize("path", ["/", "/rules/sanghai", "/me/settings", "/login", "/new/halunken"])
def test_the_choice_of_language_is_on_every_page(client: TestClient, path: str) -> None:
    for language in languages():
        page = client.get(path, headers={"accept-language": language}).text
        for code, name in NAMES.items():
            assert re.search(rf'name="language" value="{code}" lang="{code}"[^>]*>[^<]*{name}', page), code


def test_the_choice_is_kept_with_the_person(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    assert client.post("/me/language", data={"language": "it", "back": "/"}).status_code in (200, 303)
    page = client.get("/", headers={"accept-language": "fi"}).text
    assert '<html lang="it"' in page
