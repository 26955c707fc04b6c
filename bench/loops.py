"""The measurements of `bench/peers.py`. `loops.py KIND NAME SECONDS` runs one measurement and prints one number.

The script runs in two environments: Spelunke's, and one with the other libraries. So it imports only the standard
library at first, and other packages only when a measurement needs them.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import resource
import statistics
import sys
from collections.abc import Callable
from typing import Any

os.environ.pop("NUMBA_BOUNDSCHECK", None)

from report import rate

Work = Callable[[], int]
TABLES = 1024
KEPT = 20_000


# --- random play --------------------------------------------------------------------------------


def ours(name: str) -> Work:
    from spelunke.core.chance import seed_stream
    from spelunke.core.kernel import bind, pool
    from spelunke.games import find_game

    game = find_game(name)
    seats = game.usual_seats
    setup, one, stream = game.setup(seats, game.settle(seats)), pool(game.rules.STATE, 1), seed_stream(1)
    kernels = bind("spelunke.core.playout", game.rules.__name__)
    kernels.playouts(one, 0, setup, stream, 1)
    return lambda: int(kernels.playouts(one, 0, setup, stream, 20))


def our_open_spiel(name: str) -> Work:
    importlib.import_module("spelunke.adapters.open_spiel")
    return open_spiel_python(f"spelunke_{name}")


def open_spiel_python(name: str) -> Work:
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def work() -> int:
        state, done = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            elif state.is_simultaneous_node():
                players = range(game.num_players())
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in players])
                done += game.num_players()
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done

    return work


def open_spiel_rollouts(name: str) -> Work:
    """Return a function that runs OpenSpiel's random rollouts in C++, through its MCTS.

    The function returns the number of decisions, which it estimates from the mean length of a game.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    played = open_spiel_python(name)
    length = statistics.mean(played() for _ in range(60))
    evaluator = pyspiel.RandomRolloutEvaluator(20, 1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 5, 100, False, 1, False)

    def work() -> int:
        bot.mcts_search(state)
        return round(5 * 20 * length)

    return work


def rlcard_game(name: str) -> Work:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return work


# --- many tables at once ------------------------------------------------------------------------


def our_vector(name: str) -> Work:
    from spelunke.adapters.gymnasium import SpelunkeVector

    env = SpelunkeVector(name, TABLES)
    env.reset(seed=1)
    actions = env.choose()

    def work() -> int:
        for _ in range(20):
            env.choose(actions)
            env.step(actions)
        return 20 * TABLES

    return work


def pgx_game(name: str) -> Work:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    @jax.jit
    def sweep(state: Any, key: Any) -> Any:
        def once(carry: Any, _: Any) -> Any:
            state, key = carry
            key, left, right = jax.random.split(key, 3)
            action = jax.random.categorical(
                left, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=1
            )
            return (jax.vmap(step)(state, action, jax.random.split(right, TABLES)), key), None

        return jax.lax.scan(once, (state, key), None, length=20)[0]

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, TABLES))
    carry = jax.block_until_ready(sweep(state, key))

    def work() -> int:
        nonlocal carry
        carry = jax.block_until_ready(sweep(*carry))
        return 20 * TABLES

    return work


# --- one table in turns -------------------------------------------------------------------------


def our_turns(name: str) -> Work:
    from spelunke.adapters.pettingzoo import SpelunkeAEC

    return _turns(SpelunkeAEC(name))


def pettingzoo_classic(name: str) -> Work:
    return _turns(importlib.import_module(f"pettingzoo.classic.{name}").env())


def _turns(env: Any) -> Work:
    import numpy as np

    rng = np.random.default_rng(1)

    def work() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        done = 0
        for _agent in env.agent_iter():
            seen, _, ended, truncated, _ = env.last()
            if ended or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(int(legal[rng.integers(len(legal))]))
            done += 1
        return done

    return work


# --- bytes of a stored state --------------------------------------------------------------------


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def our_copies(name: str) -> float:
    from spelunke.core.kernel import pool
    from spelunke.games import find_game

    kind = find_game(name).rules.STATE
    before = _megabytes()
    kept = pool(kind, KEPT)
    kept.view("u1")[:] = 1  # memory counts only after a write
    return (_megabytes() - before) * 2**20 / KEPT


def open_spiel_copies(name: str) -> float:
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    for _ in range(20):
        if state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
        elif not state.is_terminal() and not state.is_simultaneous_node():
            state.apply_action(rng.choice(state.legal_actions()))
    before = _megabytes()
    kept = [state.clone() for _ in range(KEPT)]
    return (_megabytes() - before) * 2**20 / len(kept)


def pgx_copies(name: str) -> float:
    import jax
    import pgx

    state = jax.eval_shape(pgx.make(name).init, jax.random.PRNGKey(0))
    return float(sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree_util.tree_leaves(state)))


RATES: dict[str, Callable[[str], Work]] = {
    "ours": ours,
    "our_vector": our_vector,
    "our_turns": our_turns,
    "our_open_spiel": our_open_spiel,
    "open_spiel_python": open_spiel_python,
    "open_spiel_rollouts": open_spiel_rollouts,
    "pettingzoo": pettingzoo_classic,
    "rlcard": rlcard_game,
    "pgx": pgx_game,
}
SIZES: dict[str, Callable[[str], float]] = {
    "our_copies": our_copies,
    "open_spiel_copies": open_spiel_copies,
    "pgx_copies": pgx_copies,
}


def main() -> None:
    kind, name, seconds = sys.argv[1:4]
    if kind in SIZES:
        print(json.dumps(SIZES[kind](name)))
        return
    work = RATES[kind](name)
    work()  # the first call compiles, loads and fills caches, so it is not measured
    print(json.dumps(rate(work, float(seconds))))


if __name__ == "__main__":
    main()
