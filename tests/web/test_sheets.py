"""Style sheets: a first visit gets them inside the page, which paints at once. Later pages use the stored files."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from playwright.sync_api import expect

from .conftest import Guest, Server
from .test_browser import NARROW, person, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_TOLD = "() => document.cookie.includes('sheets=')"
_BOXES = """() => [...document.querySelectorAll(".table-page *")].filter((one) => one.checkVisibility()).slice(0, 400)
  .map((one) => { const box = one.getBoundingClientRect(); return [one.tagName, box.width, box.height]; })"""
_FETCHED = "() => performance.getEntriesByType('resource').map((one) => [one.name, one.deliveryType])"


def _table(client: Any) -> str:
    """Return a table at which two people play."""
    anna, bert = Guest(client), Guest(client, "Bert")
    table = anna.table("me", "open")
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    return table


def test_the_first_page_of_a_browser_contains_its_sheets_and_allows_only_them(client: Any) -> None:
    page = client.get(f"/t/{_table(client)}")
    sheets = re.findall(r'<style data-sheet="([^"]+)">(.*?)</style>', page.text, re.DOTALL)
    assert [address.split("?")[0].removeprefix("/static/") for address, _text in sheets] == [
        "house.css",
        "pages.css",
        "analysis.css",
        "company.css",
        "shanghaien.css",
    ]
    assert 'rel="stylesheet"' not in page.text
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    for address, text in sheets:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
        assert client.get(html.unescape(address)).text == text


def test_sheets_that_a_browser_has_are_not_sent_again(client: Any) -> None:
    table = _table(client)
    marks = re.findall(r'data-sheet="[^"]+\?v=(\w+)"', client.get(f"/t/{table}").text)
    client.cookies.set("sheets", ".".join(marks[1:]))
    page = client.get(f"/t/{table}")
    assert page.text.count("<style data-sheet=") == 1
    assert page.text.count('rel="stylesheet"') == len(marks) - 1
    client.cookies.set("sheets", "nonsense..<b>")
    assert client.get(f"/t/{table}").text.count("<style data-sheet=") == len(marks)


def _open(page: Page, address: str) -> list[Any]:
    page.goto(address)
    expect(page.locator('#connection[data-state="live"]')).to_be_visible()
    boxes: list[Any] = page.evaluate(_BOXES)
    return boxes


@pytest.mark.deep
def test_the_next_page_takes_its_style_sheets_from_the_browser_cache(
    browser: Browser, server: Server
) -> None:
    table = _table(httpx2.Client(base_url=server.url, timeout=60))
    with person(browser, NARROW, service_workers="allow") as page:
        first = _open(page, f"{server.url}/t/{table}")
        assert page.locator("style[data-sheet]").count() == 5
        wait_for(page, _TOLD)
        again = _open(page, f"{server.url}/t/{table}")
        assert again == first
        assert page.locator("style[data-sheet]").count() == 0
        sheets = [kind for name, kind in page.evaluate(_FETCHED) if ".css" in name]
        assert sheets == ["cache-storage"] * 5
