"""Measure the terminal program: the time to its first screen, and the time from a key to the drawn screen.

    python bench/terminal.py

The time to the first screen begins with the start of the command, in a pseudo-terminal. For comparison, the script also
measures this time for an empty Textual program. Each program is started several times. Its first start does not count,
because it fills the caches. The time from a key to the drawn screen is processor time.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import statistics
import struct
import sys
import termios
import time
from pathlib import Path

EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("Admiral")
Empty().run()
"""
OURS = [str(Path(sys.executable).with_name("spelunke")), "tui"]
PEER = [sys.executable, "-c", EMPTY]
SHOWN = b"Admiral"
"""A word of the first screen: a level of the first game."""
ROUNDS = 9


def _start(command: list[str]) -> tuple[float, float]:
    """Return the wall-clock time and the processor time in seconds until a program shows its first screen."""
    began = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "SPELUNKE_LANGUAGE": "en"}
        os.execv(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    while SHOWN not in seen:
        seen += os.read(terminal, 65536)
    wall = time.perf_counter() - began
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    return wall, spent


async def _keys(game: int) -> list[float]:
    """Press 60 keys that highlight a choice. Return the seconds of processor time from each key to the drawn screen."""
    from spelunke.tui.app import SpelunkeApp
    from spelunke.tui.table_screen import TableScreen

    app = SpelunkeApp(pace=0, seed=b"a fixed secret of thirty-two byt")
    found = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["down"] * game, "right", "right", "right", *["up"] * 5, "p")
        screen = app.screen
        assert isinstance(screen, TableScreen)
        for number in range(60):
            while not screen._choices:
                await pilot.pause(0.01)
            began = time.process_time()
            await pilot.press("down" if number % 2 else "up")
            screen._compositor.render_strips()
            found.append(time.process_time() - began)
            if number % 4 == 3:  # another position; the bots' thinking is not part of the answer
                await pilot.press("enter")
                await pilot.pause(0.05)
    return found


def main() -> None:
    """Run both measurements, and print the results."""
    pairs = [(_start(OURS), _start(PEER)) for _ in range(ROUNDS + 1)][1:]
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
