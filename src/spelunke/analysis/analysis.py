"""The types of an analysis, for any game: decisions, luck, totals, judgements, and the interfaces of appraisers.

``docs/analysis.md`` explains the numbers. A game can have its own :class:`Appraiser` (hook ``appraiser``). The rest of
an analysis is the same for all games (:mod:`spelunke.solvers.analysis`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from spelunke.core.values import Action, State

FORMAT: Literal["spelunke-analysis-1"] = "spelunke-analysis-1"
S_contra = TypeVar("S_contra", bound=State, contravariant=True)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class Value(msgspec.Struct, frozen=True):
    """The value of a position or of an action for one seat.

    ``points``: the seat's expected lead over the average of the other seats, in points at the end of the game.
    ``chance``: its chance to win (0 to 1, apart from rounding). ``exact``: whether the value was computed to the end of
    the game. If not, ``points_error`` and ``chance_error`` are the standard errors of the value. ``bounded``: whether
    the action got no playouts because its first estimate was too low; if so, the value is an upper bound. ``rank``: the
    expected place at the end (1 is best), or null if it is not estimated.
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

    ``share``: in a secret choice, the probability (0 to 1) with which the seat should choose the action. ``gap``:
    the standard error of the difference in chance to win between this action and the best action.
    """

    action: A_co
    value: Value
    share: float | None = None
    gap: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing(Generic[A_co]):
    """The choices of a seat in a position. If many choices are similar, the worse ones may be missing.

    ``values``: if the appraiser is honest (:attr:`Appraiser.honest`), the position's value for each seat, computed only
    from facts that the deciding seat can know. Otherwise ``values`` may be empty; use :meth:`Appraiser.values` instead.
    """

    choices: tuple[Choice[A_co], ...]
    values: tuple[Value, ...] = ()


Gain = tuple[tuple[float, ...], tuple[float, ...]]
"""Two tuples: the gain of each seat in points, and the gain of each seat in chance to win."""


def risen(
    before: Sequence[float], doubt: float, after: Sequence[float], doubt_after: float
) -> tuple[float, ...]:
    """Return the rise of each seat's chance to win from one position to a later one.

    ``before`` and ``after`` have each seat's chance to win in the two positions. An appraiser mixes an even chance for
    all seats into these values. ``doubt`` is the weight of the even chance in ``before``, and ``doubt_after`` is its
    weight in ``after`` (:meth:`Appraiser.doubt`). The rise is computed as if both weights were ``doubt``.
    """
    if doubt == doubt_after:
        return tuple(b - a for a, b in zip(before, after, strict=True))
    even = 1.0 / len(before)
    scale = (1.0 - doubt) / (1.0 - doubt_after)
    return tuple((b - even) * scale - (a - even) for a, b in zip(before, after, strict=True))


class Appraiser(Protocol[S_contra, A_co]):
    """The interface of an appraiser, which computes the values of a game's positions.

    An appraiser may cache its results. The appraisers of games inherit from this class.
    """

    method: str
    """A sentence that describes the method of evaluation."""
    honest: bool = False
    """Whether the values of a decision use only facts that the deciding seat can know.

    If this is true, the values of a decision may differ from the position's :meth:`values`, which may use hidden facts.
    """

    def part(self, s: S_contra) -> int:
        """Return the number of the current part of the game (round, hour). The first part has the number 1."""
        ...

    def values(self, s: S_contra) -> tuple[Value, ...]:
        """Return the position's value for each seat if all seats play as well as they can.

        If chance decides, the value is the mean over the outcomes.
        """
        ...

    def doubt(self, s: S_contra) -> float:
        """Return the weight, from 0 to 1, with which an even chance is mixed into the result of :meth:`values`.

        With an even chance, all seats are equally likely to win. The weight is called the doubt.
        """
        return 0.0

    def choices(self, s: S_contra, seat: int) -> Sequence[tuple[A_co, Value]]:
        """Return the actions that the seat may play in this position, with their values for the seat.

        If many actions are similar, an appraiser may return only the best of them.
        """
        ...

    def weigh(self, s: S_contra, seat: int, played: Action | None = None) -> Weighing[A_co]:
        """Return the seat's choices with their values and standard errors.

        The result should include ``played`` if it is legal. If an appraiser doesn't override this method, the result
        has all of :meth:`choices`, and the standard errors of their differences (``gap``) are 0.
        """
        return Weighing(choices=tuple(Choice(action, value) for action, value in self.choices(s, seat)))

    def luck(self, s: S_contra, outcome: int, after: S_contra) -> Gain:
        """Return the luck of an outcome of chance: the value after this outcome minus the mean over all outcomes.

        ``outcome`` is the number of the outcome, and ``after`` is the position after this outcome.
        """
        pairs = tuple(zip(self.values(after), self.values(s), strict=True))
        return tuple(a.points - b.points for a, b in pairs), tuple(a.chance - b.chance for a, b in pairs)

    def sealed(self, s: S_contra) -> bool:
        """Return whether several seats choose in this position, and don't know each other's choices."""
        return False

    def regret(self, s: S_contra, seat: int, played: Action) -> dict[int, float]:
        """Return, for each seat that chose in secret, how much this choice lowered the seat's chance to win.

        This is the chance after the seat's best choice minus the chance after its real choice, if the other seats
        choose as they really did. ``seat`` is the last seat to choose, ``played`` is its choice, and ``s`` is the
        position before this choice. The result is empty if no choice is secret.
        """
        return {}


class DeviceAppraiser(Appraiser[S_contra, A_co], Protocol[S_contra, A_co]):
    """The interface of an appraiser whose values a reader's browser computes.

    If the appraiser has no results yet, it makes a plan: its methods record what the browser must compute, and return
    values without a meaning. If the appraiser has the browser's results for this plan, it returns real values. Then its
    methods must be called in the same order as for the plan.
    """

    def plan(self) -> msgspec.Struct:
        """Return what the browser must compute. Raise BadInput if the work is too much for a browser."""
        ...

    def end(self) -> None:
        """Raise BadInput if the browser's results have more numbers than this appraiser has used."""
        ...


AnyAppraiser: TypeAlias = Appraiser[State, Action]
"""An appraiser of any game."""


def ahead(leads: Sequence[float]) -> tuple[float, ...]:
    """Return each seat's lead in points over the best other seat.

    ``leads`` has, for each seat, the lead in points over the average of the other seats. With two seats, the results
    are equal to ``leads``.
    """
    scale = (len(leads) - 1) / len(leads)
    return tuple(
        scale * (mine - max(other for seat, other in enumerate(leads) if seat != me))
        for me, mine in enumerate(leads)
    )


Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))
"""The marks of bad decisions, the gravest first. Each is paired with its smallest cost in chance to win."""


SURE = 3.0
"""A cost counts only if it is at least this many times its own standard error."""


def mark_of(cost: float, error: float = 0.0) -> Mark:
    """Return the mark of a decision: ``blunder``, ``mistake`` or ``inaccuracy``.

    ``cost`` is its cost in chance to win, and ``error`` the standard error of this cost. If the cost is too small or
    too uncertain (``SURE``), return an empty text.
    """
    if cost < SURE * error:
        return ""
    return next((mark for mark, least in MARKS if cost >= least), "")


class Alternative(msgspec.Struct, frozen=True):
    """One possible action, as move text.

    ``share``: in a secret choice, the probability with which the seat should choose the action.
    """

    move: str
    value: Value
    share: float | None = None


def by_share(alternatives: Sequence[Alternative]) -> list[Alternative]:
    """Return the alternatives in the order in which to recommend them.

    In a secret choice, the alternative with the largest ``share`` comes first: the action that the seat should choose
    with the highest probability. Otherwise, the order stays the same.
    """
    return sorted(alternatives, key=lambda one: -(one.share or 0.0))


class Decision(msgspec.Struct, frozen=True):
    """One decision of a seat.

    ``alternatives`` are the examined actions, the best first. If many actions are similar, only the best of them and
    the played action are examined. ``cost_chance`` is the loss in chance to win, compared with the best action.
    ``cost_points`` is the loss in points, compared with the best action if the appraiser is honest
    (:attr:`Appraiser.honest`), else with the action that has the most points. ``cost_error``: the standard error
    of ``cost_chance``; a cost below three standard errors does not count. ``forced``: whether there was only one
    alternative, or a lesson allowed only the played action. ``part``: the number of the part of the game (round), from
    1.

    ``secret``: whether several seats chose at the same time. If so, the values of the alternatives assume that each
    other seat chooses at random, with the probabilities that are best for it. ``regret``: the chance to win after the
    best choice minus the chance after the played choice, if the other seats choose as they really did. It is null if
    the choice was not secret or was forced, or if the record ends before the choice is revealed.

    ``values``: if the appraiser is honest (:attr:`Appraiser.honest`), each seat's value if the best move is played,
    computed only from facts that the deciding seat can know. Otherwise empty.
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
    values: tuple[Value, ...] = ()

    @property
    def advised(self) -> Alternative:
        """The move to recommend.

        In a secret choice, it is the move that the seat should choose with the highest probability (its ``share``).
        Otherwise, it is the best move.
        """
        return by_share(self.alternatives)[0]

    @property
    def better(self) -> Alternative:
        """The move to compare with the played move.

        It is the `advised` move. If the player chose this move, it is the move with the highest value.
        """
        return self.alternatives[0] if self.advised.move == self.played else self.advised


class Luck(msgspec.Struct, frozen=True):
    """The luck of each seat in one outcome of chance.

    ``points`` and ``chance`` have, for each seat, the value after the outcome minus the mean over all possible
    outcomes. ``before``: the number of preceding outcomes (cards of a deal) whose luck is included.
    """

    ply: int
    part: int
    outcome: str
    points: tuple[float, ...]
    chance: tuple[float, ...]
    before: int = 0


class Moment(msgspec.Struct, frozen=True):
    """The expected lead and the chance to win of each seat before a ply. The last moment is after the last ply.

    ``points`` has each seat's expected lead over the average of the other seats, in points at the end of the game.
    """

    ply: int
    part: int
    points: tuple[float, ...]
    chance: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True):
    """The ply with the largest change in any seat's chance to win, within one part of the game (round, hour).

    ``seat``: the seat that acted, or -1 for chance. ``gain``: the rise of each seat's chance to win. A change
    that comes only from the doubt in the estimates does not count (:func:`risen`).
    """

    ply: int
    part: int
    seat: int
    text: str
    gain: tuple[float, ...]


class Total(msgspec.Struct, frozen=True):
    """The totals of one seat over a game.

    ``decisions`` does not count forced decisions. ``cost_points`` and ``cost_chance`` are sums over the decisions
    whose cost in chance to win is at least three standard errors. ``result_points`` is the seat's lead at the end
    over the average of the other seats. ``result`` is 1 for a win, 0 for a loss, and a fraction for a shared win. The
    fields that end in ``_without_luck`` are the result minus the seat's luck. All fields of the result are null if the
    game has not ended.
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


def recount(total: Total, decisions: Sequence[Decision]) -> Total:
    """Return the total with the numbers and costs of its seat's decisions. `decisions` may have other seats' too."""
    mine = [one for one in decisions if one.seat == total.seat]
    free = [one for one in mine if not one.forced]
    lost = [one for one in free if one.cost_chance >= SURE * one.cost_error]  # smaller costs may be zero
    return msgspec.structs.replace(
        total,
        decisions=len(free),
        forced=len(mine) - len(free),
        marks={str(mark): sum(one.mark == mark for one in free) for mark, _ in MARKS},
        cost_points=sum(one.cost_points for one in lost),
        cost_chance=sum(one.cost_chance for one in lost),
    )


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of one game. ``curve`` has a moment for each ply, and one after the last ply."""

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

    @property
    def leads(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Two tuples with each seat's final lead over the best other seat: the real leads, and the leads without luck.

        If the game has not ended, this property is None.
        """
        if any(one.result_points is None for one in self.totals):
            return None
        return (
            ahead([one.result_points or 0.0 for one in self.totals]),
            ahead([one.result_points_without_luck or 0.0 for one in self.totals]),
        )


def force(found: Analysis, plies: Container[int]) -> Analysis:
    """Return the analysis with the decisions of these plies as forced ones, because a lesson allowed no other move."""
    decisions = tuple(
        msgspec.structs.replace(
            one,
            alternatives=tuple(each for each in one.alternatives if each.move == one.played),
            cost_points=0.0,
            cost_chance=0.0,
            cost_error=0.0,
            forced=True,
            mark="",
            regret=None,
        )
        if one.ply in plies
        else one
        for one in found.decisions
    )
    totals = tuple(recount(total, decisions) for total in found.totals)
    return msgspec.structs.replace(found, decisions=decisions, totals=totals)


class Prospect(msgspec.Struct, frozen=True):
    """One possible outcome of chance: its probability (0 to 1), and the position's value for each seat after it."""

    outcome: str
    share: float
    values: tuple[Value, ...]


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The value of one position, with its possible moves or outcomes of chance.

    ``seat`` is the seat that decides, -1 for chance, or -4 if the game is over. ``alternatives`` are the seat's
    examined moves, the best first; of many similar moves, a game may examine only the best. ``prospects`` are the
    outcomes of chance, the likeliest first. ``secret``: whether several seats choose at the same time; if so, ``share``
    of each alternative is the probability with which the seat should choose it. ``gaps``: for each alternative, the
    standard error of its loss compared with the best alternative; empty if the appraiser computes no such errors.
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
    """A service that analyses games and positions, for example in another process."""

    def analyse(self, record: bytes, tell: Callable[[int, int], object]) -> Analysis:
        """Return the analysis of a game's record.

        To report progress, call ``tell`` with the number of plies analysed so far and the number of all plies.
        """
        ...

    def judge(self, position: bytes, seat: int | None = None) -> Judgement:
        """Return the judgement of a position file.

        If several seats are to act, judge the decision of ``seat`` from the point of view of this seat. By default,
        ``seat`` is the first seat that is to act.
        """
        ...

    def plan(self, record: bytes) -> bytes:
        """Return, as JSON compressed by gzip, what a reader's device must compute for the analysis of a game.

        Raise BadInput if the work is too much for a device.
        """
        ...

    def finish(self, record: bytes, results: bytes) -> Analysis:
        """Return the analysis of a game, using the results that a device has computed for the game's :meth:`plan`.

        Raise BadInput if ``results`` can't come from this plan.
        """
        ...

    def close(self) -> None:
        """Stop the service, and abandon its running work."""
        ...
