"""Play the games in WebKit, the engine of Safari, with a mouse that hits only what is on top.

Why: docs/why/tests.md.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from servers import free_port, program
from waiting import wait_until

from .conftest import Server

pytestmark = pytest.mark.deep

# Returns whether the element is what a person would hit at a point near its left edge.
_ON_TOP = """const box = arguments[0].getBoundingClientRect();
return arguments[0].contains(document.elementFromPoint(box.x + 5, box.y + box.height / 2));"""
_AT_REST = "return document.querySelector('.sg-mine').getAnimations({ subtree: true }).length === 0"


class WebKit:
    """A window of WebKit, controlled through W3C WebDriver."""

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client
        opened = self._ask(
            "POST", "/session", {"capabilities": {"alwaysMatch": {"browserName": "MiniBrowser"}}}
        )
        self._session = f"/session/{opened['sessionId']}"
        self.ask("POST", "/window/rect", {"width": 1280, "height": 840})

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return self._client.request(method, path, json=body).json()["value"]

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a command of this session, and return the value of its answer or its error."""
        return self._ask(method, self._session + path, body)

    def find(self, css: str) -> list[dict[str, str]]:
        """Return the visible elements."""
        found = self.ask("POST", "/elements", {"using": "css selector", "value": css})
        return [one for one in found if self.run("return arguments[0].checkVisibility()", one) is True]

    def run(self, script: str, *given: object) -> Any:
        """Run a script in the page, and return its result."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": given})

    def press(self, css: str) -> None:
        """Wait for an element, and click on it. Fail if something else is over it."""
        answers: list[Any] = ["there is no such element"]

        def pressed() -> bool:
            for one in self.find(css)[:1]:
                self.run("arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' })", one)
                answers[:] = [self.ask("POST", f"/element/{next(iter(one.values()))}/click", {})]
            return answers == [None]

        try:
            wait_until(pressed, pause=0.2)
        except AssertionError:
            pytest.fail(f"{css}: {answers}")

    def see(self, css: str) -> dict[str, str]:
        """Wait until an element is visible, and return it."""
        return wait_until(lambda: self.find(css), f"no {css}", pause=0.2)[0]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """Start a display without a screen, and yield its name."""
    command = [program("Xvfb"), "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout
        yield f":{running.stdout.readline().strip()}"
        running.terminate()


@pytest.fixture
def webkit(display: str) -> Iterator[WebKit]:
    """Open a window of WebKit."""
    port = free_port()
    env = os.environ | {"DISPLAY": display, "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
    command = [program("WebKitWebDriver"), f"--port={port}"]
    with (
        subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False) as client,
    ):

        def ready() -> bool:
            with contextlib.suppress(httpx2.TransportError):
                return client.get("/status").is_success
            return False

        wait_until(ready, "WebKitWebDriver did not start")
        window = WebKit(client)
        yield window
        window.ask("DELETE", "")
        driver.terminate()


def _begin(webkit: WebKit, server: Server, game: str) -> None:
    webkit.ask("POST", "/url", {"url": server.url})
    webkit.press(f'form:has(input[name="game"][value="{game}"]) button[value="bot"]')
    webkit.see('#connection[data-state="live"]')


def test_a_press_reaches_the_roll_and_each_row_of_the_standing(webkit: WebKit, server: Server) -> None:
    _begin(webkit, server, "shanghaien")
    webkit.press("main button[name=move][value=roll]")
    webkit.see(".sh-rolled")
    assert webkit.run(_ON_TOP, webkit.see(".sh-standing tr.s1"))
    webkit.press(".sh-standing tr.s1 th .sh-opens")
    webkit.see(".sh-over[id$=crew1]:popover-open")
    webkit.run("document.querySelector(':popover-open').hidePopover()")
    webkit.press(".sh-tabs button[popovertarget$=sums]")
    webkit.see(".sh-over[id$=sums]:popover-open")


def test_a_captain_starts_and_lays_a_card(webkit: WebKit, server: Server) -> None:
    _begin(webkit, server, "halunken")
    webkit.press("main button[name=move][value^=place]")
    webkit.press("main button[name=move][value^=card]")
    webkit.see(".hk-story")


def test_a_drawn_card_lies_on_its_neighbour(webkit: WebKit, server: Server) -> None:
    _begin(webkit, server, "sanghai")
    while not webkit.find("main button[name=move][value=stock]"):
        for _answer in webkit.find("main button[name=move][value=pass]"):
            webkit.press("main button[name=move][value=pass]")
    webkit.press("main button[name=move][value=stock]")
    new = webkit.see(".sg-mine .sg-card.new label")
    wait_until(lambda: webkit.run(_AT_REST), "the card never comes to rest", pause=0.2)
    assert webkit.run(_ON_TOP, new)
