"""The luck that games of one pairing share: chance that depends on what it decides, not on what was played before."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

from spelunke.core.values import ChanceOutcome
from spelunke.games.match import Match


class SharedChance:
    """Decides chance in one game; games with the same seed and path share their luck.

    What has the same key (the hook ``chance_key``) comes out the same in all of them. Where other outcomes are possible
    under that key, each has its own luck (an exponential race), so the same one is drawn as long as it can be.
    """

    def __init__(self, seed: int, *path: int) -> None:
        self._seed = ",".join(str(part) for part in (seed, *path))
        self._seen: Counter[tuple[int, ...]] = Counter()

    def decide(self, match: Match) -> ChanceOutcome:
        """The outcome that it brings to a match at chance; it is not applied yet."""
        game = match.game
        key = game.hooks.chance_key(match.state)
        self._seen[key] += 1
        outcomes = match.chances()
        numbers = [game.moves.encode_chance(outcome) for outcome, _ in outcomes]
        return outcomes[self._first((*key, self._seen[key]), numbers, [weight for _, weight in outcomes])][0]

    def _first(self, key: Sequence[int], outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """The index of who wins the race; each is as likely as its weight says."""
        head = f"{self._seed};{','.join(str(part) for part in key)};"
        times = []
        for outcome, weight in zip(outcomes, weights, strict=True):
            digest = hashlib.blake2b(f"{head}{outcome}".encode(), digest_size=8).digest()
            times.append(-math.log((int.from_bytes(digest, "big") + 1) / 2**64) / weight)
        return min(range(len(times)), key=times.__getitem__)
