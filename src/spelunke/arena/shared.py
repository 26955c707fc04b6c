"""A source of chance with which all games of a pairing have the same luck (:mod:`spelunke.arena.match`).

An outcome depends on its occasion (for example, the third throw of a round), not on earlier moves.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

from spelunke.core.values import ChanceOutcome
from spelunke.games.match import Match


class SharedChance:
    """The source of chance of one game.

    Games with the same ``seed`` and ``path`` (ints that extend the seed) share their luck. In two of these games, the
    *n*-th chance events with the same key (hook ``chance_key``) have the same outcome, if the possible outcomes and
    their weights are the same in both games.

    For an event, each possible outcome gets a pseudorandom time with an exponential distribution, and the outcome with
    the shortest time is chosen. If an outcome has the same weight in two games, it gets the same time in both. So both
    games often have the same outcome, even if another outcome is possible in only one of them.
    """

    def __init__(self, seed: int, *path: int) -> None:
        self._seed = ",".join(str(part) for part in (seed, *path))
        self._seen: Counter[tuple[int, ...]] = Counter()

    def decide(self, match: Match) -> ChanceOutcome:
        """Return the outcome of the match's next chance event, without applying it.

        Each call counts as one more event with the same key, so call this once for each event.
        """
        game = match.game
        key = game.hooks.chance_key(match.state)
        self._seen[key] += 1
        outcomes = match.chances()
        numbers = [game.moves.encode_chance(outcome) for outcome, _ in outcomes]
        return outcomes[self._first((*key, self._seen[key]), numbers, [weight for _, weight in outcomes])][0]

    def _first(self, key: Sequence[int], outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """Draw one of the outcomes, with probabilities in proportion to their weights. Return its index.

        Each outcome gets a pseudorandom time. The outcome with the shortest time is chosen. ``key`` identifies the
        chance event.
        """
        head = f"{self._seed};{','.join(str(part) for part in key)};"
        times = []
        for outcome, weight in zip(outcomes, weights, strict=True):
            digest = hashlib.blake2b(f"{head}{outcome}".encode(), digest_size=8).digest()
            times.append(-math.log((int.from_bytes(digest, "big") + 1) / 2**64) / weight)
        return min(range(len(times)), key=times.__getitem__)
