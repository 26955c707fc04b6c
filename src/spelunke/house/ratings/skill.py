"""The model of ratings: openskill's Bradley–Terry model with partial pairing.

Of the compared models, it predicted results best (bench/ratings.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import BradleyTerryPart

MU, SIGMA = 25.0, 25.0 / 6
"""A beginner's strength and its standard deviation: half of openskill's default, which predicted better."""
MIDDLE, POINTS = 1500, 30
"""The points that are shown: a strength of `MU` is shown as `MIDDLE`, and each unit of strength as `POINTS`.

With these, 400 points of difference are odds of about ten to one, as in other games.
"""
CERTAIN = 200
"""A rating is provisional until its interval is at most this wide on each side, in points."""


class Skill(NamedTuple):
    """A strength and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """The rating as it is shown."""
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
    """Return a strength in points."""
    return round(MIDDLE + POINTS * (mu - MU))


def read_points(points: int) -> float:
    """Return the strength that is shown as these points."""
    return MU + (points - MIDDLE) / POINTS


@cache
def _model() -> BradleyTerryPart:
    from openskill.models import BradleyTerryPart  # it takes a tenth of a second

    return BradleyTerryPart(mu=MU, sigma=SIGMA)


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the players' skills after a game in which they had these places; equal places are ties."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
