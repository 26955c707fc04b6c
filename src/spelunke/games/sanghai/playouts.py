"""The playouts of Sanghai for analyses: a few turns, then an estimate of the cost of the hands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from spelunke.analysis import playouts
from spelunke.core.kernel import kernel
from spelunke.games.sanghai import moves, quick, redeals, state
from spelunke.games.sanghai.cards import is_wild, kind_of
from spelunke.games.sanghai.hints import survey
from spelunke.games.sanghai.laying import wish_of
from spelunke.games.sanghai.moves import Action
from spelunke.games.sanghai.planning import FAR, lacking
from spelunke.games.sanghai.reader import Reader
from spelunke.games.sanghai.state import (
    DEALING,
    FINISHED,
    KINDS,
    LAYOFF_SAME_TURN,
    LENGTH_OF,
    RUNS_OF,
    SCHEDULE,
    SEATS,
    SETS_OF,
    TURN_LIMIT,
    State,
    hand_points,
    rounds,
    wide,
)
from spelunke.games.sanghai.view import View

answer = quick.answer
redeal = redeals.redeal
ROUND_OF_TURNS: Final = TURN_LIMIT * SEATS + TURN_LIMIT
"""A number that is larger than the number of turns in a round."""
SIGNS: Final = 14
"""The number of features of a hand."""
# Fitted by least squares to 80 games of three to five Uncles. Today ``bench/advice.py fit sanghai --games 80``
# finds other weights. Nobody has measured which of them give better advice, so these stay.
UNLAID = np.array(
    [-112.9, 0.165, 14.96, -1.721, -11.6, 3.55, 3.37, -1.528, -0.077, 0.734, 0.098, 1.541, 7.796, 5.422]
)
LAID = np.array([0.62, 0.04, 0.0, 0.0, 0.0, -0.183, 2.597, 0.0, 0.021, 0.403, 0.0, -0.113, 0.657, 0.0])
SPREAD = np.array([15.0, 24.0, 28.0, 41.0, 45.0, 48.0, 51.0, 51.0, 51.0, 52.0])
"""The standard deviation of a seat's cost in a round around the mean cost of all seats, in points.

The index is the number of cards in the contract, minus 6.

No command computes exactly these numbers. In 4,000 games of three to six quick players, ``bench/advice.py
spread`` finds 22, 28, 30, 43, 45, 49, 51, 51, 52 and 53. In games of Uncles, ``fit sanghai --games 80`` finds
17, 26, 26, 40, 45, 49, 52, 52, 51 and 54.
"""
OFF_UNLAID: Final = 0.95
"""The factor for ``SPREAD`` in the current round, before the seat has laid. A fit to 80 games of Uncles gives 0.92."""
OFF_LAID: Final = 4.4
"""The standard deviation of the error of a hand's estimated cost, in points, after the seat has laid."""


@kernel
def stage(s: State) -> int:
    """Return a number that grows during the game: the number of finished rounds times ``ROUND_OF_TURNS``, plus the
    turns of this round.
    """
    return (int(s.lap) + (1 if s.phase == FINISHED else 0)) * ROUND_OF_TURNS + int(s.turns)


@kernel
def forecast(s: State, points: npt.NDArray[np.float64]) -> float:
    """Write an estimate of each seat's final points into ``points``, as a negative number: fewer points are better.

    The estimate adds the points so far and the expected cost of the hand. Return the standard deviation of its error.
    Later rounds are expected to cost all seats the same, so they change only this deviation.
    """
    signs = np.zeros(SIGNS)
    in_round = s.phase > DEALING
    unlaid = OFF_UNLAID * spread_of(s, wide(s.lap))
    here = 0.0
    for seat in range(s.seats):
        total = 0.0
        for lap in range(s.lap):
            total += s.sheet[lap, seat]
        if in_round:
            read_signs(s, seat, signs)
            cost = 0.0
            for k in range(SIGNS):
                cost += signs[k] * (LAID[k] if s.laid[seat] != 0 else UNLAID[k])
            total += max(0.0, cost)
            here += OFF_LAID * OFF_LAID if s.laid[seat] != 0 else unlaid * unlaid
        points[seat] = -total
    off = here / s.seats
    for lap in range(s.lap + 1 if in_round else s.lap, rounds(s)):
        off += spread_of(s, wide(lap)) ** 2
    return math.sqrt(off)


@kernel
def spread_of(s: State, lap: int) -> float:
    """Return the standard deviation of a seat's cost in round ``lap`` (from 0) around the mean cost of all seats."""
    row = s.options[SCHEDULE]
    return float(SPREAD[3 * SETS_OF[row, lap] + LENGTH_OF[row, lap] * RUNS_OF[row, lap] - 6])


@kernel
def read_signs(s: State, seat: int, out: npt.NDArray[np.float64]) -> None:
    """Write into ``out`` the features of a hand: points, missing and helping cards, and the other seats' progress."""
    points = float(hand_points(s, seat))
    laid = 0
    least = 20
    for other in range(s.seats):
        if other != seat and s.laid[other] != 0:
            laid += 1
            least = min(least, int(s.held[other]))
    near = 1.0 / (1.0 + least) if laid > 0 else 0.0
    far = 0
    outs = 0
    if s.laid[seat] == 0:
        h = np.empty(KINDS, np.int16)
        helps = np.zeros(KINDS, np.int16)
        h[:] = s.hand[seat]
        far = min(6, lacking(h, wish_of(s), wide(FAR), helps))
        for kind in range(KINDS):
            if helps[kind] != 0:
                outs += int(s.stock[kind])
    share = outs / max(1.0, float(s.stocked))
    turns = float(s.turns) / float(s.seats)
    out[0] = 1.0
    out[1] = points
    out[2] = far
    out[3] = far * far
    out[4] = share
    out[5] = laid
    out[6] = near
    out[7] = far * laid
    out[8] = points * laid
    out[9] = points * near
    out[10] = points * far
    out[11] = turns
    out[12] = float(s.held[seat])
    out[13] = far * near


class SanghaiPlayouts(playouts.Playouts[State, Action, View]):
    """Playouts of up to six turns, which end with the round at the latest.

    The planner chooses the discards, calls and layings to examine.
    """

    kernels = __name__
    parts = 6
    redeals = True
    foresees = True
    slack = 60.0
    most = 5
    budget = playouts.Budget(worlds=16, first=10, keep=2, last=30)

    def counts_together(self, s: State) -> bool:
        """Return whether chance chooses the first dealer now, or deals the cards of a round.

        An analysis counts the whole deal as one outcome of chance.
        See :class:`spelunke.analysis.playouts.Playouts`.
        """
        return bool(s.phase <= DEALING)

    def same(self, one: Action, other: Action) -> bool:
        """Return whether two actions have the same effect.

        This is true for two layings of the same melds, even if they number the melds differently. It is also true for
        two calls: a player can't choose whether a call ties.
        """
        if isinstance(one, moves.Hep) and isinstance(other, moves.Hep):
            return True
        if isinstance(one, moves.LayDown) and isinstance(other, moves.LayDown):
            return sorted(map(repr, one.melds)) == sorted(map(repr, other.melds))
        return one == other

    def safer(self, one: Action, other: Action) -> bool:
        """Return whether ``one`` lays the contract now and ``other`` is a discard.

        After the discard, the cards of the contract are still in the hand. A playout lays them in the next turn, so the
        discard often seems as good as the laying. But a player does not always lay in the next turn.
        """
        return isinstance(one, moves.LayDown) and isinstance(other, moves.Discard)

    def candidates(self, seen: View, legal: Sequence[Action]) -> Sequence[tuple[Action, float]]:
        """Return the actions to examine, with the planner's weights.

        Of all layings, only those with the most points are examined: the best with additions to melds in the same turn,
        and the best without. The weight of a discard is the value of the hand after it. Taking or calling for a useless
        card has a low weight.
        """
        if seen.seat is None or len(legal) == 1:
            return [(action, 0.0) for action in legal]
        reader = Reader(seen)
        if seen.phase == "window":
            useless = not _is_of_use(reader)
            wants = (moves.Hep, moves.Take)
            return [
                (action, -FAR_OFF if useless and isinstance(action, wants) else 0.0)
                for action in legal
                if action != moves.Hep(tied=True)
            ]
        if seen.phase != "turn":
            return [(action, 0.0) for action in legal]
        return _weigh_turn(reader, legal, self)


FAR_OFF: Final = 200.0
WILD: Final = 60.0


def _is_of_use(reader: Reader) -> bool:
    """Return whether the top card of the pile helps the hand, can be added, or enlarges a hand that is too small.

    A wild card is always of use. If the pile is empty, return True too.
    """
    seen = reader.seen
    assert seen.seat is not None
    if seen.top is None or is_wild(seen.top, reader.black):
        return True
    if seen.laid[seen.seat]:
        return reader.addable(seen.top)
    short = seen.contract.cards - len(seen.hand)
    return short > 0 or seen.top in reader.lacks(reader.hand)[1]


def _weigh_turn(
    reader: Reader, legal: Sequence[Action], how: SanghaiPlayouts
) -> Sequence[tuple[Action, float]]:
    """Return the discards, additions, swaps and layings of the player on turn, with their weights."""
    throws = _weigh_throws(reader)
    least = float(throws.max())
    found: list[tuple[Action, float]] = []
    for action in legal:
        if isinstance(action, moves.Discard):
            found.append((action, float(throws[kind_of(action.card)])))
        elif isinstance(action, moves.Add):
            wild = WILD if is_wild(action.card, reader.black) else 0.0
            found.append((action, least + float(reader.points[kind_of(action.card)]) - wild))
        elif isinstance(action, moves.Swap):
            found.append((action, least + 30.0))
    if any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal):
        for with_table in (True, False) if reader.seen.option(LAYOFF_SAME_TURN) else (False,):
            most, melds = reader.plan(with_table)
            laying = moves.LayDown(melds)
            if most >= 0 and not any(how.same(laying, action) for action, _ in found):
                found.append((laying, least + 30.0))
    return found


def _weigh_throws(reader: Reader) -> npt.NDArray[np.float64]:
    """Return, for each kind, the approximate value of the hand after a discard of that kind, in points.

    Kinds that are not in the hand get -1e9.
    """
    seen = reader.seen
    assert seen.seat is not None
    score = np.full(KINDS, -1e9)
    if seen.laid[seen.seat]:
        score[:] = np.where(reader.hand > 0, reader.points.astype(np.float64), -1e9)
        return score
    survey(reader.hand, reader.want, reader.unseen, reader.points, score)
    for kind in np.flatnonzero(reader.hand):
        if kind == state.JOKER or (reader.black and state.black_two(int(kind))):
            score[kind] -= quick.KEEP_WILD
    return score
