"""Compile the rules of all games before the workers of a whole run start.

Otherwise two workers that need the same kernels would both compile them.

The rules are compiled with checks of bounds. The smallest game is also compiled without them and ahead of time, as in
real play, for ``test_ahead.py``. If this module is run as a program, it compiles one game in one of these two ways
(``NUMBA_BOUNDSCHECK``).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

TWIN = str(Path(__file__).with_name("twin.py"))
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}
AS_PLAYED = {"NUMBA_BOUNDSCHECK": "0", "NUMBA_OPT": "3", "NUMBA_CPU_NAME": "generic"}


def sizes() -> dict[str, int]:
    """Return the size of each game's rules in bytes. It predicts the time to compile them."""
    from spelunke.core.sources import sources
    from spelunke.games import shelf

    return {
        name: sum(f.stat().st_size for f in sources((f"{game.package}.rules",)))
        for name, game in shelf().items()
    }


def smallest() -> str:
    """Return the smallest game. Each run of the tests also compiles it as in real play: without checks of bounds.

    ``make deep`` compiles the other games in this way too.
    """
    return min(size := sizes(), key=size.__getitem__)


def compile_all(processes: int, tests: list[str], say: Callable[[str], object] = print) -> None:
    """Compile the registered games, ``processes`` at a time. For a game that is compiled already, this takes a second.

    If the tests run plain rules (``SPELUNKE_JIT=0``), compile only what ``test_twins.py`` and ``test_ahead.py`` need.

    If ``processes`` is larger than the number of processors, use only this number. With more processes, the other games
    would slow the largest one, which would end last and alone.

    After all games have begun, one more process collects the tests. This writes the tests' bytecode, so that pytest's
    workers don't compile it. If all games have begun and a process is free within 10 s, don't collect the tests: an
    earlier run compiled everything.
    """
    processes = min(processes, os.cpu_count() or 1)
    size = sizes()
    games = [(name, CHECKED) for name in size] + [(smallest(), AS_PLAYED)]
    games.sort(key=lambda one: -size[one[0]])  # the longest first
    plain = os.environ.get("SPELUNKE_JIT") == "0"
    left: list[tuple[list[str], dict[str, str]]] = []
    for name, way in games:
        script = [TWIN, name, "1:10"] if plain and way == CHECKED else [__file__, name]
        left.append(([sys.executable, *script], {"SPELUNKE_JIT": "1", **way}))
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", *tests]
    left.append((collect, {}))
    running: list[subprocess.Popen[bytes]] = []
    begun = time.monotonic()
    try:
        while left or running:
            while left and len(running) < processes:
                command, way = left.pop(0)
                if command is collect and time.monotonic() - begun < 10:
                    continue  # everything was compiled in an earlier run
                environment = {**os.environ, **way}
                running.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))
            running = [process for process in running if process.poll() is None]
            time.sleep(0.05)
    finally:
        for process in running:
            process.kill()
            process.wait()
    if (took := time.monotonic() - begun) > 10:
        say(f"rules compiled in {took:.0f} s")


def library_folder() -> Path:
    """Return the folder for games compiled ahead of time. Its name depends on the compiling code, in Python and C.

    The name doesn't depend on ``NUMBA_BOUNDSCHECK``, which differs between the process that compiles and the tests.
    """
    from spelunke.ahead.build import HERE
    from spelunke.core.sources import cache_folder, sources

    makers = tuple(
        f"spelunke.ahead.{name}"
        for name in ("build", "exports", "interface", "link", "lower", "targets", "wasm")
    )
    digest = hashlib.sha256(sys.version.encode())
    for file in (*sources(makers), HERE / "front.c", HERE / "runtime.h"):
        digest.update(file.read_bytes())
    return cache_folder(makers).parent / f"native-{digest.hexdigest()[:20]}"


def make_library(name: str, place: Path) -> None:
    """Compile a game ahead of time into this folder, unless the folder has the game already.

    Only one process at a time compiles it. If the folder has no front module, compile this module too (`build_front`).
    If this needs a compiler or Python's headers, and they are missing, raise NoCompiler.
    """
    from spelunke.ahead.build import build_front, files_of
    from spelunke.ahead.targets import this_machine
    from spelunke.core.native import FRONT, digest_of
    from spelunke.games import find_game

    description = place / f"{name}.json"
    place.mkdir(parents=True, exist_ok=True)
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / FRONT).exists():
            build_front(this_machine(), place)
        if description.exists():
            made = json.loads(description.read_text(encoding="utf-8"))
            if made["digest"] == digest_of(files_of(find_game(name))):
                return
        command = [sys.executable, "-m", "spelunke.ahead", name, "--into", str(place), "--here"]
        subprocess.run(
            command, env={**os.environ, "SPELUNKE_JIT": "1", "SPELUNKE_NATIVE": "", **AS_PLAYED}, check=True
        )


def make_wasm(name: str, place: Path) -> Path:
    """Compile a game to WebAssembly in this folder, unless it is there already. Return the module.

    Raise NoCompiler if ``ziglang`` is not installed, even if the module is there.
    """
    from spelunke.ahead.build import files_of
    from spelunke.ahead.link import zig
    from spelunke.ahead.wasm import exports_for_browsers
    from spelunke.core.native import digest_of
    from spelunke.games import find_game

    zig()
    place.mkdir(parents=True, exist_ok=True)
    found, made = place / f"{name}.wasm", place / f"{name}.wasm-digest"
    with (place / f"{name}-wasm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        game = find_game(name)
        kernels = sorted(kernel for export in exports_for_browsers(game) for kernel in export.kernels)
        digest = f"{digest_of(files_of(game))} {' '.join(kernels)}"
        if not (found.exists() and made.exists() and made.read_text() == digest):
            command = [sys.executable, "-m", "spelunke.ahead", name, "--wasm", "--into", str(place), "--here"]
            way = {**AS_PLAYED, "SPELUNKE_JIT": "1", "SPELUNKE_NATIVE": ""}
            subprocess.run(command, env={**os.environ, **way}, check=True)
            made.write_text(digest)
    return found


def main(name: str) -> None:
    """Compile the kernels that nearly every test of this game needs.

    If kernels don't check the bounds of arrays (``NUMBA_BOUNDSCHECK``), make the libraries of the game instead.
    """
    from spelunke.core.sources import cache_folder
    from spelunke.games import find_game

    game = find_game(name)
    modules = ("rules", "knowledge", "moves")
    kernels = ("spelunke.core.step", "spelunke.core.digest", "spelunke.bots.levels", "spelunke.ahead.build")
    stamp = cache_folder((*(f"{game.package}.{module}" for module in modules), *kernels)) / "compiled"
    if stamp.exists():
        return
    if os.environ["NUMBA_BOUNDSCHECK"] == "1":
        import twin  # beside this file
        from spelunke.bots.warming import warm

        warm(game)
        compile_counts(name)
        twin.digests(name, 1, 10)
    else:
        from spelunke.ahead.link import NoCompiler

        with contextlib.suppress(NoCompiler):  # the tests report it
            make_library(name, library_folder())
            make_wasm(name, library_folder())
    stamp.touch()


def compile_counts(name: str) -> None:
    """Compile the kernels of the commands ``playout`` and ``perft``, by running these commands."""
    from spelunke.cli.app import run

    with contextlib.redirect_stdout(io.StringIO()):
        for command in (["playout", name, "-n", "1"], ["perft", name, "--depth", "1"]):
            if code := run(command):
                raise SystemExit(f"spelunke {' '.join(command)} ended with {code}")


if __name__ == "__main__":
    main(sys.argv[1])
