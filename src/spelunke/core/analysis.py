"""What an analysis of a game is made of, for any game: decisions with their alternatives, luck, turning points, totals.

``docs/analysis.md`` tells what the numbers mean. A game brings an :class:`Appraiser` (the hook ``appraiser``); the rest
is the same for all (:mod:`spelunke.solvers.analysis`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from spelunke.core.values import Action, State

FORMAT: Literal["spelunke-analysis-1"] = "spelunke-analysis-1"
S_contra = TypeVar("S_contra", bound=State, contravariant=True)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class Value(msgspec.Struct, frozen=True):
    """What something is worth to one seat: its lead in points when the game is over, and its chance to win (0 to 1).

    ``exact``: worked out to the end of the game. If not, the errors say how far a value of this kind usually is off.
    """

    points: float
    chance: Annotated[float, Meta(ge=-0.01, le=1.01)]
    exact: bool = True
    points_error: float = 0.0
    chance_error: float = 0.0


class Appraiser(Protocol[S_contra, A_co]):
    """Values positions of one game; it may keep what it works out."""

    method: str
    """How values come about, in one sentence."""

    def part(self, s: S_contra) -> int:
        """The part of the game (round, hour) that the position belongs to, from 1."""
        ...

    def values(self, s: S_contra) -> tuple[Value, ...]:
        """What the position is worth to each seat if all play on as well as they can; at chance, the mean."""
        ...

    def choices(self, s: S_contra, seat: int) -> Sequence[tuple[A_co, Value]]:
        """All that the seat may do in this position, and what each is worth to it."""
        ...


AnyAppraiser: TypeAlias = Appraiser[State, Action]
"""An appraiser of whatever game."""
Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))
"""A decision is marked when it costs at least so much of the chance to win; the gravest first."""


def mark_of(cost: float) -> Mark:
    """The mark of a decision that costs so much of the chance to win."""
    return next((mark for mark, least in MARKS if cost >= least), "")


class Alternative(msgspec.Struct, frozen=True):
    """One thing that could be done, as move text."""

    move: str
    value: Value


class Decision(msgspec.Struct, frozen=True):
    """One decision of a seat. The alternatives stand best first; ``cost`` is what the played one lost of each.

    ``forced``: nothing else could be done. ``part``: the part of the game (round) it belongs to, from 1.
    """

    ply: int
    seat: int
    part: int
    played: str
    alternatives: tuple[Alternative, ...]
    cost_points: float
    cost_chance: float
    forced: bool
    mark: Mark


class Luck(msgspec.Struct, frozen=True):
    """What one outcome of chance was worth to each seat beyond the mean of all that could have come."""

    ply: int
    part: int
    outcome: str
    points: tuple[float, ...]
    chance: tuple[float, ...]


class Moment(msgspec.Struct, frozen=True):
    """How the game stood before a ply (after the last one at the end): for each seat its lead and its chance to win."""

    ply: int
    part: int
    points: tuple[float, ...]
    chance: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True):
    """One of the plies that moved the chance to win most in its part of the game.

    ``seat``: who decided, or -1 for chance. ``gain``: by how much each seat's chance rose.
    """

    ply: int
    part: int
    seat: int
    text: str
    gain: tuple[float, ...]


class Total(msgspec.Struct, frozen=True):
    """A seat's game in numbers. Forced decisions are not counted among ``decisions``.

    ``result_points`` and ``result`` (1 won, 0 lost, shared wins in between) are what came of the game; the same without
    luck is what it would have brought if chance had been even.
    """

    seat: int
    decisions: int
    forced: int
    marks: dict[str, int]
    cost_points: float
    cost_chance: float
    luck_points: float
    luck_chance: float
    result_points: float | None
    result: float | None
    result_points_without_luck: float | None
    result_without_luck: float | None


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of one game."""

    format: Literal["spelunke-analysis-1"] = FORMAT
    game: str
    rules: int
    table: str
    seats: tuple[str, ...]
    method: str
    thresholds: dict[str, float]
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    curve: tuple[Moment, ...]
    turning_points: tuple[TurningPoint, ...]
    totals: tuple[Total, ...]


class Prospect(msgspec.Struct, frozen=True):
    """One thing that chance can bring: its share of all (0 to 1), and what the position is worth to each seat then."""

    outcome: str
    share: float
    values: tuple[Value, ...]


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What one position is worth, and what can be done or can happen in it.

    ``seat`` is who decides: -1 for chance, -4 when it is over. ``alternatives`` are its moves, the best first;
    ``prospects`` what chance can bring, the likeliest first.
    """

    game: str
    part: int
    seat: int
    values: tuple[Value, ...]
    alternatives: tuple[Alternative, ...] = ()
    prospects: tuple[Prospect, ...] = ()
    method: str = ""


class Analyst(Protocol):
    """Who analyses for others, in a place of its own: games and positions go there as files."""

    def analyse(self, record: bytes, tell: Callable[[int, int], object]) -> Analysis:
        """The analysis of a game's record; ``tell`` hears how many of its plies are done."""
        ...

    def judge(self, position: bytes) -> Judgement:
        """The judgement of a position file."""
        ...

    def close(self) -> None:
        """End; what is being worked on is given up."""
        ...
