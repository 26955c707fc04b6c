"""The registered games with the interfaces of other libraries, such as Gymnasium, PettingZoo and OpenSpiel.

The adapters work for any game, so a new game needs no change here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from spelunke.core.errors import BadInput
from spelunke.games import find_game

if TYPE_CHECKING:
    from spelunke.adapters.cuda import CudaTables
    from spelunke.adapters.gymnasium import SpelunkeEnv, SpelunkeVector
    from spelunke.adapters.open_spiel import SpelunkeGame
    from spelunke.adapters.pettingzoo import SpelunkeAEC, SpelunkeParallel
    from spelunke.games.match import Match

INTERFACES = {
    "match": "spelunke.games.match:Match",
    "gymnasium": "spelunke.adapters.gymnasium:SpelunkeEnv",
    "vector": "spelunke.adapters.gymnasium:SpelunkeVector",
    "aec": "spelunke.adapters.pettingzoo:SpelunkeAEC",
    "parallel": "spelunke.adapters.pettingzoo:SpelunkeParallel",
    "open_spiel": "spelunke.adapters.open_spiel:load",
    "cuda": "spelunke.adapters.cuda:CudaTables",
}
"""The class or function that :func:`make` calls for each interface, as ``module:name``."""


Options: TypeAlias = Mapping[str, object] | None


@overload
def make(
    game: str, interface: Literal["match"] = "match", *, seats: int | None = None, options: Options = None
) -> Match: ...
@overload
def make(
    game: str,
    interface: Literal["gymnasium"],
    *,
    seats: int | None = ...,
    options: Options = ...,
    **more: object,
) -> SpelunkeEnv: ...
@overload
def make(
    game: str,
    interface: Literal["vector"],
    *,
    seats: int | None = ...,
    options: Options = ...,
    **more: object,
) -> SpelunkeVector: ...
@overload
def make(
    game: str, interface: Literal["aec"], *, seats: int | None = ..., options: Options = ..., **more: object
) -> SpelunkeAEC: ...
@overload
def make(
    game: str,
    interface: Literal["parallel"],
    *,
    seats: int | None = ...,
    options: Options = ...,
    **more: object,
) -> SpelunkeParallel: ...
@overload
def make(
    game: str, interface: Literal["cuda"], *, seats: int | None = ..., options: Options = ..., **more: object
) -> CudaTables: ...
@overload
def make(
    game: str,
    interface: Literal["open_spiel"],
    *,
    seats: int | None = ...,
    options: Options = ...,
    **more: object,
) -> SpelunkeGame: ...
def make(
    game: str,
    interface: str = "match",
    *,
    seats: int | None = None,
    options: Options = None,
    **more: object,
) -> object:
    """Return a game with the chosen interface: a new match, an environment, tables on a GPU, or a game of OpenSpiel.

    ``interface`` is one of ``INTERFACES``. If ``seats`` or an option is not given, the game's default applies. ``more``
    are arguments for the class or function in ``INTERFACES`` (``tables=256`` for ``vector``). Raise BadInput for an
    unknown game or interface, and if a package that the interface needs is not installed. Raise BadOption or BadInput
    for options or seats that the game doesn't allow.
    """
    found = find_game(game)
    if interface not in INTERFACES:
        raise BadInput(f"there is no interface {interface!r}; there are {', '.join(INTERFACES)}", "interface")
    module, name = INTERFACES[interface].split(":")
    try:
        maker = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("spelunke"):
            raise
        extra = "cuda" if interface == "cuda" else "research"
        raise BadInput(
            f'{interface} needs the package {error.name}: pip install "spelunke[{extra}]"', "interface"
        ) from error
    given = found if interface == "match" else found.name
    made: object = maker(given, seats=seats, options=options or {}, **more)
    return made
