"""The 42 sailors, and crews as bit masks. A crew has one mask for each colour (H-R2, H-A1).

If the sailor with value ``v`` is in the crew, bit ``v - 1`` of its colour's mask is set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers

COLOURS: Final = 4
SAILORS: Final = 42
VALUES: Final = 15
"""The highest value of a sailor. No colour has all values from 1 to this."""
NONE: Final = -1

_OF_COLOUR: Final = (
    tuple(range(1, 13)),
    (*range(2, 12), 13),
    (*range(3, 12), 14),
    (*range(4, 12), 15),
)
"""The values of the yellow, grey, violet and red sailors. The order of the colours breaks ties (H-R16)."""

COLOUR = np.array([colour for colour, values in enumerate(_OF_COLOUR) for _ in values], np.int16)
VALUE = np.array([value for values in _OF_COLOUR for value in values], np.int16)
SAILOR = np.full((COLOURS, VALUES), NONE, np.int16)
"""The number of each sailor, by colour and by value minus 1; NONE if there is no such sailor."""
for _sailor in range(SAILORS):
    SAILOR[COLOUR[_sailor], VALUE[_sailor] - 1] = _sailor
FULL = np.array([sum(1 << value - 1 for value in values) for values in _OF_COLOUR], np.int16)
"""For each colour, the mask of all its sailors."""
PLACE = np.zeros(19, np.int16)
"""``PLACE[power % 19]`` is the index of the only set bit of ``power``, which must be a power of two.

The 15 powers, from 1 to 2**14, have different remainders, because 2 is a primitive root of 19.
"""
for _bit in range(15):
    PLACE[(1 << _bit) % 19] = _bit


@hot
def holds(crew: Numbers, sailor: int) -> bool:
    """Return whether the crew has this sailor."""
    return bool((crew[COLOUR[sailor]] >> (VALUE[sailor] - 1)) & 1)


@hot
def join(crew: Numbers, sailor: int) -> None:
    """Put the sailor into the crew, in place."""
    crew[COLOUR[sailor]] |= 1 << (VALUE[sailor] - 1)


@hot
def leave(crew: Numbers, sailor: int) -> None:
    """Remove the sailor from the crew, in place. The crew must have this sailor."""
    crew[COLOUR[sailor]] ^= 1 << (VALUE[sailor] - 1)


@hot
def list_sailors(crew: Numbers, first: int, out: Numbers, n: int) -> int:
    """Write the numbers of the crew's sailors, each plus ``first``, into ``out`` from index ``n``, in ascending order.

    Return the next free index.
    """
    for colour in range(COLOURS):
        mask = int(crew[colour])
        while mask:
            bit = mask & -mask
            out[n] = first + SAILOR[colour, PLACE[bit % 19]]
            n += 1
            mask ^= bit
    return n


@kernel
def colour_of(crew: Numbers) -> int:
    """Return the colour that counts double: the one with most sailors (H-R15, H-A41).

    The highest sum of values breaks ties, then the order of the colours. For an empty crew, return the first colour.
    """
    best = 0
    most = -1
    highest = -1
    for colour in range(COLOURS):
        n = 0
        total = 0
        mask = int(crew[colour])
        while mask:
            bit = mask & -mask
            n += 1
            total += PLACE[bit % 19] + 1
            mask ^= bit
        if n > most or (n == most and total > highest):
            best = colour
            most = n
            highest = total
    return best


@hot
def worth_of(crew: Numbers) -> int:
    """Return the points of a crew: the sum of its sailors, with the largest colour counted twice (H-R15, H-A41)."""
    most = 0
    bonus = 0
    whole = 0
    for colour in range(COLOURS):
        n = 0
        total = 0
        mask = int(crew[colour])
        while mask:
            bit = mask & -mask
            n += 1
            total += PLACE[bit % 19] + 1
            mask ^= bit
        whole += total
        if n > most:
            most = n
            bonus = total
        elif n == most and total > bonus:
            bonus = total
    return whole + bonus


@kernel
def highest_of(crew: Numbers) -> int:
    """Return the highest value in the crew, or 0 if it is empty."""
    best = 0
    for colour in range(COLOURS):
        for value in range(VALUES, best, -1):
            if (crew[colour] >> (value - 1)) & 1:
                best = value
                break
    return best


def crew_of(sailors: Iterable[int]) -> list[int]:
    """Return a crew as four masks, one for each colour. ``sailors`` are the numbers of its sailors."""
    masks = [0] * COLOURS
    for sailor in sailors:
        masks[COLOUR[sailor]] |= 1 << int(VALUE[sailor]) - 1
    return masks


def sailors_of(masks: Numbers) -> tuple[int, ...]:
    """Return the numbers of the sailors in these masks, in ascending order."""
    return tuple(s for s in range(SAILORS) if int(masks[COLOUR[s]]) >> int(VALUE[s]) - 1 & 1)
