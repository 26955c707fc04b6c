"""The registry of games.

It contains the game folders of this package and the games of other installed packages.
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
    """Return the registry: a mapping from name to game, sorted by name.

    It contains the game folders here and the entry points ``spelunke.games`` of other packages. Raise BadGame
    if a hook of a game is misspelt.
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
    """Return the game of that name. If there is none, raise UnknownGame, which lists the known names."""
    card = shelf().get(name.lower())
    if card is None:
        raise UnknownGame(f"there is no game {name!r}; the games are {', '.join(shelf())}")
    return card
