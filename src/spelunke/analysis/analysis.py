"""The parts of an analysis, for any game: decisions with their alternatives, luck, turning points, totals.

``docs/analysis.md`` explains the numbers. A game can provide an :class:`Appraiser` (the hook ``appraiser``).
All else is the same for all games (:mod:`spelunke.solvers.analysis`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from spelunke.core.values import Action, State

FORMAT: Literal["spelunke-analysis-1"] = "spelunke-analysis-1"
S_contra = TypeVar("S_contra", bound=State, contravariant=True)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class Value(msgspec.Struct, frozen=True):
    """The value of a position or of an action for one seat: the seat's lead in points at the end, and its
    chance to win (0 to 1).

    ``exact``: whether the value was computed to the end of the game. If not, ``points_error`` and
    ``chance_error`` are the usual errors of such a value. ``bounded``: whether the search stopped early because
    other alternatives were better; then the value is an upper bound. ``rank``: the expected place at the end (1
    is best), or null if it is not estimated.
    """

    points: float
    chance: Annotated[float, Meta(ge=-0.01, le=1.01)]
    exact: bool = True
    points_error: float = 0.0
    chance_error: float = 0.0
    bounded: bool = False
    rank: float | None = None


@dataclass(frozen=True, slots=True)
class Choice(Generic[A_co]):
    """An action and its value.

    ``share``: in a secret choice, the probability of the action in the seat's mixture (0 to 1). ``gap``: the
    standard error of the difference in chance to win between this choice and the best one.
    """

    action: A_co
    value: Value
    share: float | None = None
    gap: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing(Generic[A_co]):
    """All choices of a seat in a position.

    ``values``: the position's value for each seat. An honest appraiser finds it by using only what the deciding
    seat can know.
    """

    choices: tuple[Choice[A_co], ...]
    values: tuple[Value, ...] = ()


Gain = tuple[tuple[float, ...], tuple[float, ...]]
"""The gain of each seat in points, and the gain of each seat in chance to win."""


def risen(
    before: Sequence[float], doubt: float, after: Sequence[float], doubt_after: float
) -> tuple[float, ...]:
    """Return the rise of each seat's chance to win, as if its chances before and after had the same doubt.

    ``doubt`` and ``doubt_after`` are the weights of even chances in ``before`` and ``after``
    (:meth:`Appraiser.doubt`). Without this correction, less doubt would count as a gain.
    """
    if doubt == doubt_after:
        return tuple(b - a for a, b in zip(before, after, strict=True))
    even = 1.0 / len(before)
    scale = (1.0 - doubt) / (1.0 - doubt_after)
    return tuple((b - even) * scale - (a - even) for a, b in zip(before, after, strict=True))


class Appraiser(Protocol[S_contra, A_co]):
    """Evaluates positions of one game, and may cache the results. The appraisers of games inherit from this class."""

    method: str
    """A sentence that describes the method of evaluation."""
    honest: bool = False
    """Whether decisions are judged only by the knowledge of the seat that decides.

    If so, the values of a decision may differ from the values of its position.
    """

    def part(self, s: S_contra) -> int:
        """Return the part of the game (round, hour) that the position belongs to, from 1."""
        ...

    def values(self, s: S_contra) -> tuple[Value, ...]:
        """Return the position's value for each seat, assuming that all play as well as they can.

        If chance is to act, the value is the mean over the outcomes.
        """
        ...

    def doubt(self, s: S_contra) -> float:
        """Return the weight of an even chance (all seats are equally likely to win) that is mixed into
        :meth:`values`.
        """
        return 0.0

    def choices(self, s: S_contra, seat: int) -> Sequence[tuple[A_co, Value]]:
        """Return all actions that the seat may take in this position, with their values for the seat."""
        ...

    def weigh(self, s: S_contra, seat: int, played: Action | None = None) -> Weighing[A_co]:
        """Return the choices with their uncertainty. They include ``played`` if the seat may play it."""
        return Weighing(choices=tuple(Choice(action, value) for action, value in self.choices(s, seat)))

    def luck(self, s: S_contra, outcome: int, after: S_contra) -> Gain:
        """Return the value of ``after``, the position after this outcome of chance (a number), minus the mean
        over all outcomes.
        """
        pairs = tuple(zip(self.values(after), self.values(s), strict=True))
        return tuple(a.points - b.points for a, b in pairs), tuple(a.chance - b.chance for a, b in pairs)

    def sealed(self, s: S_contra) -> bool:
        """Return whether several seats choose in this position without knowing each other's choices."""
        return False

    def regret(self, s: S_contra, seat: int, played: Action) -> dict[int, float]:
        """Return the chance to win that each seat's secret choice lost against its best one, given the
        others' choices.

        ``seat`` is the last seat to choose, ``played`` is its choice, and ``s`` is the position before this
        choice. The result is empty if no choice is secret.
        """
        return {}


AnyAppraiser: TypeAlias = Appraiser[State, Action]
"""An appraiser of any game."""
Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))
"""The least cost (in chance to win) of a decision for each mark, the gravest mark first."""


SURE = 3.0
"""A cost counts as an error if it is at least this multiple of its own standard error."""


def mark_of(cost: float, error: float = 0.0) -> Mark:
    """Return the mark of a decision with this cost in chance to win and this standard error of the cost."""
    if cost < SURE * error:
        return ""
    return next((mark for mark, least in MARKS if cost >= least), "")


class Alternative(msgspec.Struct, frozen=True):
    """One possible action, as move text.

    ``share``: in a secret choice, the probability of the action in the seat's mixture.
    """

    move: str
    value: Value
    share: float | None = None


class Decision(msgspec.Struct, frozen=True):
    """One decision of a seat. The alternatives are sorted, the best first.

    The costs are the loss of the played alternative compared with the best one.

    ``forced``: whether there was only one alternative. ``part``: the part of the game (round) that the decision
    belongs to, from 1. ``cost_error``: the standard error of ``cost_chance``; a cost below three standard
    errors does not count as an error. ``secret``: whether several seats chose at the same time; then the
    alternatives are valued against the mixtures of the others. ``regret`` is the loss in hindsight, against the
    real choices of the others.
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
    cost_error: float = 0.0
    secret: bool = False
    regret: float | None = None


class Luck(msgspec.Struct, frozen=True):
    """The luck of each seat in one outcome of chance: the value after the outcome minus the mean over all
    possible outcomes.

    ``before``: the number of preceding outcomes (cards of a deal) that are counted together with this one.
    """

    ply: int
    part: int
    outcome: str
    points: tuple[float, ...]
    chance: tuple[float, ...]
    before: int = 0


class Moment(msgspec.Struct, frozen=True):
    """Each seat's lead and chance to win before a ply; for the last moment, at the end of the game."""

    ply: int
    part: int
    points: tuple[float, ...]
    chance: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True):
    """The ply that changed the chances to win most in its part of the game.

    ``seat``: the seat that decided, or -1 for chance. ``gain``: the rise of each seat's chance to win. Changes
    in the uncertainty of the values don't count.
    """

    ply: int
    part: int
    seat: int
    text: str
    gain: tuple[float, ...]


class Total(msgspec.Struct, frozen=True):
    """The totals of one seat over a game. Forced decisions don't count in ``decisions``.

    ``result_points`` and ``result`` (1 for a win, 0 for a loss, a fraction for a shared win) are the result of
    the game. The fields that end in ``_without_luck`` are the expected result of the same decisions with
    average luck.
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
    """One possible outcome of chance: its probability (0 to 1), and the position's value for each seat after it."""

    outcome: str
    share: float
    values: tuple[Value, ...]


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The value of one position, with its possible moves or outcomes of chance.

    ``seat`` is the seat that decides: -1 for chance, -4 if the game is over. ``alternatives`` are the seat's
    moves, the best first. ``prospects`` are the outcomes of chance, the likeliest first. ``secret``: whether
    several seats choose at the same time; then the alternatives have shares in a mixture. ``gaps``: for each
    alternative, the standard error of its loss compared with the best.
    """

    game: str
    part: int
    seat: int
    values: tuple[Value, ...]
    alternatives: tuple[Alternative, ...] = ()
    prospects: tuple[Prospect, ...] = ()
    method: str = ""
    secret: bool = False
    gaps: tuple[float, ...] = ()


class Analyst(Protocol):
    """A service that receives games and positions as files and analyses them, for example in another process."""

    def analyse(self, record: bytes, tell: Callable[[int, int], object]) -> Analysis:
        """Analyse a game's record; call ``tell`` with the number of analysed plies and the number of all plies."""
        ...

    def judge(self, position: bytes, seat: int | None = None) -> Judgement:
        """Judge a position file.

        If several seats are to act, judge the decision of ``seat``, by the knowledge of this seat.
        """
        ...

    def close(self) -> None:
        """Stop, and abandon running work."""
        ...
