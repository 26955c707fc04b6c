"""The worth of a position, and the bot that plays out the rest of the hour to compare its choices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spelunke.core.chance import below
from spelunke.core.contract import CHANCE, OVER
from spelunke.core.kernel import kernel, pool
from spelunke.core.values import Numbers, Pool, Stream
from spelunke.games.game import Game
from spelunke.games.halunken import state
from spelunke.games.halunken.choices import legal
from spelunke.games.halunken.moves import Action, encode
from spelunke.games.halunken.quick import take
from spelunke.games.halunken.rules import actors, apply_chance, play, sample_chance
from spelunke.games.halunken.sailors import COLOURS, worth_of
from spelunke.games.halunken.state import FIGURES, JACK, RUM, State
from spelunke.games.halunken.view import View, imagine

KERNELS = {"quick": "stage answer", "judging": "value"}
CARE = 5.0
CARE_OF_TWO = 0.5
"""The number of points by which an offer must be better than a pass."""
MANY = 1 << 20
"""Probabilities of a slip are multiples of 1 / ``MANY``."""
GROWTH = 0.35
"""Expected growth of the strongest colour, in points for each of its sailors and each remaining hour."""


@kernel
def promise(s: State, seat: int) -> float:
    """Return the worth of the seat's crew, and the expected growth of its best colour in the remaining hours."""
    crew = s.crew[seat]
    value = float(worth_of(crew))
    most = 0
    for colour in range(COLOURS):
        n = 0
        mask = int(crew[colour])
        while mask:
            mask &= mask - 1
            n += 1
        most = max(most, n)
    left = state.HOURS - s.hour
    return float(value + GROWTH * left * most)


@kernel
def worth(s: State, seat: int) -> float:
    """Return the seat's approximate points above the mean of the others, including the totals of a match."""
    mine = 0.0
    others = 0.0
    for who in range(s.seats):
        value = float(s.total[who])
        if s.phase != state.FINISHED:
            value += promise(s, who)
        if who == seat:
            mine = value
        else:
            others += value
    return float(mine - others / (s.seats - 1))


@kernel
def quiescent(s: State) -> bool:
    """Return whether secret cards or a new pile lie ahead, so that a deeper search would see little."""
    return s.phase == state.CHOOSING or s.phase == state.OPENING


@kernel
def look_on(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick action for the rest of an hour: take the best sailor, give the least valuable one,
    choose cards at random.
    """
    n = legal(s, seat, out)
    if n == 1:
        return int(out[0])
    if s.phase == state.LANDED or s.phase == state.PASSING:
        return take(s, seat, out, n, 0.3)
    if s.phase == state.BIDDING:
        return state.PASS
    return int(out[below(stream, n)])


@kernel
def finish_hour(s: State, seat: int, out: Numbers, stream: Stream) -> float:
    """Play the rest of the hour in place with :func:`look_on`. Return its worth to the seat."""
    hour = s.hour
    games = s.games
    while s.hour == hour and s.games == games:
        who = actors(s)
        if who == OVER:
            break
        if who == CHANCE:
            apply_chance(s, sample_chance(s, stream))
            continue
        actor = 0
        while not (who >> actor) & 1:
            actor += 1
        play(s, actor, look_on(s, actor, out, stream))
    return worth(s, seat)


@kernel
def weigh(
    states: Pool,
    seat: int,
    actions: npt.NDArray[np.int64],
    looks: int,
    out: Numbers,
    stream: Stream,
    values: npt.NDArray[np.float64],
) -> None:
    """Write the mean worth at the end of the hour after each action into ``values``, over ``looks`` playouts.

    ``states[0]`` is the position and is not changed; ``states[1]`` is scratch space. Each playout uses the same
    chance for all actions.
    """
    trial = np.zeros(1, np.int64)
    for _ in range(looks):
        start = stream[0]
        below(stream, 2)
        for k in range(len(actions)):
            trial[0] = start
            states[1] = states[0]
            shuffle_sealed(states[1], seat, trial)
            play(states[1], seat, actions[k])
            values[k] += finish_hour(states[1], seat, out, trial)
    for k in range(len(actions)):
        values[k] /= looks


@kernel
def shuffle_sealed(s: State, seat: int, stream: Stream) -> None:
    """Draw the others' sealed cards again at random, so that a bot does not rely on one guess."""
    if s.phase != state.CHOOSING:
        return
    for figure in range(FIGURES):
        if s.sealed[figure] == 0 or figure == seat:
            continue
        if figure == JACK and s.hirer == seat:
            continue
        while True:
            card = below(stream, RUM)
            if (s.cards[figure] >> card) & 1:
                s.sealed[figure] = card + 1
                break


class Watchman:
    """A bot that plays out the rest of the hour repeatedly, with the others' cards and all chance drawn each time.

    ``looks`` is the number of playouts. ``care`` is the number of points by which an offer must be better
    than a pass. (With three or four players Black Jack's move is not known yet; with two the hirer chooses
    it.) ``slips`` is the probability of a random action.
    """

    def __init__(self, game: Game, looks: int = 160, care: float | None = None, slips: float = 0.0) -> None:
        self.looks = looks
        self.care = care
        self.slips = slips

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """Return one of the legal actions; see :class:`spelunke.core.bot.Bot`."""
        if len(legal) == 1:
            return legal[0]
        if self.slips > 0 and below(stream, MANY) < self.slips * MANY:
            return legal[int(below(stream, len(legal)))]
        assert view.seat is not None  # only a seat chooses
        states = pool(state.STATE, 2)
        states[0] = imagine(view, stream)
        numbers = np.array([encode(action)[0] for action in legal], np.int64)
        if states[0].phase == state.PLACING:  # all piles are equal
            return legal[int(below(stream, len(legal)))]
        values = np.zeros(len(numbers), np.float64)
        weigh(states, view.seat, numbers, self.looks, np.zeros(state.ACTIONS, np.int16), stream, values)
        if states[0].phase == state.BIDDING:
            care = self.care if self.care is not None else (CARE_OF_TWO if view.seats == 2 else CARE)
            values[numbers == state.PASS] += care
        return legal[int(values.argmax())]


BOTS = {"watchman": Watchman}
"""The game's own bots, by their names in ``levels.toml``."""
