"""Measure a visit to a table on a phone: its bytes, the first paint over Fast 3G, and long tasks on a slow processor.

    python bench/visits.py [--seconds 60]

The command starts a new server on SQLite, and a real browser on the same machine. A task's length is the processor time
of the page's main thread, times four for a phone with a quarter of this processor's speed. So other work on the machine
has little effect: it only takes space in the processor's caches. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pages import browse
from playwright.sync_api import Browser, Page
from report import machine, write_section

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from table_page import choose_move, read_table, send_move

GAMES = ("shanghaien", "halunken", "sanghai")
FAST_3G = {
    "offline": False,
    "latency": 562,
    "downloadThroughput": 1.6e6 * 0.9 / 8,
    "uploadThroughput": 750e3 * 0.9 / 8,
}
SLOW = 4
SETTLED_MS = 6_000
"""The time in milliseconds after which the service worker of a first visit has its files."""
HEADERS = 600
"""The approximate size of a response's headers in bytes."""
GO_ON = "() => document.getElementById('summary-on')?.click()"
TRACED = ("toplevel",)
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def open_page(browser: Browser) -> tuple[Page, Any, list[int]]:
    """Return a page with the size of a phone, its DevTools session, and a list.

    The list receives the number of bytes of each response.
    """
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    line = page.context.new_cdp_session(page)
    received: list[int] = []
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda one: received.append(round(one["encodedDataLength"])))
    return page, line, received


def weigh_page(page: Page) -> int:
    """Return the compressed size in bytes of a page that came through its service worker.

    The browser does not count the bytes of such a page.
    """
    answer = page.context.request.get(page.url, headers={"accept-encoding": "br"})
    return int(answer.headers["content-length"]) + HEADERS


def begin(page: Page, address: str, game: str) -> None:
    """Start a game against bots from the front page."""
    page.goto(address)
    page.locator(f'.game-card:has(input[value="{game}"]) button[value="bot"]').click()
    page.wait_for_selector('#connection[data-state="live"]')


def play(page: Page, seconds: float) -> int:
    """Play at random for some seconds, or to the end. Return the number of moves."""
    chance, until, moves = random.Random(7), time.monotonic() + seconds, 0
    while time.monotonic() < until and not page.locator("#result.result").count():
        if page.locator("#summary-on").count():
            page.evaluate(GO_ON)
            page.wait_for_timeout(300)
            continue
        look = read_table(page)
        if move := choose_move(look, chance):
            moves += send_move(page, move, look["ply"]) == 204
        page.wait_for_timeout(100)
    return moves


def long_tasks(trace: Path) -> list[float]:
    """Return the lengths in milliseconds of the page's tasks over 50 ms on the slow processor, the longest last."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    lengths = [
        event["tdur"] * SLOW / 1000
        for event in events
        if event["name"].endswith("RunTask") and "tdur" in event and (event["pid"], event["tid"]) in main
    ]
    if not lengths:
        raise SystemExit("the trace has no tasks of the page: this Chromium names them otherwise")
    return sorted(length for length in lengths if length > 50)


def visit(browser: Browser, address: str, game: str, seconds: float) -> str:
    """Measure the visit to a table of a game, and return its row."""
    page, _line, _received = open_page(browser)
    begin(page, address, game)
    table = page.url
    stranger, slow, first = open_page(browser)
    slow.send("Network.emulateNetworkConditions", FAST_3G)
    stranger.goto(table)
    stranger.wait_for_selector('#connection[data-state="live"]')
    paint = stranger.evaluate(PAINT)
    stranger.wait_for_timeout(SETTLED_MS)
    visited = sum(first)
    first.clear()
    stranger.goto(table)
    stranger.wait_for_selector('#connection[data-state="live"]')
    again = sum(first) + weigh_page(stranger)
    stranger.context.close()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=trace, categories=list(TRACED))
        moves = play(page, seconds)
        browser.stop_tracing()
        tasks = long_tasks(trace)
    page.context.close()
    longest = f"{tasks[-1]:.0f}" if tasks else "none"
    over = sum(task > 100 for task in tasks)
    return (
        f"| {game} | {visited:,} | {again:,} | {paint:,.0f} | {moves} | {len(tasks)} | {over} | {longest} |"
    )


def main() -> None:
    """Measure all games, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=60, help="how long each game is played (default: 60)"
    )
    seconds = parser.parse_args().seconds
    rows = []
    with browse() as (browser, address, _pid):
        for game in GAMES:
            rows.append(visit(browser, address, game, seconds))
            print(rows[-1], flush=True)
    write_section(
        "visits",
        f"""## Visits to a table from a phone

{machine("starlette", "uvicorn")}
A stranger's first and next visit to a running table at 390 × 844, bytes on the wire with headers; first paint
over Fast 3G (562 ms, 1.6 Mb/s × 0.9); then {seconds:.0f} s of a game against bots. A task counts with four times its
processor time, as on a phone of a quarter of this speed; long is over 50 ms.

| game | first visit, bytes | next, bytes | first paint, ms | moves | long tasks | over 100 ms | longest, ms |
|---|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(rows)}""",
    )


if __name__ == "__main__":
    main()
