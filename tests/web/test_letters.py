"""All parts of a page, on all devices of a reader, show cards and nations with the letters that the reader chose."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from waiting import wait_until

from .conftest import Guest
from .test_live import Server, Stream

PASSWORD = "lantern mussel quarry tin"
OWN = {"language": "de", "letters": "own"}
ENGLISH_CARD = re.compile("[JQK][♠♥♦♣]")
OWN_CARD = re.compile("[BDK][♠♥♦♣]")


def read_text(page: str) -> str:
    """Return the text that a reader sees or hears on a page. Leave out scripts, tags and hidden letters."""
    page = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", page)
    page = re.sub(r'<text [^>]*class="rank[^"]* in-english"[^>]*>[^<]*</text>', "", page)
    labels = " ".join(re.findall(r'(?:aria-label|title|alt|content)="([^"]*)"', page))
    return html.unescape(re.sub(r"<[^>]*>", " ", page) + labels)


def has_own_letters(page: str) -> bool:
    """Return whether a page shows drawn cards with the letters of its language."""
    return re.search('<html [^>]*data-letters="own"', page) is not None


def cookies_of(person: Guest, **more: str) -> dict[str, str]:
    given = {"guest": person.token, **more}
    return {"cookie": "; ".join(f"{name}={value}" for name, value in given.items())}


def learn(learner: Guest, steps: int) -> str:
    """Return the table of the guided game of Sanghai after this number of its steps. The second step brings a queen."""
    table = str(learner.post("/lessons", {"game": "sanghai"}).json()["table"])
    for _step in range(steps):
        go_on(learner, table)
    return table


def go_on(learner: Guest, table: str) -> None:
    """Do the next step of a lesson: play its move, or read on."""
    look = learner.wait(table, lambda look: bool(look["lesson"] and look["lesson"]["text"]))
    if look["lesson"]["move"] is None:
        read = {"way": "read", "ply": look["ply"], "key": f"read-on-{look['ply']}"}
        answer = learner.post(f"/tables/{table}/lesson", read)
    else:
        answer = learner.play(table, look["lesson"]["move"], look["ply"])
    assert answer.status_code == 200, answer.text


def test_every_part_of_a_page_has_the_letters_that_its_reader_likes(client: TestClient) -> None:
    learner = Guest(client)
    table = learn(learner, 7)
    learner.wait(table, lambda look: bool(look["lesson"] and look["lesson"]["text"]))

    def open_page(**chosen: str) -> str:
        client.cookies.clear()
        return str(client.get(f"/t/{table}", headers=cookies_of(learner, **chosen)).text)

    for chosen in (OWN, {"language": "de"}, OWN):  # what one reader sees is not kept for another
        page = open_page(**chosen)
        assert has_own_letters(page) is (chosen == OWN)
        log = re.search(r'(?s)id="log".*?</ol>', page)
        assert log
        right, wrong = (OWN_CARD, ENGLISH_CARD) if chosen == OWN else (ENGLISH_CARD, OWN_CARD)
        kings = re.compile("K[♠♥♦♣]")  # the same letter in both
        assert right.search(kings.sub("", html.unescape(log[0]))), "a queen was discarded"
        assert not wrong.search(kings.sub("", read_text(page)))
    assert "D♥" not in learner.get(f"/tables/{table}").text, "programs read the letters of moves"


@pytest.mark.parametrize(
    ("chosen", "letters"),
    [({}, "AFDCHTSI"), ({"letters": "own"}, "AFDCHTSI"), ({"letters": "english"}, "AFGCDTSI")],
)
def test_nations_have_the_letters_that_their_reader_likes(
    client: TestClient, anna: Guest, game_for_two: str, chosen: dict[str, str], letters: str
) -> None:
    client.cookies.clear()
    page = client.get(f"/t/{game_for_two}", headers=cookies_of(anna, language="de", **chosen)).text
    heads = re.findall(r'<th scope="col" class="n\d">.*?<span aria-hidden="true">(.)</span>', page)
    assert "".join(heads) == letters
    assert set(re.findall(r'class="letter"[^>]*>(.)<', page)) <= set(letters)


def test_the_settings_show_which_letters_are_chosen(client: TestClient) -> None:
    client.post("/me/language", data={"language": "de"})
    pressed = re.compile(r'name="letters" value="(\w+)" aria-pressed="true"')
    assert pressed.findall(client.get("/me/settings").text) == ["notation"]
    for chosen in ("own", "english", "notation"):
        client.post("/me/letters", data={"letters": chosen, "back": "/me/settings"})
        assert pressed.findall(client.get("/me/settings").text) == [chosen]


def test_a_stream_has_the_letters_that_its_reader_likes(server: Server) -> None:
    learner = Guest(httpx2.Client(base_url=server.url, timeout=60))
    table = learn(learner, 2)
    streams = [
        Stream(f"{server.url}/t/{table}/stream?since=0", cookies_of(learner, **chosen))
        for chosen in (OWN, {"language": "de"})
    ]
    try:
        for stream in streams:
            stream.wait(1)
        for _step in range(5):
            go_on(learner, table)
        told = [wait_until(lambda one=one: find_queens(one), "no queen came") for one in streams]
    finally:
        for stream in streams:
            stream.close()
    assert told == [{"D"}, {"Q"}]


def find_queens(stream: Stream) -> set[str]:
    """Return the letters of the queens in the texts of a stream. Letters that are drawn on cards are left out."""
    said = " ".join(
        read_text(json.loads(message["data"])["html"]) for message in stream.messages if "data" in message
    )
    return set(re.findall("[QD](?=[♠♥♦♣])", said))


@pytest.mark.usefixtures("quick_passwords")
def test_the_letters_go_with_the_person_to_another_device(client: TestClient) -> None:
    def browse() -> TestClient:
        return TestClient(client.app, follow_redirects=False)

    def log_in(device: TestClient) -> Any:
        return device.post("/login", data={"name": "Anna", "password": PASSWORD})

    client.post("/me", data={"name": "Anna"})
    client.post("/me/language", data={"language": "de"})
    assert client.post("/me/letters", data={"letters": "own", "back": "/me"}).status_code == 303
    assert client.post("/me/letters", data={"letters": "runes"}).status_code == 400
    assert client.post("/member", data={"name": "Anna", "password": PASSWORD}).status_code == 303
    # other choices of the person leave the letters as they are
    zone = {"zone": "Europe/Vienna", "ways": ""}
    assert client.post("/me/notifications/choices", data=zone).status_code == 303
    client.post("/me/language", data={"language": "fi"})

    phone = browse()
    assert not has_own_letters(phone.get("/me/settings").text)
    log_in(phone)
    page = phone.get("/me/settings").text
    assert has_own_letters(page)
    assert '<html lang="fi"' in page
    assert '"letters":"own"' in re.sub(r"\s", "", phone.get("/me/export.json").text)

    tablet = browse()  # what this device has chosen stays
    tablet.post("/me/letters", data={"letters": "english"})
    log_in(tablet)
    assert not has_own_letters(tablet.get("/me/settings").text)

    client.post("/me/letters", data={"letters": "english"})
    laptop = browse()
    log_in(laptop)
    assert not has_own_letters(laptop.get("/me/settings").text)
