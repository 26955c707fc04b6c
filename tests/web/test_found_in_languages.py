"""Facts for search engines and screen readers: each page's language, its other languages, its title and description."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from spelunke.core.catalogues import translator_in
from spelunke.web.app import create_app
from spelunke.web.settings import Settings
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


@pytest.mark.sampled(2)
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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", ["/", "/rules/halunken", "/new/halunken", "/daily", "/ratings/halunken"])
def test_a_german_title_is_marked_where_pages_are_in_another_language(client: TestClient, path: str) -> None:
    title = "Halunken und Spelunken"
    for language in languages():
        page = client.get(f"{path}?lang={language}").text
        body = re.sub('(?s)<head>.*</head>|<script.*?</script>|="[^"]*"', "", page)
        marked = f"<span lang>{title}</span>"
        assert (marked in body) is (language != "de")
        assert (title in body.replace(marked, "")) is (language == "de")
        assert f'<span lang="de">{title}' in page or language == "de"


def test_catalogues_load_when_they_are_first_asked_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[tuple[Path, str]] = []
    load = gettext.translation

    def watched(domain: str, folder: Path, languages: list[str]) -> gettext.NullTranslations:
        loaded.extend((folder, language) for language in languages)
        return load(domain, folder, languages)

    monkeypatch.setattr(gettext, "translation", watched)
    translator_in.cache_clear()
    with TestClient(create_app(settings)) as client:
        for language in ("en", "sv"):  # there is no Swedish, so that page is in English
            assert '<html lang="en"' in client.get("/", headers={"accept-language": language}).text
        assert not loaded
        for _again in range(2):
            assert '<html lang="fi"' in client.get("/", headers={"accept-language": "fi"}).text
    assert {language for _folder, language in loaded} == {"fi"}
    assert len(loaded) == len(set(loaded)), "each is loaded once"


@pytest.mark.sampled(2)
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
