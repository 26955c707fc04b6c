"""Write the results of a benchmark into its section of `bench/results.md`, and describe the machine."""

from __future__ import annotations

import argparse
import os
import platform
import re
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).with_name("results.md")
HEAD = (
    "# Measurements\n\n"
    "Each section was written by its own script (most of them by `make bench`), on the machine and commit that it "
    "names.\n"
)


def write_section(name: str, text: str) -> None:
    """Replace the section with this name in `bench/results.md`, or append it."""
    page = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else HEAD
    section = f"<!-- {name} -->\n{text.strip()}\n<!-- end of {name} -->"
    old = re.compile(f"<!-- {re.escape(name)} -->.*?<!-- end of {re.escape(name)} -->", re.DOTALL)
    page = old.sub(lambda _: section, page) if old.search(page) else f"{page.rstrip()}\n\n{section}\n"
    RESULTS.write_text(page, encoding="utf-8")


def need_modules(parser: argparse.ArgumentParser, folder: Path, games: Iterable[str]) -> None:
    """Exit with code 2 and a sentence if the folder lacks the WebAssembly module of a game."""
    missing = [file for name in games if not (file := folder / f"{name}.wasm").is_file()]
    if missing:
        parser.error(f"{missing[0]} is missing: run “make wasm”, which makes the modules")


def one_core() -> None:
    """Keep this process and its later child processes on one core from now on."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def machine(*packages: str) -> str:
    """Return a line with the date, the commit, the processor, the system, versions, and the load of the machine."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"model name\s*:\s*(.*)", cpuinfo.read_text())
        processor = found.group(1).strip() if found else processor
    call = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(call, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} not installed")
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"{day}, commit {commit}; {processor}, {platform.system()}, Python {platform.python_version()}, "
        f"{', '.join(versions)}; {load} when it began."
    )


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the number of items per second that ``work`` finishes.

    ``work`` is called until the time is over, and returns the number of finished items.
    """
    done = 0
    begun = time.perf_counter()
    while (took := time.perf_counter() - begun) < seconds:
        done += work()
    return done / took


def spread(values: list[float], unit: float = 1.0, digits: int = 2) -> str:
    """Return two cells of a table: the median and the range of the values, in the given unit."""
    shown = [f"{value / unit:,.{digits}f}" for value in (statistics.median(values), min(values), max(values))]
    return f"{shown[0]} | {shown[1]}–{shown[2]}"
