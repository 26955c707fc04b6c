"""Compiling the rules before a guest has to wait for it: in a process beside the house, for the cache they share."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import structlog

from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.chance import seed_stream
from spelunke.core.game import Game
from spelunke.core.match import Match
from spelunke.web.book import write_book
from spelunke.web.site import playable

ACTS = 24
log = structlog.get_logger("spelunke.web")


def warm(game: Game) -> None:
    """Play the first moves of a game at its usual level, so that all kernels of a table are compiled and cached.

    What comes later in a game is asked of its knowledge by name: `warm()`, where it has one.
    """
    match = Match(game)
    bot = seat_bot(game, default_level(game))
    stream = seed_stream(1)
    while not match.over and match.ply - match.chances_taken < ACTS:
        if match.chance:
            match.land(match.chances()[0][0])
            continue
        seat = match.actors[0]
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    later = getattr(game.knowledge, "warm", None)
    if later is not None:
        later()


class Warming:
    """Compiles all games in a process beside the server, then loads what was compiled. Ends by itself, or by `stop`."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        # A fixed command of our own interpreter; it reads nothing and only writes the cache.
        self._process = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.DEVNULL)
        threading.Thread(target=self._load, name="warming", daemon=True).start()

    def _load(self) -> None:
        if self._process.wait() != 0:
            return
        for game in playable():
            if self._stopped.is_set():
                return
            write_book(game.name, game.seats[0])
        log.info("rules ready")

    def stop(self) -> None:
        """Leave the rest uncompiled."""
        self._stopped.set()
        self._process.terminate()
        self._process.wait()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)
    for card in sorted(playable(), key=lambda game: game.minutes):  # the quick ones are soonest ready
        warm(card)
        write_book(card.name, card.seats[0])
