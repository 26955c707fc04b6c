"""Measure a visit to a table on a phone: its bytes, the first paint over Fast 3G, and long tasks on a slow processor.

    python bench/visits.py [--moves 30]

The command starts a new server on SQLite, and a real browser on the same machine. For the long tasks, the browser runs
at a quarter of the processor's speed. The command writes its section of `bench/results.md`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from pages import FLAGS, open_house
from playwright.sync_api import Browser, Page, sync_playwright
from report import machine, write_section

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
WATCH = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask", buffered: true });
}"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def open_page(browser: Browser) -> tuple[Page, Any, list[int]]:
    """Return a page with the size of a phone, its DevTools session, and a list of received bytes.

    The list grows by an entry for each response.
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


def play(page: Page, moves: int) -> None:
    """Play up to ``moves`` moves by pressing the first possible button of the board each time."""
    for _ in range(moves * 6):
        if moves <= 0 or page.locator("#result.result").count():
            return
        choices = page.locator("#summary-on:visible, #board button[name=move]:visible:enabled")
        if choices.count():
            choices.first.click(timeout=5_000)
            moves -= 1
        page.wait_for_timeout(350)


def visit(browser: Browser, address: str, game: str, moves: int) -> str:
    """Measure the visit to a table of a game, and return its row."""
    page, line, received = open_page(browser)
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
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    page.evaluate(WATCH)
    received.clear()
    play(page, moves)
    tasks = sorted(page.evaluate("longTasks"))
    page.context.close()
    longest = f"{tasks[-1]:.0f}" if tasks else "none"
    over = sum(task > 100 for task in tasks)
    return f"| {game} | {visited:,} | {again:,} | {paint:,.0f} | {len(tasks)} | {over} | {longest} |"


def main() -> None:
    """Measure all games, and write their section of `bench/results.md`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=30)
    moves = parser.parse_args().moves
    folder = Path(tempfile.mkdtemp())
    house, address = open_house(folder)
    try:
        with sync_playwright() as playwright:
            program = next(
                found
                for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
                if (found := shutil.which(name))
            )
            browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
            rows = []
            for game in GAMES:
                rows.append(visit(browser, address, game, moves))
                print(rows[-1], flush=True)
            browser.close()
    finally:
        house.terminate()
        house.wait()
        shutil.rmtree(folder)
    write_section(
        "visits",
        f"""## Visits to a table from a phone

{machine("starlette", "uvicorn")}
A stranger's first and next visit to a running table at 390 × 844, bytes on the wire with headers; first paint
over Fast 3G (562 ms, 1.6 Mb/s × 0.9); then {moves} presses in a game against bots at a quarter of the processor's
speed.

| game | first visit, bytes | next, bytes | first paint, ms | long tasks | over 100 ms | longest, ms |
|---|---:|---:|---:|---:|---:|---:|
{chr(10).join(rows)}""",
    )


if __name__ == "__main__":
    main()
