"""Evaluate positions of any game by playouts, for games without their own appraiser.

The values of a decision use only the view of the seat that decides. Random facts that fit this view replace the
hidden facts. All alternatives get the same random facts, and the same random numbers for chance. The same seed and
budget give the same values. Each chance to win is averaged with an even chance, the same for all seats. In this module,
``doubt`` is the weight of this even chance (:mod:`.played`). For the reasons, see docs/why/playouts.md.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec
import numpy as np

from spelunke.analysis.analysis import SURE, Appraiser, Choice, Gain, Value, Weighing, risen
from spelunke.analysis.playouts import Budget, Steps
from spelunke.core.chance import seed_stream
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import bind, pool
from spelunke.core.values import Action, State, View
from spelunke.core.words import plain
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.solvers.played import Played, share_of_doubt
from spelunke.solvers.players import Job, Line, LocalPlayer, Player
from spelunke.solvers.secret import Secret

if TYPE_CHECKING:
    from spelunke.core.step import Step

T = TypeVar("T")
REMEMBERED = 4
"""The number of positions in each of the three caches of an appraiser."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A position's value for each seat.

    In each value, the chance to win is averaged with an even chance, the same for all seats. ``doubt`` is the weight of
    the even chance (:mod:`.played`).
    """

    values: tuple[Value, ...]
    doubt: float


@dataclass(frozen=True, slots=True)
class Prospects:
    """The outcomes of a chance event.

    ``values`` has, for each outcome, its probability, and each seat's value of the position after the outcome. In each
    value, the chance to win is averaged with an even chance, which is the same for all seats. ``doubt`` is the weight
    of the even chance (:mod:`.played`).
    """

    values: dict[int, tuple[float, tuple[Value, ...]]]
    doubt: float


class PlayoutAppraiser(Appraiser[State, Action]):
    """An appraiser that evaluates positions by playouts.

    In a playout, all seats choose by the kernel ``answer`` of the game (hook ``playouts``). The ``player`` runs the
    playouts, by default in this process.
    """

    method = plain(
        "Each alternative was played out many times. Each time, everything that the player could not know was drawn "
        "at random, and was the same for all alternatives. Values are estimates, each with its error."
    )
    honest = True

    def __init__(
        self, game: Game, budget: Budget | None = None, seed: int = 1, player: Player | None = None
    ) -> None:
        rules = game.rules
        self._game = game
        self._how = game.hooks.playouts()
        self._budget = budget or self._how.budget
        self._seed = seed
        self._doubt = 0.0 if self._how.doubt is None and self._how.foresees else self._how.doubt
        self._player: Player = player or LocalPlayer(game)
        self._step = cast("Step", bind("spelunke.core.step", rules.__name__))
        self._work = pool(rules.STATE, 1)
        self._listed = np.zeros(max(rules.ACTIONS, rules.OUTCOMES), np.int16)
        self._weights = np.zeros_like(self._listed)
        self._stands: OrderedDict[bytes, Stand] = OrderedDict()
        self._prospects: OrderedDict[bytes, Prospects] = OrderedDict()
        self._secrets: OrderedDict[bytes, Secret] = OrderedDict()

    # --- positions and chance, with everything open ---

    def part(self, s: State) -> int:
        """Return the number of the round that the position belongs to, from 1."""
        return 1 + self._game.hooks.rounds_done(s)

    def values(self, s: State) -> tuple[Value, ...]:
        """Return the position's values for all seats. They use all facts of the position, also hidden ones.

        During a secret choice, the values assume that all seats choose by their mixtures.
        """
        return self._stand(s).values

    def doubt(self, s: State) -> float:
        """Return the doubt: the weight with which an even chance is averaged into the values (:mod:`.played`)."""
        return self._stand(s).doubt

    def _stand(self, s: State) -> Stand:
        root = self._how.before_sealing(s)
        if root is not None:
            secret = self._secret(root)
            return Stand(secret.values(), secret.doubt)
        return _remember(self._stands, s.tobytes(), lambda: self._find_stand(s))

    def _find_stand(self, s: State) -> Stand:
        if self._who(s) == CHANCE and not self._how.counts_together(s):
            prospects = self._look_ahead(s)
            found = list(prospects.values.values())
            seats = range(len(found[0][1]))
            means = (_mean([(share, values[seat]) for share, values in found]) for seat in seats)
            return Stand(tuple(means), prospects.doubt)
        games = 1 if self._how.foresees or self._who(s) == OVER else self._budget.here
        parts = 0 if self._how.foresees else self._how.parts
        played = self._hedge(self._player.play(self._job([s], [()], games, s.tobytes(), parts)))
        return Stand(played.values(0), played.share)

    def _look_ahead(self, s: State) -> Prospects:
        """Return the values after each outcome of the next chance event.

        The playouts after each outcome use the same random numbers as the playouts after the other outcomes.
        """
        return _remember(self._prospects, s.tobytes(), lambda: self._find_prospects(s))

    def _find_prospects(self, s: State) -> Prospects:
        self._work[0] = s
        count = self._step.chances_at(self._work, 0, self._listed, self._weights)
        outcomes = [int(number) for number in self._listed[:count]]
        shares = self._weights[:count] / self._weights[:count].sum()
        games = 1 if self._how.foresees else max(6, self._budget.chance // count)
        parts = 0 if self._how.foresees else self._how.parts
        lines = [[(CHANCE, outcome)] for outcome in outcomes]
        played = self._hedge(self._player.play(self._job([s], lines, games, s.tobytes(), parts)))
        values = {
            outcome: (float(share), played.values(line))
            for line, (outcome, share) in enumerate(zip(outcomes, shares, strict=True))
        }
        return Prospects(values, played.share)

    def luck(self, s: State, outcome: int, after: State) -> Gain:
        """Return the value after an outcome minus the mean value over all outcomes.

        The result has the differences in points, one for each seat, and then the differences in chance to win. If
        several outcomes count together, like the cards of a deal, the luck of all these outcomes belongs to the last
        one, and the luck of each earlier one is 0.
        """
        before = self._stand(s)
        if not self._how.counts_together(s):
            found, doubt = self._look_ahead(s).values[outcome][1], before.doubt
        elif self._how.counts_together(after):
            found, doubt = before.values, before.doubt
        else:
            found, doubt = self.values(after), self.doubt(after)
        points = tuple(a.points - b.points for a, b in zip(found, before.values, strict=True))
        chances = [tuple(one.chance for one in values) for values in (before.values, found)]
        return points, risen(chances[0], before.doubt, chances[1], doubt)

    # --- decisions, by what their seat can know ---

    def choices(self, s: State, seat: int) -> Sequence[tuple[Action, Value]]:
        """Return the seat's alternatives with their values (see :meth:`weigh`)."""
        return [(one.action, one.value) for one in self.weigh(s, seat).choices]

    def weigh(self, s: State, seat: int, played: Action | None = None) -> Weighing[Action]:
        """Return the alternatives of a seat with their values, the best first.

        The first pass of playouts evaluates all promising alternatives, and the action ``played`` if it is one of the
        alternatives. The second pass evaluates the best alternatives again, and one more: ``played`` if it is one of
        the alternatives, otherwise the most promising alternative that is safer than at least one other
        (:meth:`.Playouts.safer`). Alternatives that are not promising get only an upper bound.

        If an alternative of the second pass is safer than the best one, and its loss is within the margin of error
        (``SURE``), this alternative comes first. In a secret choice, all alternatives are evaluated in one pass, and
        their values assume that the other seats choose by their mixtures. If ``played`` is one card of several, the
        alternatives are only those that could replace it.
        """
        root = self._how.before_sealing(s)
        if root is not None:
            steps = () if played is None else self._game.moves.encode(played, s)
            return self._weigh_secret(root, seat, self._how.sealed_by(s, seat), steps)
        seen = self._game.view.view(s, seat)
        key = msgspec.json.encode(seen)
        worlds = self._imagine(seen, key, self._budget.worlds)
        found = self._candidates(seen, worlds[0], seat, played)
        if not found:
            return Weighing(choices=())
        known, left = self._sift(found, played)
        lines = [[(seat, step) for step in self._game.moves.encode(one, worlds[0])] for one in known]
        job = self._job(worlds, lines, self._budget.first, key + b"first", self._how.parts, seat)
        first = last = self._player.play(job, seat) if len(lines) == 1 else None
        again = [0]
        if first is None or last is None:
            if len(worlds) > 1:
                worlds = self._imagine(seen, key + b"last", self._budget.worlds)
            more = self._job(worlds, lines, self._budget.last, key + b"last", self._how.parts, seat)
            at = known.index(played) if played in known else self._find_safe(known)
            first, again, last = self._player.play_twice(job, more, seat, self._budget.keep, at)
        rest = [line for line in first.order(seat) if line not in again]
        place = {line: k for k, line in enumerate(again)}
        again = [again[k] for k in last.order(seat)]
        doubt = share_of_doubt(self._doubt, first.deciders | last.deciders, first.seats, last.games, seat)
        aim = last.sure_best(seat)
        first, last = first.hedged(doubt, aim), last.hedged(doubt, aim)
        best = again[0]
        found_best = last.value(place[best], seat)
        top = next(
            (
                line
                for line in again[1:]
                if self._how.safer(known[line], known[best])
                and found_best.chance - last.value(place[line], seat).chance
                <= SURE * last.gap(place[best], place[line])
            ),
            best,
        )
        choices = [
            Choice(known[line], last.value(place[line], seat), gap=last.gap(place[top], place[line]))
            for line in again
        ]
        choices += [
            Choice(known[line], first.beside(best, line, found_best), gap=first.gap(top, line))
            for line in rest
        ]
        choices.sort(key=lambda one: (one.action != known[top], -one.value.chance, -one.value.points))
        least = min((one.value for one in choices), key=lambda value: value.chance)
        bound = Value(least.points, least.chance, False, bounded=True)
        choices += [Choice(action, bound) for action in left]
        return Weighing(choices=tuple(choices), values=last.values(place[top]))

    def _find_safe(self, known: Sequence[Action]) -> int:
        """Return the index of the first action in ``known`` that is safer than at least one other action in ``known``.

        If there is none, return -1. For the meaning of safer, see :meth:`.Playouts.safer`.
        """
        safer = self._how.safer
        return next((k for k, one in enumerate(known) if any(safer(one, other) for other in known)), -1)

    def _candidates(
        self, seen: View, world: State, seat: int, played: Action | None
    ) -> list[tuple[Action, float]]:
        """Return the seat's candidate actions, each with its first estimate.

        If a candidate has the same effect as ``played``, replace this candidate by ``played``. Otherwise, add
        ``played`` if it is either a legal action or a sequence of several actions. Don't add a single action that is
        not legal here, such as a change of a sealed choice.
        """
        self._work[0] = world
        count = self._step.legal_at(self._work, 0, seat, self._listed)
        legal = [self._game.moves.decode(int(number)) for number in self._listed[:count]]
        found = list(self._how.candidates(seen, legal))
        if played is None:
            return found
        same = [k for k, (action, _) in enumerate(found) if self._how.same(action, played)]
        if same:
            found[same[0]] = (played, found[same[0]][1])
        elif played in legal or not self._is_single(played):
            found.append((played, max(word for _, word in found)))
        return found

    def _is_single(self, action: Action) -> bool:
        return len(self._game.moves.encode(action)) == 1

    def _sift(
        self, found: Sequence[tuple[Action, float]], played: Action | None
    ) -> tuple[list[Action], list[Action]]:
        """Return the actions to play out, and the other actions.

        The actions to play out are those with the best first estimates, and the action ``played``.
        """
        best = max(word for _, word in found)
        ranked = sorted(found, key=lambda one: -one[1])
        known = [action for action, word in ranked if word >= best - self._how.slack][: self._how.most]
        known += [action for action, _ in ranked if action == played and action not in known]
        return known, [action for action, _ in ranked if action not in known]

    # --- secret choices ---

    def sealed(self, s: State) -> bool:
        """Return whether a secret choice is in progress."""
        return self._how.before_sealing(s) is not None

    def _weigh_secret(self, root: State, seat: int, sealed: Steps, played: Steps) -> Weighing[Action]:
        secret = self._secret(root)
        choices = tuple(
            Choice(self._game.moves.decode(one.step), one.value, one.share, one.gap)
            for one in secret.options(seat, sealed, played)
        )
        return Weighing(choices=choices, values=secret.values())

    def _secret(self, root: State) -> Secret:
        return _remember(self._secrets, root.tobytes(), lambda: self._open(root))

    def _open(self, root: State) -> Secret:
        who = self._who(root)
        seats = tuple(seat for seat in range(max(self._game.seats)) if who >> seat & 1)
        sequences = tuple(tuple(self._sequences(root, seat)) for seat in seats)
        games = max(1, self._budget.secret // math.prod(map(len, sequences)))
        choosers = sum(1 << seat for seat, mine in zip(seats, sequences, strict=True) if len(mine) > 1)
        job = self._job([root], (), games, root.tobytes(), self._how.parts)
        settled = self._player.settle(job, seats, sequences)
        present = int((settled.stand[:, 2] > 0).sum())
        share = share_of_doubt(self._doubt, settled.deciders | choosers, present, games)
        return Secret(seats, sequences, settled.hedged(share), share)

    def _sequences(self, root: State, seat: int) -> list[Steps]:
        """Return all complete secret choices of the seat. Each is a sequence of steps in ascending order."""
        found: set[Steps] = set()
        left: list[Steps] = [()]
        while left:
            steps = left.pop()
            self._work[0] = root
            for step in steps:
                self._step.play_at(self._work, 0, seat, step)
            who = int(self._step.actors_at(self._work, 0))
            count = self._step.legal_at(self._work, 0, seat, self._listed) if who > 0 else 0
            if steps and (count == 0 or not who >> seat & 1):
                found.add(tuple(sorted(steps)))
            else:
                left += [(*steps, int(number)) for number in self._listed[:count]]
        return sorted(found)

    def regret(self, s: State, seat: int, played: Action) -> dict[int, float]:
        """Return, for each seat that chose in secret, how much this choice lowered the seat's chance to win.

        For the arguments, see :meth:`Appraiser.regret`.
        """
        root = self._how.before_sealing(s)
        if root is None:
            return {}
        secret = self._secret(root)
        laid = {other: self._how.sealed_by(s, other) for other in secret.seats}
        laid[seat] = tuple(sorted((*laid[seat], *self._game.moves.encode(played, s))))
        found: dict[int, float] = {}
        for other, mine in zip(secret.seats, secret.sequences, strict=True):
            if laid[other] not in mine:
                continue
            lines = [
                [(k, step) for k in secret.seats for step in (steps if k == other else laid[k])]
                for steps in mine
            ]
            key = root.tobytes() + bytes([other])
            job = self._job([root], lines, self._budget.regret, key, self._how.parts)
            means = self._player.play(job).means[:, other, 1]
            lost = float(means.max() - means[mine.index(laid[other])])
            found[other] = (1.0 - secret.doubt) * lost  # with the doubt that the values have
        return found

    # --- playing ---

    def _who(self, s: State) -> int:
        self._work[0] = s
        return int(self._step.actors_at(self._work, 0))

    def _imagine(self, seen: View, key: bytes, count: int) -> list[State]:
        """Return ``count`` random full states that fit a view.

        Return only one state if the game hides nothing, or if the kernel ``redeal`` replaces hidden facts in each
        playout.
        """
        imagine = self._game.view.imagine
        count = count if self._game.hidden and not self._how.redeals else 1
        return [imagine(seen, seed_stream(self._number(key), -1 - k)) for k in range(count)]

    def _number(self, key: bytes) -> int:
        return int.from_bytes(hashlib.sha256(b"%d:" % self._seed + key).digest()[:8], "big")

    def _hedge(self, played: Played) -> Played:
        """Return the results with an even chance mixed in (see :meth:`.Played.hedged`).

        The playouts must have used all facts of a position, also hidden ones.
        """
        return played.hedged(share_of_doubt(self._doubt, played.deciders, played.seats, played.games))

    def _job(
        self,
        worlds: Sequence[State],
        lines: Sequence[Line],
        games: int,
        key: bytes,
        parts: int,
        knower: int = -1,
    ) -> Job:
        """Return a job of playouts. The seed of its random numbers is a hash of ``key`` and the appraiser's seed."""
        return Job(
            worlds=worlds,
            lines=lines,
            games=games,
            number=self._number(key),
            parts=parts,
            knower=knower if self._how.redeals else -1,
        )


def compile_playouts(game: Game) -> None:
    """Compile the kernels for analyses of a game. If the game has its own appraiser, do nothing."""
    if game.hooks.appraiser() is None:
        few = Budget(worlds=1, first=1, last=1, here=1, chance=1, secret=1, regret=1)
        PlayoutAppraiser(game, few).values(Match(game).state)


def _mean(found: Sequence[tuple[float, Value]]) -> Value:
    """Return the weighted mean of values, given pairs of weight and value. If all values are exact, the mean is too."""
    return Value(
        sum(share * value.points for share, value in found),
        sum(share * value.chance for share, value in found),
        all(value.exact for _, value in found),
        float(np.sqrt(sum((share * value.points_error) ** 2 for share, value in found))),
        float(np.sqrt(sum((share * value.chance_error) ** 2 for share, value in found))),
        rank=sum(share * (value.rank or 0.0) for share, value in found),
    )


def _remember(known: OrderedDict[bytes, T], key: bytes, find: Callable[[], T]) -> T:
    if key not in known:
        known[key] = find()
        if len(known) > REMEMBERED:
            known.popitem(last=False)
    return known[key]
