"""An evaluation of positions, and a bot that compares its choices by playouts to the end of the hour (the round)."""

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
"""The number of points by which an offer must be better than a pass, in a game of two players."""
MANY = 1 << 20
"""The bot rounds its probability of a random action to a multiple of 1 / ``MANY``."""
GROWTH = 0.35
"""The expected growth of a crew's largest colour, in points for each of its sailors and each remaining hour."""


@kernel
def promise(s: State, seat: int) -> float:
    """Return the points of the seat's crew, plus the expected growth of its largest colour in the remaining hours."""
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
    """Return the seat's expected lead in points over the mean of the other seats.

    The points of earlier games of the match count too.
    """
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
    """Return whether a search should stop here, because secret choices or an unseen sailor come next."""
    return s.phase == state.CHOOSING or s.phase == state.OPENING


@kernel
def look_on(s: State, seat: int, out: Numbers, stream: Stream) -> int:
    """Return a quick action: take the most valuable sailor, give the least valuable one, or pass in the bidding.

    All other choices are random. ``out`` is scratch space for actions.
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
    """Play the rest of the hour in place with :func:`look_on`. Return the worth of the result for the seat."""
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
    """Estimate each action by ``looks`` playouts to the end of the hour. Write the mean :func:`worth` into ``values``.

    ``states[0]`` is the position, and stays unchanged. ``states[1]`` and ``out`` are scratch space. ``values`` must
    contain zeros at the start. The k-th playout of each action begins with the same random
    numbers, so that luck affects all actions equally.
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
    """Draw again each sealed card that the seat can't see, from the unused cards of the same figure.

    Change ``s`` in place. A bot calls this function before each playout, so that it does not rely on one guess of the
    hidden cards.
    """
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
    """A bot that estimates each action by playouts to the end of the hour, and chooses the best one.

    It does not estimate where to place its captain: it chooses a random field. Each playout draws the cards of the
    other seats and all outcomes of chance at random. ``looks`` is the number of playouts for each action. ``slips``
    is the probability with which the bot chooses at random instead. ``care`` is the number of points by which a bid
    must be better than a pass. The default is ``CARE_OF_TWO`` with two players, and ``CARE`` with more. The default is
    lower with two players, because then the hirer chooses Black Jack's move and does not leave it to chance.
    """

    def __init__(self, game: Game, looks: int = 160, care: float | None = None, slips: float = 0.0) -> None:
        self.looks = looks
        self.care = care
        self.slips = slips

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """Return the chosen legal action (see :class:`spelunke.core.bot.Bot`)."""
        if len(legal) == 1:
            return legal[0]
        if self.slips > 0 and below(stream, MANY) < self.slips * MANY:
            return legal[int(below(stream, len(legal)))]
        assert view.seat is not None  # only seats choose, never spectators
        states = pool(state.STATE, 2)
        states[0] = imagine(view, stream)
        numbers = np.array([encode(action)[0] for action in legal], np.int64)
        if states[0].phase == state.PLACING:  # no estimate is needed, because all fields are equal
            return legal[int(below(stream, len(legal)))]
        values = np.zeros(len(numbers), np.float64)
        weigh(states, view.seat, numbers, self.looks, np.zeros(state.ACTIONS, np.int16), stream, values)
        if states[0].phase == state.BIDDING:
            care = self.care if self.care is not None else (CARE_OF_TWO if view.seats == 2 else CARE)
            values[numbers == state.PASS] += care
        return legal[int(values.argmax())]


BOTS = {"watchman": Watchman}
"""The bots that only this game has, by their names in ``levels.toml``."""
