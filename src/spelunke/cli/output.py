"""What commands write: results on stdout, everything else on stderr, progress only where somebody watches."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from spelunke.core.errors import shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID


def out() -> Console:
    """The console for results. A pipe gets no colours and lines that are not broken."""
    from rich.console import Console

    class Results(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # of `spelunke ... | head`; app.run ends quietly, rich would end with 1

    if sys.stdout.isatty():
        return Results(highlight=False)
    return Results(highlight=False, soft_wrap=True, width=100)


def err() -> Console:
    """The console for progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def write_line(console: Console, head: str, text: str) -> None:
    """A line whose text hangs beside ``head`` where a terminal must break it."""
    if console.is_terminal:
        text = textwrap.fill(text, max(20, console.width - len(head))).replace("\n", "\n" + " " * len(head))
    console.print(head, style="dim", end="", markup=False)
    console.print(text, markup=False)


def write_json(value: object) -> None:
    """One JSON document on stdout."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=_plain), indent=2)
    sys.stdout.write(text.decode() + "\n")


def write_json_line(value: object) -> None:
    """One JSON document on one line of stdout, at once."""
    import msgspec

    sys.stdout.write(msgspec.json.encode(value, enc_hook=_plain).decode() + "\n")
    sys.stdout.flush()


def _plain(value: object) -> object:
    from fractions import Fraction

    import numpy as np

    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def refuse(message: str) -> None:
    """One sentence on stderr."""
    text = shorten(" ".join(message.split()))
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    print(f"spelunke: {text}", file=sys.stderr)  # plain: a message may hold anything a user typed


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A line with a sign of life while something takes its time; silent where nobody watches."""
    console = err()
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line"):
        yield


@contextmanager
def progress(what: str, total: float | None) -> Iterator[tuple[Progress, TaskID]]:
    """A bar on stderr that vanishes when it is done; silent where nobody watches."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = err()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar, bar.add_task(what, total=total, note="")


@contextmanager
def aside(bar: Progress) -> Iterator[None]:
    """Put the bar away while a result is written: the two must not share a line."""
    if bar.disable:
        yield
        return
    bar.stop()
    yield
    bar.start()
