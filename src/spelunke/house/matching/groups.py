"""Choose people for a table among those who look for one. Nothing here knows the database."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence

import msgspec

from spelunke.house.ratings import POINTS, Skill

WIDTH = 100
"""The difference in points that everybody accepts at once."""
GROWS = {"live": 5 / 1_000, "days": 100 / 3_600_000}
"""The points by which that grows in a millisecond, by kind of clock."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A person who looks for a game: since when, and how strong they are."""

    seek: str
    person: str
    since_ms: int
    skill: Skill


def width_of(kind: str, waited_ms: int) -> float:
    """Return the difference in points that a person accepts after this time; it grows without end."""
    return WIDTH + GROWS[kind] * max(0, waited_ms)


def find_group(
    waiting: Sequence[Waiting], seats: int, kind: str, now: int, apart: Collection[tuple[str, str]] = ()
) -> tuple[Waiting, ...] | None:
    """Return people who can sit at one table now, or None. Serve the longest wait first.

    Each pair must accept its difference in rating, both by their own waiting time. The doubt about both ratings counts
    in favour: a beginner may be as strong as anybody. `apart` are pairs of people who may not meet.
    """
    order = sorted(waiting, key=lambda one: (one.since_ms, one.seek))

    def fit(one: Waiting, other: Waiting) -> bool:
        if one.person == other.person or {(one.person, other.person), (other.person, one.person)} & set(
            apart
        ):
            return False
        doubt = math.hypot(one.skill.sigma, other.skill.sigma)
        between = POINTS * max(0.0, abs(one.skill.mu - other.skill.mu) - doubt)
        return between <= width_of(kind, now - max(one.since_ms, other.since_ms))

    for first in order:
        near = sorted(
            (one for one in order if fit(first, one)),
            key=lambda one: (abs(one.skill.mu - first.skill.mu), one.since_ms, one.seek),
        )
        for start in range(len(near)):
            found = [first]
            for one in itertools.chain(near[start:], near[:start]):
                if len(found) < seats and all(fit(one, other) for other in found):
                    found.append(one)
            if len(found) == seats:
                return tuple(found)
    return None
