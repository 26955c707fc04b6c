"""The house as an app: manifest, icons, service worker, offline page, sharing, wake lock, and the edges of a screen."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from waiting import wait_until

from .conftest import Guest, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
PHONE = {"width": 390, "height": 844}
SHEET = "navigator.share = async (what) => { window.shared = what; };"
SCREEN = """
window.locks = [];
navigator.wakeLock.request = async () => {
  const lock = { released: false, release: async () => { lock.released = true; } };
  window.locks.push(lock);
  return lock;
};
"""


def test_the_manifest_names_icons_that_are_there(client: TestClient) -> None:
    assert 'rel="manifest" href="/manifest.webmanifest"' in client.get("/").text
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    purposes = set()
    for icon in told["icons"]:
        found = client.get(icon["src"])
        assert found.status_code == 200
        assert found.headers["content-type"] == icon["type"]
        assert "immutable" in found.headers["cache-control"]
        purposes.add(icon["purpose"])
        if icon["type"] == "image/png":
            assert found.content[:8] == b"\x89PNG\r\n\x1a\n"
            assert "{}x{}".format(*struct.unpack(">II", found.content[16:24])) == icon["sizes"]
    assert purposes == {"any", "maskable"}
    for shortcut in told["shortcuts"]:
        assert client.get(shortcut["url"]).status_code in (200, 303)


def test_the_offline_page_contains_nothing_personal(client: TestClient, anna: Guest) -> None:
    client.cookies.set("guest", anna.token)
    page = client.get("/offline").text
    assert page == TestClient(client.app).get("/offline").text
    assert "can't be reached" in page.replace("&#39;", "'")
    assert "Anna" not in page
    worker = client.get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"


@pytest.fixture
def phone(browser: Browser) -> Any:
    context = browser.new_context(viewport=PHONE, service_workers="allow")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.mark.deep
def test_the_app_can_be_installed_and_shows_an_offline_page(phone: Page, server: Server) -> None:
    line = phone.context.new_cdp_session(phone)
    phone.goto(server.url)
    manifest = line.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    state = "navigator.serviceWorker.getRegistration().then((one) => one?.active?.state)"
    wait_until(lambda: phone.evaluate(state) == "activated", "the worker does not stand by")
    phone.goto(f"{server.url}/me/settings")
    assert phone.evaluate("navigator.serviceWorker.controller !== null")
    phone.context.set_offline(True)
    phone.goto(f"{server.url}/me")
    assert phone.get_by_role("heading", name="The site can't be reached").is_visible()
    look = "getComputedStyle(document.querySelector('.top')).backgroundColor"
    assert phone.evaluate(look) == "rgb(12, 22, 34)", "its styles lie there too"
    phone.context.set_offline(False)
    phone.get_by_role("link", name="Try again").click()
    phone.get_by_role("heading", name="Guest").wait_for()
    assert phone.url == f"{server.url}/me", "a page comes from the house, and never from what was kept"
    kept = phone.evaluate(
        "caches.open('house-1').then((kept) => kept.keys()).then((all) => all.map((one) => new URL(one.url).pathname))"
    )
    assert "/offline" in kept
    assert all(path == "/offline" or path.startswith("/static/") for path in kept)
    assert len(kept) == len(set(kept)), "one version of each"


@pytest.mark.deep
def test_a_phone_shares_the_invitation_and_keeps_its_screen_on_during_play(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(60_000)
    context.add_init_script(SHEET)
    context.add_init_script(SCREEN)
    page = context.new_page()
    page.goto(server.url)
    page.get_by_role("button", name="Invite a friend").first.click()
    page.wait_for_url("**/t/*")
    assert page.evaluate("locks.length") == 0
    page.get_by_role("button", name="Share").click()
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.locator("#invite-link").input_value()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    guest = browser.new_context()
    ben = guest.new_page()
    ben.goto(shared["url"])
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down and play").click()

    def held() -> list[bool]:
        return [not one for one in page.evaluate("locks.map((one) => one.released)")]

    wait_until(lambda: held() == [True], "the screen may sleep")
    page.evaluate(HIDE, True)
    wait_until(lambda: held() == [False], "a hidden page keeps the screen awake")
    page.evaluate(HIDE, False)
    wait_until(lambda: held() == [False, True], "the screen may sleep")
    guest.close()
    context.close()


@pytest.mark.deep
def test_nothing_lies_under_the_edges_of_a_phone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(server.url)
    line = page.context.new_cdp_session(page)
    line.send(
        "Emulation.setSafeAreaInsetsOverride", {"insets": {"top": 0, "left": 47, "right": 47, "bottom": 21}}
    )
    found = "[...document.querySelectorAll('.brand, .game-card, .top-me a, .foot a')]"
    lefts = page.evaluate(f"{found}.map((one) => one.getBoundingClientRect().left)")
    rights = page.evaluate(f"{found}.map((one) => one.getBoundingClientRect().right)")
    assert min(lefts) >= 47
    assert max(rights) <= 844 - 47
