"""Compile the rules in another process, into a shared cache, while people already play.

Until the rules of a game are compiled, they run as plain Python. Then the compiled rules replace the plain rules,
even in the middle of a match.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import cast

import structlog

from spelunke.bots.levels import default_level, levels, seat_bot
from spelunke.core.chance import seed_stream
from spelunke.core.kernel import is_postponed, switch
from spelunke.core.native import is_ahead
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.solvers.playing import compile_playouts

ACTS = 24
PLAYOUTS = "-"
"""The text that :func:`serve` accepts instead of a level. It stands for the kernels of a game's analyses."""
log = structlog.get_logger("spelunke.bots")


def warm(game: Game, level: str = "") -> None:
    """Compile a game's kernels (functions for Numba): let a bot of ``level`` play the first moves of a match.

    Without a ``level``, the bot has the usual level of the game. After the moves, the hook ``warm_kernels`` compiles
    the kernels that the game needs only later.
    """
    match = Match(game)
    bot = seat_bot(game, level or default_level(game))
    stream = seed_stream(1)
    while not match.over and match.ply - match.chances_taken < ACTS:
        if match.chance:
            match.apply_chance(match.chances()[0][0])
            continue
        seat = match.actors[0]
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    game.hooks.warm_kernels()


def load_compiler() -> None:
    """Load Numba without SciPy, in a process that compiles only kernels of this package.

    These kernels use no linear algebra. Without this function, Numba would load SciPy just to detect its features, and
    SciPy takes 20 MB of memory.
    """
    if "scipy" in sys.modules:
        return
    sys.modules["scipy"] = cast(ModuleType, None)  # Python treats this module as missing
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules["scipy"]


class Warming:
    """The compilation of several games in another process.

    Games are compiled only if this process has called :func:`~spelunke.core.kernel.postpone`. A thread waits for the
    other process. When a game is ready, the thread switches this process to the game's compiled rules, and calls
    ``then`` with the game. The thread ends when everything is compiled, or after :meth:`stop`. If the other process
    fails, the remaining rules stay plain Python.
    """

    def __init__(self, games: Iterable[Game], then: Callable[[Game], object] = lambda game: None) -> None:
        quick_first = sorted(games, key=lambda game: game.minutes)
        self._ahead = [game for game in quick_first if is_ahead(game.package)]
        self._left = [game for game in quick_first if game not in self._ahead]
        self._then = then
        self._lock = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process that compiles, and the thread that waits for it.

        Games that were compiled ahead of time are ready immediately: a separate thread calls ``then`` with each of
        them. The process starts only if there are other games, and if this process has postponed their compilation
        (:func:`~spelunke.core.kernel.postpone`).
        """
        if self._ahead:
            threading.Thread(target=self._greet, name="ready", daemon=True).start()
        if not self._left or not is_postponed():
            return
        # A fixed command of our own interpreter; it reads names of games and writes them back when they are compiled.
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        threading.Thread(target=self._follow, args=(self._process,), name="warming", daemon=True).start()

    def _greet(self) -> None:
        for game in self._ahead:
            self._then(game)

    def hurry(self, game: Game) -> None:
        """Compile this game next, unless it is already compiled. Call this when somebody is about to play it."""
        with self._lock:  # while a list is sorted, it looks empty to other threads
            self._left.sort(key=lambda other: other != game)

    def _next(self) -> Game | None:
        with self._lock:
            return self._left.pop(0) if self._left else None

    def _follow(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        done: list[Game] = []
        until_stopped = contextlib.suppress(OSError)
        with until_stopped, process.stdout as answers, process.stdin as wishes:
            while game := self._next():
                print(game.name, default_level(game), file=wishes, flush=True)
                if not answers.readline() or self._stopped:
                    break
                load_compiler()
                switch(game.package)
                warm(game)  # loads the compiled kernels
                self._then(game)
                done.append(game)
            for game in done:  # now also the levels that fewer people choose
                for name in (*(level.name for level in levels(game)), PLAYOUTS):
                    print(game.name, name, file=wishes, flush=True)
                    answers.readline()
        if process.wait() != 0 and not self._stopped:
            log.warning("rules stay uncompiled, and slow", exit=process.returncode)

    def stop(self) -> None:
        """Stop the process that compiles. The remaining games stay uncompiled."""
        self._stopped = True
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def serve(lines: Iterable[str]) -> Iterator[str]:
    """Compile the games that these lines name, one after the other. Yield each game's name after its compilation.

    A line has the name of a game, and a level or :data:`PLAYOUTS`.
    """
    for line in lines:
        name, level = line.split()
        if level == PLAYOUTS:
            compile_playouts(find_game(name))
        else:
            warm(find_game(name), level)
        yield name


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)
    load_compiler()
    for ready in serve(sys.stdin):
        print(ready, flush=True)
