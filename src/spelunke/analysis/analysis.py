"""What an analysis of a game is made of, for any game: decisions with their alternatives, luck, turning points, totals.

``docs/analysis.md`` tells what the numbers mean. A game brings an :class:`Appraiser` (the hook ``appraiser``); the rest
is the same for all (:mod:`spelunke.solvers.analysis`).
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
    """What something is worth to one seat: its lead in points when the game is over, and its chance to win (0 to 1).

    ``exact``: worked out to the end of the game. If not, the errors say how far a value of this kind usually is off.
    ``bounded``: it was not looked into further, as it promised less than the others: it is worth so much at most.
    ``rank``: the expected place at the end (1 is best), where that is estimated.
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
    """An action and what it is worth; ``share`` is its part in the mixture of a secret choice (0 to 1).

    ``gap``: how far the difference of its value and the best one's may be off (chance to win, standard error).
    """

    action: A_co
    value: Value
    share: float | None = None
    gap: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing(Generic[A_co]):
    """All that a seat may do in a position.

    ``values``: where the appraiser is honest, what the position is worth to each seat by what this seat can know.
    """

    choices: tuple[Choice[A_co], ...]
    values: tuple[Value, ...] = ()


Gain = tuple[tuple[float, ...], tuple[float, ...]]
"""By seat: points, and chance to win."""


def risen(
    before: Sequence[float], doubt: float, after: Sequence[float], doubt_after: float
) -> tuple[float, ...]:
    """By how much each seat's chance rose, with as much doubt after as before: that doubt goes is no gain.

    ``doubt``: the share of even chances that is mixed into each.
    """
    if doubt == doubt_after:
        return tuple(b - a for a, b in zip(before, after, strict=True))
    even = 1.0 / len(before)
    scale = (1.0 - doubt) / (1.0 - doubt_after)
    return tuple((b - even) * scale - (a - even) for a, b in zip(before, after, strict=True))


class Appraiser(Protocol[S_contra, A_co]):
    """Values positions of one game; it may keep what it works out. Games inherit from it."""

    method: str
    """How values come about, in one sentence."""
    honest: bool = False
    """Whether a decision is judged by what its seat could know, so that its values may differ from the position's."""

    def part(self, s: S_contra) -> int:
        """The part of the game (round, hour) that the position belongs to, from 1."""
        ...

    def values(self, s: S_contra) -> tuple[Value, ...]:
        """What the position is worth to each seat if all play on as well as they can; at chance, the mean."""
        ...

    def doubt(self, s: S_contra) -> float:
        """How much of even chances (a share) is mixed into what :meth:`values` says of the position."""
        return 0.0

    def choices(self, s: S_contra, seat: int) -> Sequence[tuple[A_co, Value]]:
        """All that the seat may do in this position, and what each is worth to it."""
        ...

    def weigh(self, s: S_contra, seat: int, played: Action | None = None) -> Weighing[A_co]:
        """The same with its uncertainty; ``played`` is among the choices where the seat may play it."""
        return Weighing(choices=tuple(Choice(action, value) for action, value in self.choices(s, seat)))

    def luck(self, s: S_contra, outcome: int, after: S_contra) -> Gain:
        """What this outcome of chance (its number), which led to ``after``, was worth beyond the mean of all."""
        pairs = tuple(zip(self.values(after), self.values(s), strict=True))
        return tuple(a.points - b.points for a, b in pairs), tuple(a.chance - b.chance for a, b in pairs)

    def sealed(self, s: S_contra) -> bool:
        """Whether several seats choose here, and none knows what the others do."""
        return False

    def regret(self, s: S_contra, seat: int, played: Action) -> dict[int, float]:
        """By seat, how much of the chance to win its secret choice was worse than the best against what others chose.

        ``s`` is the position before the last of them chose, with ``played`` by ``seat`` as that last choice. Empty
        where no choice is secret.
        """
        return {}


AnyAppraiser: TypeAlias = Appraiser[State, Action]
"""An appraiser of whatever game."""
Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))
"""A decision is marked when it costs at least so much of the chance to win; the gravest first."""


SURE = 3.0
"""A cost is an error where it is at least so many times its own standard error."""


def mark_of(cost: float, error: float = 0.0) -> Mark:
    """The mark of a decision that costs so much of the chance to win, known to within that standard error."""
    if cost < SURE * error:
        return ""
    return next((mark for mark, least in MARKS if cost >= least), "")


class Alternative(msgspec.Struct, frozen=True):
    """One thing that could be done, as move text; ``share`` is its part in the mixture of a secret choice."""

    move: str
    value: Value
    share: float | None = None


class Decision(msgspec.Struct, frozen=True):
    """One decision of a seat. The alternatives stand best first; ``cost`` is what the played one lost of each.

    ``forced``: nothing else could be done. ``part``: the part of the game (round) it belongs to, from 1.
    ``cost_error``: the standard error of ``cost_chance``; a cost below three times that is no error. ``secret``: all
    chose at once, so the alternatives are valued against the mixtures of the others; ``regret`` is what was lost
    against what they really chose, in hindsight.
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
    """What one outcome of chance was worth to each seat beyond the mean of all that could have come.

    ``before``: so many outcomes right before it (cards of a deal) are counted with it.
    """

    ply: int
    part: int
    outcome: str
    points: tuple[float, ...]
    chance: tuple[float, ...]
    before: int = 0


class Moment(msgspec.Struct, frozen=True):
    """How the game stood before a ply (after the last one at the end): for each seat its lead and its chance to win."""

    ply: int
    part: int
    points: tuple[float, ...]
    chance: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True):
    """One of the plies that moved the chance to win most in its part of the game.

    ``seat``: who decided, or -1 for chance. ``gain``: by how much each seat's chance rose, as much believed after as
    before.
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
    ``prospects`` what chance can bring, the likeliest first. ``secret``: several choose at once, and the alternatives
    have shares in a mixture. ``gaps``: for each alternative the standard error of what it loses of the best.
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
    """Who analyses for others, in a place of its own: games and positions go there as files."""

    def analyse(self, record: bytes, tell: Callable[[int, int], object]) -> Analysis:
        """The analysis of a game's record; ``tell`` hears how many of its plies are done."""
        ...

    def judge(self, position: bytes, seat: int | None = None) -> Judgement:
        """The judgement of a position file; by what that seat can know, where several are to act."""
        ...

    def close(self) -> None:
        """End; what is being worked on is given up."""
        ...
