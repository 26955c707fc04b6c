"""Each page stores a link (a hash of everything it saw), sends it with its actions, and warns if the past changes."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from spelunke.records.kept import read_link

from .conftest import GAME, Guest, Server, ready_to_move
from .test_browser import person, play_one, reload, sit_down_with_bot, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request
    from starlette.testclient import TestClient


# --- the API


def test_a_program_can_compute_its_chain_from_the_api(anna: Guest, bert: Guest, game_for_two: str) -> None:
    look = anna.wait(game_for_two, ready_to_move)
    assert anna.play(game_for_two, look["legal"][0]["text"], look["ply"]).status_code == 200
    told = anna.get(f"/tables/{game_for_two}/chain").json()
    link = hashlib.sha256(told["opening"].encode()).digest()
    assert told["link"] == link.hex()
    links = [link]
    for number, text in enumerate(told["told"], 1):
        links.append(hashlib.sha256(links[-1] + text.encode()).digest())
        assert json.loads(text)["k"] == number
    assert told["chain"] == anna.look(game_for_two)["chain"]
    assert (told["chain"]["ply"], told["chain"]["link"]) == (len(told["told"]), links[-1].hex())
    part = anna.get(f"/tables/{game_for_two}/chain?since=3").json()
    assert (part["link"], part["told"]) == (links[3].hex(), told["told"][3:])
    beyond = anna.get(f"/tables/{game_for_two}/chain?since=9999").json()
    assert (beyond["link"], beyond["told"]) == (None, [])
    assert bert.get(f"/tables/{game_for_two}/chain").json()["chain"]["link"] != links[-1].hex()


def test_a_move_with_a_link_that_differs_from_the_servers_is_refused(anna: Guest, game_for_two: str) -> None:
    look = anna.wait(game_for_two, ready_to_move)
    move = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "key-000001"}
    right = look["chain"]["link"]
    for wrong, ply in ((right[::-1], look["ply"]), (right, look["ply"] - 1), (right, look["ply"] + 1)):
        answer = anna.post(f"/tables/{game_for_two}/act", {**move, "link": wrong, "ply": ply})
        assert answer.status_code == 409
        assert answer.json()["error"] == "another_past"
        assert "Your move was not played. Keep your six words" in answer.json()["message"]
    for language, sentence in (("en", "the server has fewer steps"), ("de", "das Haus hat weniger Schritte")):
        headers = {**anna.headers, "accept-language": language}
        body = {**move, "link": right, "ply": look["ply"] + 1}
        answer = anna.client.post(f"/api/v1/tables/{game_for_two}/act", json=body, headers=headers)
        assert sentence in answer.json()["message"]
    assert anna.look(game_for_two)["ply"] == look["ply"]
    for bad in ("x", "²" * 64, right.upper(), 7):
        assert anna.post(f"/tables/{game_for_two}/act", {**move, "link": bad}).status_code == 400
    answer = anna.post(f"/tables/{game_for_two}/act", {**move, "link": right})
    assert (answer.status_code, answer.json()["status"]) == (200, "done")
    again = anna.post(f"/tables/{game_for_two}/act", {**move, "link": right})
    assert (again.status_code, again.json()["status"]) == (200, "repeated")


def test_chains_of_others_are_open_when_the_game_is_over(
    client: TestClient, anna: Guest, game_for_two: str
) -> None:
    path = f"/api/v1/tables/{game_for_two}/chain"
    assert client.get(f"{path}?viewer=1").status_code == 409
    assert client.get(path).json()["viewer"] is None
    anna.post(f"/tables/{game_for_two}/resign", {"key": "enough-now"})
    record = anna.get(f"/tables/{game_for_two}/record").json()
    for head in record["proof"]["heads"]:
        name = "spectator" if head["viewer"] is None else head["viewer"]
        told = client.get(f"{path}?viewer={name}").json()
        assert (told["viewer"], told["chain"]["link"]) == (head["viewer"], head["link"])
    for bad in ("9", "x", "-1", "²"):
        assert client.get(f"{path}?viewer={bad}").status_code == 400
    assert client.get("/api/v1/key").json()["key"] == record["proof"]["key"]


def test_before_the_start_there_is_no_chain(anna: Guest) -> None:
    table = anna.table("me", "open")
    assert anna.look(table)["chain"] is None
    assert anna.get(f"/tables/{table}/chain").status_code == 409


def test_a_form_without_scripts_carries_the_link(client: TestClient, anna: Guest, game_for_two: str) -> None:
    anna.wait(game_for_two, ready_to_move)
    client.cookies.set("guest", anna.token)
    page = client.get(f"/t/{game_for_two}").text
    found = dict(re.findall(r'<input type="hidden" name="(ply|key|link)" value="([^"]*)">', page))
    look = anna.look(game_for_two)
    assert found["link"] == look["chain"]["link"]
    assert look["chain"]["words"] in page
    move = {**found, "move": look["legal"][0]["text"]}
    refused = client.post(f"/t/{game_for_two}/act", data={**move, "link": "0" * 64})
    assert refused.status_code == 409
    assert "Your move was not played" in refused.text
    assert client.post(f"/t/{game_for_two}/act", data={**move, "link": "nonsense"}).status_code == 400
    assert client.post(f"/t/{game_for_two}/act", data=move).status_code == 303


# --- the page


PAUSE_MS = 15_000
"""The interval at which a page checks the whole past."""


def open_about(page: Page) -> None:
    page.get_by_text("About this table").click()


def kept(page: Page) -> dict[str, Any]:
    """Return the only entry in the browser's storage of links (hashes of the past), or an empty one."""
    found = json.loads(page.evaluate("localStorage.getItem('spelunke.links')") or "{}")
    return dict(next(iter(found.values()), {}))


@pytest.mark.deep
def test_the_copy_button_says_copied_only_if_the_copy_succeeded(browser: Browser, server: Server) -> None:
    with person(browser) as page:
        sit_down_with_bot(page, server.url)
        play_one(page)
        open_about(page)
        button = page.locator("#chain button")
        offered = button.inner_text()
        page.evaluate(
            "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));"
            " document.execCommand = () => { window.tried = true; return false; } }"
        )
        button.click()
        wait_for(page, "() => window.tried")
        expect(button).to_have_text(offered)
        assert page.evaluate("getSelection().toString()") == page.locator("#chain-copy").input_value()
        page.evaluate("document.execCommand = () => true")
        button.click()
        expect(button).to_have_text("Copied")


@pytest.mark.deep
def test_a_page_shows_stores_and_copies_the_link_of_its_chain(browser: Browser, server: Server) -> None:
    with person(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.clock.install()
        sit_down_with_bot(page, server.url)
        play_one(page)
        open_about(page)
        expect(page.locator("#chain-words")).to_have_text(re.compile(r"^(\w+ ){5}\w+$"))
        page.clock.fast_forward(PAUSE_MS)
        wait_for(page, "() => localStorage.getItem('spelunke.links')")
        page.locator("#chain button").click()
        expect(page.locator("#chain button")).to_have_text("Copied")
        copied = read_link(page.evaluate("navigator.clipboard.readText()"))
        assert copied.signature
        before = kept(page)
        play_one(page, 1)
        reload(page)  # it checks its stored link at once
        wait_for(
            page,
            "ply => JSON.parse(localStorage.getItem('spelunke.links') ?? '{}')"
            " && Object.values(JSON.parse(localStorage.getItem('spelunke.links')))[0].ply > ply",
            arg=before["ply"],
        )
        expect(page.locator("#another-past")).to_be_hidden()


@pytest.mark.parametrize("forged", ["link", "past"])
def test_a_page_warns_if_the_server_shows_a_different_past(
    browser: Browser, server: Server, forged: str
) -> None:
    with person(browser) as page:
        page.clock.install()
        sit_down_with_bot(page, server.url)
        play_one(page)
        page.clock.fast_forward(PAUSE_MS)
        wait_for(page, "() => localStorage.getItem('spelunke.links')")
        if forged == "past":  # the house shows a changed row of the past
            page.route("**/chain?since=*", _forge)
            page.evaluate(
                """() => {
                    const all = JSON.parse(localStorage.getItem("spelunke.links"));
                    for (const step of Object.values(all)) { step.ply = 0; step.link = "0".repeat(64); }
                    localStorage.setItem("spelunke.links", JSON.stringify(all));
                }"""
            )
        else:
            page.evaluate(
                """() => {
                    const all = JSON.parse(localStorage.getItem("spelunke.links"));
                    for (const step of Object.values(all)) step.link = "0".repeat(64);
                    localStorage.setItem("spelunke.links", JSON.stringify(all));
                }"""
            )
        reload(page)
        expect(page.locator("#another-past")).to_be_visible()
        expect(page.locator("#another-past")).to_contain_text("Stop playing")
        expect(page.locator("#another-past")).to_contain_text(f"“{kept(page)['words']}”")
        reload(page)
        expect(page.locator("#another-past")).to_be_visible()


@pytest.mark.deep
def test_a_shared_device_does_not_compare_links_with_the_server(browser: Browser, server: Server) -> None:
    """The page of a shared device doesn't compare its links (hashes of the past) with those of the server.

    They would differ: the page shows the links of the player to act, and the server answers with those of the person
    who opened the table.
    """
    with person(browser) as page:
        page.clock.install()
        asked: list[str] = []

        def note(request: Request) -> None:
            if "/chain?" in request.url:
                asked.append(request.url)

        page.on("request", note)
        page.goto(f"{server.url}/new?game={GAME}")
        page.evaluate(
            """game => {
              const form = document.createElement("form");
              form.method = "post";
              form.action = "/tables";
              for (const [name, value] of Object.entries({ game, quick: "here", names: "Bert" })) {
                const field = document.createElement("input");
                [field.name, field.value] = [name, value];
                form.append(field);
              }
              document.body.append(form);
              form.submit();
            }""",
            GAME,
        )
        page.wait_for_url("**/t/*")
        for turn in range(4):
            play_one(page, turn)
            page.clock.fast_forward(PAUSE_MS)
        # A new page would check a stored link at once. The first page may be reloading itself at this moment.
        second = page.context.new_page()  # with the same clock and storage
        second.on("request", note)
        second.goto(page.url)
        page.clock.fast_forward(PAUSE_MS)
        expect(second.locator("#curtain")).to_be_attached()
        assert kept(second) == {}
        assert asked == []
        expect(second.locator("#another-past")).to_be_hidden()


def _forge(route: Any) -> None:
    answer = route.fetch()
    told = answer.json()
    told["link"] = "0" * 64
    route.fulfill(response=answer, json=told)
