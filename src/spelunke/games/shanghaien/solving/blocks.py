"""One block of a round: the values of all states in which each side has laid a given number of dice.

In a block, the side on turn (the *mover*) has laid ``mine`` dice, and the other side ``theirs``. All values of
a round are in one long array of float32, the *store*. A block is computed from the blocks that may follow it in play.

The block contains the value of each state *for the other side*. In the turn before, the other side laid its last die,
and the computation of that turn compares these values. Laid dice are given by their code (:mod:`.dice`). The block has
a row for each code of the other side's dice, and a column for each code of the mover's dice. In the turn of the other
side, the mover's dice stay the same, so the values of its possible dice are in one column. To compare them for all
columns at once, the computation compares whole rows, which are fast to read.

The computation exists twice: as a kernel that works row by row, and with NumPy for the whole block. The second
form is for runs without compiled kernels. A test compares the two.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.core.kernel import kernel
from spelunke.games.shanghaien.solving.dice import FIRST, NUMBERS, SIZES, Shorts

Floats: TypeAlias = npt.NDArray[np.float32]
Places: TypeAlias = npt.NDArray[np.int64]

# The meaning of each element of ``at``: where a block begins in the store, or -1 if there is no such block.
OUT: Final = 0
STAY: Final = 1
"""The index in ``at`` of the block that follows if a die is laid without a trick."""
NUDGED: Final = 2
AGAIN: Final = 3
BOTH: Final = 4
"""The index in ``at`` of the block that follows if both dice are laid."""
JOKERS: Final = 5
"""The first index in ``at`` of the blocks that follow after a joker, one for each nation that it may join."""

STRIPE: Final = 16
"""The number of rows that are computed before they are written to the store together.

In the store, one value from each of these rows fits into one cache line.
"""
TWICE: Final = np.float32(2.0)
SHARE: Final = np.float32(1.0 / 36.0)
LOW: Final = np.float32(-1e30)


def fill_block(
    store: Floats,
    at: Places,
    mine: int,
    theirs: int,
    steps: Shorts,
    settled: Shorts,
    ends: Floats,
    reroll: bool,
) -> None:
    """Compute a block from the blocks that may follow.

    ``at`` has the index in ``store`` (all values of the round) at which each of these blocks begins. The computed block
    begins at ``at[OUT]``. ``steps`` and ``settled`` are the tables of :mod:`.dice`. ``ends`` has the value of each
    settlement for the mover, float32[729]. If ``reroll`` is true, doubles may be rolled again.
    """
    if hasattr(fill, "py_func"):
        sizes = (SIZES[mine], SIZES[theirs], FIRST[mine], FIRST[theirs])
        fill(store, at, mine, *sizes, steps, settled, ends, reroll)
    else:
        _fill_whole(store, at, mine, theirs, steps, settled, ends, reroll)


@kernel
def fall(a: Floats, b: Floats, c: Floats, d: Floats, e: Floats, f: Floats, out: Floats) -> None:
    """Write into ``out`` the mean value over all rolls of two dice, if the mover lays the better die of each roll.

    ``a`` has the values of laying a 1, ``b`` those of laying a 2, and so on.
    """
    for j in range(len(out)):
        u, v, w, x, y, z = a[j], b[j], c[j], d[j], e[j], f[j]
        pairs = max(u, v) + max(u, w) + max(u, x) + max(u, y) + max(u, z)
        pairs += max(v, w) + max(v, x) + max(v, y) + max(v, z)
        pairs += max(w, x) + max(w, y) + max(w, z) + max(x, y) + max(x, z) + max(y, z)
        out[j] = (u + v + w + x + y + z + pairs + pairs) * SHARE


@kernel
def fall_from(store: Floats, at: int, steps: Shorts, code: int, wide: int, out: Floats) -> None:
    """Write into ``out`` the mean value over all rolls, as :func:`fall` does, but read the values from ``store``.

    The values are in the block of the states after the mover has laid the better die. This block begins at ``at`` and
    has rows of ``wide`` values. ``code`` is the code (:mod:`.dice`) of the dice that the mover had laid before this
    die.
    """
    a, b, c = at + steps[code, 0] * wide, at + steps[code, 1] * wide, at + steps[code, 2] * wide
    d, e, f = at + steps[code, 3] * wide, at + steps[code, 4] * wide, at + steps[code, 5] * wide
    fall(
        store[a : a + wide],
        store[b : b + wide],
        store[c : c + wide],
        store[d : d + wide],
        store[e : e + wide],
        store[f : f + wide],
        out,
    )


@kernel
def raise_to(out: Floats, other: Floats) -> None:
    """Set each element of ``out`` to the maximum of itself and the element of ``other`` at the same place."""
    for j in range(len(out)):
        out[j] = max(out[j], other[j])


@kernel
def lay(store: Floats, at: Places, steps: Shorts, code: int, wide: int, best: Floats, spare: Floats) -> None:
    """Write into ``best`` a row for each number of a rolled die: the best values that the mover can get with it.

    The mover may lay the die as it is, lay it after a joker, change it by one, or roll both dice again. ``best`` is
    float32[6, wide]. ``code`` is the code (:mod:`.dice`) of the dice that the mover has laid so far, without this die.
    ``wide`` is the length of a block's rows in ``store``, and ``spare`` is scratch space of this length.
    """
    for number in range(NUMBERS):
        place = at[STAY] + steps[code, number] * wide
        best[number, :] = store[place : place + wide]
        for k in range(JOKERS, len(at)):
            place = at[k] + steps[code, number] * wide
            raise_to(best[number], store[place : place + wide])
    if at[NUDGED] >= 0:
        for number in range(NUMBERS):
            place = at[NUDGED] + steps[code, number] * wide
            if number > 0:
                raise_to(best[number - 1], store[place : place + wide])
            if number < NUMBERS - 1:
                raise_to(best[number + 1], store[place : place + wide])
    if at[AGAIN] >= 0:
        fall_from(store, at[AGAIN], steps, code, wide, spare)
        for number in range(NUMBERS):
            raise_to(best[number], spare)


@kernel
def fall_with_tricks(
    store: Floats,
    at: Places,
    steps: Shorts,
    code: int,
    after: int,
    wide: int,
    reroll: bool,
    work: Floats,
    out: Floats,
) -> None:
    """Write into ``out`` the mean value over all rolls, with tricks and rerolls.

    ``code`` is the code (:mod:`.dice`) of the dice that the mover has laid, and ``after`` is the first of the codes
    with one die more. ``work`` is working space, float32[15, wide].
    """
    best = work[:6]
    doubles = work[6:12]
    spare = work[12]
    pairs = work[13]
    row = work[14]
    lay(store, at, steps, code, wide, best, spare)
    pairs[:] = 0.0
    for low in range(NUMBERS):
        for high in range(low, NUMBERS):
            row[:] = best[low]
            raise_to(row, best[high])
            if at[BOTH] >= 0:
                place = at[BOTH] + steps[after + steps[code, low], high] * wide
                raise_to(row, store[place : place + wide])
            if low == high:
                doubles[low, :] = row
            else:
                for j in range(wide):
                    pairs[j] += row[j]
    for j in range(wide):
        even = doubles[0, j] + doubles[1, j] + doubles[2, j] + doubles[3, j] + doubles[4, j] + doubles[5, j]
        mean = (even + TWICE * pairs[j]) * SHARE
        if reroll:
            even = max(doubles[0, j], mean) + max(doubles[1, j], mean) + max(doubles[2, j], mean)
            even += max(doubles[3, j], mean) + max(doubles[4, j], mean) + max(doubles[5, j], mean)
            mean = (even + TWICE * pairs[j]) * SHARE
        out[j] = mean


@kernel
def fill(
    store: Floats,
    at: Places,
    mine: int,
    tall: int,
    wide: int,
    first: int,
    other: int,
    steps: Shorts,
    settled: Shorts,
    ends: Floats,
    reroll: bool,
) -> None:
    """Compute the block row by row (see :func:`fill_block`).

    There are ``tall`` codes (:mod:`.dice`) for the mover's dice, and ``first`` is the first of them. There are ``wide``
    codes for the other side's dice, and ``other`` is the first of them.
    """
    stripe = np.empty((STRIPE, wide), np.float32)
    work = np.empty((15, wide), np.float32)
    plain = at[NUDGED] < 0 and at[AGAIN] < 0 and at[BOTH] < 0 and len(at) == JOKERS and not reroll
    for begin in range(0, tall, STRIPE):
        rows = min(STRIPE, tall - begin)
        for k in range(rows):
            code = first + begin + k
            row = stripe[k]
            if mine > 4:
                row[:] = LOW
            elif plain:
                fall_from(store, at[STAY], steps, code, wide, row)
            else:
                fall_with_tricks(store, at, steps, code, first + tall, wide, reroll, work, row)
            if mine > 1:
                falls = settled[code, other : other + wide]
                for j in range(wide):
                    row[j] = max(row[j], ends[falls[j]])
        for j in range(wide):
            place = at[OUT] + j * tall + begin
            line = store[place : place + rows]
            for k in range(rows):
                line[k] = -stripe[k, j]


def _fill_whole(
    store: Floats,
    at: Places,
    mine: int,
    theirs: int,
    steps: Shorts,
    settled: Shorts,
    ends: Floats,
    reroll: bool,
) -> None:
    """Compute the block with NumPy (see :func:`fill_block`)."""
    tall, wide, first, other = SIZES[mine], SIZES[theirs], FIRST[mine], FIRST[theirs]
    values = np.full((tall, wide), LOW, np.float32)
    if mine <= 4:
        values = _fall_whole(store, at, mine, wide, steps, reroll)
    if mine > 1:
        np.maximum(values, ends[settled[first : first + tall, other : other + wide]], out=values)
    place = int(at[OUT])
    np.negative(values.T, out=store[place : place + tall * wide].reshape(wide, tall))


def _fall_whole(store: Floats, at: Places, mine: int, wide: int, steps: Shorts, reroll: bool) -> Floats:
    """Return the mean value over all rolls, with a row for each code of the mover's dice.

    ``mine`` is the number of dice that the mover has laid. ``wide`` is the length of a block's rows in ``store``.
    """
    after = FIRST[mine + 1]
    codes = steps[FIRST[mine] : after]
    more = SIZES[mine + 1]

    def block(k: int, rows: int) -> Floats:
        place = int(at[k])
        return store[place : place + rows * wide].reshape(rows, wide)

    best = [block(STAY, more)[codes[:, number]] for number in range(NUMBERS)]
    for k in range(JOKERS, len(at)):
        joker = block(k, more)
        for number in range(NUMBERS):
            np.maximum(best[number], joker[codes[:, number]], out=best[number])
    if at[NUDGED] >= 0:
        nudged = block(NUDGED, more)
        for number in range(NUMBERS):
            row = nudged[codes[:, number]]
            for near in (number - 1, number + 1):
                if 0 <= near < NUMBERS:
                    np.maximum(best[near], row, out=best[near])
    if at[AGAIN] >= 0:
        again = block(AGAIN, more)
        anew = _mean_of_rolls([again[codes[:, number]] for number in range(NUMBERS)], None, False)
        for number in range(NUMBERS):
            np.maximum(best[number], anew, out=best[number])
    both = None
    if at[BOTH] >= 0:
        two = block(BOTH, SIZES[mine + 2])
        both = [
            [two[steps[after + codes[:, low], high]] for high in range(NUMBERS)] for low in range(NUMBERS)
        ]
    return _mean_of_rolls(best, both, reroll)


def _mean_of_rolls(best: list[Floats], both: list[list[Floats]] | None, reroll: bool) -> Floats:
    doubles = list(best)
    pairs = np.zeros_like(best[0])
    for low in range(NUMBERS):
        if both:
            doubles[low] = np.maximum(best[low], both[low][low])
        for high in range(low + 1, NUMBERS):
            found = np.maximum(best[low], best[high])
            pairs += np.maximum(found, both[low][high]) if both else found
    pairs *= TWICE
    mean: Floats = (np.add.reduce(doubles) + pairs) * SHARE
    if reroll:
        mean = (np.add.reduce([np.maximum(double, mean) for double in doubles]) + pairs) * SHARE
    return mean
