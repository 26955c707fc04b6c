"""Learn to judge positions at the end of an hour (a round) from games of the bot Watchman, and write ``weights.py``.

    python -m spelunke.games.halunken.learning --games 12000

The same seed and number of games give the same weights, in a few minutes. With ``--keep FOLDER``, the games are
stored, and an interrupted run continues. The stored results contain the traits (features) of the positions, so begin
with an empty folder after you change a trait.

For each number of seats and each hour, the payoff at the end of the match is modelled as the hyperbolic tangent of a
weighted sum of :func:`spelunke.games.halunken.judging.traits`. The weights are fitted to half of the games. The other
half shows which share of the variance of the payoffs the weights explain.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below, seed_stream
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import kernel, pool
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.halunken import GAME, state
from spelunke.games.halunken.choices import legal
from spelunke.games.halunken.judging import TRAITS, traits
from spelunke.games.halunken.knowledge import CARE, CARE_OF_TWO, weigh
from spelunke.games.halunken.quick import answer
from spelunke.games.halunken.rules import actors, apply_chance, play, result, sample_chance, start

Reals = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("weights.py")
CHUNK = 500
ROUNDS = 12
GAMES = 12_000
LOOKS = 6
"""The number of playouts for each action that a player can choose.

With fewer playouts, the learned weights are misleading (docs/why/mixing.md).
"""


@kernel
def think(states: Pool, seat: int, looks: int, out: Numbers, stream: Stream) -> int:
    """Return the action that the bot Watchman chooses in ``states[0]``. ``states[1]`` and ``out`` are scratch space.

    ``looks`` is the number of playouts for each action. If it is 0, return a quick choice without playouts.
    """
    if looks == 0:
        return int(answer(states[0], seat, out, stream))
    n = legal(states[0], seat, out)
    if n == 1 or states[0].phase == state.PLACING:
        return int(out[below(stream, n)])
    actions = out[:n].astype(np.int64)
    values = np.zeros(n, np.float64)
    weigh(states, seat, actions, looks, out, stream, values)
    if states[0].phase == state.BIDDING:
        for k in range(n):
            if actions[k] == state.PASS:
                values[k] += CARE if states[0].seats > 2 else CARE_OF_TWO
    return int(actions[values.argmax()])


@kernel
def gather(
    states: Pool,
    setup: Numbers,
    stream: Stream,
    games: int,
    looks: int,
    seen: Reals,
    ends: Reals,
    points: Numbers,
    ranks: Numbers,
) -> None:
    """Let the bot Watchman play all seats of ``games`` games.

    Write the traits (features) after each hour except the last into ``seen``, and the payoffs into ``ends``.

    ``seen`` has the axes game, hour, seat and trait. ``ends`` has the axes game and seat. ``states``, ``points`` and
    ``ranks`` are scratch space.
    """
    out = np.zeros(state.ACTIONS, np.int16)
    seats = setup[0]
    for game in range(games):
        start(states[0], setup)
        hour = 0
        while True:
            who = actors(states[0])
            if who == OVER:
                break
            if states[0].hour > hour:
                for seat in range(seats):
                    traits(states[0], seat, seen[game, hour, seat])
                hour += 1
            if who == CHANCE:
                apply_chance(states[0], sample_chance(states[0], stream))
                continue
            seat = 0
            while not who >> seat & 1:
                seat += 1
            play(states[0], seat, think(states, seat, looks, out, stream))
        result(states[0], points, ranks)
        for seat in range(seats):
            alike = 0
            for other in range(seats):
                alike += ranks[other] == ranks[seat]
            ends[game, seat] = 1.0 - 2.0 * (ranks[seat] - 1 + 0.5 * (alike - 1)) / (seats - 1)


def play_games(
    seats: int, games: int, seed: int, looks: int = LOOKS, keep: Path | None = None
) -> tuple[Reals, Reals]:
    """Play games, and print the progress. Return the traits (features) after each hour but the last, and the payoffs.

    The traits have the axes game, hour, seat and trait. The payoffs have the axes game and seat. ``keep`` is a folder
    for the results. Games whose results are already in this folder are not played again.
    """
    states, setup = pool(state.STATE, 2), GAME.setup(seats, GAME.settle(seats))
    points, ranks = np.zeros(4, np.int16), np.zeros(4, np.int16)
    seen, ends = np.zeros((games, state.HOURS - 1, seats, TRAITS)), np.zeros((games, seats))
    for begun in range(0, games, CHUNK):
        part = slice(begun, min(games, begun + CHUNK))
        file = keep / f"seed{seed}-looks{looks}-seats{seats}-games{begun}to{part.stop}.npz" if keep else None
        if file and file.exists():
            with np.load(file) as kept:
                seen[part], ends[part] = kept["seen"], kept["ends"]
        else:
            stream = seed_stream(seed, seats, begun)
            gather(states, setup, stream, part.stop - begun, looks, seen[part], ends[part], points, ranks)
            if file:
                whole = file.with_suffix(
                    ".part"
                    # write to another name first, so that a power failure never leaves a partial file under this name
                )
                with whole.open("wb") as out:
                    np.savez_compressed(out, seen=seen[part], ends=ends[part])
                whole.replace(file)
        print(f"\r{seats} seats: {part.stop} of {games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return seen, ends


def fit(seen: Reals, ends: Reals) -> Reals:
    """Return the weights of the traits (features) for one hour, fitted by the Gauss-Newton method.

    ``seen`` has the traits (axes game, seat and trait), and ``ends`` the payoffs (axes game and seat).
    """
    x, y = seen.reshape(-1, seen.shape[-1]), ends.reshape(-1)
    weights: Reals = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        found = np.tanh(x @ weights)
        slope = (1.0 - found**2)[:, None] * x
        weights = weights + np.linalg.lstsq(slope, y - found, rcond=None)[0]
    return weights


def explained(weights: Reals, seen: Reals, ends: Reals) -> float:
    """Return the share of the variance of the payoffs that the weights explain."""
    off = ends - np.tanh(seen @ weights)
    return 1.0 - float((off**2).sum() / (ends**2).sum())


def learn(games: int, seed: int, looks: int = LOOKS, keep: Path | None = None) -> tuple[Reals, list[str]]:
    """Learn the weights of the traits (features of a seat's position), and return them in an array.

    The three axes of the array are the number of seats, the number of finished hours, and the number of the trait. Also
    return a line of text for each number of seats: the shares of the variance that the weights explain.
    """
    found = np.zeros((5, state.HOURS, TRAITS))
    told = []
    for seats in GAME.seats:
        seen, ends = play_games(seats, games, seed, looks, keep)
        shares = []
        half = games // 2
        for hour in range(state.HOURS - 1):
            found[seats, hour + 1] = fit(seen[:half, hour], ends[:half])
            shares.append(explained(found[seats, hour + 1], seen[half:, hour], ends[half:]))
        found[seats, 0] = found[seats, 1]  # after the last hour, the next game of the match begins
        told.append(f"{seats} seats: {', '.join(f'{share:.3f}' for share in shares)}")
    return found, told


def write(weights: Reals, told: list[str], games: int, seed: int, looks: int) -> str:
    """Return the source text of the module ``weights.py``, which contains these weights.

    ``told`` are the lines of text from :func:`learn` for the module's docstring. ``games``, ``seed`` and ``looks`` are
    the settings of the run that found the weights.
    """
    rows = [[[round(float(w), 4) for w in row] for row in table] for table in weights]
    return "\n".join(
        [
            '"""The expected payoff at the end of an hour of Halunken und Spelunken, as learned by :mod:`.learning`.',
            "",
            f"python -m spelunke.games.halunken.learning --games {games} --seed {seed} --looks {looks}",
            "",
            "The share of the variance of the payoffs that the weights explain, after 1 to 7",
            f"hours, in games that were not used for learning ({datetime.now(UTC).date().isoformat()}):",
            "",
            *told,
            '"""',
            "",
            "from __future__ import annotations",
            "",
            "import numpy as np",
            "",
            f"WEIGHTS = np.array({rows})",
            '"""The weights by number of seats, hours played, and trait (see :func:`.judging.traits`)."""',
            "",
        ]
    )


def main() -> None:
    """Run the command that this module describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--looks", type=int, default=LOOKS, help="of each player; 0: quick choices")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument(
        "--keep", type=Path, help="a folder for the games; begun again, it goes on from there"
    )
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    weights, told = learn(given.games, given.seed, given.looks, given.keep)
    print("\n".join(told))
    given.file.write_text(write(weights, told, given.games, given.seed, given.looks), encoding="utf-8")


if __name__ == "__main__":
    main()
