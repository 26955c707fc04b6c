"""Side by side with others, in one run on one core: random playouts, vector steps, start-up, memory.

    python bench/peers.py [--runs 3] [--seconds 1] [--python PYTHON]

OpenSpiel, PettingZoo and Gymnasium come with the extra `research`. rlcard and pgx are measured where they are installed
(`pip install rlcard pgx`), in this Python or in the one given by --python; what isn't there has no row.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ.pop("NUMBA_BOUNDSCHECK", None)

from report import machine, one_core, rate, write_section

OPEN_SPIEL = ("backgammon", "gin_rummy", "pig", "goofspiel")
START = {
    "Spelunke": "from spelunke.core.match import Match\nfrom spelunke.games import shelf\n"
    "m = Match(list(shelf().values())[-1])\n"
    "while m.chance: m.land(m.chances()[0][0])\nassert m.legal(m.actors[0])",
    "OpenSpiel": "import pyspiel\ns = pyspiel.load_game('backgammon').new_initial_state()\n"
    "s.apply_action(s.chance_outcomes()[0][0])\nassert s.legal_actions()",
    "rlcard": "import rlcard\ne = rlcard.make('gin-rummy')\nassert e.reset()",
    "pgx": "import jax, pgx\ne = pgx.make('backgammon')\nassert e.init(jax.random.PRNGKey(0)).legal_action_mask.any()",
}


def ours(name: str) -> Callable[[], int]:
    from spelunke.core.chance import seed_stream
    from spelunke.core.kernel import bind, pool
    from spelunke.games import find_game

    game = find_game(name)
    seats = game.seats[0]
    setup, one, stream = game.setup(seats, game.settle(seats)), pool(game.rules.STATE, 1), seed_stream(1)
    kernels = bind("spelunke.core.playout", game.rules.__name__)
    kernels.playouts(one, 0, setup, stream, 1)
    return lambda: int(kernels.playouts(one, 0, setup, stream, 20))


def our_vector(name: str, tables: int = 1024) -> Callable[[], int]:
    from spelunke.adapters.gymnasium import SpelunkeVector

    env = SpelunkeVector(name, tables)
    env.reset(seed=1)
    actions = env.choose()

    def work() -> int:
        for _ in range(20):
            env.choose(actions)
            env.step(actions)
        return 20 * tables

    return work


def our_turns(name: str) -> Callable[[], int]:
    import numpy as np

    from spelunke.adapters.pettingzoo import SpelunkeAEC

    return _aec(SpelunkeAEC(name), np.random.default_rng(1))


def our_open_spiel(name: str) -> Callable[[], int]:
    import spelunke.adapters.open_spiel  # noqa: F401

    return open_spiel_python(f"spelunke_{name}")


def open_spiel_python(name: str) -> Callable[[], int]:
    import random

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


def open_spiel_rollouts(name: str) -> Callable[[], int]:
    """OpenSpiel's own random rollouts in C++, asked for by its MCTS; decisions by the mean length of a game."""
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


def _aec(env: Any, rng: Any) -> Callable[[], int]:
    import numpy as np

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


def pettingzoo_classic(name: str) -> Callable[[], int]:
    import importlib

    import numpy as np

    return _aec(importlib.import_module(f"pettingzoo.classic.{name}").env(), np.random.default_rng(1))


def rlcard_game(name: str) -> Callable[[], int]:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return work


def pgx_game(name: str, tables: int = 1024) -> Callable[[], int]:
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
            return (jax.vmap(step)(state, action, jax.random.split(right, tables)), key), None

        return jax.lax.scan(once, (state, key), None, length=20)[0]

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, tables))
    carry = jax.block_until_ready(sweep(state, key))

    def work() -> int:
        nonlocal carry
        carry = jax.block_until_ready(sweep(*carry))
        return 20 * tables

    return work


KINDS: dict[str, Callable[[str], Callable[[], int]]] = {
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


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Which comparison, how it is named, and what measures it."""
    from spelunke.games import shelf

    for name in shelf():
        yield "playouts", f"Spelunke, {name}, in kernels", "ours", name
    for name in OPEN_SPIEL:
        yield "playouts", f"OpenSpiel, {name}, rollouts in C++", "open_spiel_rollouts", name
    for name in OPEN_SPIEL:
        yield "playouts", f"OpenSpiel, {name}, from Python", "open_spiel_python", name
    yield "playouts", "rlcard, gin-rummy", "rlcard", "gin-rummy"
    for name in shelf():
        yield "vectors", f"Spelunke, {name}, with masks and features", "our_vector", name
    for name in ("kuhn_poker", "backgammon"):
        yield "vectors", f"pgx, {name}", "pgx", name
    for name in shelf():
        yield "turns", f"Spelunke, {name}, PettingZoo AEC", "our_turns", name
    for name in ("connect_four_v3", "gin_rummy_v4"):
        yield "turns", f"PettingZoo, {name}", "pettingzoo", name


def measure(python: str, kind: str, name: str, seconds: float) -> float | str:
    """One measurement in a process of its own; the reason when it can't be made."""
    call = [python, __file__, "--one", kind, name, str(seconds)]
    try:
        done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=60 + 20 * seconds)
    except subprocess.TimeoutExpired:
        return "took too long"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1][:110]
    return float(json.loads(done.stdout.splitlines()[-1]))


def starting(python: str, code: str) -> tuple[float, float] | None:
    """Milliseconds and megabytes until the first legal move of a process."""
    told = "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    begun = time.perf_counter()
    done = subprocess.run([python, "-c", f"{code}\n{told}"], capture_output=True, text=True, check=False)
    took = time.perf_counter() - begun
    return None if done.returncode else (1000 * took, int(done.stdout.split()[-1]) / 1024)


FAIR = """
A decision is one choice of a player, at random among the legal ones; chance is not counted. The games
differ, so a ratio compares what a study of that kind of game gets for its time, not two programs that do
the same work: backgammon's list of legal moves is long to make, Kuhn poker and pig are far simpler than
anything here. OpenSpiel's rollouts are those of its `RandomRolloutEvaluator`, which its MCTS uses; what its
C++ could do without that interface can't be reached from the wheel. pgx is made for accelerators and runs
here on one core of a CPU; our vectors write masks and features at every step, and a step of pgx makes its
observation as well. One table at a time through PettingZoo
costs what Python costs: use the vector where speed matters.
"""


def describe(
    python_of_others: str,
    told: str,
    found: dict[tuple[str, str], list[float]],
    missing: dict[str, str],
    runs_wanted: int,
    seconds: float,
) -> str:
    """The section as Markdown."""
    lines = [
        "## Side by side, on one core",
        "",
        told,
        f"Median and range of {runs_wanted} interleaved runs of {seconds:g} s, each in a process of its own.",
    ]
    titles = {
        "playouts": "Random play, decisions a second",
        "vectors": "1024 tables at once, steps a second",
        "turns": "One table through PettingZoo's AEC interface, steps a second",
    }
    for group, heading in titles.items():
        values = {title: rates for (kind, title), rates in found.items() if kind == group}
        mine = [statistics.median(rates) for title, rates in values.items() if title.startswith("Spelunke")]
        lines += [
            "",
            f"### {heading}",
            "",
            "| what | median | range | our slowest game is faster by | our fastest |",
        ]
        lines.append("|---|---:|---|---:|---:|")
        for title, rates in values.items():
            middle = statistics.median(rates)
            factors = (
                "| |"
                if title.startswith("Spelunke")
                else f"{min(mine) / middle:,.2g}× | {max(mine) / middle:,.2g}× |"
            )
            lines.append(f"| {title} | {middle:,.0f} | {min(rates):,.0f}–{max(rates):,.0f} | {factors}")
    lines += [
        "",
        "### Process start to the first legal move",
        "",
        "| what | ms, median | memory, MB |",
        "|---|---:|---:|",
    ]
    for title, code in START.items():
        python = python_of_others if title in {"rlcard", "pgx"} else sys.executable
        starting(python, code)
        runs = [one for _ in range(runs_wanted) if (one := starting(python, code))]
        if runs:
            middle, memory = (statistics.median(run[k] for run in runs) for k in (0, 1))
            lines.append(f"| {title} | {middle:,.0f} | {memory:,.0f} |")
    lines += ["", "### What is and what isn't comparable", "", FAIR.strip()]
    if missing:
        lines += [
            "",
            "Not measured: " + "; ".join(f"{title} ({reason})" for title, reason in missing.items()) + ".",
        ]
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        kind, name, seconds = sys.argv[2:5]
        work = KINDS[kind](name)
        work()
        print(json.dumps(rate(work, float(seconds))))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--python", default=sys.executable, help="a Python that has rlcard and pgx")
    given = parser.parse_args()
    one_core()
    told = machine("numpy", "numba", "open_spiel", "pettingzoo", "gymnasium", "rlcard", "pgx")
    found: dict[tuple[str, str], list[float]] = {}
    missing: dict[str, str] = {}
    for _ in range(given.runs):
        for group, title, kind, name in rows():
            if title in missing:
                continue
            python = given.python if kind in {"rlcard", "pgx"} else sys.executable
            value = measure(python, kind, name, given.seconds)
            if isinstance(value, str):
                missing[title] = value
                print(f"{title}: {value}", file=sys.stderr)
            else:
                found.setdefault((group, title), []).append(value)
        text = describe(given.python, told, found, missing, given.runs, given.seconds)
        write_section("peers", text)  # after each run: an end before the time loses little
    print(text)


if __name__ == "__main__":
    main()
