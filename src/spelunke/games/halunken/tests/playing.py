"""Helpers for the tests of this folder: tables (seats and options), a random step, and random play up to a phase."""

from __future__ import annotations

import random

import pytest

from spelunke.games.match import Match

TABLES: list[tuple[int, dict[str, object]]] = [
    (3, {}),
    (4, {}),
    (2, {}),
    (3, {"mode": "beginner"}),
    (4, {"mode": "beginner", "auto_place": True}),
    (2, {"mode": "beginner", "two_player_beginner": True}),
    (3, {"tactical_bj_34": True, "tiebreak": "cards"}),
    (4, {"bj_peek": True, "rob_count": "before", "match": 3}),
    (2, {"bj2_pass_theft": True, "bj2_rum_unhired": "opener_chooses", "bid_colour_tiebreak": True}),
    (2, {"bj2_rum_unhired": "stay", "rob_count": "before"}),
]


each_table = pytest.mark.parametrize(("seats", "options"), TABLES)


def step(match: Match, rng: random.Random, *, changes: bool = False) -> None:
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
        return
    choices = [(seat, action) for seat in match.actors for action in match.legal(seat)]
    if changes and rng.random() < 0.3:
        choices = [(s, a) for s in range(match.seats) for a in match.revisions(s)] or choices
    match.act(*rng.choice(choices))


def play_to(match: Match, rng: random.Random, phase: int, times: int = 1) -> bool:
    """Play random steps until ``times`` of them have ended in the phase. Return False if the match ends first."""
    while not match.over:
        step(match, rng)
        if match.state.phase == phase:
            times -= 1
            if times == 0:
                return True
    return False
