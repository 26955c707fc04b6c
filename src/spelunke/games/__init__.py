"""The registry of games.

It contains the games in this package's folders, and the games of other installed packages.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from importlib.metadata import entry_points
from types import MappingProxyType

from spelunke.core.errors import UnknownGame
from spelunke.games.checks import check_hooks
from spelunke.games.game import Game


@functools.cache
def shelf() -> Mapping[str, Game]:
    """Return the registry: a mapping from a game's name to its definition, sorted by name.

    It contains the games in this package's folders, and those that other packages offer as entry points of the
    group ``spelunke.games``. If both have a game of the same name, the registry has this package's game. Raise BadGame
    if a game's hooks are wrong (see :func:`spelunke.games.checks.check_hooks`).
    """
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            card = importlib.import_module(f"{__name__}.{module.name}").GAME
            found[card.name] = card
    for entry in entry_points(group="spelunke.games"):
        card = entry.load()
        found.setdefault(card.name, card)
    for card in found.values():
        check_hooks(card.package)
    return MappingProxyType(dict(sorted(found.items())))


def find_game(name: str) -> Game:
    """Return the game with that name. Capital letters in ``name`` count as small ones.

    If there is no such game, raise UnknownGame with a list of the known names.
    """
    card = shelf().get(name.lower())
    if card is None:
        raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(shelf())}")
    return card
