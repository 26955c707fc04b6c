"""Random walks through any registered game, with seeded random numbers.

The module also makes random tables. A table is a number of seats, with options.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from spelunke.core.errors import BadInput
from spelunke.core.option import Choice, Count, Option, Split, Switch
from spelunke.games.game import Game
from spelunke.games.match import Match


def any_value(option: Option, rng: random.Random, seats: int) -> Any:
    if isinstance(option, Switch):
        return rng.random() < 0.5
    if isinstance(option, Choice):
        return rng.choice(option.values)
    if isinstance(option, Count):
        return rng.randint(option.least, option.most)
    assert isinstance(option, Split)
    cuts = sorted(rng.randint(0, option.total) for _ in option.parts[1:])
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, option.total], strict=True))


def any_table(game: Game, rng: random.Random, chance: float = 0.4) -> tuple[int, dict[str, Any]]:
    """Return a random number of seats, and options that are allowed with it.

    With probability ``chance``, an option has a random value. Otherwise it is left out, so it has its default.
    """
    while True:
        seats = rng.choice(game.seats)
        given = {o.name: any_value(o, rng, seats) for o in game.options if rng.random() < chance}
        try:
            game.settle(seats, given)
        except BadInput:
            continue
        return seats, given


def values_of(option: Option, rng: random.Random, seats: int) -> list[Any]:
    """Return some values of an option: the bounds of a `Count`, three random values of a `Split`, else all values."""
    if isinstance(option, Switch):
        return [False, True]
    if isinstance(option, Choice):
        return list(option.values)
    if isinstance(option, Count):
        return sorted({option.least, option.most})
    return [any_value(option, rng, seats) for _ in range(3)]


def each_option(game: Game) -> list[tuple[int, dict[str, Any]]]:
    """Return a table with default options for each number of seats, and a table for each value of each option.

    The values come from `values_of`. If a value is not allowed with the usual number of seats and the defaults, its
    table has a random number of seats and random other options.
    """
    rng = random.Random(game.name)
    found: list[tuple[int, dict[str, Any]]] = [(seats, {}) for seats in game.seats]
    for option in game.options:
        for value in values_of(option, rng, game.usual_seats):
            seats, given = game.usual_seats, {option.name: value}
            while True:
                try:
                    game.settle(seats, given)
                except BadInput:
                    seats, others = any_table(game, rng)
                    given = others | {option.name: value}
                else:
                    break
            found.append((seats, given))
    return found


def step(match: Match, rng: random.Random) -> None:
    """Play one ply: chance by its weights, or a random legal action of a random seat that may act."""
    if match.chance:
        draw(match, rng)
    else:
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))


def step_by(match: Match, rng: random.Random, wanted: Callable[[Any], bool]) -> None:
    """Play one ply: chance by its weights, or a random action of the first seat to act.

    If ``wanted`` is true for some actions of the seat, take one of these.
    """
    if match.chance:
        draw(match, rng)
    else:
        seat = match.actors[0]
        legal = match.legal(seat)
        match.act(seat, rng.choice([action for action in legal if wanted(action)] or legal))


def draw(match: Match, rng: random.Random) -> None:
    """Let chance decide, by its weights."""
    found = match.chances()
    match.land(rng.choices([chance for chance, _ in found], [weight for _, weight in found])[0])


def walk(match: Match, rng: random.Random, plies: int, look: Callable[[Match], None] | None = None) -> Match:
    """Play ``plies`` plies, or to the end; call ``look`` with the match before each ply."""
    for _ in range(plies):
        if match.over:
            break
        if look:
            look(match)
        step(match, rng)
    return match
