"""Compute the scores and ratings of the players of a tournament, with their errors.

All ratings are fitted to all games at once (docs/why/ratings.md).

This module also tests whether the first of the tournament's players (``Job.players``) is better than an average player.
A tournament can run this test after each pairing, and stop as soon as the answer is clear.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.arena.match import Job, Result
from spelunke.core.outcome import payoffs

Reals: TypeAlias = npt.NDArray[np.float64]
RESAMPLED = 200
"""The number of bootstrap samples of the pairings. The errors of ratings are estimated from these samples."""
ELO = 400 / math.log(10)
"""The scale of Elo ratings: a difference of 400 points means odds of ten to one."""
PRIOR = 0.5
"""The weight of an added win against an average player, and of an added loss. Each player gets one of each.

These additions keep ratings finite.
"""
ROUNDS = 200
MOST_TIED = 4
"""The largest number of tied players for which every order counts. Eight players would have 40,320 orders."""
FEWEST = 8
"""The fewest pairings for which the sequential test gives an answer."""


class Rating(msgspec.Struct, frozen=True):
    """The score and the rating of one player in a tournament.

    ``score`` is the mean payoff (-1 to 1), and ``score_error`` is twice its standard error. The games of a pairing
    share their luck, so a pairing counts as one sample. ``rating`` is in Elo points, and ``error`` is two standard
    deviations of the rating. The mean rating of all players is 0. ``faults`` is the number of games in which this
    player made the first error.
    """

    player: str
    rating: float
    error: float
    games: int
    score: float
    score_error: float
    faults: int


def by_pairing(job: Job, results: Sequence[Result], player: int) -> list[float]:
    """Return the player's mean payoff in each of its pairings."""
    sums: dict[int, list[float]] = {}
    for result in results:
        shares = payoffs(result.ranks)
        for seat, who in enumerate(result.seating):
            if who == player:
                sums.setdefault(result.pairing, []).append(shares[seat])
    return [sum(found) / len(found) for found in sums.values()]


def _orders(result: Result) -> dict[tuple[int, ...], float]:
    """Return the possible orders of the players in a result, from first to last, each with its weight.

    Without ties, there is one order. If players are tied, each order of these players is possible, and all possible
    orders have equal weights with the sum 1. If more than ``MOST_TIED`` players are tied, they could have too many
    orders. Then only the rotations of one order and of the reverse order are used. In these, each tied player is in
    each place equally often. A player with several seats counts once, with the mean of its ranks.
    """
    ranks: dict[int, list[int]] = {}
    for who, rank in zip(result.seating, result.ranks, strict=True):
        ranks.setdefault(who, []).append(rank)
    places = {who: sum(found) / len(found) for who, found in ranks.items()}
    groups = [
        [who for who in sorted(places) if places[who] == place] for place in sorted(set(places.values()))
    ]
    ways = [_orders_of(group) for group in groups]
    found = [tuple(itertools.chain(*way)) for way in itertools.product(*ways)]
    return dict.fromkeys(found, 1.0 / len(found))


def _orders_of(tied: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all orders of tied players, or only some if there are too many (see :func:`_orders`)."""
    if len(tied) <= MOST_TIED:
        return list(itertools.permutations(tied))
    return [(*one[k:], *one[:k]) for one in (tied, tied[::-1]) for k in range(len(tied))]


def fit(orders: Sequence[tuple[int, ...]], weights: Reals, players: int) -> Reals:
    """Fit the Plackett-Luce model to each of several data sets. Return the log strengths of all players.

    ``orders`` are the different orders of players, from first to last. ``weights`` says how often each order occurs in
    each data set: it is a float64 array with a row for each data set and a column for each order. The result is a
    float64 array with a row for each data set and a column for each player. Each of its rows has the mean 0. The method
    is the minorization of Hunter (2004).
    """
    dummy = players
    rows = [*orders, *((who, dummy) for who in range(players)), *((dummy, who) for who in range(players))]
    whole = np.hstack([weights, np.full((len(weights), 2 * players), PRIOR)])
    # Each place but the last is a choice among the remaining players.
    chosen = [
        (row, order[place], order[place:])
        for row, order in enumerate(rows)
        for place in range(len(order) - 1)
    ]
    among = np.zeros((len(chosen), players + 1))
    for k, (_, _, left) in enumerate(chosen):
        among[k, list(left)] = 1.0
    seen = whole[:, [row for row, _, _ in chosen]]
    wins = np.zeros((len(weights), players + 1))
    for k, (_, who, _) in enumerate(chosen):
        wins[:, who] += seen[:, k]
    strength = np.ones_like(wins)
    for _ in range(ROUNDS):
        before = strength
        strength = wins / ((seen / (strength @ among.T)) @ among)
        strength /= strength[:, [dummy]]
        if np.abs(np.log(strength / before)).max() < 1e-6:
            break
    logs = np.log(strength[:, :players])
    found: Reals = logs - logs.mean(axis=1, keepdims=True)
    return found


def _ratings(job: Job, results: Sequence[Result]) -> tuple[Reals, Reals]:
    """Return the ratings of all players, and the errors of these ratings.

    An error is two standard deviations of the rating, estimated from bootstrap samples of the pairings.
    """
    orders: dict[tuple[int, ...], int] = {}
    pairings = sorted({result.pairing for result in results})
    counts: list[dict[int, float]] = [{} for _ in pairings]
    place = {pairing: k for k, pairing in enumerate(pairings)}
    for result in results:
        row = counts[place[result.pairing]]
        for order, share in _orders(result).items():
            number = orders.setdefault(order, len(orders))
            row[number] = row.get(number, 0.0) + share
    table = np.zeros((len(pairings), len(orders)))
    for k, row in enumerate(counts):
        for number, share in row.items():
            table[k, number] = share
    drawn = np.ones((1 + RESAMPLED, len(pairings)))
    if pairings:
        even = np.full(len(pairings), 1.0 / len(pairings))
        drawn[1:] = np.random.default_rng(job.seed).multinomial(len(pairings), even, RESAMPLED)
    logs = ELO * fit(list(orders), drawn @ table, len(job.players))
    return logs[0], 2 * logs[1:].std(axis=0)


def rate(job: Job, results: Sequence[Result]) -> tuple[Rating, ...]:
    """Return the score and rating of every player. The player with the highest rating comes first."""
    games = [0] * len(job.players)
    faults = [0] * len(job.players)
    for result in results:
        for who in set(result.seating):
            games[who] += 1
            faults[who] += result.fault.startswith(f"{job.players[who]} at ply")
    ratings, errors = _ratings(job, results)
    found = []
    for number, name in enumerate(job.players):
        shares = by_pairing(job, results, number)
        mean = sum(shares) / len(shares) if shares else 0.0
        error = 0.0
        if len(shares) > 1:
            error = 2 * math.sqrt(sum((s - mean) ** 2 for s in shares) / (len(shares) - 1) / len(shares))
        rating, doubt = float(ratings[number]), float(errors[number])
        found.append(Rating(name, rating, doubt, games[number], mean, error, faults[number]))
    return tuple(sorted(found, key=lambda r: (-r.rating, -r.score, r.player)))


class Verdict(msgspec.Struct, frozen=True):
    """The answer of the sequential test: ``better``, ``not better`` or ``open``.

    ``ratio`` is the log likelihood ratio. The answer is ``open`` while ``ratio`` is between ``low`` and
    ``high``.
    """

    answer: str
    ratio: float
    low: float
    high: float


def sequential(
    values: Sequence[float],
    null: float,
    edge: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    surprise: float = 1.0,
) -> Verdict:
    """Decide by Wald's sequential test whether the mean of these values is ``edge`` rather than ``null``.

    ``values`` must be independent, so there is one value for each pairing. The log likelihood ratio treats the values
    as normally distributed with the variance of the sample, as in tests of chess programs. Wald's limits for the ratio
    follow from ``alpha`` and ``beta``. If the ratio is at least the upper limit, the answer is "better". If it is at
    most the lower limit, the answer is "not better". Otherwise the answer is "open", and more games are needed. With
    fewer than ``FEWEST`` values, the ratio counts as 0.

    ``alpha`` is approximately the probability of a false "better", and ``beta`` that of a false "not better". The
    variance is computed as if the sample had one more value, at the distance ``surprise`` from the mean. Without this
    value, a few equal values would have the variance 0 and look certain.
    """
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    n = len(values)
    if n < FEWEST:
        return Verdict("open", 0.0, low, high)
    mean = sum(values) / n
    spread = (sum((value - mean) ** 2 for value in values) + surprise**2) / n
    ratio = n * (edge - null) * (mean - (null + edge) / 2) / spread
    answer = "better" if ratio >= high else "not better" if ratio <= low else "open"
    return Verdict(answer, ratio, low, high)


def judge(
    job: Job, results: Sequence[Result], edge: float = 0.1, alpha: float = 0.05, beta: float = 0.05
) -> Verdict:
    """Decide whether the mean payoff of the first player in ``job.players`` is ``edge`` rather than 0.

    The mean payoff of an average player is 0. For the other arguments, see :func:`sequential`.
    """
    return sequential(by_pairing(job, results, 0), 0.0, edge, alpha, beta)
