"""The front door of the searchers: what a seat had best do in a position, as a mixture with values and their errors.

:func:`search` serves any game whose hidden things are secret choices of this moment; for others the caller redeals what
is hidden, and averages what is found. What it needs of a game is its rules; what it looks for in its ``knowledge``, and
can do without, are the kernels ``stage``, ``value`` and ``answer`` (:mod:`spelunke.core.contract`).
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
"""How often a seat that may act chooses each thing, where nobody has sealed anything yet."""
CHUNK = 2048
"""Ways on that each core plays between two looks at the clock, at who cancels, and at whether the answer is clear."""
SURE = 4.0
"""An alternative is given up when it is this many standard errors worse than the best."""
LEAST = 24
"""Rounds before anything is given up."""
CLEAR = 0.97
"""A mixture of which one choice has this share is clear, once that choice is also surely the best."""
BARE = 300
"""While kernels are plain a player plays no more playouts than that: people wait."""


class Choice(msgspec.Struct, frozen=True):
    """What a seat may choose: its actions (several where a secret choice has several parts), how often it should, and
    what it is worth as a payoff (1 to -1), ``error`` being two standard errors."""

    actions: tuple[int, ...]
    share: float
    value: float
    error: float


class Finding(msgspec.Struct, frozen=True):
    """What a search found: all choices of the seat, how many playouts it took, and whether it ended as it was clear.

    ``others``: the mixtures of the others who choose at the same time.
    """

    choices: tuple[Choice, ...]
    played: int
    clear: bool
    others: dict[int, tuple[Choice, ...]] = {}

    @property
    def value(self) -> float:
        """What the position is worth to the seat when it chooses by these shares."""
        return sum(choice.share * choice.value for choice in self.choices)


class Budget(msgspec.Struct, frozen=True):
    """How long to look: so many playouts (the same each time), or so many milliseconds of the processor.

    ``ahead``: how many parts of the game (:func:`spelunke.core.contract.stage`), that at hand counted. ``cores``: how
    many threads look, each with a tree of its own (root parallel); they share the playouts, and each has all of the
    time. The same playouts on another number of cores are another search. ``paranoid``: at tables of more than two
    all others are thought to be against the seat, and not each for itself (docs/why/mixing.md says which is better).
    """

    simulations: int = 20_000
    milliseconds: float | None = None
    ahead: int = 2
    cores: int = 1
    paranoid: bool = False


def kernels_of(game: Game, module: str = "spelunke.solvers.learners") -> ModuleType:
    """The searching kernels for a game."""
    rules, knowledge = game.rules.__name__, game.knowledge.__name__
    if all(home_of(knowledge, name) for name in ("stage", "value", "answer")):
        return bind(module, rules, knowledge)
    plain = bind("spelunke.solvers.unjudged", rules)
    return bind(module, rules, knowledge, plain.__name__)


def is_compiled(game: Game) -> bool:
    """Whether the searching kernels of a game run compiled."""
    return runs_compiled(cast("Learners", kernels_of(game)).ponder)


def seats_in(game: Game, s: State) -> int:
    """How many seats a position has: its field ``seats``; a game without one has always the same number."""
    names = s.dtype.names or ()
    if "seats" not in names:
        return max(game.seats)
    states = pool(game.rules.STATE, 1)
    states[0] = s
    return int(states["seats"][0])


def reopen(game: Game, s: State, seats: Sequence[int]) -> State:
    """A copy of the position in which these seats have taken back what they sealed, as far as the rules let them.

    To take back is to have more to choose from than before.
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
    """What a seat that may act had best do in ``s``, which holds nothing hidden but what others seal at this moment.

    What is sealed already is taken back first, by all: who thinks about a secret choice can't count on another. So the
    shares of what the seat itself has sealed in part stand for the whole. Moves the stream. ``noise``: by how much (a
    standard deviation, as a payoff) each choice of the seat is misjudged. ``tell`` hears how much of the budget is
    used; when ``cancelled`` says so, the search ends with what it has.
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
    """What is best against others who search like that, and draw from their mixtures as far as they aren't trimmed.

    ``policy``: how the others choose instead. What the seat itself has sealed in part stays. A seat that knows its
    opponents' program can do no better in this choice; where nobody else chooses it is as :func:`search`.
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
    """Shares without those that are below this part of the largest, summing to 1; all alike where there are none."""
    if shares.max() <= 0.0:
        return np.full(len(shares), 1.0 / len(shares))
    kept = np.where(shares < trim * shares.max(), 0.0, shares)
    found: Reals = kept / kept.sum()
    return found


class _Search:
    """One search: who looks, and what its budget and its findings are."""

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
        if budget.cores > 1:  # drawn, and not counted up from the stream: neighbours would be alike
            streams = [seed_stream(int(bits(stream)), int(bits(stream))) for _ in range(budget.cores)]
        self.lookers = Lookers(kernels, root, self.seats, seat, streams)
        self.lookers.foe = seat if budget.paranoid else -1
        self.lookers.until = int(kernels.stage_of(self.lookers.root)) + budget.ahead

    def fix_others(self, trim: float, policy: Policy | None) -> None:
        """From now on the others choose by the mixtures that they found, or by the policy; what was seen of the seat
        is forgotten."""
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
        """Look on until the budget is used, the answer is clear, or somebody cancels."""
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
        """Whether others choose at the same time."""
        return sum(len(self.lookers.rows(seat)) > 0 for seat in range(self.seats)) > 1

    def _values(self, found: Sums) -> tuple[Reals, Reals]:
        """The mean value of each choice, and its standard error; with weights 1, 2, 3 ... the rounds count for 3/4."""
        weight = np.maximum(found.weight, 1e-9)
        mean = found.total / weight
        spread = np.maximum(found.square / weight - mean**2, 0.0)
        rounds = max(1.0, 0.75 * self.lookers.visits) if self.together else weight
        return mean, np.sqrt(spread / np.maximum(rounds, 1.0))

    def _is_clear(self) -> bool:
        """Give up what is surely worse; whether one choice is left, or makes up nearly all of the mixture."""
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
    """The choices that agree with what the seat has sealed in ``s``, each with the actions that it still lacks."""
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
