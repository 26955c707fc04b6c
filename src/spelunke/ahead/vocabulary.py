"""The numbers of a game's texts, for programs that run its rules as WebAssembly and read records."""

from __future__ import annotations

from collections.abc import Callable

from spelunke.core.option import Count, Option, Split, Switch, write_value
from spelunke.games.game import Game


def vocabulary_of(game: Game) -> dict[str, object]:
    """Return texts with numbers: ``actions`` and ``outcomes`` as records write them, ``options`` and defaults.

    An action that consists of several numbers has no entry. ``usual`` has, by number of seats, the numbers of
    the default options.
    """
    moves, notation, rules = game.moves, game.notation, game.rules
    return {
        "actions": _texts(rules.ACTIONS, lambda number: notation.write(moves.decode(number))),
        "outcomes": _texts(rules.OUTCOMES, lambda number: notation.write_chance(moves.decode_chance(number))),
        "options": {option.name: _values(option) for option in game.options},
        "usual": {str(seats): game.setup(seats, game.settle(seats)).tolist()[1:] for seats in game.seats},
    }


def _texts(count: int, write: Callable[[int], str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number in range(count):
        try:
            found.setdefault(write(number), number)
        except (KeyError, ValueError, IndexError):  # no action has this number
            continue
    return found


def _values(option: Option) -> dict[str, list[int]]:
    """Return the numbers of each value of an option; for a split, the index of its counts and their number."""
    if isinstance(option, Switch):
        values: list[bool | int | str] = [False, True]
    elif isinstance(option, Count):
        values = list(range(option.least, option.most + 1))
    elif isinstance(option, Split):
        return {"/": [option.width]}
    else:
        values = list(option.choices)
    return {write_value(value): list(option.encode(value)) for value in values}
