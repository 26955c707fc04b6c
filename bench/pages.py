"""Measure a player's page: its bytes, the time to the first board, and from a click to the other browser's board.

    python bench/pages.py [--runs 15]

The command starts a new server on SQLite, and two real browsers on the same machine. It writes its section of
`bench/results.md`.
"""

from __future__ import annotations

import argparse
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
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
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


def lay_table(host: Page, guest: Page, address: str) -> None:
    """Open a table for two people, and show its board in both browsers. The guest follows the host's link."""
    host.goto(address)
    card = host.locator("article", has=host.locator(f'input[value="{GAME}"]'))
    card.get_by_role("button", name="Invite a friend").click()
    host.wait_for_url("**/t/*")
    guest.goto(host.locator("#invite-link").input_value())
    guest.get_by_role("button", name=re.compile("Sit down")).first.click()
    for page in (host, guest):
        page.locator(".shanghaien").wait_for(timeout=60_000)


def clicks(pages: list[Page], runs: int) -> list[float]:
    """Return the times in milliseconds from a click to the change of the board in the other browser.

    Both browsers use the same clock.
    """
    found: list[float] = []
    while len(found) < runs:
        for page, other in (pages, pages[::-1]):
            roll = page.locator('button[name=move][value="roll"]')
            if not roll.count() or not roll.first.is_enabled():
                continue
            other.evaluate(
                """() => { const board = document.querySelector('#board') || document.body;
                window.__seen = new Promise(done => new MutationObserver((_, me) => {
                  me.disconnect(); done(performance.timeOrigin + performance.now()); })
                  .observe(board, {subtree: true, childList: true, attributes: true})); }"""
            )
            page.evaluate(
                """() => { document.addEventListener('click', () => {
                window.__clicked = performance.timeOrigin + performance.now(); }, {capture: true, once: true}); }"""
            )
            roll.first.click()
            seen = other.evaluate("() => window.__seen")
            found.append(seen - page.evaluate("() => window.__clicked"))
            page.wait_for_timeout(400)
            finish_turn(page)
            other.wait_for_timeout(400)
    return found


def finish_turn(page: Page) -> None:
    """Place a die: choose a die if necessary, and press the first possible place."""
    for _ in range(40):
        target = page.locator('button[name=move][value^="place"]:visible')
        if target.count():
            target.first.click()
            return
        page.locator("#board label:visible").first.click(timeout=1000)
        page.wait_for_timeout(50)


def main() -> None:
    """Run all measurements, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    about = machine("starlette", "uvicorn")
    folder = Path(tempfile.mkdtemp(prefix="spelunke-bench-"))
    house, address = open_house(folder)
    try:
        with sync_playwright() as player:
            chromium: Any = player.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
            pages = [chromium.new_context(base_url=address).new_page() for _ in range(2)]
            lay_table(pages[0], pages[1], address)
            boards = []
            for _ in range(given.runs):
                begun = time.perf_counter()
                pages[0].goto(pages[0].url, wait_until="commit")
                pages[0].locator(".shanghaien").wait_for()
                boards.append((time.perf_counter() - begun) * 1000)
            table = pages[0].content().encode()
            waits = clicks(pages, given.runs)
            chromium.close()
        rows = weigh(address)
    finally:
        house.terminate()
        house.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
    write_section(
        "pages",
        "\n".join(
            (
                "## Pages",
                "",
                about,
                f"Two browsers and the house on the same cores; median and range of {given.runs}.",
                "",
                "| what | bytes | gzipped |",
                "|---|---:|---:|",
                *rows,
                f"| table page, board and drawings included | {len(table):,} | {len(gzip.compress(table)):,} |",
                "",
                "| what | ms, median | range |",
                "|---|---:|---|",
                f"| address entered until the board stands | {spread(boards, digits=0)} |",
                f"| click until the other browser's board changes | {spread(waits, digits=0)} |",
            )
        ),
    )


if __name__ == "__main__":
    main()
