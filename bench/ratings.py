"""Compare rating systems by their prediction error in simulated leagues with known strengths.

A league has 60 people with random strengths. The players of each game are random too. The place of a player follows
from strength plus luck. Luck has one of two distributions, so that no model has an advantage.

Before each game, each system predicts the probability that one player finishes before another, for each pair of
players. The error is the root mean square difference from the true probability. A prediction counts only if each of the
two players has played at least five games before. The command prints a table of the errors, with a row for each system,
and a column for each spread of strengths with each number of seats.

Run `python bench/ratings.py` (about a minute), or add `--games 600 --leagues 2` for a shorter run.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

from openskill import models

PEOPLE = 60
SPREADS = (0.5, 1.0, 2.0)
"""The standard deviations of strengths, in units of the luck in one game. In the first, luck counts most."""
SEATS = (2, 3, 4, 8)
SETTLED = 5
"""The number of games after which predictions about a person count."""


def normal(x: float) -> float:
    """Return the probability that a standard normal variable is below ``x``."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


class Gaussian:
    """Luck with a normal distribution."""

    name = "normal"

    @staticmethod
    def luck(rng: random.Random) -> float:
        return rng.gauss(0, 1)

    @staticmethod
    def ahead(difference: float) -> float:
        return normal(difference / math.sqrt(2))


class Extreme:
    """Luck with an extreme value distribution, which the model of Plackett and Luce assumes."""

    name = "extreme"

    @staticmethod
    def luck(rng: random.Random) -> float:
        return -math.log(-math.log(rng.random() or 1e-300))

    @staticmethod
    def ahead(difference: float) -> float:
        return 1 / (1 + math.exp(-difference))


class Nothing:
    """The rating system that always predicts an even chance."""

    def ahead(self, one: int, other: int) -> float:
        return 0.5

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        pass


class Elo:
    """Elo ratings, in which each pair of players in a game counts as a separate game.

    The factor ``k`` is divided by the number of opponents.
    """

    def __init__(self, k: float) -> None:
        self.k = k
        self.points: dict[int, float] = defaultdict(float)

    def ahead(self, one: int, other: int) -> float:
        return 1 / (1 + 10 ** ((self.points[other] - self.points[one]) / 400))

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        change: dict[int, float] = defaultdict(float)
        for (one, place), (other, behind) in itertools.permutations(zip(people, places, strict=True), 2):
            score = 1.0 if place < behind else 0.5 if place == behind else 0.0
            change[one] += self.k / (len(people) - 1) * (score - self.ahead(one, other))
        for person, points in change.items():
            self.points[person] += points


class Skill:
    """A rating model of the package openskill."""

    def __init__(self, name: str, sigma: float = 25 / 3) -> None:
        self.model = getattr(models, name)(sigma=sigma)
        self.known = defaultdict(self.model.rating)

    def ahead(self, one: int, other: int) -> float:
        a, b = self.known[one], self.known[other]
        spread = math.sqrt(2 * self.model.beta**2 + a.sigma**2 + b.sigma**2)
        return normal((a.mu - b.mu) / spread)

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        teams = [[self.known[person]] for person in people]
        for person, (rating,) in zip(people, self.model.rate(teams, ranks=list(places)), strict=True):
            self.known[person] = rating


MODELS = {
    "PlackettLuce": "Plackett–Luce",
    "BradleyTerryFull": "Bradley–Terry, all pairs",
    "BradleyTerryPart": "Bradley–Terry, neighbours",
    "ThurstoneMostellerFull": "Thurstone–Mosteller, all pairs",
    "ThurstoneMostellerPart": "Thurstone–Mosteller, neighbours",
}
"""The models of openskill, with their titles in the table."""

System = Nothing | Elo | Skill
SYSTEMS: dict[str, Callable[[], System]] = {
    "always even": Nothing,
    "Elo, K = 16": lambda: Elo(16),
    "Elo, K = 32": lambda: Elo(32),
    "Elo, K = 64": lambda: Elo(64),
    **{
        f"{title}{', narrow' if narrow else ''}": partial(Skill, model, 25 / 6 if narrow else 25 / 3)
        for model, title in MODELS.items()
        for narrow in (False, True)
    },
}


def play_league(
    system: System, luck: type, seats: int, spread: float, games: int, seed: int
) -> tuple[float, float]:
    """Return the mean square error of the predictions, and the mean time to learn from one game, in seconds."""
    rng = random.Random(seed)
    strength = [rng.gauss(0, spread) for _ in range(PEOPLE)]
    played = [0] * PEOPLE
    errors, spent = [], 0.0
    for _ in range(games):
        people = rng.sample(range(PEOPLE), seats)
        for one, other in itertools.combinations(people, 2):
            if min(played[one], played[other]) >= SETTLED:
                truth = luck.ahead(strength[one] - strength[other])
                errors.append((system.ahead(one, other) - truth) ** 2)
        shown = {person: strength[person] + luck.luck(rng) for person in people}
        order = sorted(people, key=lambda person: -shown[person])
        began = time.process_time()
        system.learn(people, [order.index(person) + 1 for person in people])
        spent += time.process_time() - began
        for person in people:
            played[person] += 1
    return statistics.fmean(errors), spent / games


def main() -> None:
    """Print the table of errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=900, help="games of a league of two; fewer with more seats"
    )
    parser.add_argument("--leagues", type=int, default=4)
    given = parser.parse_args()
    kinds = list(itertools.product(SPREADS, SEATS))
    print(
        "| system | "
        + " | ".join(f"{spread:g}, {seats}" for spread, seats in kinds)
        + " | mean | ms a game |"
    )
    print("|---|" + "--:|" * (len(kinds) + 2))
    for name, make in SYSTEMS.items():
        cells, cost = [], []
        for spread, seats in kinds:
            found = [
                play_league(make(), luck, seats, spread, given.games * 2 // seats, seed)
                for luck in (Gaussian, Extreme)
                for seed in range(given.leagues)
            ]
            cells.append(math.sqrt(statistics.fmean(error for error, _ in found)))
            cost += [seconds for _, seconds in found]
        row = [f"{cell:.3f}" for cell in (*cells, statistics.fmean(cells))]
        print(f"| {name} | {' | '.join(row)} | {1000 * statistics.fmean(cost):.2f} |", flush=True)


if __name__ == "__main__":
    main()
