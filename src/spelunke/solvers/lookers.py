"""Run a search on one or several cores.

A looker is one search with its own tree. All lookers search from the same root, and their results are added. After a
given number of playouts, the sum depends only on the number of lookers and their random streams, not on the speed of
their threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from spelunke.core.errors import Refused
from spelunke.core.kernel import pool
from spelunke.core.values import Numbers, Pool, State, Stream
from spelunke.solvers.tree import COUNT, FIRST, PLAYED, VISITS, Reals, Tree, plant

if TYPE_CHECKING:
    from spelunke.solvers.learners import Learners


class Looker:
    """One search: its tree, and a small pool of states in which its playouts are played.

    The constructor raises Refused if the seats have too many choices at the root.
    """

    def __init__(self, kernels: Learners, root: State, stream: Stream) -> None:
        self._kernels = kernels
        self.states: Pool = pool(root.dtype, 4)
        self._cells: Numbers = self.states.view(np.int16).reshape(len(self.states), -1)
        self._stream = stream
        self.states[0] = root
        self.tree: Tree = plant()
        self.spent = 0.0
        """The processor time that this search has used, in milliseconds."""
        if kernels.open_node(self.states, 0, 0, self.tree) < 0:
            raise Refused("there are too many choices for this search")

    @property
    def played(self) -> int:
        """The number of playouts that this search has played."""
        return int(self.tree.used[PLAYED])

    def ponder(self, played: int, seats: int, seat: int, until: int, learners: int, foe: int) -> None:
        """Search until this looker has ``played`` playouts in total.

        For the other arguments, see :func:`spelunke.solvers.learners.ponder`.
        """
        begun = time.thread_time()
        self._kernels.ponder(
            self.states, self._cells, self.tree, seats, seat, until, played, learners, foe, self._stream
        )
        self.spent += 1000.0 * (time.thread_time() - begun)


class Sums(NamedTuple):
    """Sums over all lookers (searches from the same root). Each field has a sum for each choice of a seat at the root.

    For the meaning of the fields, see :class:`spelunke.solvers.tree.Tree`.
    """

    share: Reals
    total: Reals
    square: Reals
    weight: Reals


class Lookers:
    """Several searches from the same root, one for each random stream.

    The constructor raises Refused if the seats have too many choices at the root.
    """

    def __init__(
        self, kernels: Learners, root: State, seats: int, seat: int, streams: Sequence[Stream]
    ) -> None:
        self.seats = seats
        self.seat = seat
        self.until = 0
        self.learners = -1
        """A bit for each seat that learns at the root; by default all seats learn."""
        self.foe = -1
        """The seat that all others are assumed to play against, or -1 if each seat maximizes its own payoff."""
        self._lookers = [Looker(kernels, root, stream) for stream in streams]
        self.root: Pool = self._lookers[0].states

    def __len__(self) -> int:
        return len(self._lookers)

    def rows(self, seat: int) -> range:
        """Return the row numbers of a seat's choices at the root, in the arrays of a tree.

        These numbers are the same in the trees of all lookers (parallel searches).
        """
        nodes = self._lookers[0].tree.nodes
        first = int(nodes[0, FIRST + seat])
        return range(first, first + int(nodes[0, COUNT + seat]))

    def plans(self, seat: int) -> list[tuple[int, ...]]:
        """Return the actions of each choice that the seat has at the root."""
        plans = self._lookers[0].tree.plans
        return [tuple(int(action) for action in plans[row] if action >= 0) for row in self.rows(seat)]

    @property
    def played(self) -> int:
        """The total number of playouts of all lookers (searches)."""
        return sum(one.played for one in self._lookers)

    @property
    def spent_apart(self) -> float:
        """The processor time, in milliseconds, of the looker (search) whose thread has used the most time.

        If there is only one looker, it needs no thread of its own, and the value is 0.
        """
        return max(one.spent for one in self._lookers) if len(self) > 1 else 0.0

    @property
    def visits(self) -> int:
        """The number of visits to the root, added over all lookers (parallel searches)."""
        return sum(int(one.tree.nodes[0, VISITS]) for one in self._lookers)

    @contextmanager
    def at_work(self) -> Iterator[Callable[[int], None]]:
        """Yield a function that plays about as many playouts as its argument says.

        If there are several lookers (searches with their own trees), each has its own thread and plays an equal part of
        the playouts.
        """
        if len(self._lookers) == 1:
            yield lambda more: self._ponder(self._lookers[0], more)
            return
        with ThreadPoolExecutor(len(self._lookers), "looker") as threads:

            def look(more: int) -> None:
                each = -(-more // len(self._lookers))
                list(threads.map(lambda one: self._ponder(one, each), self._lookers))

            yield look

    def _ponder(self, one: Looker, more: int) -> None:
        one.ponder(one.played + more, self.seats, self.seat, self.until, self.learners, self.foe)

    def sums(self, seat: int) -> Sums:
        """Return the sums of the search statistics over all lookers, for each choice that the seat has at the root."""
        rows = slice(self.rows(seat).start, self.rows(seat).stop)

        def add(kept: Callable[[Tree], Reals]) -> Reals:
            found: Reals = np.sum([kept(one.tree)[rows] for one in self._lookers], axis=0)
            return found

        return Sums(
            add(lambda tree: tree.share),
            add(lambda tree: tree.total),
            add(lambda tree: tree.square),
            add(lambda tree: tree.weight),
        )

    def live(self, seat: int) -> npt.NDArray[np.bool_]:
        """Return a truth value for each choice that the seat has at the root: whether the search still tries it."""
        rows = self.rows(seat)
        return self._lookers[0].tree.live[rows.start : rows.stop].copy()

    def give_up(self, seat: int, worse: npt.NDArray[np.bool_]) -> None:
        """Stop trying some of a seat's choices at the root.

        ``worse`` has a truth value for each choice: whether to stop trying it.
        """
        rows = self.rows(seat)
        for one in self._lookers:
            one.tree.live[rows.start : rows.stop] &= ~worse

    def misjudge(self, seat: int, bias: Reals) -> None:
        """Make the search misjudge a seat's choices: add ``bias`` to their values in all later playouts."""
        rows = self.rows(seat)
        for one in self._lookers:
            one.tree.bias[rows.start : rows.stop] = bias

    def fix(self, seat: int, shares: Reals) -> None:
        """Set a seat's mixture at the root to ``shares``.

        Later playouts keep this mixture if the seat has no bit in the attribute ``learners``.
        """
        rows = self.rows(seat)
        for one in self._lookers:
            one.tree.now[rows.start : rows.stop] = shares

    def forget(self, seat: int) -> None:
        """Discard the results of a seat's choices, and try all its choices again.

        Also set the number of playouts, the number of visits to the root, and the used time of each search to 0.
        """
        rows = self.rows(seat)
        for one in self._lookers:
            tree = one.tree
            for kept in (tree.total, tree.square, tree.weight, tree.share, tree.regret):
                kept[rows.start : rows.stop] = 0.0
            tree.live[rows.start : rows.stop] = True
            tree.nodes[0, VISITS] = 0
            tree.used[PLAYED] = 0
            one.spent = 0.0
