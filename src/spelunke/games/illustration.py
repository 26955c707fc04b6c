"""Pictures in the rules of a game: a position, what is played from it, and the part of the board that shows it.

They stand in the file ``pictures.toml`` of a game's folder, a table for each name::

    [first-die]
    names = ["Anna", "Ben"]
    moves = "roll; dice 2 4; place 4 left"
    part = "row"
    position = { row = ["red 4", "green 1", "both", "grey 2", "blue 3", "red 1"] }

Where the rules of the game (``rules.md``) have the line ``<!-- picture: first-die | A sentence below it. -->`` the page
of the rules shows it.
"""

from __future__ import annotations

from importlib.resources import files

import msgspec

from spelunke.core.errors import BadGame

FILE = "pictures.toml"


class Illustration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One picture: a position text, what is played from there (``;`` between moves and outcomes of chance, the seat in
    front where several act at once), whose eyes see it, what the players are called, and the part of the board that
    the game draws of it (its hook ``render_illustration``; empty: all of it).
    """

    position: dict[str, object]
    moves: str = ""
    seat: int | None = 0
    names: tuple[str, ...] = ()
    part: str = ""


def read_illustrations(package: str) -> dict[str, Illustration]:
    """The pictures of the game in this package, by name; none where it has no such file. Raises BadGame."""
    file = files(package).joinpath(FILE)
    if not file.is_file():
        return {}
    try:
        return msgspec.toml.decode(file.read_bytes(), type=dict[str, Illustration])
    except msgspec.MsgspecError as error:
        raise BadGame(str(error), f"{package}/{FILE}") from None
