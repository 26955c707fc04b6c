"""The games on a simulated GPU. Numba's simulator runs each thread of the GPU in Python.

The results must equal those of the processor.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from spelunke.adapters.cuda import check_memory
from spelunke.core.errors import BadInput
from spelunke.games import find_game, shelf

SIMULATED = """
import json, sys
import numpy as np
import spelunke
from spelunke.adapters.cuda import seed_streams
from spelunke.core.kernel import bind, pool
from spelunke.games import find_game

name, tables, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
game = find_game(name)
there = spelunke.make(name, "cuda", tables=tables, features=True, masks=True, seed=3)
setup, streams = there.table.setup, there.streams.copy_to_host()
playout = bind("spelunke.core.playout", game.rules.__name__)
here, done = pool(game.rules.STATE, tables), 0
if name != "sanghai":  # too long for Python's threads
    for i in range(tables):
        done += playout.playouts(here, i, setup, streams[i], 1)
    assert there.playouts(1) == done > 10 * tables
    assert there.states.copy_to_host().tobytes() == here.tobytes()
    assert np.array_equal(there.streams.copy_to_host(), streams)

there.reset(seed=5)
sweep = bind("spelunke.adapters.sweep", game.rules.__name__, game.view.__name__)
here, streams = pool(game.rules.STATE, tables), seed_streams(5, tables)
views = np.zeros((tables, game.view.FEATURES), np.float32)
masks = np.zeros((tables, game.rules.ACTIONS), np.int8)
seats, over = np.zeros(tables, np.int64), np.zeros(tables, np.bool_)
rewards = np.zeros((tables, there.table.seats), np.float32)
choices = np.zeros((tables, 1 + game.rules.ACTIONS), np.int16)
sweep.begin_all(here, setup, streams, -1, views, masks, seats, over, choices)
ended = 0
for _ in range(steps):
    actions = there.choose()
    chosen = actions.copy_to_host()
    assert all(masks[i, chosen[i]] or over[i] for i in range(tables))
    there.step(actions, check=True)
    assert sweep.step_all(here, setup, streams, -1, chosen, views, masks, seats, rewards, over, choices) == -1
    ended += int(over.sum())
    for mine, theirs in ((views, there.observation), (masks, there.action_mask), (seats, there.seat),
                         (rewards, there.payoffs), (over, there.over)):
        assert np.array_equal(mine, theirs.copy_to_host())
    assert there.states.copy_to_host().tobytes() == here.tobytes()
wrong = there.choose()
first = wrong.copy_to_host()
before = there.states.copy_to_host().tobytes()
wrong[0] = game.rules.ACTIONS + 7
for i in range(1, tables):
    wrong[i] = -1
there.step(wrong)
told = there.wrong()
assert told == [i for i in range(tables) if not over[i]], (told, over)
assert len(told) < tables or there.states.copy_to_host().tobytes() == before
print(json.dumps([there.table.game.name, ended]))
"""
REFUSED = """
import spelunke
from spelunke.core.errors import BadInput
try:
    spelunke.make("shanghaien", "cuda", tables=10)
except BadInput as error:
    print(error)
"""


def run(script: str, *given: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *given],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.deep
@pytest.mark.parametrize("game", shelf())
def test_gpu_threads_play_the_same_games_as_the_processor(game: str) -> None:
    """Playouts and steps in GPU threads give the processor's results. Illegal actions are reported and not played."""
    steps = {"halunken": "60", "sanghai": "40"}.get(game, "120")
    told = run(SIMULATED, game, "3", steps, NUMBA_ENABLE_CUDASIM="1", SPELUNKE_JIT="0")
    assert json.loads(told)[0] == game


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"NUMBA_ENABLE_CUDASIM": "1", "SPELUNKE_JIT": "1"}, "the CUDA simulator runs plain rules"),
        ({"NUMBA_ENABLE_CUDASIM": "0", "SPELUNKE_JIT": "0"}, "a GPU needs compiled rules"),
        ({"NUMBA_ENABLE_CUDASIM": "0", "SPELUNKE_JIT": "1", "CUDA_VISIBLE_DEVICES": ""}, "interface: "),
    ],
)
def test_a_missing_requirement_is_reported_in_one_sentence(
    environment: dict[str, str], sentence: str
) -> None:
    told = run(REFUSED, **environment)
    assert sentence in told
    assert len(told.splitlines()) == 1


def test_the_error_for_too_little_memory_says_how_many_tables_fit() -> None:
    game = find_game("shanghaien")
    check_memory(game, 1000, 10**6, 80 * 10**9)
    with pytest.raises(
        BadInput, match=r"1,000,000 tables of Shanghaien need .* GB on the GPU, and 12\.0 GB"
    ) as told:
        check_memory(game, 1_000_000, 10 * 10**9, 12 * 10**9)
    assert "314,162 tables fit" in str(told.value)
    with pytest.raises(BadInput, match=r"; 0 tables fit"):
        check_memory(game, 1_000_000, 10 * 10**9, 10**9)


PTX = """
import sys, types
import numba
from numba import cuda
from numba.cuda import dispatcher
dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(8, 0))
from spelunke.adapters.cuda import launches_of
from spelunke.adapters.desk import Table
from spelunke.games import find_game
game = find_game(sys.argv[1])
kernels = launches_of(game.rules.__name__, game.view.__name__)
state, (i1, i2, i6, f4, yes) = numba.from_dtype(game.rules.STATE), (
    numba.int8, numba.int16, numba.int64, numba.float32, numba.boolean)
for kernel, signature in (
    (kernels.playouts, (state[::1], i2[::1], i6[:, ::1], i6, i6[::1])),
    (kernels.begin, (state[::1], i2[::1], i6[:, ::1], f4[:, ::1], i1[:, ::1], i6[::1], yes[::1], i2[:, ::1])),
    (kernels.step, (state[::1], i2[::1], i6[:, ::1], i6[::1], f4[:, ::1], i1[:, ::1], i6[::1], f4[:, ::1], yes[::1],
                    i2[:, ::1], yes[::1])),
    (kernels.choose, (i2[:, ::1], i6[:, ::1], i6[::1])),
):
    text, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(8, 0))
    print(len(text), ".visible .entry" in text, "malloc" in text)
"""


@pytest.mark.deep
@pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason='needs pip install "spelunke[cuda]"; no GPU is needed'
)
@pytest.mark.parametrize("game", shelf())
def test_all_kernels_compile_for_a_gpu_without_allocating(game: str) -> None:
    told = run(
        PTX, game, NUMBA_ENABLE_CUDASIM="0", SPELUNKE_JIT="1", SPELUNKE_NATIVE="", NUMBA_BOUNDSCHECK="0"
    )
    rows = [line.split() for line in told.splitlines()]
    assert [row[1:] for row in rows] == [["True", "False"]] * 4
