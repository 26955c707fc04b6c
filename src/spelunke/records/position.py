"""Read and write position files: JSON with the name of a game and the game's own fields for one position."""

from __future__ import annotations

import msgspec

from spelunke.core.digits import is_number
from spelunke.core.errors import BadInput, BadPosition, SpelunkeError
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.record import explain_json

LARGEST = 256 * 1024


def parse_position(data: bytes, game: Game | None = None) -> Match:
    """Return a match that begins in the position of a file.

    ``game`` is needed only if the file doesn't name its game. The seats and options come from the fields ``seats``
    and ``options`` of the file. Raise UnknownGame if the named game is not installed. Raise BadPosition, with the
    place and the reason, if the file contains no valid position, or if it names another game than ``game``.
    """
    if len(data) > LARGEST:
        raise BadPosition(f"it has {len(data):,} bytes; a position has at most {LARGEST:,}")
    try:
        text = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadPosition(explain_json(str(error), data)) from None
    except RecursionError:
        raise BadPosition("the JSON is nested too deeply") from None
    if not isinstance(text, dict):
        raise BadPosition('a position is a JSON object with "game", "seats" and other fields')
    named = text.pop("game", None)
    if named is not None:
        if not isinstance(named, str):
            raise BadPosition("it must be the name of a game", "game")
        if game is not None and game.name != named:
            raise BadPosition(f"the file is of {named!r}, not of {game.name!r}", "game")
        game = find_game(named)
    if game is None:
        raise BadPosition(
            'the game is missing; add the field "game" with its name to the file, or name the game in the command',
            "game",
        )
    return build_match(game, text)


def build_match(game: Game, text: dict[str, object]) -> Match:
    """Return a match that begins in a position. ``text`` has the form of a position file's JSON.

    Raise BadPosition if the position is invalid.
    """
    state = game.notation.parse_position(text)
    seats, options = text.get("seats"), text.get("options")
    return Match(
        game,
        len(seats) if isinstance(seats, list) else None,
        options if isinstance(options, dict) else {},
        state=state,
    )


def write_position(match: Match) -> bytes:
    """Return the match's current position as JSON, with the name of the game, and with one line for each field."""
    text = {"game": match.game.name, **match.game.notation.write_position(match.state)}
    rows = [f"  {_json(name)}: {_json(value)}" for name, value in text.items()]
    return ("{\n" + ",\n".join(rows) + "\n}\n").encode()


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def apply(match: Match, texts: str) -> None:
    """Play the moves and outcomes of chance in a text. They are separated by ``;``.

    A move may begin with the number of the seat that plays it: ``1: bid grey 5``. If several seats are to act, the
    number is required. Without a number, the seat to act plays the move.
    If a move or an outcome is invalid, play those before it, and raise BadInput with its place in the text, counted
    from 1.
    """
    for number, text in enumerate(texts.split(";"), 1):
        if not text.strip():
            continue
        try:
            apply_one(match, text.strip())
        except SpelunkeError as error:
            raise BadInput(str(error), f"move {number}") from None


def apply_one(match: Match, text: str) -> None:
    """Play a move or an outcome of chance. Raise BadInput if it can't be read, and Refused if it is not allowed."""
    if match.chance:
        match.apply_chance(match.game.notation.parse_chance(text))
        return
    seat = match.actors[0] if match.actors else 0
    head, colon, rest = text.partition(":")
    head = head.strip()
    if colon and is_number(head):
        seat, text = int(head), rest.strip()
    elif len(match.actors) > 1:
        raise BadInput(f"{text!r}: several seats act at once; say which, like '{seat}: {text}'")
    match.act(seat, match.parse(text))
