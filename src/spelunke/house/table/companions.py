"""The bots at a table as characters with names and faces.

A game lists the characters for each level of its bots in the file ``players.toml``.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from spelunke.core.words import tell_apart
from spelunke.games.game import Game

YOUNGER = " the Younger"
"""The suffix of a bot's name if other bots of its level already have all names of that level."""


class Companion(NamedTuple):
    """A bot as a character: its name, the description of its face, and a sentence on how it plays."""

    name: str
    face: str = ""
    about: str = ""


def seat_companions(game: Game, table_id: str, levels: Sequence[str | None]) -> tuple[Companion | None, ...]:
    """Return a character for each seat with a bot, and None for each seat without one.

    `levels` has the level of each seat's bot, or None. Bots of the same level get different characters. If there are
    more bots than characters, characters are used again with another name (see `YOUNGER`). The same seats at the same
    table get the same characters at each call. If a level has no characters, its bots are named after the level.
    """
    turn, found = zlib.crc32(table_id.encode()), list[Companion | None]()
    met: Counter[str] = Counter()
    for level in levels:
        if level is None:
            found.append(None)
            continue
        known = list(game.players.get(level, {}).items())
        at, met[level] = met[level], met[level] + 1
        if not known:
            found.append(Companion(str(game.levels.get(level, {}).get("title", level))))
            continue
        name, (face, about) = known[(turn + at) % len(known)]
        found.append(Companion(name if at < len(known) else name + YOUNGER, face, about))
    return tuple(found)


def name_seats(
    people: Sequence[tuple[str | None, int | None]], companions: Sequence[Companion | None]
) -> tuple[str, ...]:
    """Return the names of all seats, given the bots' characters, and each person's name and time of creation.

    A free seat's name is a dash. Equal names get numbers. Older people have lower numbers than younger people and bots,
    so that everybody keeps their number in a rematch, where all change seats.
    """
    called = [bot.name if bot else name for (name, _), bot in zip(people, companions, strict=True)]
    ages = [math.inf if since is None else since for _, since in people]
    order = sorted((seat for seat, name in enumerate(called) if name), key=ages.__getitem__)
    found = dict(zip(order, tell_apart(called[seat] or "" for seat in order), strict=True))
    return tuple(found.get(seat, "–") for seat in range(len(called)))
