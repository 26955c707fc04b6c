"""The browser of the tests: one Chromium for each worker of a run, lent to one test at a time.

Why: docs/why/tests.md.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from servers import program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType, Playwright

# Chromium as root and without a network; the rest keeps it from calling home: docs/why/tests.md.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# A page's own share in the chance of a game is the same in every run; otherwise each run would have other deals.
SHARE = "crypto.getRandomValues = bytes => bytes.fill(7)"


class Chromium:
    """A headless Chromium, started when a test first needs it, and again if it has died."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextlib.contextmanager
    def lend(self) -> Iterator[Browser]:
        """Lend the browser to one test; contexts that are still open when the test has ended are closed.

        Playwright's synchronous interface leaves its event loop marked as running in this thread, so that
        ``asyncio.run`` would fail in a test that has nothing to do with browsers. The mark is removed between
        tests.
        """
        self._mark()
        try:
            if not self._answers():
                self._start()
            assert self._browser is not None
            yield self._browser
        finally:
            self._close_contexts()
            asyncio._set_running_loop(None)

    def stop(self) -> None:
        """Stop the browser, and the program that drives it."""
        self._mark()
        try:
            if self._browser is not None and self._answers():
                self._browser.close()
            if self._playwright is not None:
                self._playwright.stop()
        finally:
            asyncio._set_running_loop(None)
            self._playwright = self._browser = self._loop = None

    def _mark(self) -> None:
        # If the driver has died, its loop has ended.
        alive = self._loop is not None and self._loop.is_running()
        asyncio._set_running_loop(self._loop if alive else None)

    def _answers(self) -> bool:
        from playwright.sync_api import Error

        if self._browser is None:
            return False
        try:
            # Playwright's knowledge may be stale: it learns of a dead browser only during a call.
            line = self._browser.new_browser_cdp_session()
            line.send("Browser.getVersion")
            line.detach()
        except Error:
            return False
        return True

    def _start(self) -> None:
        from playwright.sync_api import sync_playwright

        self.stop()
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        browser = launch(self._playwright.chromium)
        patch.object(browser, "new_context", partial(_context, browser.new_context)).start()
        self._browser = browser

    def _close_contexts(self) -> None:
        from playwright.sync_api import Error

        with contextlib.suppress(
            Error
        ):  # a browser that has died has none, and is started again for the next test
            for context in self._browser.contexts if self._browser is not None else ():
                context.close()


def launch(kind: BrowserType, *more: str) -> Browser:
    """Start the installed Chromium with the flags of all tests, and with more flags."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return kind.launch(executable_path=program(*names), args=[*FLAGS, *more])


def _context(make: Callable[..., BrowserContext], **given: Any) -> BrowserContext:
    # Nothing moves unless a test wants it: painting it is a large part of the browser's cost.
    given.setdefault("reduced_motion", "reduce")
    # Most pages don't need the service worker; it is tested in tests/web/test_install.py.
    given.setdefault("service_workers", "block")
    context = make(**given)
    context.add_init_script(SHARE)
    return context
