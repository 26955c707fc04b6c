"""Learn the expected cost of hands from games between bots, and write ``hands.json``.

    python -m spelunke.games.sanghai.learning learn --keep FOLDER      some minutes on one core
    python -m spelunke.games.sanghai.learning compare --seats 4 --rounds 500
    python -m spelunke.games.sanghai.learning check                    compares predictions with results

``learn`` plays games in parts, stores the parts in a folder, and then fits a small network with the optimizer
Adam. If ``learn`` was interrupted, it doesn't play the stored parts again. The name of a part's file depends on
everything that decides its content: the players, the kind of table, and the code. So parts that were played by
another version of the code are never used.

The same code, seed, number of parts and number of epochs give the same result. ``--on`` continues from the
existing ``hands.json``, so the result then also depends on this file and on ``--trust``.

``compare`` plays the learned player against the players of :mod:`.quick`, and prints its lead in points and its
mean rank. Each deal is played once for each seat that the learned player can have.

``check`` compares two actions in each of many decisions. It plays the round to its end after each action, with the
same cards, and compares the real difference in cost with the predicted one. It prints by how many points the real
difference rises, on average, if the predicted difference rises by one point.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.kernel import pool
from spelunke.core.sources import sources
from spelunke.games.sanghai import GAME, branches, estimates, selfplay, shrewd, state
from spelunke.games.sanghai.hands import FILE, Hands, load

Reals = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
PART: Final = 50_000
"""The number of hands in one part."""
UNITS: Final = 40
BATCH: Final = 4096
BLIND: Final = 150
"""The number of random discards among 1000, so that the costs after unusual discards are learned too."""
SCALE: Final = 50.0
TESTED: Final = 10
"""The last 1 / ``TESTED`` of the parts are not used for learning. The error is measured on these parts.

If there is only one part, it is used for both.
"""
EVERY: Final = 8
"""A hand is recorded with the probability 1 / ``EVERY`` (:func:`.selfplay.play_match`).

While seats may call, the probability is half as large for every seat except the one that discarded.

The probability is low because hands of different games teach more than several hands of one game.
"""
TABLES: Final[tuple[tuple[int, dict[str, object]], ...]] = (
    (4, {}),
    (3, {}),
    (4, {}),
    (4, {"schedule": "shanghai10"}),
    (4, {}),
    (5, {}),
    (4, {}),
    (4, {"black_twos_wild": True, "hep_penalty": 1}),
    (4, {}),
    (6, {}),
    (4, {"schedule": "shanghai10"}),
    (8, {}),
)
"""The kinds of tables: the number of seats, and the options. Each part uses the next kind, in a cycle."""
DERIVED: Final = {"short", "contract7"}
"""The schedules that contain only contracts of the default schedule, so that they need no learning."""


def play_part(number: int, seed: int, after: Hands | None, size: int = PART) -> tuple[Floats, Floats]:
    """Play one part of the games to learn from. Return the features of its hands and their costs, in order.

    ``after`` has learned costs. Seats 0, 3 and 6 are quick players (:mod:`.quick`), and the other seats choose by these
    costs. If ``after`` is None, all seats are quick players. The result depends only on the arguments.
    """
    seats, options = TABLES[number % len(TABLES)]
    setup = GAME.setup(seats, GAME.settle(seats, options))
    work, listed = pool(state.STATE, 1), np.zeros(state.ACTIONS, np.int16)
    seeds = np.array([seed_stream(seed, number, k)[0] for k in range(max(1, size // 50))])
    known = after or Hands.nothing()
    styles = np.array([k % 3 > 0 if after else 0 for k in range(8)], np.int16)
    rows, ends, whose = np.zeros((size, estimates.SIGNS)), np.zeros(size), np.zeros(size, np.int16)
    nets, tuned = known.net[None], known.tuned[None]
    found = selfplay.gather(work, setup, seeds, styles, nets, tuned, listed, BLIND, rows, ends, whose, EVERY)
    return rows[:found].astype(np.float32), ends[:found].astype(np.float32)


def part_file(folder: Path, number: int, seed: int, after: Hands | None, size: int = PART) -> Path:
    """Return the path of the file that stores a part of the games to learn from.

    The name of the file depends on everything that decides its content: the players, the kind of table, and the code.
    ``after`` has the learned costs by which the players choose. Of these, only the network and the tuned numbers
    change the name. Their date or error, for example, does not.
    """
    known = after or Hands.nothing()
    table = TABLES[number % len(TABLES)]
    digest = hashlib.sha256(
        msgspec.json.encode([size, BLIND, EVERY, table, known.units, known.tuned.tolist()])
    )
    for source in sources((selfplay.__name__,)):
        digest.update(source.read_bytes())
    return folder / f"{'after' if after else 'first'}-{seed}-{number}-{digest.hexdigest()[:12]}.npz"


def gather(
    parts: int,
    seed: int,
    folder: Path,
    after: Hands | None,
    share: tuple[int, int] = (0, 1),
    size: int = PART,
) -> tuple[list[Floats], list[Floats]]:
    """Return the features and costs of the hands in the games to learn from.

    The set of these games is divided into ``parts`` parts (see :func:`play_part`). Parts that are already in the folder
    are not played again. With ``share`` (*k*, *n*), only every *n*-th part is used, beginning with part *k*.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows, ends = [], []
    for number in range(share[0], parts, share[1]):
        file = part_file(folder, number, seed, after, size)
        if not file.exists():
            x, y = play_part(number, seed, after, size)
            with (part := file.with_suffix(".part")).open("wb") as out:
                np.savez(out, x=x, y=y)
            part.replace(file)
        with np.load(file) as kept:
            rows.append(kept["x"])
            ends.append(kept["y"])
        print(f"\rpart {number + 1} of {parts}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows, ends


def fit(x: Floats, y: Floats, steps: int, seed: int) -> tuple[Reals, float]:
    """Return a network that predicts the costs ``y`` from the features ``x``, and the constant to add to its result.

    The network has one hidden layer. The optimizer Adam fits it in ``steps`` steps.
    """
    rng = np.random.default_rng(seed)
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread[spread < 1e-3] = 1.0  # this feature is equal in all hands
    z, wanted = (x - mean) / spread, y / np.float32(SCALE)
    signs = z.shape[1]
    parts = [
        rng.normal(0, signs**-0.5, (UNITS, signs)).astype(np.float32),
        rng.uniform(-0.7, 0.7, UNITS).astype(np.float32),
        rng.normal(0, 0.1, UNITS).astype(np.float32),
        np.array([wanted.mean()], np.float32),
    ]
    first = [np.zeros_like(part) for part in parts]
    second = [np.zeros_like(part) for part in parts]
    batch = min(BATCH, len(z))
    whole = len(z) // batch
    """The number of steps in one pass over all hands."""
    order = rng.permutation(len(z))
    for step in range(1, steps + 1):
        at_once = (step - 1) % whole
        if step > 1 and at_once == 0:
            order = rng.permutation(len(z))
            print(f"\rstep {step - 1:,} of {steps:,}", end="", file=sys.stderr, flush=True)
        rate = 0.0015 * (1 + np.cos(np.pi * step / steps))
        picked = order[at_once * batch : (at_once + 1) * batch]
        for at, slope in enumerate(slopes(parts, z[picked], wanted[picked])):
            first[at] = 0.9 * first[at] + 0.1 * slope
            second[at] = 0.999 * second[at] + 0.001 * slope**2
            move = first[at] / (1 - 0.9**step) / (np.sqrt(second[at] / (1 - 0.999**step)) + 1e-8)
            parts[at] = (parts[at] - rate * move).astype(np.float32)
    print(file=sys.stderr)
    weights, offsets, outs, base = (part.astype(np.float64) for part in parts)
    weights = weights / spread
    net = np.column_stack([weights, offsets - weights @ mean, outs * SCALE])
    return net, float(base[0] * SCALE)


def slopes(parts: list[Floats], x: Floats, y: Floats) -> list[Floats]:
    """Return the gradient of half the mean squared error, as one array for each array of weights in ``parts``."""
    weights, offsets, outs, base = parts
    before = x @ weights.T + offsets
    levels = np.maximum(before, 0)
    off = (levels @ outs + base[0] - y) / np.float32(len(x))
    back = np.outer(off, outs) * (before > 0)
    return [back.T @ x, back.sum(axis=0), levels.T @ off, np.array([off.sum()], np.float32)]


def judge(net: Reals, offset: float, x: Floats) -> Floats:
    """Return the costs that the network predicts for hands with the features ``x``."""
    narrow = net.astype(np.float32)
    levels: Floats = np.maximum(x @ narrow[:, :-2].T + narrow[:, -2], 0)
    found: Floats = levels @ narrow[:, -1] + np.float32(offset)
    return found


def error(net: Reals, offset: float, x: Floats, y: Floats) -> float:
    """Return the root mean square error of the network, in points."""
    return float(np.sqrt(np.mean((judge(net, offset, x) - y) ** 2)))


def learn(
    parts: int, epochs: int, seed: int, folder: Path, file: Path, on: bool = False, trust: float = 0.5
) -> None:
    """Learn twice, and write the second result into ``file``.

    The first time, learn from games between quick players (:mod:`.quick`). The second time, learn from games in which
    at least half of the players use the first result.

    With ``on``, learn only once: the players use the existing ``hands.json`` instead of a first result. So that older
    games are not forgotten, the network is fitted to a weighted mean of two costs. The cost that the existing
    network predicts has the weight ``trust``. The cost in the new game has the weight 1 - ``trust``.
    """
    after: Hands | None = load() if on else None
    command = (
        f"python -m spelunke.games.sanghai.learning learn --parts {parts} --epochs {epochs} --seed {seed}"
    )
    for turn in range(int(on), 2):
        rows, ends = gather(parts, seed + turn, folder, after)
        cut = max(1, parts - max(1, parts // TESTED))
        x, y = np.concatenate(rows[:cut]), np.concatenate(ends[:cut])
        if on and after is not None:
            y = trust * judge(after.net, float(after.tuned[estimates.OFFSET]), x) + (1 - trust) * y
        net, offset = fit(x, y.astype(np.float32), epochs * max(1, len(x) // BATCH), seed)
        tuned = shrewd.usual()
        tuned[estimates.OFFSET] = offset
        x, y = np.concatenate(rows[cut:] or rows), np.concatenate(ends[cut:] or ends)
        after = Hands(
            recipe=f"{command} --on --trust {trust:g}, after: {load().recipe}" if on else command,
            date=datetime.now(UTC).date().isoformat(),
            error=round(error(net, offset, x, y), 2),
            spread=round(float(y.std()), 2),
            schedules=sorted(
                {str(options.get("schedule", "source")) for _, options in TABLES[:parts]} | DERIVED
            ),
            units=np.round(net, 4).tolist(),
            numbers=np.round(tuned, 4).tolist(),
        )
        print(f"off by {after.error} points, hands differ by {after.spread}")
    assert after is not None
    file.write_bytes(msgspec.json.format(msgspec.json.encode(after), indent=0) + b"\n")


def compare(
    seats: int, rounds: int, seed: int, first: int, options: dict[str, object]
) -> tuple[Reals, Reals]:
    """Return, for each deal, the learned player's mean lead over quick players, in points, and its mean rank.

    The means are over the seats that the learned player can have.
    """
    known = load()
    setup = GAME.setup(seats, GAME.settle(seats, options))
    seeds = np.array([seed_stream(seed, k)[0] for k in range(first, first + rounds)])
    leads, places = np.zeros(rounds), np.zeros(rounds)
    work, listed = pool(state.STATE, 1), np.zeros(state.ACTIONS, np.int16)
    points, ranks = np.zeros(8, np.int16), np.zeros(8, np.int16)
    net, tuned = known.net[None], known.tuned[None]
    selfplay.play_matches(work, setup, seeds, net, tuned, listed, points, ranks, leads, places)
    return leads, places


def check(pairs: int, seed: int) -> list[str]:
    """Compare predicted with real differences in cost, each between two actions of the same decision.

    A real difference comes from playing the round to its end after each action. Return a line for discards, one for
    calls, and one for draws. Each line says by how many points the real difference rises, on average, if the predicted
    difference rises by one point.
    """
    known = load()
    setup = GAME.setup(4, GAME.settle(4))
    seeds = np.array([seed_stream(seed, k)[0] for k in range(pairs)])
    rows, costs = np.zeros((pairs, 2, estimates.SIGNS)), np.zeros((pairs, 2))
    work, listed, every = (
        pool(state.STATE, 2),
        np.zeros(state.ACTIONS, np.int16),
        np.array([30, 60, 30], np.int16),
    )
    styles = np.zeros(8, np.int16)
    net, tuned = known.net[None], known.tuned[None]
    count = branches.gather_pairs(work, setup, seeds, styles, net, tuned, listed, rows, costs, every)
    levels = np.maximum(rows[:count] @ known.net[:, :-2].T + known.net[:, -2], 0) @ known.net[:, -1]
    told = []
    for kind, name in enumerate(("throws", "calls", "draws")):
        mine = costs[:count, 1] == kind
        predicted, cost = (levels[:, 0] - levels[:, 1])[mine], costs[:count, 0][mine]
        slope, base = np.polyfit(predicted, cost, 1)
        doubt = 2 * cost.std() / predicted.std() / np.sqrt(len(cost))
        told.append(
            f"{name}: a point was worth {slope:.2f} ± {doubt:.2f}, the first way {-base:.1f} better than predicted; "
            f"{len(cost)} pairs that differ by {cost.std():.0f}"
        )
    return told


def whole(least: int) -> Callable[[str], int]:
    """Return a function for argparse that reads a whole number not below ``least``.

    For other texts, argparse reports an error.
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, not {text!r}")
        return number

    return read


def read_arguments() -> argparse.Namespace:
    """Return the arguments of the command line.

    If the arguments are impossible, exit with code 2 and a message, before any game is played.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["learn", "compare", "check"])
    parser.add_argument(
        "--keep", type=Path, default=Path("hands"), help="folder of the games that are learned from"
    )
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--parts", type=whole(1), default=30)
    parser.add_argument("--epochs", type=whole(1), default=20)
    parser.add_argument("--seats", type=whole(2), default=4)
    parser.add_argument("--rounds", type=whole(2), default=500)
    parser.add_argument("--seed", type=whole(0), default=1)
    parser.add_argument("--on", action="store_true", help="learn on from the file that is there")
    parser.add_argument(
        "--trust", type=float, help="with --on: how far the file is believed, from 0 to 1 (0.5)"
    )
    parser.add_argument(
        "--share",
        type=whole(0),
        nargs=2,
        metavar=("K", "N"),
        help="with --on: only play every N-th part, from K on",
    )
    given = parser.parse_args()
    on = given.what == "learn" and given.on
    if given.share is not None and not on:
        parser.error("--share is for learn --on")
    if given.share is not None and not given.share[0] < given.share[1]:
        parser.error("--share K N: K is less than N, the number of processes")
    if given.trust is not None and not on:
        parser.error("--trust is for learn --on")
    if given.trust is None:
        given.trust = 0.5
    if not 0 <= given.trust <= 1:
        parser.error(f"--trust is from 0 to 1, not {given.trust:g}")
    if given.what == "compare":
        try:
            GAME.settle(given.seats)
        except BadInput as error:
            parser.error(str(error))
    if given.what == "learn":
        if given.out.is_dir() or not given.out.parent.is_dir():
            parser.error(f"--out: {given.out} can't be a file")
        try:
            given.keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"--keep: {given.keep} can't be a folder ({str(error.strerror).lower()})")
    return given


def main() -> None:
    """Run the command that this module describes."""
    given = read_arguments()
    if given.what == "learn" and given.share:
        gather(given.parts, given.seed + 1, given.keep, load(), tuple(given.share))
        return
    if given.what == "learn":
        learn(given.parts, given.epochs, given.seed, given.keep, given.out, given.on, given.trust)
        return
    if given.what == "check":
        print("\n".join(check(40 * given.rounds, given.seed)))
        return
    leads, places = compare(given.seats, given.rounds, given.seed, 0, {})
    doubt = 2 * leads.std() / np.sqrt(len(leads))
    print(
        f"{leads.mean():+.1f} ± {doubt:.1f} points, mean rank {places.mean():.2f}, {len(leads) * given.seats} games"
    )


if __name__ == "__main__":
    main()
