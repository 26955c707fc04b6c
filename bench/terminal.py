"""Measure the terminal program: the time to its first screen, and the time from a key to the drawn screen.

    python bench/terminal.py

For comparison, the same run measures the start of an empty Textual program, and the drawing of a board alone.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time

START = """
import time; began = time.perf_counter()
{imports}
import asyncio
async def main():
    app = {app}
    async with app.run_test(size=(80, 24)) as pilot:
        pass
asyncio.run(main())
"""
OURS = START.format(imports="from spelunke.tui.app import SpelunkeApp", app="SpelunkeApp()")
PEER = START.format(
    imports="from textual.app import App\nfrom textual.widgets import Static\n"
    "class Empty(App):\n    def compose(self):\n        yield Static('empty')",
    app="Empty()",
)
ROUNDS = 7


def _start(code: str) -> tuple[float, float]:
    """Return the wall-clock time and the processor time of a Python program in seconds."""
    began, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, spent


async def _keys(game: int) -> list[float]:
    """Return the processor time from a key to the drawn screen in seconds, for 60 keys."""
    from spelunke.tui.app import SpelunkeApp
    from spelunke.tui.table_screen import TableScreen

    app = SpelunkeApp(pace=0, seed=b"a fixed secret of thirty-two byt")
    found = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["down"] * game, "right", "right", *["up"] * 5, "p")
        screen = app.screen
        assert isinstance(screen, TableScreen)
        for number in range(60):
            while not screen._choices:
                await pilot.pause(0.01)
            began = time.process_time()
            await pilot.press("down" if number % 3 else "enter")
            screen._compositor.render_strips()
            found.append(time.process_time() - began)
            await pilot.pause(0.02)
    return found


def main() -> None:
    """Run both measurements, and print the results."""
    pairs = [(_start(OURS), _start(PEER)) for _ in range(ROUNDS)]
    for name, at in (("wall-clock", 0), ("processor", 1)):
        ours = statistics.median(pair[0][at] for pair in pairs)
        peer = statistics.median(pair[1][at] for pair in pairs)
        print(
            f"start, {name}: {ours * 1000:.0f} ms; empty Textual program {peer * 1000:.0f} ms; {ours / peer:.2f}×"
        )
    for game in range(3):
        times = sorted(asyncio.run(_keys(game)))
        print(
            f"key in game {game + 1}: median {statistics.median(times) * 1000:.1f} ms, "
            f"95 % within {times[int(len(times) * 0.95)] * 1000:.1f} ms of processor time"
        )


if __name__ == "__main__":
    main()
