"""The model of ratings: openskill's Bradley–Terry model with partial pairing.

It predicted results better than the other models that were compared (bench/ratings.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import BradleyTerryPart

MU, SIGMA = 25.0, 25.0 / 6
"""A beginner's strength and its standard deviation.

Half of openskill's default deviation predicted results better.
"""
MIDDLE, POINTS = 1500, 30
"""The points for a strength of `MU`, and the points for each unit of strength above it.

With these values, a difference of 400 points means odds of about ten to one, as in other games.
"""
CERTAIN = 200
"""The largest half width of a rating's interval, in points, with which the rating is not provisional."""


class Skill(NamedTuple):
    """A strength and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """The rating in points, as it is shown."""
        return show_points(self.mu)

    @property
    def either_side(self) -> int:
        """Half the width of the 95 % interval, in points."""
        return round(2 * POINTS * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether the interval is too wide to compare people."""
        return self.either_side > CERTAIN


SIGMA_CERTAIN = CERTAIN / (2 * POINTS) + 0.5 / (2 * POINTS)
"""The largest standard deviation of a rating that is not provisional."""


def show_points(mu: float) -> int:
    """Return the points that are shown for a strength."""
    return round(MIDDLE + POINTS * (mu - MU))


def read_points(points: int) -> float:
    """Return the strength for which these points are shown."""
    return MU + (points - MIDDLE) / POINTS


@cache
def _model() -> BradleyTerryPart:
    from openskill.models import BradleyTerryPart  # it takes a tenth of a second

    return BradleyTerryPart(mu=MU, sigma=SIGMA)


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the players' skills after a game in which they had these places. Equal places are ties."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
