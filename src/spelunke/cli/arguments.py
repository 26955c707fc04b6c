"""Arguments that several commands share, and functions that parse them and read or write files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.core.errors import BadInput, BadPosition, BadRecord

if TYPE_CHECKING:
    from spelunke.games.game import Game
    from spelunke.games.match import Match
    from spelunke.records.record import Record


def complete_game(incomplete: str) -> list[str]:
    """Return the names of the games that begin with the typed text, for completion in the shell."""
    from spelunke.games import shelf

    return [name for name in shelf() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game. `spelunke games` lists the names.",
        autocompletion=complete_game,
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game. You can give several."),
]
Seats = Annotated[int | None, typer.Option("--seats", metavar="N", help="The number of players.")]


def find_card(name: str) -> Game:
    """Return the game with this name. Raise UnknownGame if there is none."""
    from spelunke.games import find_game

    return find_game(name)


def parse_options(given: list[str] | None) -> dict[str, object]:
    """Return options such as ``["match=single"]`` as a mapping. Raise BadInput for a text in another form.

    This function does not check the names and values. The game does this later.
    """
    found: dict[str, object] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise BadInput(f"{text!r} is not an option; write NAME=VALUE", "--option")
        found[name.strip()] = value.strip()
    return found


def read_file(name: str, largest: int) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``. Raise BadInput if the file can't be read.

    Read at most ``largest`` + 1 bytes. From the extra byte, the parser sees that the file is too large.
    """
    if name == "-":
        return sys.stdin.buffer.read(largest + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(largest + 1)
    except OSError as error:
        raise BadInput(
            f"the file can't be read: {(error.strerror or 'unknown reason').lower()}", name
        ) from None


def check_writable(name: str) -> None:
    """Raise BadInput if the file can't be written. The check changes nothing. Call it before any long work."""
    path = Path(name)
    try:
        there = path.exists()
        path.open("ab").close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"the file can't be written ({reason})", name) from None
    if not there:
        path.unlink()


def write_file(name: str, data: bytes) -> None:
    """Write the bytes into a file. Raise BadInput if that fails."""
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise BadInput(
            f"the file can't be written: {(error.strerror or 'unknown reason').lower()}", name
        ) from None


def choose_file(named: str, number: int = 1) -> str:
    """Return the name of a file that is empty or does not exist: ``named``, or this name with a number.

    So a record can be written into this file without losing data. ``number`` is the first number to try. If it is 1,
    try ``named`` itself first.
    """
    path = Path(named)
    if number == 1 and not _has_content(path):
        return named
    number = max(number, 2)
    while _has_content(chosen := path.with_name(f"{path.stem}-{number}{path.suffix}")):
        number += 1
    return str(chosen)


def _has_content(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:  # such as a name that is too long: writing says what is wrong
        return False


def read_record(name: str) -> Record:
    """Return the record in a file. Raise BadRecord if it is invalid, or UnknownGame if its game isn't installed.

    Raise BadInput if the file can't be read.
    """
    from spelunke.records.record import LARGEST, parse_record

    data = read_file(name, LARGEST)
    try:
        return parse_record(data)
    except BadRecord as error:
        raise BadRecord(error.reason, f"{name}: {error.place}" if error.place else name) from None


def read_position(name: str, game: str | None) -> Match:
    """Return a match at the position in a file. ``game`` is needed if the file doesn't name its game.

    Raise BadPosition if the position is invalid, UnknownGame if the game isn't installed, or BadInput if the file
    can't be read.
    """
    from spelunke.records.position import LARGEST, parse_position

    data = read_file(name, LARGEST)
    try:
        return parse_position(data, find_card(game) if game else None)
    except BadPosition as error:
        raise BadPosition(error.reason, f"{name}: {error.place}" if error.place else name) from None


def set_table(game: str, seats: int | None, options: list[str] | None) -> Match:
    """Return a new match of a game. Raise UnknownGame, BadOption or BadInput if an argument is wrong."""
    from spelunke.games.match import Match

    card = find_card(game)
    card.settle(seats if seats is not None else card.usual_seats, parse_options(options))
    return Match(card, seats, parse_options(options))
