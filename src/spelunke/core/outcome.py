"""The outcome of a match, and its payoff for each seat (docs/why/payoffs.md)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a match.

    ``scores`` and ``ranks`` have an entry for each seat. Scores are in the game's points. Ranks begin at 1, and seats
    with equal results share a rank: 1, 1, 3. ``reason`` is one of: ``played``, ``resigned``, ``agreed``, ``time``,
    ``left``, ``called_off``.
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str = "played"

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat, from 1 to -1 (see :func:`payoffs`)."""
        return payoffs(self.ranks)


def payoffs(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return the payoff of each seat by its rank: from 1 (first place) to -1 (last place), evenly spaced.

    Seats that share places get the mean of the payoffs of these places. The payoffs sum to 0. If there is only one
    seat, its payoff is 0.
    """
    n = len(ranks)
    if n == 1:
        return (0.0,)
    shared = {rank: sum(1 for r in ranks if r == rank) for rank in set(ranks)}
    return tuple(1 - 2 * (rank - 1 + (shared[rank] - 1) / 2) / (n - 1) for rank in ranks)
