"""The luck that games of one pairing share.

An outcome depends on the thing that chance decides, not on earlier moves.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

from spelunke.core.values import ChanceOutcome
from spelunke.games.match import Match


class SharedChance:
    """Decides chance in one game.

    Games with the same ``seed`` and ``path`` (more numbers for the seed) share their luck.

    Chance with the same key (hook ``chance_key``) has the same outcome in all games of a pairing. The possible
    outcomes of a key race (an exponential race), and each has its own luck. So even if two games have different
    possible outcomes, both get the same one if the fastest of all is possible in both.
    """

    def __init__(self, seed: int, *path: int) -> None:
        self._seed = ",".join(str(part) for part in (seed, *path))
        self._seen: Counter[tuple[int, ...]] = Counter()

    def decide(self, match: Match) -> ChanceOutcome:
        """Return the outcome of the match's next chance, without applying it."""
        game = match.game
        key = game.hooks.chance_key(match.state)
        self._seen[key] += 1
        outcomes = match.chances()
        numbers = [game.moves.encode_chance(outcome) for outcome, _ in outcomes]
        return outcomes[self._first((*key, self._seen[key]), numbers, [weight for _, weight in outcomes])][0]

    def _first(self, key: Sequence[int], outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """Return the index of the winner of the race; each wins with probability proportional to its weight."""
        head = f"{self._seed};{','.join(str(part) for part in key)};"
        times = []
        for outcome, weight in zip(outcomes, weights, strict=True):
            digest = hashlib.blake2b(f"{head}{outcome}".encode(), digest_size=8).digest()
            times.append(-math.log((int.from_bytes(digest, "big") + 1) / 2**64) / weight)
        return min(range(len(times)), key=times.__getitem__)
