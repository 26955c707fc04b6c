"""The vocabulary of a game: the texts of actions, outcomes and values of options, with their numbers in the kernels.

Programs that run the rules as WebAssembly need these numbers to read records.
"""

from __future__ import annotations

from collections.abc import Callable

from spelunke.core.option import Count, Option, Split, Switch, write_value
from spelunke.games.game import Game


def vocabulary_of(game: Game) -> dict[str, object]:
    """Return the vocabulary of a game as JSON values.

    ``actions`` and ``outcomes`` map the text of each action or outcome, as records write it, to its number. A large
    move, which the kernels play as several numbers in sequence, has no entry. ``options`` maps each value of each
    option to the ints that encode it. If the values of an option are lists of counts, ``options`` has only the length
    of these lists. For each number of seats, ``usual`` has the ints that encode the default options.
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
    """Return, for the text of each value of an option, the ints that encode the value.

    The value of a ``Split`` option is a list of counts, such as ``3/2/1``. For such an option, the result has only the
    key ``/``, with the length of the list.
    """
    if isinstance(option, Switch):
        values: list[bool | int | str] = [False, True]
    elif isinstance(option, Count):
        values = list(range(option.least, option.most + 1))
    elif isinstance(option, Split):
        return {"/": [option.width]}
    else:
        values = list(option.choices)
    return {write_value(value): list(option.encode(value)) for value in values}
