"""The luck that games of one pairing share. An outcome depends on the subject that chance decides, not on the
moves before it.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

from spelunke.core.values import ChanceOutcome
from spelunke.games.match import Match


class SharedChance:
    """Decides chance in one game; games with the same seed and path share their luck.

    Chance with the same key (the hook ``chance_key``) has the same outcome in all games of a pairing. If two
    games have different possible outcomes under a key, each outcome has its own luck (an exponential race).
    So both games get the same outcome if it is possible in both.
    """

    def __init__(self, seed: int, *path: int) -> None:
        self._seed = ",".join(str(part) for part in (seed, *path))
        self._seen: Counter[tuple[int, ...]] = Counter()

    def decide(self, match: Match) -> ChanceOutcome:
        """Return the outcome for a match at chance, without applying it."""
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
