"""Seats that act at the same time: their actions are legal, and their sealed choices stay hidden.

If several seats call for the same card in one step, the calls tie.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from endings import take_chance

from compiling import smallest
from spelunke.adapters import open_spiel as adapter
from spelunke.adapters.desk import Desk
from spelunke.adapters.gymnasium import SpelunkeEnv, SpelunkeVector
from spelunke.adapters.pettingzoo import SpelunkeAEC, SpelunkeParallel
from spelunke.core.errors import BadInput
from spelunke.games import shelf
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.state import ASKED, STOCK, VOTING, WINDOW

GAMES = sorted(shelf())
SMALL = smallest()
CALLS = {"schedule": "short", "hep_tie": "vote"}
HEP, PASS, TAKE, WAIT = (
    moves.encode(action, None)[0] for action in (moves.Hep(), moves.Pass(), moves.Take(), moves.Wait())
)


@pytest.fixture(autouse=True)
def lawful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the test fail if an environment plays an action that the rules forbid."""
    play = Desk.play

    def checked(desk: Desk, seat: int, action: int) -> None:
        assert action in desk.legal(seat), f"seat {seat} plays {action}, legal {desk.legal(seat)}"
        play(desk, seat, action)

    monkeypatch.setattr(Desk, "play", checked)


def steps(env: SpelunkeParallel, seed: int, most: int) -> Iterator[dict[str, list[int]]]:
    """Yield each agent's legal actions, which the test may reorder. Then play the first action of each list."""
    rng = random.Random(seed)
    seen, _ = env.reset(seed=seed)
    for _ in range(most):
        if not env.agents:
            return
        legal = {agent: np.flatnonzero(seen[agent]["action_mask"]).tolist() for agent in env.agents}
        for options in legal.values():
            rng.shuffle(options)
        yield legal
        seen, *_ = env.step({agent: options[0] for agent, options in legal.items()})


@pytest.mark.parametrize("game", GAMES)
def test_a_step_plays_only_legal_actions(game: str) -> None:
    assert sum(1 for _ in steps(SpelunkeParallel(game), 0, 400)) > 30


def test_calls_of_one_step_tie_and_are_voted_on() -> None:  # N-C2, N-C4
    env = SpelunkeParallel("sanghai", seats=5, options=CALLS)
    ties = votes = 0
    for legal in steps(env, 3, 400):
        state = env.desk.state
        votes += state.phase == VOTING
        callers = [agent for agent, options in legal.items() if HEP in options]
        if state.phase == WINDOW:
            for agent, options in legal.items():
                wished = HEP if agent in callers else WAIT if WAIT in options else options[0]
                legal[agent] = [wished]
            if state.callers > 1:
                assert state.tied == state.callers
                ties += 1
                legal[env.possible_agents[state.turn]] = [STOCK]
    assert ties > 3
    assert votes > 3


def test_a_card_that_a_seat_takes_makes_all_calls_void() -> None:  # N-R14
    env = SpelunkeParallel("sanghai", seats=4, options=CALLS)
    taken = checked = 0
    for legal in steps(env, 4, 300):
        state = env.desk.state
        if taken:
            assert state.callers == 0
            checked += 1
        taken = 0
        if state.phase == WINDOW and any(HEP in options for options in legal.values()):
            for agent, options in legal.items():
                legal[agent] = [HEP if HEP in options else TAKE if TAKE in options else options[0]]
            # The lowest seats act first: if one of them takes the card, nobody after it may act.
            taken = 1 if int(state.turn) == 0 else 0
    assert checked > 3


def test_information_states_report_the_result_of_simultaneous_calls() -> None:
    game = pyspiel.load_game(
        f"{adapter.PREFIX}sanghai{adapter.TOGETHER}(seats=5,schedule=short,hep_tie=vote)"
    )
    rng = random.Random(1)
    state = game.new_initial_state()
    voted = 0
    for _ in range(1500):
        if state.is_terminal():
            break
        if state.is_chance_node():
            take_chance(state, rng)
        elif state.is_simultaneous_node():
            voted += state.desk.state.phase == VOTING
            legal = [state.legal_actions(player) for player in range(5)]
            state.apply_actions([HEP if HEP in some else rng.choice(some or [0]) for some in legal])
            for player in range(5):
                assert state.information_state_string(player)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert voted


def observed_after(env: SpelunkeAEC, answer: int) -> list[bytes]:
    """Play until several seats answer a discard. Play ``answer`` for the first. Return what the others then observe."""
    env.reset(seed=2)
    rng = random.Random(2)
    while True:
        state = env.desk.state
        first = env.possible_agents.index(env.agent_selection)
        legal = env.desk.legal(first)
        later = [seat for seat in range(first + 1, env.table.seats) if state.answer[seat] == ASKED]
        if state.phase == WINDOW and HEP in legal and later:
            env.step(answer)
            seen = [env.observe(env.possible_agents[seat]) for seat in later]
            return [one[part].tobytes() for one in seen for part in ("observation", "action_mask")]
        env.step(rng.choice(legal))


@pytest.mark.parametrize(("mode", "heard"), [("live", True), ("sequenced", False)])
def test_later_seats_see_a_call_unless_the_call_is_sealed(mode: str, heard: bool) -> None:  # N-C1
    env = SpelunkeAEC("sanghai", seats=5, options={**CALLS, "hep_window": mode})
    assert (observed_after(env, HEP) != observed_after(env, PASS)) == heard


def test_arrays_that_do_not_fit_are_refused_and_change_nothing() -> None:
    env = SpelunkeVector(SMALL, 4)
    env.reset(seed=1)
    good = env.choose()
    before = env.pool.tobytes()
    bad: list[Any] = [
        good[:1],
        good[:, None],
        np.zeros(9, int),
        good.astype(float),
        [[1], [1, 2]],
        "1234",
        None,
    ]
    for actions in bad:
        with pytest.raises(BadInput, match="4 whole numbers"):
            env.step(actions)
    sealed = np.zeros(4, np.int64)
    sealed.flags.writeable = False
    for out in (
        np.zeros(2, np.int64),
        np.zeros(4, np.int32),
        np.zeros((4, 4), np.int64)[:, 0],
        sealed,
        [0] * 4,
    ):
        with pytest.raises(BadInput, match=r"shape \(4,\)"):
            env.choose(out)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match=r"buffers\.seat"):
            SpelunkeVector(SMALL, 4, buffers={"seat": out})  # type: ignore[dict-item]
    several: list[list[int | None]] = [[1, 2], [1, 2, 3, 4, 5]]
    for seeds in several:
        with pytest.raises(BadInput, match="4 tables"):
            env.reset(seed=seeds)
    assert env.pool.tobytes() == before
    env.step(good.tolist())
    assert env.pool.tobytes() != before


@pytest.mark.parametrize("kind", [SpelunkeEnv, SpelunkeAEC, SpelunkeParallel])
def test_unknown_render_modes_are_refused(kind: Any) -> None:
    with pytest.raises(BadInput, match="not 'rgb_array'"):
        kind(GAMES[0], render_mode="rgb_array")
