"""PettingZoo's own tests, over every registered game."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from spelunke.adapters.pettingzoo import SpelunkeAEC, SpelunkeParallel
from spelunke.core.errors import BadOption, IllegalMove
from spelunke.games import shelf

GAMES = sorted(shelf())


@pytest.fixture(autouse=True)
def _observations_are_dicts() -> Any:
    # PettingZoo says so of its own board games as well: an observation with a mask is a dict.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation", category=UserWarning)
        yield


@pytest.mark.parametrize("game", GAMES)
def test_the_turn_based_environment_passes_the_tests_of_pettingzoo(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(SpelunkeAEC(game), num_cycles=60)
    seed_test(lambda: SpelunkeAEC(game), num_cycles=40)
    render_test(lambda render_mode=None: SpelunkeAEC(game, render_mode=render_mode))


@pytest.mark.parametrize("game", GAMES)
def test_the_parallel_environment_passes_the_tests_of_pettingzoo(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parallel_api_test(SpelunkeParallel(game), num_cycles=60)


def walk(env: SpelunkeParallel, steps: int) -> list[Any]:
    seen, _ = env.reset(seed=5)
    told: list[Any] = []
    for k in range(steps):
        actions = {}
        for agent in env.agents:
            legal = np.flatnonzero(seen[agent]["action_mask"])
            assert len(legal)
            actions[agent] = int(legal[k % len(legal)])
        if not actions:
            break
        seen, rewards, *_ = env.step(actions)
        told.append((rewards, [seen[a]["observation"].tobytes() for a in env.possible_agents]))
    return told


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_is_the_same_game_in_parallel(game: str) -> None:
    assert walk(SpelunkeParallel(game), 50) == walk(SpelunkeParallel(game), 50)


def test_a_masked_action_is_refused_and_changes_nothing() -> None:
    env = SpelunkeAEC(GAMES[0])
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)
    forbidden = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    state = env.desk.state.tobytes()
    with pytest.raises(IllegalMove, match="action_mask"):
        env.step(forbidden)
    assert env.desk.state.tobytes() == state


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadOption, match="has no option of that name"):
        SpelunkeAEC(GAMES[0], options={"nonsense": 1})
