"""Search for a seat's best mixture of choices in a position, with values and their errors.

:func:`search` works for any game in which nothing is hidden except secret choices of the current moment. For another
game, the caller replaces hidden facts by random ones several times, and averages the results. The search uses the
kernels ``stage``, ``value`` and ``answer`` (:mod:`spelunke.core.contract`) of the game's module ``knowledge``. For each
of these kernels that the module lacks, the search uses the default of :mod:`.unjudged`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from spelunke.core.chance import bits, seed_stream
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import bind, home_of, pool, runs_compiled
from spelunke.core.noise import normal
from spelunke.core.values import State, Stream
from spelunke.games.game import Game
from spelunke.solvers.lookers import Lookers, Sums
from spelunke.solvers.tree import Reals

if TYPE_CHECKING:
    from types import ModuleType

    from spelunke.core.revise import Revise
    from spelunke.solvers.learners import Learners

Plan = tuple[int, ...]
Mixture = Mapping[Plan, float]
Policy = Callable[[State, int], Mixture]
"""A function that returns a seat's mixture in a position in which no seat has sealed a choice."""
CHUNK = 2048
"""The number of playouts on each core after which the search checks again whether it should end."""
SURE = 4.0
"""If an alternative is worse than the best one by more than this number of standard errors, it is dropped."""
LEAST = 24
"""The number of visits to the root before the search may drop an alternative or end early."""
CLEAR = 0.97
"""If the best of several secret choices has at least this share of the mixture, the search can end early."""
BARE = 300
"""The maximum number of playouts in one search of a bot, if the kernels are not compiled.

Plain playouts are slow, and people wait for them.
"""


class Choice(msgspec.Struct, frozen=True):
    """One of the choices that a seat has.

    If a secret choice has several parts, ``actions`` has an action for each part. ``share`` is the choice's
    probability in the mixture. ``value`` is its mean payoff: 1 is best and -1 is worst, apart from a small bonus
    (:func:`spelunke.core.contract.value`) and noise. ``error`` is two standard errors of the value.
    """

    actions: tuple[int, ...]
    share: float
    value: float
    error: float


class Finding(msgspec.Struct, frozen=True):
    """The result of a search.

    ``choices`` are the seat's choices. ``played`` is the number of playouts. ``clear`` is true if the search ended
    because the best choice was certain. ``others`` has the choices of each other seat that chooses at the same time.
    """

    choices: tuple[Choice, ...]
    played: int
    clear: bool
    others: dict[int, tuple[Choice, ...]] = {}

    @property
    def value(self) -> float:
        """The position's value for the seat if it plays each choice with the probability ``share``."""
        return sum(choice.share * choice.value for choice in self.choices)


class Budget(msgspec.Struct, frozen=True):
    """The limit of a search: a number of playouts, or a time.

    ``simulations``: the number of playouts. With this limit, a repeated search gives the same result.
    ``milliseconds``: the processor time. If it is given, the number of playouts has no limit. ``ahead``: the number
    of parts of the game (:func:`spelunke.core.contract.stage`) to search, including the current one.

    ``cores``: the number of threads, each with its own tree. The threads share the number of playouts, but each may
    use the whole time. The result depends on the number of threads. ``paranoid``: whether the search assumes that all
    other seats play against this seat. Otherwise each seat plays for itself. For a comparison, see docs/why/mixing.md.
    """

    simulations: int = 20_000
    milliseconds: float | None = None
    ahead: int = 2
    cores: int = 1
    paranoid: bool = False


def kernels_of(game: Game, module: str = "spelunke.solvers.learners") -> ModuleType:
    """Return the kernels of a search module for a game.

    They use the kernels of the game's module ``knowledge``, and the kernels of :mod:`.unjudged` in place of missing
    ones.
    """
    rules, knowledge = game.rules.__name__, game.knowledge.__name__
    if all(home_of(knowledge, name) for name in ("stage", "value", "answer")):
        return bind(module, rules, knowledge)
    plain = bind("spelunke.solvers.unjudged", rules)
    return bind(module, rules, knowledge, plain.__name__)


def is_compiled(game: Game) -> bool:
    """Return whether the search kernels of a game are compiled or will be compiled at their first call."""
    return runs_compiled(cast("Learners", kernels_of(game)).ponder)


def seats_in(game: Game, s: State) -> int:
    """Return the number of seats in a position: its field ``seats`` if it has one, else the game's maximum."""
    names = s.dtype.names or ()
    if "seats" not in names:
        return max(game.seats)
    states = pool(game.rules.STATE, 1)
    states[0] = s
    return int(states["seats"][0])


def reopen(game: Game, s: State, seats: Sequence[int]) -> State:
    """Return a copy of the position in which these seats have taken back their sealed choices.

    A choice stays sealed if the rules don't let the seat take it back. The function plays those revisions (kernel
    ``revise``) that give the seat more legal actions than before.
    """
    rules, states = game.rules, pool(game.rules.STATE, 2)
    states[0] = s
    bare: State = states[0]
    if home_of(rules.__name__, "revise") is None:
        return bare
    revise = cast("Revise", bind("spelunke.core.revise", rules.__name__))
    listed, out = (np.zeros(max(1, rules.ACTIONS), np.int16) for _ in range(2))
    for seat in seats:
        again = True
        while again:
            again = False
            before = rules.legal(states[0], seat, out)
            for k in range(revise.revise_at(states, 0, seat, listed)):
                states[1] = states[0]
                rules.play(states[1], seat, int(listed[k]))
                if rules.legal(states[1], seat, out) > before:
                    states[0] = states[1]
                    again = True
                    break
    return bare


def search(
    game: Game,
    s: State,
    seat: int,
    budget: Budget,
    stream: Stream,
    noise: float = 0.0,
    tell: Callable[[int, int], object] = lambda done, of: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Finding:
    """Return a seat's best mixture of choices in a position.

    Nothing in ``s`` may be hidden from the seat except choices that others have sealed at this moment. The search
    first takes back all sealed choices, because nobody knows the secret choices of others. So each choice in
    the result is complete, even if the seat has already sealed a part of its choice.

    The stream advances. If ``noise`` is not 0, the search adds a random error to the value of each of the seat's
    choices; ``noise`` is its standard deviation, as a payoff. The search calls ``tell`` with the used part of the
    budget and the whole budget. If ``cancelled`` returns true, the search ends with its current result. Raise
    ValueError if the seat has nothing to choose, or Refused if there are too many choices.
    """
    work = _Search(game, s, seat, budget, stream)
    if noise:
        work.lookers.misjudge(seat, np.array([noise * normal(stream) for _ in work.lookers.rows(seat)]))
    return work.run(tell, cancelled)


def best_answer(
    game: Game,
    s: State,
    seat: int,
    budget: Budget,
    stream: Stream,
    trim: float = 0.0,
    policy: Policy | None = None,
) -> Finding:
    """Return a seat's best choice against known mixtures of the other seats. In the result, its ``share`` is 1.

    The known mixtures come from ``policy``. If ``policy`` is None, they come from a search, but shares below ``trim``
    times the largest share become 0 (:func:`trimmed`). Actions that the seat has already sealed stay sealed. If no
    other seat chooses at the same time, return the result of :func:`search`. Raise the same errors as :func:`search`.
    """
    work = _Search(game, s, seat, budget, stream)
    others: dict[int, tuple[Choice, ...]] = {}
    if policy is None or not work.together:
        found = work.run(lambda done, of: None, lambda: False)
        others = found.others
        if not work.together:
            return found
    work.fix_others(trim, policy)
    answer = work.run(lambda done, of: None, lambda: False)
    left = [choice for choice, _ in agreeing(game, s, seat, answer.choices)]
    best = max(left, key=lambda choice: choice.value)
    pure = tuple(msgspec.structs.replace(choice, share=float(choice is best)) for choice in answer.choices)
    return msgspec.structs.replace(answer, choices=pure, others=others)


def trimmed(shares: Reals, trim: float) -> Reals:
    """Return the shares (the probabilities of a mixture) without the small shares, scaled to the sum 1.

    Shares below ``trim`` times the largest share become 0. If all shares are 0, return equal shares.
    """
    if shares.max() <= 0.0:
        return np.full(len(shares), 1.0 / len(shares))
    kept = np.where(shares < trim * shares.max(), 0.0, shares)
    found: Reals = kept / kept.sum()
    return found


class _Search:
    """A search in progress: its budget, and its lookers (one search tree for each core, see :mod:`.lookers`)."""

    def __init__(self, game: Game, s: State, seat: int, budget: Budget, stream: Stream) -> None:
        self.seat = seat
        self.budget = budget
        self.seats = seats_in(game, s)
        root = reopen(game, s, range(self.seats))
        who = game.rules.actors(root)
        if who in (CHANCE, OVER) or not int(who) >> seat & 1:
            raise ValueError(f"seat {seat} has nothing to choose here")
        kernels = cast("Learners", kernels_of(game))
        streams = [stream]
        if budget.cores > 1:  # draw new seeds, because streams with consecutive states would be correlated
            streams = [seed_stream(int(bits(stream)), int(bits(stream))) for _ in range(budget.cores)]
        self.lookers = Lookers(kernels, root, self.seats, seat, streams)
        self.lookers.foe = seat if budget.paranoid else -1
        self.lookers.until = int(kernels.stage_of(self.lookers.root)) + budget.ahead

    def fix_others(self, trim: float, policy: Policy | None) -> None:
        """Fix the mixtures of the other seats at the root, and discard the results of the searching seat.

        The mixtures come from ``policy``. If ``policy`` is None, they come from the playouts so far, but shares below
        ``trim`` times the largest share become 0 (:func:`trimmed`).
        """
        for seat in range(self.seats):
            if seat == self.seat or not len(self.lookers.rows(seat)):
                continue
            if policy is None:
                shares = trimmed(self.lookers.sums(seat).share, trim)
            else:
                mixture = policy(self.lookers.root[0], seat)
                found = [mixture.get(plan, 0.0) for plan in self.lookers.plans(seat)]
                shares = trimmed(np.array(found), 0.0)
            self.lookers.fix(seat, shares)
        self.lookers.forget(self.seat)
        self.lookers.learners = 1 << self.seat

    def run(self, tell: Callable[[int, int], object], cancelled: Callable[[], bool]) -> Finding:
        """Search until the budget is used, the best choice is certain, or the caller cancels. Return the result."""
        lookers, limit, most = self.lookers, self.budget.milliseconds, self.budget.simulations
        begun, clear = time.thread_time(), False

        def spent() -> float:
            return 1000.0 * (time.thread_time() - begun) + lookers.spent_apart

        with lookers.at_work() as look:
            while not clear and not cancelled() and len(lookers.rows(self.seat)) > 1:
                played = lookers.played
                if (played and spent() >= limit) if limit is not None else played >= most:
                    break
                chunk = CHUNK * len(lookers)
                look(chunk if limit is not None else min(chunk, most - played))
                clear = self._is_clear()
                done = spent() if limit is not None else min(lookers.played, most)
                tell(round(done), round(limit or most))
        others = {
            seat: self._choices(seat)
            for seat in range(self.seats)
            if seat != self.seat and len(lookers.rows(seat))
        }
        return Finding(self._choices(self.seat), lookers.played, clear, others)

    @property
    def together(self) -> bool:
        """Whether other seats choose at the same time."""
        return sum(len(self.lookers.rows(seat)) > 0 for seat in range(self.seats)) > 1

    def _values(self, found: Sums) -> tuple[Reals, Reals]:
        """Return the mean value and the standard error of each choice.

        If other seats choose at the same time, the *n*-th visit to the root has the weight *n*. With these weights,
        the error after *n* visits is as large as the error after 3/4 *n* visits with equal weights.
        """
        weight = np.maximum(found.weight, 1e-9)
        mean = found.total / weight
        spread = np.maximum(found.square / weight - mean**2, 0.0)
        rounds = max(1.0, 0.75 * self.lookers.visits) if self.together else weight
        return mean, np.sqrt(spread / np.maximum(rounds, 1.0))

    def _is_clear(self) -> bool:
        """Return whether the best choice is certain.

        If other seats choose at the same time, the best choice must meet two conditions: all other choices are
        certainly worse, and the share of the best choice in the mixture is nearly 1.

        If no other seat chooses, drop each choice that is certainly worse, so that later playouts do not try it. The
        best choice is certain if no other choice is left.
        """
        if self.lookers.visits < LEAST:
            return False
        found = self.lookers.sums(self.seat)
        mean, error = self._values(found)
        live = self.lookers.live(self.seat)
        best = int(np.argmax(np.where(live, mean, -np.inf)))
        worse = mean < mean[best] - SURE * np.hypot(error, error[best])
        if self.together:
            sure = found.share[best] >= CLEAR * found.share.sum()
            return bool(sure and np.delete(worse, best).all())
        self.lookers.give_up(self.seat, worse)
        return int((live & ~worse).sum()) == 1

    def _choices(self, seat: int) -> tuple[Choice, ...]:
        found = self.lookers.sums(seat)
        mean, error = self._values(found)
        if self.together:
            shares = trimmed(found.share, 0.0)
        else:
            shares = np.zeros(len(mean))
            shares[int(np.argmax(np.where(self.lookers.live(seat), mean, -np.inf)))] = 1.0
        return tuple(
            Choice(plan, float(shares[k]), float(mean[k]), 2.0 * float(error[k]))
            for k, plan in enumerate(self.lookers.plans(seat))
        )


def agreeing(
    game: Game, s: State, seat: int, choices: Sequence[Choice]
) -> list[tuple[Choice, tuple[int, ...]]]:
    """Return the choices that contain the actions that the seat has sealed in ``s``.

    Each choice comes with its other actions, which the seat has not sealed yet.
    """
    seats = range(seats_in(game, s))
    bare = reopen(game, s, seats)
    mine = reopen(game, s, [other for other in seats if other != seat])
    wanted = mine.tobytes()
    if bare.tobytes() == wanted:
        return [(choice, choice.actions) for choice in choices]
    found = []
    for choice in choices:
        for count in range(1, len(choice.actions) + 1):
            for done in combinations(choice.actions, count):
                states = pool(game.rules.STATE, 1)
                states[0] = bare
                for action in done:
                    game.rules.play(states[0], seat, action)
                if states[0].tobytes() == wanted:
                    found.append((choice, tuple(a for a in choice.actions if a not in done)))
    return found
