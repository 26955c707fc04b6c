"""Fit the weights with which :mod:`.traces` estimates a seat's hand from its public actions.

The weights are fitted to games that are played in kernels::

    python -m spelunke.games.sanghai.tracing --games 2000  prints the weights, and log likelihoods with and without them

There are two fits. The first estimates the hidden cards of a hand. It assumes that each of them is drawn from
the unseen cards by weight. The logarithm of a card's weight is a weighted sum of its features. The second fit
is a logistic regression. It estimates whether a seat wants a card that another seat discards. It learns from choices
that are made with the true hand, by a rule close to that of :class:`.bots.PlannerBot`.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below, seed_stream
from spelunke.core.contract import OVER
from spelunke.core.kernel import kernel, pool
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.sanghai import GAME, state
from spelunke.games.sanghai.hands import load
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.planning import FAR, lacking
from spelunke.games.sanghai.rules import start
from spelunke.games.sanghai.selfplay import Cubes, Reals, advance
from spelunke.games.sanghai.state import cards_wanted, is_wild, wide, worth_of
from spelunke.games.sanghai.traces import TRACES, WHOLE, count_live, read_traces, read_whole, read_worth

TABLES: tuple[tuple[int, dict[str, object]], ...] = (
    (4, {}),
    (3, {}),
    (5, {}),
    (4, {"schedule": "shanghai10"}),
)


@kernel
def gather(
    work: Pool,
    setup: Numbers,
    seeds: Stream,
    styles: Numbers,
    nets: Cubes,
    tuned: Reals,
    listed: Numbers,
    every: int,
    hands: Cubes,
    counts: Cubes,
    cards: Reals,
    wanted: Reals,
) -> tuple[int, int]:
    """Play games. Before some discards, record the public actions and the true hands of the other seats.

    Return the number of recorded hands and the number of recorded cards. For each hand, ``hands`` receives the
    features of each kind of card. ``counts`` receives three rows: the hand's number of hidden cards of each
    kind, the number of unseen cards of each kind, and whether the seat has laid.

    For each recorded hand of a seat that has not laid, two random cards of the player on turn are recorded, as possible
    discards. ``cards`` receives the features of each card for the seat with this hand. ``wanted`` receives two
    numbers, each 1 or 0: whether that seat would take the card on its turn, and whether that seat would call for the
    card.
    """
    order = np.empty(300, np.int16)
    deck = np.zeros(3, np.int64)
    stream = np.zeros(1, np.int64)
    live = np.zeros(state.KINDS, np.int16)
    known = np.zeros(state.KINDS, np.int16)
    h = np.zeros(state.KINDS, np.int16)
    helps = np.zeros(state.KINDS, np.int16)
    worth = np.zeros(state.KINDS)
    n = 0
    m = 0
    for game in range(len(seeds)):
        stream[0] = seeds[game]
        seed = wide(seeds[game] % 1000000007)
        start(work[0], setup)
        deck[:] = 0
        deck[0] = -1
        read_worth(work[0], worth)
        who = wide(0)
        while who != OVER and n + 8 < len(hands) and m + 16 < len(cards):
            if work[0].phase == state.TURN and below(stream, every) == 0:
                seat = wide(work[0].turn)
                count_live(work[0], seat, live, known)
                for away in range(1, work[0].seats):
                    other = wide((seat + away) % work[0].seats)
                    read_traces(work[0], other, worth, hands[n])
                    for kind in range(state.KINDS):
                        counts[n, 0, kind] = work[0].hand[other, kind] - work[0].taken[other, kind]
                        counts[n, 1, kind] = live[kind]
                    counts[n, 2, 0] = work[0].laid[other]
                    if work[0].laid[other] == 0:
                        h[:] = work[0].hand[other]
                        helps[:] = 0
                        far = lacking(h, wish_of(work[0]), wide(FAR), helps)
                        for _ in range(2):
                            skip = below(stream, int(work[0].held[seat]))
                            kind = 0
                            while skip >= work[0].hand[seat, kind]:
                                skip -= int(work[0].hand[seat, kind])
                                kind += 1
                            cards[m, :TRACES] = hands[n, kind]
                            read_whole(work[0], other, cards[m, TRACES:])
                            short = cards_wanted(work[0]) - int(work[0].held[other])
                            wanted[m, 0] = 1.0 if helps[kind] != 0 else 0.0
                            call = helps[kind] != 0 and (short > 0 or far <= 3 or cards_wanted(work[0]) >= 9)
                            if helps[kind] == 0 and short > 0:
                                cheap = far == 0 and worth_of(work[0], wide(kind)) <= 6
                                call = is_wild(work[0], wide(kind)) or cheap
                            wanted[m, 1] = 1.0 if call else 0.0
                            m += 1
                    n += 1
            who = advance(work, wide(0), seed, deck, order, styles, nets, tuned, listed, stream, wide(0))
    return n, m


def fit_lean(signs: Cubes, held: Reals, unseen: Reals) -> tuple[Reals, float, float]:
    """Return the weights of a hidden card's features, fitted by Newton's method.

    Also return two mean log likelihoods of a hidden card: with these weights, and with all weights 0.
    """
    weights = np.zeros(TRACES)
    flat, gained = 0.0, 0.0
    for step in range(12):
        rate = unseen * np.exp(np.clip(signs @ weights, -6, 3))
        share = rate / rate.sum(axis=1, keepdims=True)
        total = held.sum(axis=1)
        gained = float((held * np.log(np.maximum(share, 1e-12))).sum() / total.sum())
        flat = gained if step == 0 else flat
        mean = np.einsum("nk,nkf->nf", share, signs)
        slope = np.einsum("nk,nkf->f", held, signs) - total @ mean
        bend = np.einsum("n,nk,nkf,nkg->fg", total, share, signs, signs, optimize=True)
        bend -= np.einsum("n,nf,ng->fg", total, mean, mean)
        weights = weights + np.linalg.solve(bend + 5.0 * np.eye(TRACES), slope - 5.0 * weights)
    return weights, gained, flat


def fit_wants(x: Reals, y: npt.NDArray[np.float64]) -> tuple[Reals, float, float]:
    """Return the weights of a logistic regression, fitted by Newton's method.

    Also return two mean log likelihoods of ``y``: with the regression, and with the mean of ``y`` instead.
    """
    weights, chance = np.zeros(x.shape[1]), np.full(len(x), 0.5)
    for _ in range(12):
        chance = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -12, 12)))
        bend = (x * (chance * (1 - chance))[:, None]).T @ x
        weights = weights + np.linalg.solve(
            bend + 5.0 * np.eye(len(weights)), x.T @ (y - chance) - 5.0 * weights
        )
    mean = float(y.mean())
    told = float(np.mean(y * np.log(chance) + (1 - y) * np.log(1 - chance)))
    return weights, told, mean * np.log(mean) + (1 - mean) * np.log(1 - mean)


def main() -> None:
    """Run the command that this module describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=31)
    given = parser.parse_args()
    known = load()
    styles = np.array([k % 2 for k in range(8)], np.int16)
    work, listed = pool(state.STATE, 1), np.zeros(state.ACTIONS, np.int16)
    signs, counts, cards, wanted = [], [], [], []
    for number, (seats, options) in enumerate(TABLES):
        setup = GAME.setup(seats, GAME.settle(seats, options))
        seeds = np.array(
            [seed_stream(given.seed, number, k)[0] for k in range(max(1, given.games // len(TABLES)))]
        )
        room = 10 * len(seeds) + 40
        x, c = np.zeros((room, state.KINDS, TRACES)), np.zeros((room, 3, state.KINDS))
        z, w = np.zeros((10 * room, TRACES + WHOLE)), np.zeros((10 * room, 2))
        n, m = gather(work, setup, seeds, styles, known.net[None], known.tuned[None], listed, 120, x, c, z, w)
        signs.append(x[:n])
        counts.append(c[:n])
        cards.append(z[:m])
        wanted.append(w[:m])
    x, c = np.concatenate(signs), np.concatenate(counts)
    for name, laid in (("LEAN_UNLAID", 0), ("LEAN_LAID", 1)):
        mine = (c[:, 2, 0] == laid) & (c[:, 0].sum(axis=1) > 0)
        weights, told, flat = fit_lean(x[mine], c[mine, 0], c[mine, 1])
        print(
            name, "=", np.round(weights, 2).tolist(), f"# {flat:.3f} to {told:.3f} a card, {mine.sum()} hands"
        )
    z, w = np.concatenate(cards), np.concatenate(wanted)
    for name, at in (("TAKES", 0), ("CALLS", 1)):
        weights, told, flat = fit_wants(z, w[:, at])
        print(
            name,
            "=",
            np.round(weights, 2).tolist(),
            f"# {flat:.3f} to {told:.3f}, {len(z)} cards, {w[:, at].mean():.3f}",
        )


if __name__ == "__main__":
    main()
