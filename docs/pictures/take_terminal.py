"""Take the pictures of the terminal again, as part of ``make pictures``. They are SVG, and need no browser.

Chance has a fixed seed, so the pictures differ only if the screens do.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from spelunke.tui.app import SpelunkeApp
from spelunke.tui.client import Client
from spelunke.tui.offers import offer_locals
from spelunke.tui.plan_screen import PlanScreen
from spelunke.tui.table_screen import TableScreen

HERE = Path(__file__).resolve().parent
SEED = b"the pictures of the terminal ..."
SMALL, WIDE = (80, 24), (120, 40)
PATIENCE_S = 60
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Textual names a font on another server. A picture must not load anything: a monospaced font is everywhere."""


async def _wait(pilot: Pilot[None], until: Callable[[], object]) -> None:
    for _ in range(PATIENCE_S * 20):
        if until():
            await pilot.pause()
            return
        await pilot.pause(0.05)
    raise TimeoutError


async def _play(game: int, lines: int, kind: str, keys: tuple[str, ...], pilot: Pilot[None]) -> None:
    """Begin a game against bots, and play on until the moment for a picture. Then press ``keys``.

    The moment has come when the log has more than ``lines`` lines, and a choice begins with ``kind``. Before that,
    pass if possible, and otherwise play the middle choice.
    """
    await pilot.press(*["down"] * game, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen)
    for _ in range(400):
        await _wait(pilot, lambda: screen._choices)
        before, moves = screen.desk.moment, [text for _action, text in screen._choices]
        if len(before.log) > lines and any(text.startswith(kind) for text in moves):
            await pilot.press(*keys)
            return
        move = "pass" if "pass" in moves else moves[len(moves) // 2]
        screen.play(move)
        await _wait(pilot, lambda before=before: screen.desk.moment is not before)
    raise TimeoutError


async def _plan(pilot: Pilot[None]) -> None:
    await pilot.app.push_screen(PlanScreen(Client("https://spelunke.example"), offer_locals()))
    await pilot.press("down", "right", "down", "t", "t")


PICTURES = {
    "terminal-shanghaien": (SMALL, partial(_play, 0, 60, "place", ())),
    "terminal-halunken": (WIDE, partial(_play, 1, 60, "card", ("down",))),
    "terminal-sanghai": (WIDE, partial(_play, 2, 40, "discard", ())),
    "terminal-new-table": (SMALL, _plan),
}


async def _take(name: str) -> None:
    size, reach = PICTURES[name]
    app = SpelunkeApp(pace=0, seed=SEED)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await reach(pilot)
        await pilot.pause(0.2)
        drawn = app.export_screenshot(title="spelunke tui")
    text = FONT.sub("", drawn).replace("Fira Code, ", "")
    (HERE / f"{name}.svg").write_text(text.rstrip() + "\n", encoding="utf-8")
    print(f"{name}: taken", flush=True)


def main() -> None:
    """Take all pictures."""
    os.environ |= {"COLORTERM": "truecolor", "SPELUNKE_LANGUAGE": "en"}
    os.environ.pop("NO_COLOR", None)
    for name in PICTURES:
        asyncio.run(_take(name))


if __name__ == "__main__":
    main()
