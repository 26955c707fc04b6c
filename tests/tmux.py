"""A real terminal for tests: run a program on a screen of tmux, press keys, and read the text."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from servers import program
from waiting import wait_until


class Tmux:
    """One program on one screen."""

    def __init__(
        self, socket: Path, command: list[str], size: tuple[int, int], more: Mapping[str, str]
    ) -> None:
        self._command = [program("tmux"), "-S", str(socket), "-f", "/dev/null"]
        environment = [word for name, value in more.items() for word in ("-e", f"{name}={value}")]
        width, height = size
        self._run("new-session", "-d", "-x", str(width), "-y", str(height), *environment, shlex.join(command))
        self._run("set-option", "-g", "status", "off")

    def _run(self, *arguments: str) -> str:
        found = subprocess.run(
            [*self._command, *arguments],
            check=True,
            capture_output=True,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "TMUX"},
        )
        return found.stdout

    def text(self) -> str:
        """Return the text on the screen."""
        return self._run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys, by their names in tmux."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._run("send-keys", "-l", text)

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows a text. Words may be on different lines."""
        try:
            wait_until(lambda: text in " ".join(self.text().split()))
        except AssertionError:
            raise AssertionError(f"no {text!r} on\n{self.text()}") from None

    def resize(self, width: int, height: int) -> None:
        """Change the size of the screen."""
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def end(self) -> None:
        """End the program."""
        subprocess.run([*self._command, "kill-server"], check=False, capture_output=True)


@contextmanager
def open_tmux(
    folder: Path, command: list[str], size: tuple[int, int] = (80, 24), **more: str
) -> Iterator[Tmux]:
    """Run a program in a terminal of this size, with the variables ``more`` added to its environment."""
    screen = Tmux(folder / "t", command, size, more)
    try:
        yield screen
    finally:
        screen.end()
