"""If the server refuses a form and shows it again, it gives the reason in the reader's language."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from .conftest import Guest

FORMS = {
    "/login": {"name": "Nobody", "password": "lantern mussel"},
    "/recover/mail": {"address": "nobody"},
    "/tables": {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "delay": "999"},
    "/analysis/shanghaien/position": {"tavern": "nine"},
    "/member": {"name": "Anna", "password": "short"},
}


def told(client: TestClient, path: str, language: str) -> str:
    client.cookies.set("language", language)
    answer = client.post(path, data=FORMS[path])
    assert 400 <= answer.status_code < 500
    alert = re.search(r'(?s)role="alert"[^>]*>(.*?)</p>', answer.text)
    assert alert, answer.text
    return html.unescape(alert[1])


def test_a_refusal_leads_back_to_its_form(client: TestClient) -> None:
    for referer, back in (
        ("http://testserver/me/settings?lang=en", "/me/settings?lang=en"),
        ("http://testserver//evil.example", "/"),
        ("https://evil.example/me/settings", "/"),
        ("http://[", "/"),
        ("", "/"),
    ):
        refused = client.post("/me", data={"name": " "}, headers={"referer": referer})
        assert refused.status_code == 400
        assert f'class="button primary" href="{back}"' in refused.text
    referer = "http://testserver/events/new"
    refused = client.post(
        "/events", data={"game": "shanghaien", "rounds": "many"}, headers={"referer": referer}
    )
    assert '<a class="button primary" href="/events/new">Back to the previous page</a>' in refused.text


@pytest.mark.parametrize("path", FORMS)
def test_a_refused_form_speaks_the_language_of_its_page(client: TestClient, path: str) -> None:
    english = told(client, path, "en")
    for language in ("de", "fi"):
        own = told(client, path, language)
        assert own != english
        assert not re.search(r"\b(the|is not|choose|wrong|at least)\b", own), own


@pytest.mark.parametrize(
    ("field", "value", "label"),
    [
        ("grace", "abc", "Minutes to wait for somebody who is away"),
        ("minutes", "900", "Live: minutes per player"),
        ("delay", "999", "Delay for spectators, in steps (moves, rolls and drawn cards)"),
        ("name", "n" * 25, "Your name"),
        ("names", f"Bert, {'n' * 25}", "Names of the other players on this device"),
    ],
)
def test_the_form_of_a_table_names_the_wrong_field_and_gives_it_the_focus(
    client: TestClient, field: str, value: str, label: str
) -> None:
    form = {"game": "sanghai", "seat.0": "me", "seat.1": "open", "seat.2": "open", "clock": "live"}
    page = client.post("/tables", data={**form, field: value}).text
    assert f'role="alert"><b>{label}</b><br>' in page
    marked = re.findall(r'<input id="([\w-]+)"[^>]* aria-invalid="true" autofocus', page)
    assert marked == [{"name": "own-name", "names": "mates"}.get(field, field)]


def test_fields_of_a_clock_that_is_not_chosen_refuse_no_table(client: TestClient) -> None:
    seats = {"game": "shanghaien", "seat.0": "me", "seat.1": "bot:deckhand"}
    hidden = {"minutes": "−5", "increment": "many", "days": "0"}
    for form in (
        {**hidden, "clock": "none"},
        {**hidden, "clock": "usual"},
        {**hidden, "clock": "live", "minutes": "5", "increment": "5"},
        {**hidden, "clock": "days", "days": "2", "grace": "0"},
    ):
        assert client.post("/tables", data={**seats, **form}, follow_redirects=False).status_code == 303, form


def test_the_form_of_a_table_marks_the_wrong_option_in_its_own_words(client: TestClient) -> None:
    form = {"game": "shanghaien", "seat.0": "me", "seat.1": "open", "option.trick_split": "9/9"}
    page = html.unescape(client.post("/tables", data=form).text)
    reason = "'9/9' is not possible here; choose 3 numbers that add up to 8, like 3/2/3."
    assert f'role="alert"><b>Trick cards in the deck</b><br>{reason}</p>' in page
    assert re.findall(r'<input id="([^"]+)"[^>]* aria-invalid="true" autofocus', page) == [
        "option.trick_split"
    ]
    assert f'<span class="error" id="wrong">{reason}</span>' in page
    client.cookies.set("language", "de")
    page = html.unescape(client.post("/tables", data=form).text)
    assert "möglich: 3 Zahlen, die zusammen 8 ergeben, wie 3/2/3." in page


def test_a_table_that_does_not_exist_is_refused_in_the_readers_language(client: TestClient) -> None:
    client.cookies.set("language", "de")
    assert "Es gibt keinen Tisch nowhere." in html.unescape(client.get("/t/nowhere").text)


def test_a_move_out_of_turn_is_refused_in_the_players_language(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str
) -> None:
    answer = client.post(
        f"/api/v1/tables/{game_for_two}/act",
        json={"move": "roll", "ply": anna.look(game_for_two)["ply"], "key": "bert-0001"},
        headers={**bert.headers, "accept-language": "de"},
    )
    assert answer.status_code == 409
    assert answer.json()["message"] == "Du bist nicht am Zug; es wird gewartet auf: Anna."
