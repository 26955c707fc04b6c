"""A terminal on the whole screen, played by Textual's pilot."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from spelunke.tui.app import SpelunkeApp
from spelunke.tui.table_screen import TableScreen

SEED = b"a fixed secret of thirty-two byt"
SCREENS = Path(__file__).parent / "tui" / "screens"
SMALL, LARGE = (80, 24), (120, 40)
LOOKS = pytest.mark.parametrize(
    ("size", "colours"),
    [
        pytest.param(SMALL, "colours", id="small-colours"),
        pytest.param(SMALL, "plain", id="small-plain"),
        pytest.param(LARGE, "colours", id="large-colours"),
        pytest.param(LARGE, "plain", id="large-plain", marks=pytest.mark.deep),
    ],
)
"""The sizes and colours in which a screen is compared; without colours, `make test` compares the small ones."""
GROWING_LOOKS = pytest.mark.parametrize(
    ("sizes", "colours"),
    [
        pytest.param((SMALL, LARGE), "colours", id="colours"),
        pytest.param((SMALL,), "plain", id="small-plain"),
        pytest.param((LARGE,), "colours", id="large-colours", marks=pytest.mark.deep),
        pytest.param((LARGE,), "plain", id="large-plain", marks=pytest.mark.deep),
    ],
)
"""Like ``LOOKS``, but in `make test` the large terminal is the small one made larger.

Most of a test's time is the start of the program. Use this for screens that look the same if they begin large.
"""


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
    width, height = pilot.app.size
    lines = ["".join(segment.text for segment in strip).rstrip() for strip in _strips(pilot)]
    assert len(lines) == height
    assert all(len(line) <= width for line in lines)
    return "\n".join(lines)


def _strips(pilot: Pilot[None]) -> list[Strip]:
    """Return the drawn lines. Right after the terminal is resized, their number may still be the old one."""
    return pilot.app.screen._compositor.render_strips()


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    """Wait until the result of ``true()`` is true, for half a minute at most."""
    for _ in range(3000):
        if true():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came true:\n" + text_of(pilot))


async def reach_curtain(pilot: Pilot[None]) -> TableScreen:
    """Begin a game of Sanghai for people who share this screen. Play until the board is hidden for the next player."""
    await pilot.press("down", "down", "s")
    screen = table_of(pilot)
    for _ in range(60):
        await until(pilot, lambda: screen._choices or screen.desk.moment.curtain)
        if screen.desk.moment.curtain:
            break
        before = screen.desk.moment
        await pilot.press(screen._keys[screen._choices[0][1]])
        await until(pilot, lambda before=before: screen.desk.moment is not before)
    assert screen.desk.moment.curtain
    return screen


async def compare_sizes(
    pilot: Pilot[None], name: str, sizes: tuple[tuple[int, int], ...], same: Callable[[str], str] = str
) -> None:
    """Compare the screen in each of these sizes with its stored text.

    ``same`` replaces the parts of the text that differ from run to run.

    Textual arranges a resized screen in several steps, so this function waits for the last one.
    """
    for size in sizes:
        if size != pilot.app.size:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: len(_strips(pilot)) == pilot.app.size.height)
            for _ in range(100):
                if same(text_of(pilot) + "\n") == kept_screen(name, size).read_text(encoding="utf-8"):
                    break
                await pilot.pause(0.05)
        compare_screen(same(text_of(pilot) + "\n"), name, size)


def kept_screen(name: str, size: tuple[int, int]) -> Path:
    return SCREENS / f"{name}-{size[0]}x{size[1]}.txt"


def compare_screen(seen: str, name: str, size: tuple[int, int]) -> None:
    """Compare a screen with its text in ``tui/screens``.

    With UPDATE_SCREENS=1 in the environment, write the text again; then look at it.
    """
    kept = kept_screen(name, size)
    if os.environ.get("UPDATE_SCREENS"):
        kept.write_text(seen, encoding="utf-8")
    assert seen == kept.read_text(encoding="utf-8")
