"""The scripts that the build concatenates, in a real browser under the pages' content policy."""

import http.server
import threading
from collections.abc import Iterator
from importlib import resources
from typing import Any, ClassVar

import pytest

from waiting import wait_until

POLICY = "default-src 'self'"
PAGE = """<!doctype html><html lang="en"><head><title>Scripts</title>
<meta name="htmx-config" content='{"noSwap": [204, 304, "4xx", "5xx"], "includeIndicatorCSS": false,
 "sse": {"reconnectDelay": 50, "reconnectMaxDelay": 200}}'>
<script src="/vendor.js" defer></script></head><body><main>
<div id="live" hx-sse:connect="/live" hx-trigger="load, every 1s" hx-swap="none"></div>
<form id="ask" hx-post="/ask" hx-target="#answer" hx-swap="morph"><button>Ask</button></form>
<p id="answer">nothing yet</p>
<form hx-post="/refuse" hx-target="#answer"><button>Refuse</button></form>
<input id="typed" aria-label="typed">
<section id="board" hx-swap="none"><svg viewBox="0 0 9 9"><g><rect id="a" transform="translate(0 0)"/>
<rect id="b" transform="translate(1 0)"/></g></svg><p id="kept" hx-morph-skip>kept</p></section>
</main></body></html>"""
BOARD = (
    '<hx-partial hx-target="#board" hx-swap="morph"><section id="board" class="new"><svg viewBox="0 0 9 9"><g>'
    '<rect id="b" transform="translate(5 5)"/><rect id="a" transform="translate(7 7)"/></g></svg>'
    '<p id="kept">lost</p><button id="later" hx-post="/ask" hx-target="#answer" hx-swap="morph">Later</button>'
    "</section></hx-partial>"
)


class Handler(http.server.BaseHTTPRequestHandler):
    """A server that sends the page, one push for each connection of the stream, and answers to forms."""

    ids: ClassVar[list[str]] = []

    def log_message(self, *args: Any) -> None:
        pass

    def _send(self, text: str, kind: str = "text/html; charset=utf-8", status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path == "/vendor.js":
            file = resources.files("spelunke") / "web/static/vendor.js"
            self._send(file.read_text(encoding="utf-8"), "text/javascript")
        elif self.path == "/live":
            self.ids.append(self.headers.get("Last-Event-ID", ""))
            self._send(f"id: {len(self.ids)}\ndata: {BOARD}\n\n", "text/event-stream")
        else:
            self._send(PAGE if self.path == "/" else "")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/refuse":
            self._send("this text must not get into the page", status=409)
        else:
            text = "asked" if self.headers.get("HX-Target", "").endswith("answer") else "unasked"
            self._send(f'<p id="answer">{text}</p>')


@pytest.fixture
def address() -> Iterator[str]:
    Handler.ids.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def test_pushes_forms_and_refusals_work_under_the_content_policy(page: Any, address: str) -> None:
    from playwright.sync_api import expect

    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    board = page.locator("#board")
    expect(board).to_have_class("new")
    expect(page.locator("#a")).to_have_attribute("transform", "translate(7 7)")
    assert page.evaluate("[...document.querySelectorAll('rect')].map(r => r.id)") == ["b", "a"]
    expect(page.locator("#kept")).to_have_text("kept")

    page.locator("#typed").fill("mine")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#answer")).to_have_text("asked")
    assert page.locator("#typed").input_value() == "mine"

    with page.expect_response("**/refuse"):
        page.get_by_role("button", name="Refuse").click()
    expect(page.locator("#answer")).to_have_text("asked")

    page.evaluate("document.getElementById('answer').textContent = 'again'")
    page.get_by_role("button", name="Later").click()
    expect(page.locator("#answer")).to_have_text("asked")
    assert page.evaluate("[typeof htmx, typeof Idiomorph, typeof Sortable]") == [
        "object",
        "object",
        "function",
    ]
    # A refusal is a failed request in the console; nothing else is logged: no policy was violated.
    assert [line for line in said if "409" not in line] == []


def test_pieces_stay_the_same_elements_when_they_move(page: Any, address: str) -> None:
    from playwright.sync_api import expect

    page.route("**/live", lambda route: route.abort())
    page.goto(address)
    page.evaluate("window.a = document.getElementById('a')")
    page.unroute("**/live")
    expect(page.locator("#board")).to_have_class("new")
    assert page.evaluate("window.a === document.getElementById('a') && window.a.isConnected")


def test_the_stream_reconnects_with_the_id_of_the_last_event(page: Any, address: str) -> None:
    from playwright.sync_api import expect

    page.goto(address)
    expect(page.locator("#board")).to_have_class("new")
    wait_until(lambda: page.evaluate("true") and len(Handler.ids) >= 2)  # each call lets the page go on
    assert Handler.ids[:2] == ["", "1"]
