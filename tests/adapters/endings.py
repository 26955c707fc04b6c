"""Find late positions with few plies left, small enough for algorithms that visit all states."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from open_spiel.python.algorithms import ismcts

from spelunke.adapters.desk import Desk, Table
from spelunke.core.contract import CHANCE, OVER
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.position import write_position

DEEPEST = 60
SHORT = {"schedule": "short", "reshuffle_limit": 1}
"""Options of any game that end random play soon."""


def size(desk: Desk, most: int, depth: int = 0) -> int:
    """Return the number of nodes of the tree below this state.

    If there are more than ``most`` nodes, or if some are too deep, return ``most`` + 1.
    """
    seat = desk.seat()
    if seat == OVER:
        return 1
    if depth == DEEPEST:
        return most + 1
    total = 1
    steps = [outcome for outcome, _ in desk.chances()] if seat == CHANCE else desk.legal(seat)
    if len(steps) > most:
        return most + 1
    for step in steps:
        child = desk.copy()
        if seat == CHANCE:
            child.apply_chance(step)
        else:
            child.play(seat, step)
        total += size(child, most - total, depth + 1)
        if total > most:
            return most + 1
    return total


def find_ending(game: Game, folder: Path, most: int, *, whole: bool = True) -> Path:
    """Play at random, write a position near the end of a game into a file, and return the file.

    From this position, at most ``most`` nodes can be reached. If there is no such position, the result depends on
    ``whole``. If ``whole`` is true, the caller wants to visit all nodes, so fail the test. Otherwise, write a late
    position with more nodes.
    """
    rng = random.Random(1)
    seats = game.seats[0]
    given = {name: value for name, value in SHORT.items() if any(o.name == name for o in game.options)}
    table = Table(game, seats, given)
    for _ in range(2):
        desk = Desk(table)
        past = []
        while (seat := desk.seat()) != OVER:
            if seat == CHANCE:
                outcomes, weights = zip(*desk.chances(), strict=True)
                desk.apply_chance(rng.choices(outcomes, weights)[0])
            else:
                if len(desk.legal(seat)) > 1:
                    past.append(desk.copy())
                desk.play(seat, rng.choice(desk.legal(seat)))
        found = None
        for late in past[:-12:-1]:
            if size(late, most) > most:
                break
            found = late
        if found is None and not whole:
            found = past[-3]
        if found is not None:
            file = folder / f"{game.name}.json"
            file.write_bytes(write_position(Match(game, seats, given, state=found.pool.copy()[0])))
            return file
    pytest.fail(f"random play of {game.name} has no end with fewer than {most} nodes")


def take_chance(state: Any, rng: random.Random) -> None:
    """Let chance decide at a chance node of OpenSpiel."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, weights)[0])


def hidden_search(game: Any, rng: np.random.RandomState, simulations: int, evaluator: Any, c: float) -> Any:
    """Return an IS-MCTS bot that draws the facts hidden from it with ``rng``. By default, these draws have no seed."""
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=c,
        max_simulations=simulations,
        evaluator=evaluator,
        random_state=rng,
        allow_inconsistent_action_sets=True,
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
    return bot
