"""Choose the people for one table from all people who look for a game. This module does not use the database."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence

import msgspec

from spelunke.house.ratings import POINTS, Skill

WIDTH = 100
"""The rating difference in points that everybody accepts at the start of their search."""
GROWS = {"live": 5 / 1_000, "days": 100 / 3_600_000}
"""The growth of the accepted rating difference for each kind of clock, in points per millisecond of waiting."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A person who is looking for a game.

    ``since_ms`` is the time at which their search began, and ``skill`` their strength.
    """

    seek: str
    person: str
    since_ms: int
    skill: Skill


def width_of(kind: str, waited_ms: int) -> float:
    """Return the rating difference in points that a person accepts after waiting for this time.

    `kind` is the kind of clock. The difference grows without a limit.
    """
    return WIDTH + GROWS[kind] * max(0, waited_ms)


def find_group(
    waiting: Sequence[Waiting], seats: int, kind: str, now: int, apart: Collection[tuple[str, str]] = ()
) -> tuple[Waiting, ...] | None:
    """Return people who can sit at one table now, or None. Begin with the person who has waited longest.

    Each pair must have a rating difference that both people accept after their own waiting times. Before the
    comparison, the difference is reduced by the uncertainty of both ratings, because a beginner may be as
    strong as anybody. `apart` are pairs of people who must not meet.
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
