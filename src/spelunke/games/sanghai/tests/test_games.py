"""Whole games: planner bots lay their contracts, and the rules do the same whether they are compiled or not."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from spelunke.core.chance import seed_stream
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, bots

from .positions import step


@pytest.mark.deep
@pytest.mark.parametrize(
    ("seats", "options"), [(3, {}), (8, {"schedule": "short"}), (4, {"schedule": "shanghai10"})]
)
def test_nearly_every_round_between_planner_bots_has_a_winner(seats: int, options: dict[str, object]) -> None:
    match = Match(GAME, seats, options)
    bot = bots.PlannerBot(GAME)
    stream = seed_stream(seats)
    rng = random.Random(seats)
    while not match.over:
        if match.chance:
            step(match, rng)
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    seen = match.view(None)
    assert sum(winner is not None for winner in seen.winners) >= len(seen.winners) - 3


PLAIN = """
import random
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME
import hashlib
rng = random.Random(5)
digest = hashlib.sha256()
match = Match(GAME, 5, {"hep_tie": "vote", "joker_swap": True, "black_twos_wild": True, "hep_penalty": 1})
for _ in range(700):
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
    else:
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))
    digest.update(match.state.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.deep  # tests/test_twins.py compares shorter games with each option in every run
def test_plain_and_compiled_kernels_play_the_same_game() -> None:
    ways = ({"SPELUNKE_JIT": "1"}, {"SPELUNKE_JIT": "0"})
    found = [
        subprocess.run(
            [sys.executable, "-c", PLAIN],
            env={**os.environ, **way},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for way in ways
    ]
    assert found[0] == found[1] != ""
