"""Compiles the rules of all games before a run's workers start: two that need the same kernels would both compile them.

Run as a program it compiles one game, bounds-checked as the tests run it or as people do (``NUMBA_BOUNDSCHECK``).
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable

CHECKED = {"NUMBA_BOUNDSCHECK": "1"}
AS_PLAYED = {"NUMBA_BOUNDSCHECK": "0", "NUMBA_OPT": "3"}


def sizes() -> dict[str, int]:
    """By game the bytes of its rules, which foretell how long they compile."""
    from spelunke.core.sources import sources
    from spelunke.games import shelf

    return {
        name: sum(f.stat().st_size for f in sources((f"{game.package}.rules",)))
        for name, game in shelf().items()
    }


def as_played() -> list[str]:
    """The games that each run compiles as people play them too: all but the largest, which takes a minute for it."""
    return sorted(size := sizes(), key=size.__getitem__)[:-1]


def compile_all(processes: int, say: Callable[[str], object] = print) -> None:
    """Compile the games of the shelf, so many at a time; what is compiled already takes a second.

    Not more than there are processors: the largest game would wait for the others, and then go on alone.
    """
    processes = min(processes, os.cpu_count() or 1)
    size = sizes()
    left = [(name, CHECKED) for name in size] + [(name, AS_PLAYED) for name in as_played()]
    left.sort(key=lambda one: -size[one[0]])  # the longest first
    running: list[subprocess.Popen[bytes]] = []
    begun = time.monotonic()
    try:
        while left or running:
            while left and len(running) < processes:
                name, way = left.pop(0)
                command = [sys.executable, __file__, name]
                running.append(subprocess.Popen(command, env={**os.environ, "SPELUNKE_JIT": "1", **way}))
            running = [process for process in running if process.poll() is None]
            time.sleep(0.05)
    finally:
        for process in running:
            process.kill()
            process.wait()
    if (took := time.monotonic() - begun) > 10:
        say(f"rules compiled in {took:.0f} s")


def main(name: str) -> None:
    """Compile what nearly every test of this game needs, or with bounds unchecked what its twins compare."""
    from spelunke.core.sources import cache_folder
    from spelunke.games import find_game

    game = find_game(name)
    modules = ("rules", "knowledge", "moves")
    kernels = ("spelunke.core.step", "spelunke.core.digest", "spelunke.bots.levels")
    stamp = cache_folder((*(f"{game.package}.{module}" for module in modules), *kernels)) / "compiled"
    if stamp.exists():
        return
    if os.environ["NUMBA_BOUNDSCHECK"] == "1":
        from spelunke.bots.warming import warm

        warm(game)
        compile_counts(name)
    import twin  # beside this file

    twin.digests(name, 1, 10)
    stamp.touch()


def compile_counts(name: str) -> None:
    """Compile what plays a game out and what counts its moves, by the commands that do."""
    from spelunke.cli.app import run

    with contextlib.redirect_stdout(io.StringIO()):
        for command in (["playout", name, "-n", "1"], ["perft", name, "--depth", "1"]):
            if code := run(command):
                raise SystemExit(f"spelunke {' '.join(command)} ended with {code}")


if __name__ == "__main__":
    main(sys.argv[1])
