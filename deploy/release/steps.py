"""Show the steps of a release and how long each took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


class Steps:
    """The printed lines of steps: each shows a clock while its step runs, and the step's duration afterwards."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Show a step while it runs. At its end, print whether it failed, and how long it took."""
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        began = time.monotonic()
        mark = "failed"
        try:
            quiet = not self._console.is_terminal
            with Progress(*columns, console=self._console, transient=True, disable=quiet) as progress:
                progress.add_task(text, total=None)
                yield
            mark = "done"
        finally:
            took = time.monotonic() - began
            style = "green" if mark == "done" else "red"
            self._console.print(
                f"[{style}]{mark:>6}[/{style}]  {text} [dim]({took:.0f} s)[/dim]", highlight=False
            )

    def say(self, text: str) -> None:
        """Show a sentence."""
        self._console.print(f"        {text}", highlight=False, soft_wrap=True)
