"""Take the pictures of the terminal again: ``make pictures``. Textual writes its screens as SVG.

The seed is fixed, and the game of the analysis is a record of the tests, so equal programs give equal pictures.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

os.environ |= {"COLORTERM": "truecolor", "SPELUNKE_LANGUAGE": "en"}
os.environ.pop("NO_COLOR", None)

from textual.pilot import Pilot

from spelunke.records.record import parse_record
from spelunke.solvers.analysis import analyse
from spelunke.tui.app import SpelunkeApp
from spelunke.tui.replay_screen import ReplayScreen
from spelunke.tui.table_screen import TableScreen

HERE = Path(__file__).resolve().parent
RECORD = HERE.parents[1] / "tests" / "compatibility" / "0.2.0" / "shanghaien.record.json"
SEED = b"a fixed secret of thirty-two byt"
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""The fonts that Textual's pictures would load from another site."""


async def play(pilot: Pilot[None], place: int, moves: int) -> None:
    """Begin the game at this place of the list, and play this number of moves."""
    await pilot.press(*["down"] * place, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen)
    for number in range(moves + 1):
        while not screen._choices:
            await pilot.pause(0.01)
        before = screen.desk.moment
        texts = [text for _action, text in screen._choices]
        if number == moves:
            break
        screen.play(texts[number % len(texts)])
        while screen.desk.moment is before:
            await pilot.pause(0.01)


async def shanghaien(pilot: Pilot[None]) -> None:
    """Show a die that is considered."""
    await play(pilot, 0, 14)
    await pilot.press("down")


async def halunken(pilot: Pilot[None]) -> None:
    """Show the way of a card that is considered."""
    await play(pilot, 1, 14)
    await pilot.press("down")


async def sanghai(pilot: Pilot[None]) -> None:
    """Show the hand, sorted by rank, with a card at the cursor."""
    await play(pilot, 2, 14)
    await pilot.press("full_stop", "right", "right", "right")


async def analysis(pilot: Pilot[None]) -> None:
    """Show the first error of a game, with the chart and the advice."""
    screen = ReplayScreen(parse_record(RECORD.read_bytes()))
    await pilot.app.push_screen(screen)
    screen._analysed(await asyncio.to_thread(analyse, screen.match, screen.names))
    await pilot.press("n")


SIGHTS: dict[str, tuple[Callable[[Pilot[None]], Awaitable[None]], int, int]] = {
    "shanghaien": (shanghaien, 80, 24),
    "halunken": (halunken, 80, 24),
    "sanghai": (sanghai, 120, 40),
    "analysis": (analysis, 80, 24),
}


async def take(name: str) -> None:
    """Write one picture."""
    sight, width, height = SIGHTS[name]
    app = SpelunkeApp(pace=0, seed=SEED)
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        await sight(pilot)
        await pilot.pause()
        drawn = FONTS.sub("", app.export_screenshot(title="spelunke tui"))
    (HERE / f"terminal-{name}.svg").write_text(drawn, encoding="utf-8")


def main() -> None:
    """Write all pictures."""
    for name in SIGHTS:
        asyncio.run(take(name))
        print(f"docs/pictures/terminal-{name}.svg")


if __name__ == "__main__":
    main()
