"""Find the best choices in a position by playouts, for any game. Several seats may choose in secret at once.

If several seats act at once, the seats whose mixtures the search improves are called learners (by default all of them).
A learner's mixture is the current probability of each of its choices. In every iteration, each learner tries all of its
choices, after the other seats' choices have been drawn from their mixtures. A playout after the learner's choice and
the drawn choices gives the value of the learner's choice. All playouts of a learner in one iteration use the same
drawn choices and the same random numbers. A choice with more regret becomes more likely (sampled regret matching:
Lanctot and others 2009), and later iterations weigh more. With two seats, the mean of the mixtures converges to an
equilibrium.

If one seat acts, the search builds a tree of positions. At the root, each pass of the search tries all choices that
were not given up as worse. Below the root, upper confidence bounds select the choice to try next. A branch of the tree
ends at the first chance event or at the first simultaneous choices. After that, a playout begins, in which the function
``answer`` chooses all actions. The playout ends after a given number of rounds or other parts of the game. Either each
seat maximizes its own payoff (max^n), or one seat maximizes its payoff and all others minimize this payoff (paranoid).

For the reasons, see docs/why/mixing.md.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from spelunke.core.contract import (
    ACTIONS,
    CHANCE,
    OVER,
    actors,
    answer,
    apply_chance,
    legal,
    play,
    result,
    sample_chance,
    stage,
    value,
)
from spelunke.core.kernel import kernel
from spelunke.core.values import Numbers, Pool, State, Stream
from spelunke.solvers.regret import draw, mix, most_promising, note
from spelunke.solvers.tree import (
    COUNT,
    DEEPEST,
    FIRST,
    KEY,
    MASK,
    NODES,
    PARTS,
    PLAYED,
    ROWS,
    SEATS,
    USED_NODES,
    USED_ROWS,
    VISITS,
    Reals,
    Tree,
    Wholes,
)


class Learners(Protocol):
    """The kernels of this module that a search calls. :func:`spelunke.core.kernel.bind` returns them for one game."""

    def stage_of(self, pool: Pool) -> int: ...
    def open_node(self, pool: Pool, top: int, key: int, tree: Tree) -> int: ...
    def ponder(
        self,
        pool: Pool,
        cells: Numbers,
        tree: Tree,
        seats: int,
        seat: int,
        until: int,
        played: int,
        learners: int,
        foe: int,
        stream: Stream,
    ) -> None: ...


@kernel
def stage_of(pool: Pool) -> int:
    """Return the number of the part of the game to which the position ``pool[0]`` belongs."""
    return int(stage(pool[0]))


@kernel
def act(s: State, seat: int, action: int) -> None:
    """Play an action in place.

    No other kernel of this module calls ``play``, so a hot ``play`` (:func:`spelunke.core.kernel.hot`) is inlined only
    once. Callers convert an action of the type int16 to int, because arithmetic on int16 could overflow without Numba.
    """
    play(s, seat, action)


@kernel
def run_on(s: State, until: int, out: Numbers, stream: Stream) -> None:
    """Continue the game in ``s`` until it ends, or until the kernel ``stage`` returns at least ``until``.

    The kernel ``answer`` chooses all actions, and ``stream`` decides chance.
    """
    while True:
        who = actors(s)
        if who == OVER or stage(s) >= until:
            return
        if who == CHANCE:
            apply_chance(s, sample_chance(s, stream))
            continue
        seat = 0
        while not who >> seat & 1:
            seat += 1
        act(s, seat, int(answer(s, seat, out, stream)))


@kernel
def settle(s: State, seats: int, seat: int, points: Numbers, ranks: Numbers) -> float:
    """Return the seat's payoff for the position at the end of a playout."""
    found = float(value(s, seat))
    if actors(s) == OVER and seats > 1:
        result(s, points, ranks)
        alike = 0
        for other in range(seats):
            alike += ranks[other] == ranks[seat]
        found += 1.0 - 2.0 * (ranks[seat] - 1 + 0.5 * (alike - 1)) / (seats - 1)
    return found


@kernel
def want(s: State, seats: int, seat: int, foe: int, points: Numbers, ranks: Numbers) -> float:
    """Return the value that the seat maximizes: its own payoff, or minus the payoff of ``foe``.

    All seats except ``foe`` play against ``foe``. If ``foe`` is below 0, each seat maximizes its own payoff.
    """
    if foe < 0 or foe == seat:
        return settle(s, seats, seat, points, ranks)
    return -settle(s, seats, foe, points, ranks)


@kernel
def follow(s: State, seat: int, plan: Numbers) -> None:
    """Change ``s`` by playing all actions of one of a seat's choices. ``plan`` lists them, with -1 after the last."""
    for k in range(PARTS):
        if plan[k] < 0:
            return
        act(s, seat, int(plan[k]))


@kernel
def list_plans(pool: Pool, top: int, seat: int, tree: Tree, out: Numbers) -> int:
    """Write the seat's choices in the position ``pool[top]`` into ``tree.plans``, after the rows in use.

    Return the number of choices, or -1 if there is no space. If only this seat acts, a choice is one action. If other
    seats act too, a choice is a sequence of actions. It ends when the seat may no longer act, or after ``PARTS``
    actions. Only sequences in ascending order are listed: the actions are secret, so their order makes no difference.
    """
    who = actors(pool[top])
    alone = who == 1 << seat
    first = tree.used[USED_ROWS]
    rows = first + 1
    tree.plans[first, :] = -1
    kept = 0
    row = first
    while row < rows:
        pool[top + 1] = pool[top]
        follow(pool[top + 1], seat, tree.plans[row])
        length = 0
        last = -1
        while length < PARTS and tree.plans[row, length] >= 0:
            last = int(tree.plans[row, length])
            length += 1
        who = actors(pool[top + 1])
        if length > 0 and (alone or length == PARTS or who < 0 or not who >> seat & 1):
            tree.plans[first + kept] = tree.plans[row]
            kept += 1
        else:
            n = legal(pool[top + 1], seat, out)
            for k in range(n):
                if out[k] > last:
                    if rows >= ROWS:
                        return -1
                    tree.plans[rows] = tree.plans[row]
                    tree.plans[rows, length] = out[k]
                    rows += 1
        row += 1
    return kept


@kernel
def open_node(pool: Pool, top: int, key: int, tree: Tree) -> int:
    """Add the position ``pool[top]`` to the tree, with all choices of the seats that act.

    Return the number of the new node, or -1 if there is no space.
    """
    node = tree.used[USED_NODES]
    if node >= NODES:
        return -1
    out = np.zeros(max(1, ACTIONS), np.int16)
    rows = tree.used[USED_ROWS]
    who = actors(pool[top])
    for seat in range(SEATS):
        tree.nodes[node, COUNT + seat] = 0
        if who >> seat & 1:
            n = list_plans(pool, top, seat, tree, out)
            if n < 0:
                tree.used[USED_ROWS] = rows
                return -1
            tree.nodes[node, FIRST + seat] = tree.used[USED_ROWS]
            tree.nodes[node, COUNT + seat] = n
            tree.used[USED_ROWS] += n
    tree.nodes[node, KEY] = key
    tree.nodes[node, MASK] = who
    tree.nodes[node, VISITS] = 0
    tree.used[USED_NODES] += 1
    return int(node)


@kernel
def key_of(cells: Numbers) -> int:
    """Return a hash of a position. Collisions are almost impossible.

    ``cells`` is the memory of the position, as int16 numbers.
    """
    key = 7
    for k in range(len(cells)):
        key = (key * 1000003 + int(cells[k]) + 40000) % 4398046511093
    return key


@kernel
def meet(
    pool: Pool,
    top: int,
    tree: Tree,
    node: int,
    seats: int,
    until: int,
    learners: int,
    foe: int,
    out: Numbers,
    stream: Stream,
    found: Reals,
) -> None:
    """Run one iteration of learning in ``pool[top]``, where several seats act at once.

    A seat's value is the number that it maximizes (:func:`want`). Write one number for each seat into ``found``.
    For a learner, write the mean of its value over its mixture. For a seat without a choice here, compute the
    mean of its value over each learner's mixture, and write the average of these means. For a seat that has a choice
    but does not learn, write 0.
    """
    points = np.zeros(SEATS, np.int16)
    ranks = np.zeros(SEATS, np.int16)
    drawn = np.zeros(SEATS, np.int64)
    trial = np.zeros(1, np.int64)
    nodes = tree.nodes
    nodes[node, VISITS] += 1
    weight = float(nodes[node, VISITS])
    learning = 0
    for seat in range(seats):
        found[seat] = 0.0
        if nodes[node, COUNT + seat] and learners >> seat & 1:
            mix(tree, nodes[node, FIRST + seat], nodes[node, COUNT + seat])
    for seat in range(seats):
        count = nodes[node, COUNT + seat]
        if count == 0 or not learners >> seat & 1:
            continue
        for other in range(seats):
            if other != seat and nodes[node, COUNT + other]:
                drawn[other] = draw(tree, nodes[node, FIRST + other], nodes[node, COUNT + other], stream)
        first = nodes[node, FIRST + seat]
        begun = stream[0]
        mean = 0.0
        for row in range(first, first + count):
            if not tree.live[row]:
                continue
            drawn[seat] = row
            trial[0] = begun
            pool[top + 1] = pool[top]
            for who in range(seats):
                if nodes[node, COUNT + who]:
                    follow(pool[top + 1], who, tree.plans[drawn[who]])
            run_on(pool[top + 1], until, out, trial)
            tree.got[row] = want(pool[top + 1], seats, seat, foe, points, ranks) + tree.bias[row]
            mean += tree.now[row] * tree.got[row]
            if tree.now[row] > 0.0:
                for other in range(seats):
                    if nodes[node, COUNT + other] == 0:
                        found[other] += tree.now[row] * want(pool[top + 1], seats, other, foe, points, ranks)
            tree.used[PLAYED] += 1
        stream[0] = trial[0]
        for row in range(first, first + count):
            if tree.live[row]:
                tree.regret[row] += weight * (tree.got[row] - mean)
                tree.share[row] += weight * tree.now[row]
                note(tree, row, weight, tree.got[row])
        found[seat] = mean
        learning += 1
    for seat in range(seats):
        if nodes[node, COUNT + seat] == 0:
            found[seat] /= learning


@kernel
def find_node(cells: Numbers, tree: Tree) -> int:
    """Return the number of a position's node.

    If the tree has no such node, return -2 minus the hash of the position (:func:`key_of`).
    """
    key = key_of(cells)
    for node in range(tree.used[USED_NODES]):
        if tree.nodes[node, KEY] == key:
            return node
    return -2 - key


@kernel
def walk(
    pool: Pool,
    cells: Numbers,
    tree: Tree,
    seats: int,
    until: int,
    foe: int,
    out: Numbers,
    stream: Stream,
    found: Reals,
    path: Wholes,
) -> None:
    """Play one playout from ``pool[1]`` through the tree.

    If the playout reaches a position of the tree in which several seats act at once, run an iteration of learning there
    (:func:`meet`). Write into ``found``, for each seat, the value that it maximizes (:func:`want`).
    """
    points = np.zeros(SEATS, np.int16)
    ranks = np.zeros(SEATS, np.int16)
    depth = 0
    grown = False
    together = False
    while depth < DEEPEST:
        who = actors(pool[1])
        if who in (OVER, CHANCE) or stage(pool[1]) >= until:
            break
        node = find_node(cells[1], tree)
        if node < 0:
            if not grown:
                node = open_node(pool, 1, -2 - node, tree)
                grown = True
            if node < 0:
                break
        if who & (who - 1):
            meet(pool, 1, tree, node, seats, until, -1, foe, out, stream, found)
            together = True
            break
        seat = 0
        while not who >> seat & 1:
            seat += 1
        tree.nodes[node, VISITS] += 1
        row = most_promising(
            tree, tree.nodes[node, FIRST + seat], tree.nodes[node, COUNT + seat], tree.nodes[node, VISITS]
        )
        path[depth, 0] = row
        path[depth, 1] = seat
        depth += 1
        act(pool[1], seat, int(tree.plans[row, 0]))
    if not together:
        run_on(pool[1], until, out, stream)
        tree.used[PLAYED] += 1
        for seat in range(seats):
            found[seat] = want(pool[1], seats, seat, foe, points, ranks)
    for k in range(depth):
        note(tree, path[k, 0], 1.0, found[path[k, 1]])


@kernel
def ponder(
    pool: Pool,
    cells: Numbers,
    tree: Tree,
    seats: int,
    seat: int,
    until: int,
    played: int,
    learners: int,
    foe: int,
    stream: Stream,
) -> None:
    """Search from the position ``pool[0]``. Stop when the number of playouts in the tree reaches ``played``.

    The position must be node 0 of the tree. If several seats act at once in it, ``learners`` has a bit for each seat
    that learns. The other seats choose by their current mixtures in the tree. If only ``seat`` acts, each pass of the
    search tries all choices that were not given up (``tree.live``), with the same random numbers. ``cells`` is the
    pool's memory as int16, with one row for each state. ``foe`` is the seat that all others are assumed to play
    against. If ``foe`` is below 0, each seat maximizes its own payoff.
    """
    out = np.zeros(max(1, ACTIONS), np.int16)
    found = np.zeros(SEATS, np.float64)
    path = np.zeros((DEEPEST, 2), np.int64)
    trial = np.zeros(1, np.int64)
    mask = tree.nodes[0, MASK]
    first = tree.nodes[0, FIRST + seat]
    while tree.used[PLAYED] < played:
        if mask & (mask - 1):
            meet(pool, 0, tree, 0, seats, until, learners, foe, out, stream, found)
            continue
        begun = stream[0]
        tree.nodes[0, VISITS] += 1
        for row in range(first, first + tree.nodes[0, COUNT + seat]):
            if tree.live[row]:
                trial[0] = begun
                pool[1] = pool[0]
                act(pool[1], seat, int(tree.plans[row, 0]))
                walk(pool, cells, tree, seats, until, foe, out, trial, found, path)
                tree.got[row] = found[seat] + tree.bias[row]
                note(tree, row, 1.0, tree.got[row])
        stream[0] = trial[0]
