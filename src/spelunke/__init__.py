"""Three harbour-tavern games: exact rules, a server for people, bots, records, and environments for research.

The names in ``__all__`` can be imported from this package. Import all other names from their modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spelunke.adapters import make
    from spelunke.core.errors import SpelunkeError
    from spelunke.core.outcome import Outcome
    from spelunke.games import find_game, shelf
    from spelunke.games.game import Game
    from spelunke.games.match import Match, Ply

__all__ = ["Game", "Match", "Outcome", "Ply", "SpelunkeError", "find_game", "make", "shelf"]

_HOMES = {
    "Game": "spelunke.games.game",
    "Match": "spelunke.games.match",
    "Outcome": "spelunke.core.outcome",
    "Ply": "spelunke.games.match",
    "SpelunkeError": "spelunke.core.errors",
    "find_game": "spelunke.games",
    "make": "spelunke.adapters",
    "shelf": "spelunke.games",
}


def __getattr__(name: str) -> Any:
    """Return the public object ``name``. This call imports its module, so that importing the package stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
