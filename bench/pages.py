"""Measure a player's page: its bytes, and the time to the first board.

    python bench/pages.py [--runs 9]

The command starts a new server on SQLite, and a real browser on the same machine. It writes its section of
`bench/results.md`.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from report import machine, spread, write_section

GAME = "shanghaien"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


def find_chromium() -> str:
    """Return the path of a Chromium. Raise SystemExit if there is none."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise SystemExit("there is no Chromium: make tools installs one on Debian")


def open_house(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server on a free port, and return its process and its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "spelunke.cli", "serve", "--port", str(port)]
    environment = {**os.environ, "SPELUNKE_DATABASE": f"sqlite:///{folder}/house.db"}
    house = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/health", timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return house, address
    raise SystemExit("the house did not open within a minute")


@contextlib.contextmanager
def browse() -> Iterator[tuple[Browser, str, int]]:
    """Yield a browser, and the address and process id of a server in an empty folder.

    At the end of the block, close the browser, stop the server, and delete the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="spelunke-bench-"))
    house, address = open_house(folder)
    try:
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
            yield browser, address, house.pid
            browser.close()
    finally:
        house.terminate()
        house.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def weigh(address: str) -> list[str]:
    """Return two rows of the table: the bytes of the front page, and of its styles and scripts together.

    Each row has the plain and the gzipped bytes.
    """
    page = urllib.request.urlopen(address).read()
    rows = [f"| front page | {len(page):,} | {len(gzip.compress(page)):,} |"]
    total = gzipped = 0
    for path in sorted(set(re.findall(r'(?:src|href)="(/static[^"]+)"', page.decode()))):
        body = urllib.request.urlopen(address + path.replace("&amp;", "&")).read()
        total += len(body)
        gzipped += len(gzip.compress(body))
    rows.append(f"| its styles and scripts, cached by the browser | {total:,} | {gzipped:,} |")
    return rows


class Person:
    """A guest, who sends requests to the API."""

    def __init__(self, browser: Browser, address: str, name: str) -> None:
        self.api = f"{address}/api/v1"
        self.context = browser.new_context(base_url=address)
        self.token = ""
        self.token = self.ask("/guests", name=name)["token"]
        self.context.add_cookies([{"name": "guest", "value": self.token, "url": address}])

    def ask(self, path: str, **body: object) -> dict[str, Any]:
        """Send a POST request with this body, or a GET request if there is no body. Return the answer."""
        headers = {"authorization": f"Bearer {self.token}"}
        method = "POST" if body else "GET"
        answer = self.context.request.fetch(
            self.api + path, method=method, data=body or None, headers=headers
        )
        if not answer.ok:
            raise SystemExit(f"the server refused: {answer.text()}")
        found: dict[str, Any] = answer.json()
        return found


def lay_table(people: list[Person], game: str) -> str:
    """Open a table for these people, and return its id. The first person is the table's host."""
    host, *guests = people
    table: str = host.ask("/tables", game=game, seats=["me", *["open"] * len(guests)])["table"]
    for guest in guests:
        guest.ask(f"/tables/{table}/join", seat=None)
    for person in people:
        person.ask(f"/tables/{table}/nonce", nonce="bench")
    return table


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    about = machine("starlette", "uvicorn")
    with browse() as (browser, address, _pid):
        people = [Person(browser, address, name) for name in ("Anna", "Bert")]
        page = people[0].context.new_page()
        page.goto(f"/t/{lay_table(people, GAME)}")
        page.locator(".shanghaien").wait_for()
        boards = []
        for _ in range(given.runs):
            begun = time.perf_counter()
            page.goto(page.url, wait_until="commit")
            page.locator(".shanghaien").wait_for()
            boards.append((time.perf_counter() - begun) * 1000)
        table = page.content().encode()
        rows = weigh(address)
    write_section(
        "pages",
        "\n".join(
            (
                "## Pages",
                "",
                about,
                f"A browser and the server on the same cores; median and range of {given.runs}.",
                "",
                "| what | bytes | gzipped |",
                "|---|---:|---:|",
                *rows,
                f"| table page, board and drawings included | {len(table):,} | {len(gzip.compress(table)):,} |",
                "",
                "| what | ms, median | range |",
                "|---|---:|---|",
                f"| address entered until the board stands | {spread(boards, digits=0)} |",
            )
        ),
    )


if __name__ == "__main__":
    main()
