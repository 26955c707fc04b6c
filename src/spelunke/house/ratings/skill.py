"""The model of ratings: the library openskill's Bradley–Terry model with partial pairing.

It predicted results better than the other models that were compared (bench/ratings.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import BradleyTerryPart

MU, SIGMA = 25.0, 25.0 / 6
"""A beginner's strength, and the standard deviation of this value.

The deviation is half of openskill's default, because the model predicted results better with the smaller deviation.
"""
MIDDLE, POINTS = 1500, 30
"""The points for the strength `MU`, and the points for each unit of strength above it.

With these values, a difference of 400 points means odds of about ten to one, as in other rating systems.
"""
CERTAIN = 200
"""A number of points. If half the width of a rating's 95 % interval is larger, the rating is provisional."""


class Skill(NamedTuple):
    """A person's strength (``mu``), and the standard deviation of this value (``sigma``)."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """The strength in points, as people see it."""
        return show_points(self.mu)

    @property
    def either_side(self) -> int:
        """Half the width of the 95 % interval of the rating, in points."""
        return round(2 * POINTS * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether the 95 % interval is too wide to compare the person with others."""
        return self.either_side > CERTAIN


SIGMA_CERTAIN = CERTAIN / (2 * POINTS) + 0.5 / (2 * POINTS)
"""The largest standard deviation of a rating that is not provisional."""


def show_points(mu: float) -> int:
    """Return the points that people see for a strength."""
    return round(MIDDLE + POINTS * (mu - MU))


def read_points(points: int) -> float:
    """Return the strength for a number of points. This reverses `show_points`, except for its rounding."""
    return MU + (points - MIDDLE) / POINTS


@cache
def _model() -> BradleyTerryPart:
    from openskill.models import BradleyTerryPart  # the import takes a tenth of a second

    return BradleyTerryPart(mu=MU, sigma=SIGMA)


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the players' skills after a game with these places. Players with equal places have tied."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
