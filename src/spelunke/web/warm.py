"""Compiling the rules before a guest has to wait for it; with a warm cache it takes a fraction of a second."""

from __future__ import annotations

from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.chance import seed_stream
from spelunke.core.game import Game
from spelunke.core.match import Match
from spelunke.web.book import write_book

PLIES = 24


def warm(game: Game) -> None:
    """Play the first plies of a game at its usual level, so that all kernels of a table are compiled and cached."""
    match = Match(game)
    bot = seat_bot(game, default_level(game))
    stream = seed_stream(1)
    while not match.over and match.ply < PLIES:
        if match.chance:
            match.land(match.chances()[0][0])
            continue
        seat = match.actors[0]
        match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    write_book(game.name, game.seats[0])
