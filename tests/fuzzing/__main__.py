"""The command ``python -m fuzzing``, which runs the fuzzer for a given number of inputs or seconds."""

from __future__ import annotations

import contextlib
import logging
import sys
import warnings

import structlog
import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .hunt import Hunt, faces, hunt, keep


def main(
    count: int = 20_000,
    seed: int = 1,
    face: list[str] = typer.Option([], help="Test only this entry point (face). You may give several."),  # noqa: B008
    seconds: float = typer.Option(0.0, help="Stop after about this number of seconds."),
    kept: bool = typer.Option(False, "--keep", help="Add to the corpus the inputs that failed."),
) -> None:
    """Feed mutated inputs to everything that takes input, and report the finds."""
    warnings.simplefilter("error", RuntimeWarning)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    columns = (
        TextColumn("{task.description:<30}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
    )
    with faces(face) as opened, Progress(*columns, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=count)

        def tick(name: str, done: int, finds: int) -> None:
            bar.update(task, completed=done, description=f"{name}, {finds} kinds fell")
            if bar.disable and done % 5000 == 0:
                print(f"{done:,} of {count:,}: {name}, {finds} kinds fell", file=sys.stderr, flush=True)

        found = Hunt()
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl+C: keep the finds so far
            hunt(opened, count, seed, seconds=seconds or None, tick=tick, found=found)
    print(found.tell())
    if kept:
        keep(found)
    raise typer.Exit(1 if found.finds else 0)


if __name__ == "__main__":
    typer.run(main)
