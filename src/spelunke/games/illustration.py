"""Pictures in the rules of a game: a position, the plies played from it, and the part of the board to show.

The file ``pictures.toml`` in a game's folder defines the pictures. Each has a name and a table::

    [first-die]
    names = ["Anna", "Ben"]
    moves = "roll; dice 2 4; place 4 left"
    part = "row"
    position = { row = ["red 4", "green 1", "both", "grey 2", "blue 3", "red 1"] }

In ``rules.md``, the line ``<!-- picture: first-die | A sentence below it. -->`` marks the place of the picture.
The page of the rules shows the picture there.
"""

from __future__ import annotations

from importlib.resources import files

import msgspec

from spelunke.core.errors import BadGame

FILE = "pictures.toml"


class Illustration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One picture.

    ``position`` has the contents of a position text. ``moves`` are the plies from this position, separated by ``;``.
    If several seats act at once, each move begins with its seat, counted from 0, and a colon (``2: hep``). ``seat`` is
    the viewer's seat, or None for a spectator. ``names`` has the player's name for each seat; if it is empty, the names
    are the numbers of the seats, counted from 1. ``part`` names a part of the board for the hook
    ``render_illustration``. If ``part`` is empty, the picture shows the whole board.
    """

    position: dict[str, object]
    moves: str = ""
    seat: int | None = 0
    names: tuple[str, ...] = ()
    part: str = ""


def read_illustrations(package: str) -> dict[str, Illustration]:
    """Return the pictures of the game in this package, by name.

    If the package has no ``pictures.toml``, return an empty mapping. Raise BadGame if the file can't be read.
    """
    file = files(package).joinpath(FILE)
    if not file.is_file():
        return {}
    try:
        return msgspec.toml.decode(file.read_bytes(), type=dict[str, Illustration])
    except msgspec.MsgspecError as error:
        raise BadGame(str(error), f"{package}/{FILE}") from None
