"""Measure the games on a GPU, and pgx's backgammon on the same GPU.

    pip install "spelunke[cuda]" pgx "jax[cuda12]"
    python bench/gpu.py [--tables 100000 1000000] [--runs 5] [--seconds 2] [--dry]

The unit is random decisions per second. Whole playouts take a single kernel call, and steps take two calls for each
decision. The command writes its section of `bench/results.md`. Without a GPU, it prints one sentence and exits with
code 2.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

os.environ.pop("NUMBA_BOUNDSCHECK", None)

from report import machine, write_section

import spelunke
from spelunke import SpelunkeError, shelf

PGX = """
import sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental.wrappers import auto_reset
tables, seconds = int(sys.argv[1]), float(sys.argv[2])
env = pgx.make("backgammon")
step = auto_reset(env.step, env.init)

@jax.jit
def sweep(state, key):
    def once(carry, _):
        state, key = carry
        key, left, right = jax.random.split(key, 3)
        mask = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(left, mask, axis=1)
        return (jax.vmap(step)(state, action, jax.random.split(right, tables)), key), None
    return jax.lax.scan(once, (state, key), None, length=20)[0]

key = jax.random.PRNGKey(1)
carry = jax.block_until_ready(sweep(jax.jit(jax.vmap(env.init))(jax.random.split(key, tables)), key))
begun, done = time.perf_counter(), 0
while time.perf_counter() - begun < seconds:
    carry = jax.block_until_ready(sweep(*carry))
    done += 20 * tables
print(done / (time.perf_counter() - begun), jax.devices()[0].device_kind)
"""


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the number of items per second that ``work`` finishes.

    ``work`` waits for the GPU, and returns the number of items that it has finished.
    """
    work()
    begun, done = time.perf_counter(), 0
    while (now := time.perf_counter()) - begun < seconds:
        done += work()
    return done / (now - begun)


def works(name: str, tables: int) -> dict[str, Callable[[], int]]:
    """Return the functions to measure for a game, by their names."""
    from numba import cuda

    many = spelunke.make(name, "cuda", tables=tables)

    def steps() -> int:
        for _ in range(20):
            many.step(many.choose())
        cuda.synchronize()
        return 20 * tables

    def playouts() -> int:
        return many.playouts(1)

    def begun() -> Callable[[], int]:
        many.reset(seed=1)
        return steps

    return {"playouts": playouts, "steps, a choice each": begun()}


def pgx_rate(tables: int, seconds: float) -> str:
    """Return a table cell with the rate of pgx's backgammon, or with the reason why there is no rate."""
    command = [sys.executable, "-c", PGX, str(tables), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["failed"])[-1][:90]
    number, _, device = done.stdout.strip().partition(" ")
    return f"{float(number) / 1e6:,.1f} ({device})"


def main() -> int:
    """Run all measurements, and write their section of `bench/results.md`. Return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--dry", action="store_true", help="print, and leave results.md as it is")
    given = parser.parse_args()
    try:
        from spelunke.adapters.cuda import check_device

        check_device()
    except (SpelunkeError, ModuleNotFoundError) as error:
        print(f"Nothing was measured: {error}.", file=sys.stderr)
        return 2
    from numba import cuda

    rows = [
        "| game | what | tables | million decisions a second, median | range |",
        "|---|---|---:|---:|---|",
    ]
    for name in shelf():
        for tables in given.tables:
            try:
                measured = works(name, tables)
            except SpelunkeError as error:  # too little memory
                rows.append(f"| {name} | {error} | {tables:,} | | |")
                continue
            for what, work in measured.items():
                found = [rate(work, given.seconds) / 1e6 for _ in range(given.runs)]
                middle, spread = statistics.median(found), f"{min(found):,.1f}–{max(found):,.1f}"
                rows.append(f"| {name} | {what} | {tables:,} | {middle:,.1f} | {spread} |")
                print(rows[-1], flush=True)
    for tables in given.tables:
        rows.append(f"| pgx: backgammon | steps | {tables:,} | {pgx_rate(tables, given.seconds)} | |")
        print(rows[-1], flush=True)
    card = cuda.get_current_device().name
    told = card.decode() if isinstance(card, bytes) else card
    text = "\n".join(["## On a GPU", "", machine("numba", "numba-cuda"), f"Card: {told}.", "", *rows])
    if not given.dry:
        write_section("gpu", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
