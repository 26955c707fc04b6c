"""Write results to stdout and everything else to stderr. Show progress only on a terminal."""

from __future__ import annotations

import shlex
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
    """Return the console for results. In a pipe it writes no colours and does not wrap lines."""
    from rich.console import Console

    class Results(Console):
        def on_broken_pipe(self) -> None:
            # the reader of a pipe is gone: app.run then ends quietly, but rich would exit with 1
            raise BrokenPipeError

    if sys.stdout.isatty():
        return Results(highlight=False)
    return Results(highlight=False, soft_wrap=True, width=100)


def err() -> Console:
    """Return the console for progress, which writes to stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def write_line(console: Console, head: str, text: str) -> None:
    """Write ``head`` and ``text`` as one line.

    On a terminal, wrap a long ``text``, and let all its lines begin in the same column.
    """
    if console.is_terminal:
        text = textwrap.fill(text, max(20, console.width - len(head))).replace("\n", "\n" + " " * len(head))
    console.print(head, style="dim", end="", markup=False)
    console.print(text, markup=False)


def verify_command(path: str, option: str, value: str) -> str:
    """Return a line with the command that verifies the record in this file. A shell can run this line.

    ``option`` and ``value`` are one option of this command, such as ``--house`` with an address.
    """
    return "  " + shlex.join(["spelunke", "verify", path, option, value])


def write_json(value: object) -> None:
    """Write one JSON document to stdout."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=_plain), indent=2)
    sys.stdout.write(text.decode() + "\n")


def write_json_line(value: object) -> None:
    """Write one JSON document on one line of stdout, and flush it."""
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
    raise NotImplementedError(f"{type(value).__name__} can't be written as JSON")


def refuse(message: str) -> None:
    """Print an error message on stderr, as one sentence."""
    text = shorten(" ".join(message.split()))
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    print(f"spelunke: {text}", file=sys.stderr)  # plain: a message may contain anything that a user typed


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show a line with a spinner during a long operation. If stderr is not a terminal, show nothing."""
    console = err()
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line"):
        yield


@contextmanager
def progress(what: str, total: float | None) -> Iterator[tuple[Progress, TaskID]]:
    """Show a progress bar on stderr during the ``with`` block. If stderr is not a terminal, show nothing."""
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
    """Hide the progress bar while the ``with`` block writes a result, because both can't be on the same line."""
    if bar.disable:
        yield
        return
    bar.stop()
    yield
    bar.start()
