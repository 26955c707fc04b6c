"""The browser that all tests in a process share: whatever a test does to it, the next test gets a working browser."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from chromium import Chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """Yield a Chromium that no other module uses, because these tests kill it."""
    chromium = Chromium()
    yield chromium
    chromium.stop()


def title(browser: Browser) -> str:
    page = browser.new_page()
    page.goto("data:text/html,<title>here</title>")
    return page.title()


def process_of(browser: Browser) -> int:
    line = browser.new_browser_cdp_session()
    found = line.send("SystemInfo.getProcessInfo")["processInfo"]
    (process,) = (one["id"] for one in found if one["type"] == "browser")
    return int(process)


def driver_of(browser: Browser) -> int:
    """Return the id of Playwright's driver: the process between this one and the browser."""
    process = process_of(browser)
    while (parent := _parent_of(process)) != os.getpid():
        process = parent
    return process


def _parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])


@pytest.mark.deep
def test_tests_share_one_browser_and_no_loop_counts_as_running_between_tests(chromium: Chromium) -> None:
    async def answer() -> int:
        return 42

    found = []
    for _ in range(2):
        with chromium.lend() as browser:
            found.append(process_of(browser))
            assert title(browser) == "here"
        assert asyncio.run(answer()) == 42
    assert found[0] == found[1]


def test_contexts_are_closed_after_the_test_that_opened_them(chromium: Chromium) -> None:
    def fail() -> None:
        with chromium.lend() as browser:
            context = browser.new_context()
            context.add_cookies([{"name": "guest", "value": "1", "url": "http://127.0.0.1"}])
            assert browser.contexts == [context]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with chromium.lend() as browser:
        assert browser.contexts == []
        assert browser.new_context().cookies() == []


@pytest.mark.deep
def test_a_browser_that_dies_in_a_test_is_restarted_for_the_next(chromium: Chromium) -> None:
    with chromium.lend() as browser:
        page = browser.new_page()
        first = process_of(browser)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(Error):
            page.goto("data:text/html,gone")
    with chromium.lend() as browser:
        assert process_of(browser) != first
        assert title(browser) == "here"


@pytest.mark.deep
def test_a_browser_that_dies_between_tests_is_restarted(chromium: Chromium) -> None:
    with chromium.lend() as browser:
        first = process_of(browser)
    os.kill(first, signal.SIGKILL)
    with chromium.lend() as browser:
        assert process_of(browser) != first
        assert title(browser) == "here"


@pytest.mark.deep
def test_a_driver_that_dies_is_restarted_with_the_browser(chromium: Chromium) -> None:
    with chromium.lend() as browser:
        os.kill(driver_of(browser), signal.SIGKILL)
        with pytest.raises(Error):
            title(browser)
    with chromium.lend() as browser:
        assert title(browser) == "here"
