"""Ratings with their uncertainty, and a test that stops as soon as the answer is clear."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
from openskill.models import PlackettLuce

from spelunke.arena.match import Job, Result
from spelunke.core.outcome import payoffs


class Rating(msgspec.Struct, frozen=True):
    """One player of a field. ``rating`` ± ``error`` (two standard deviations) in openskill's units.

    ``score`` is the mean payoff (-1 to 1) with ``score_error``, two standard errors over pairings: the rotations of one
    pairing share their luck and count as one.
    """

    player: str
    rating: float
    error: float
    games: int
    score: float
    score_error: float
    faults: int


def by_pairing(job: Job, results: Sequence[Result], player: int) -> list[float]:
    """The player's mean payoff in each pairing that it was in."""
    sums: dict[int, list[float]] = {}
    for result in results:
        shares = payoffs(result.ranks)
        for seat, who in enumerate(result.seating):
            if who == player:
                sums.setdefault(result.pairing, []).append(shares[seat])
    return [sum(found) / len(found) for found in sums.values()]


def _mean_places(result: Result) -> dict[int, float]:
    """By player, the mean of its ranks: who sits there several times is rated once for the game."""
    ranks: dict[int, list[int]] = {}
    for who, rank in zip(result.seating, result.ranks, strict=True):
        ranks.setdefault(who, []).append(rank)
    return {who: sum(found) / len(found) for who, found in ranks.items()}


def rate(job: Job, results: Sequence[Result]) -> tuple[Rating, ...]:
    """Every player's rating, the best first. Games count in the order of their pairings."""
    model = PlackettLuce()
    players = [model.rating(name=str(number)) for number in range(len(job.players))]
    games = [0] * len(job.players)
    faults = [0] * len(job.players)
    for result in sorted(results, key=lambda r: (r.pairing, r.rotation)):
        for who in set(result.seating):
            games[who] += 1
            faults[who] += result.fault.startswith(f"{job.players[who]} at ply")
        places = _mean_places(result)
        teams = model.rate([[players[who]] for who in places], ranks=list(places.values()))
        for who, team in zip(places, teams, strict=True):
            players[who] = team[0]
    found = []
    for number, name in enumerate(job.players):
        shares = by_pairing(job, results, number)
        mean = sum(shares) / len(shares) if shares else 0.0
        error = 0.0
        if len(shares) > 1:
            error = 2 * math.sqrt(sum((s - mean) ** 2 for s in shares) / (len(shares) - 1) / len(shares))
        player = players[number]
        found.append(Rating(name, player.mu, 2 * player.sigma, games[number], mean, error, faults[number]))
    return tuple(sorted(found, key=lambda r: (-r.rating, r.player)))


class Verdict(msgspec.Struct, frozen=True):
    """What the sequential test says: ``answer`` is ``better``, ``not better`` or ``open``."""

    answer: str
    ratio: float
    low: float
    high: float


def judge(
    job: Job, results: Sequence[Result], edge: float = 0.1, alpha: float = 0.05, beta: float = 0.05
) -> Verdict:
    """Is the first player better than the field, by ``edge`` in mean payoff, or not at all? (Wald's test.)

    The log likelihood ratio of "its mean payoff is ``edge``" against "it is 0", with the payoffs of pairings taken as
    normal and their variance from the sample. At ``high`` it is better, at ``low`` it is not; between, play on. Wrong
    answers stay about as rare as ``alpha`` (a false better) and ``beta`` (a missed one).
    """
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    shares = by_pairing(job, results, 0)
    n = len(shares)
    if n < 8:
        return Verdict("open", 0.0, low, high)
    mean = sum(shares) / n
    # One imagined surprise keeps a short row of equal results from looking certain.
    spread = (sum((s - mean) ** 2 for s in shares) + 1.0) / n
    ratio = n * edge * (mean - edge / 2) / spread
    answer = "better" if ratio >= high else "not better" if ratio <= low else "open"
    return Verdict(answer, ratio, low, high)
