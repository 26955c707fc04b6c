"""Play out lines, on this machine or on another one. A line is a sequence of steps from a position.

An appraiser (:mod:`.playing`) decides which lines are played out, and a player plays them out. :class:`LocalPlayer`
runs the kernel ``play_out`` (:mod:`.playouts`) in this process. The players in :mod:`.elsewhere` leave the playouts to
a reader's browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

import numpy as np

from spelunke.analysis.playouts import Steps
from spelunke.core.chance import seed_stream
from spelunke.core.kernel import bind, pool
from spelunke.core.values import Pool, State
from spelunke.games.game import Game
from spelunke.solvers.played import Played
from spelunke.solvers.secret import Settled, lines_of

if TYPE_CHECKING:
    from spelunke.solvers.playouts import PlayOut

Line: TypeAlias = Sequence[tuple[int, int]]
"""A sequence of steps. A step has the seat or CHANCE, and the number of the action or outcome."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Lines to play out ``games`` times each. The playouts begin in the states ``worlds``.

    ``number`` is the seed of the random numbers. If ``knower`` is a seat and the game has the kernel ``redeal``,
    each playout begins with new random values for the facts that are hidden from this seat.
    """

    worlds: Sequence[State]
    lines: Sequence[Line]
    games: int
    number: int
    parts: int
    knower: int = -1


class Player(Protocol):
    """An object that plays out lines (sequences of moves), so that an analysis can estimate their values."""

    def play(self, job: Job, seat: int = -1) -> Played:
        """Play out the lines of the job, and return the results.

        If ``seat`` is not -1, also compare the lines' results for this seat (:meth:`.Played.of`).
        """
        ...

    def play_twice(
        self, first: Job, last: Job, seat: int, keep: int, played: int
    ) -> tuple[Played, list[int], Played]:
        """Play out all lines of the job ``first``. Then play out some of them again, as the job ``last`` says.

        Both jobs must have the same lines. :func:`choose_again` selects the lines for the second pass. Return the
        results of the first pass, the indices of the selected lines, and the results of the second pass.
        """
        ...

    def settle(self, job: Job, seats: tuple[int, ...], sequences: tuple[tuple[Steps, ...], ...]) -> Settled:
        """Play out all combinations of secret choices. Return the seats' mixed strategies, and the values of
        their choices.

        ``sequences`` has the choices of each of the ``seats``. The lines of the job are not used.
        """
        ...


def choose_again(first: Played, seat: int, keep: int, played: int) -> list[int]:
    """Return the indices of the lines for the second pass: the ``keep`` best lines for ``seat``, and ``played``.

    ``played`` is the index of a line to include even if it is not among the best, for example the line of the played
    action. If ``played`` is -1, include only the best lines.
    """
    order = first.order(seat)
    return order[:keep] + [line for line in order[keep:] if line == played]


class LocalPlayer:
    """A player that runs the kernel ``play_out`` (:mod:`.playouts`) in this process."""

    def __init__(self, game: Game) -> None:
        rules, how = game.rules, game.hooks.playouts()
        plain = bind("spelunke.solvers.unjudged", rules.__name__).__name__
        served = (how.kernels, plain) if how.kernels else (plain,)
        self._state = rules.STATE
        self._seats = max(game.seats)
        self._kernels = cast("PlayOut", bind("spelunke.solvers.playouts", rules.__name__, *served))
        self._work = pool(rules.STATE, 1)
        self._listed = np.zeros(max(rules.ACTIONS, rules.OUTCOMES), np.int16)

    def play(self, job: Job, seat: int = -1) -> Played:
        """Play the lines out (see :class:`Player`)."""
        return Played.of(*self._play(job, job.lines), seat)

    def play_twice(
        self, first: Job, last: Job, seat: int, keep: int, played: int
    ) -> tuple[Played, list[int], Played]:
        """Play lines out in two passes (see :class:`Player`)."""
        found = self.play(first, seat)
        again = choose_again(found, seat, keep, played)
        samples, left = self._play(last, [last.lines[line] for line in again])
        return found, again, Played.of(samples, left, seat)

    def settle(self, job: Job, seats: tuple[int, ...], sequences: tuple[tuple[Steps, ...], ...]) -> Settled:
        """Play out all combinations of secret choices, and find the seats' mixed strategies (:meth:`Player.settle`)."""
        samples, left = self._play(job, lines_of(seats, sequences))
        shape = [len(mine) for mine in sequences]
        deciders = int(np.bitwise_or.reduce(left))
        return Settled.of(samples.reshape(*shape, *samples.shape[1:]), seats, deciders)

    def _play(
        self, job: Job, lines: Sequence[Line]
    ) -> tuple[
        np.ndarray[tuple[int, ...], np.dtype[np.float64]], np.ndarray[tuple[int, ...], np.dtype[np.int16]]
    ]:
        """Return the samples of lines (sequences of steps), and for each line the seats that decide after it.

        For both results, see ``play_out`` (:mod:`.playouts`).
        """
        seeds = np.array([seed_stream(job.number, k)[0] for k in range(job.games)], np.int64)
        longest = max(1, *(len(line) for line in lines)) if lines else 1
        who = np.zeros((len(lines), longest), np.int16)
        steps = np.full((len(lines), longest), -1, np.int16)
        for k, line in enumerate(lines):
            for at, (seat, step) in enumerate(line):
                who[k, at], steps[k, at] = seat, step
        begun: Pool = pool(self._state, len(job.worlds))
        for k, world in enumerate(job.worlds):
            begun[k] = world
        samples = np.zeros((len(lines), job.games, self._seats, 3))
        left = np.zeros(len(lines), np.int16)
        self._kernels.play_out(
            begun, self._work, who, steps, seeds, job.parts, job.knower, self._listed, samples, left
        )
        return samples, left
