"""A terminal on the whole screen, played by Textual's pilot."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from spelunke.tui.app import SpelunkeApp
from spelunke.tui.table_screen import TableScreen

SEED = b"a fixed secret of thirty-two byt"


@asynccontextmanager
async def open_terminal(
    width: int = 80, height: int = 24, house: str | None = None
) -> AsyncIterator[Pilot[None]]:
    """Start the program in a terminal of this size; bots act without a pause, and chance is fixed."""
    app = SpelunkeApp(house=house, pace=0, seed=SEED)
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        yield pilot


def table_of(pilot: Pilot[None]) -> TableScreen:
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen), screen
    return screen


def text_of(pilot: Pilot[None]) -> str:
    """Return the screen as text, without spaces at the ends of lines."""
    app = pilot.app
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    lines = ["".join(segment.text for segment in strip).rstrip() for strip in strips]
    assert len(lines) == height
    assert all(len(line) <= width for line in lines)
    return "\n".join(lines)


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    """Wait until something is true, for half a minute at most."""
    for _ in range(3000):
        if true():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came true:\n" + text_of(pilot))
