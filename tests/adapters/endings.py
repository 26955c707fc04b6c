"""Late positions with little left to play: small enough for algorithms that visit everything."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from spelunke.adapters.desk import Desk, Table
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.game import Game
from spelunke.core.match import Match
from spelunke.records.position import write_position


def size(desk: Desk, most: int) -> int:
    """How many nodes lie below, at most ``most`` + 1 of them counted."""
    seat = desk.seat()
    if seat == OVER:
        return 1
    total = 1
    steps = [outcome for outcome, _ in desk.chances()] if seat == CHANCE else desk.legal(seat)
    for step in steps:
        child = desk.copy()
        if seat == CHANCE:
            child.land(step)
        else:
            child.play(seat, step)
        total += size(child, most - total)
        if total > most:
            break
    return total


def find_ending(game: Game, folder: Path, least: int, most: int, seed: int = 1) -> Path:
    """A position file of random play from which between ``least`` and ``most`` nodes can be reached."""
    rng = random.Random(seed)
    seats = game.seats[0]
    table = Table(game, seats)
    while True:
        desk = Desk(table)
        past = []
        while (seat := desk.seat()) != OVER:
            if seat == CHANCE:
                outcomes, weights = zip(*desk.chances(), strict=True)
                desk.land(rng.choices(outcomes, weights)[0])
            else:
                if len(desk.legal(seat)) > 1:
                    past.append(desk.copy())
                desk.play(seat, rng.choice(desk.legal(seat)))
        for late in reversed(past):
            found = size(late, most)
            if found > most:
                break
            if found >= least:
                file = folder / f"{game.name}.json"
                file.write_bytes(write_position(Match(game, seats, state=np.copy(late.pool)[0])))
                return file
