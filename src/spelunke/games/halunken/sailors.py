"""The 42 sailors, and crews as masks: per colour one number whose bit ``value - 1`` is set (H-R2, H-A1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers

COLOURS: Final = 4
SAILORS: Final = 42
VALUES: Final = 15
"""The highest value; no colour has all values."""
NONE: Final = -1

_OF_COLOUR: Final = (
    tuple(range(1, 13)),
    (*range(2, 12), 13),
    (*range(3, 12), 14),
    (*range(4, 12), 15),
)
"""The values of yellow, grey, violet and red: the order that breaks ties (H-R16)."""

COLOUR = np.array([colour for colour, values in enumerate(_OF_COLOUR) for _ in values], np.int16)
VALUE = np.array([value for values in _OF_COLOUR for value in values], np.int16)
SAILOR = np.full((COLOURS, VALUES), NONE, np.int16)
"""The number of the sailor of that colour and value - 1."""
for _sailor in range(SAILORS):
    SAILOR[COLOUR[_sailor], VALUE[_sailor] - 1] = _sailor
FULL = np.array([sum(1 << value - 1 for value in values) for values in _OF_COLOUR], np.int16)
"""All sailors of each colour as a mask."""
PLACE = np.zeros(19, np.int16)
"""The bit index of a power of two, by its remainder: 2 is a primitive root of 19."""
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
    """Remove the sailor from the crew, in place."""
    crew[COLOUR[sailor]] ^= 1 << (VALUE[sailor] - 1)


@hot
def list_sailors(crew: Numbers, first: int, out: Numbers, n: int) -> int:
    """Write ``first`` + number of each sailor of the crew into ``out`` from ``n`` on, ascending; return the new n."""
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
    """Return the colour that counts double: most sailors, then the highest sum, then the earlier one (H-R15, H-A41)."""
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
    """Return the sum of the crew, with its largest colour twice; 0 for an empty crew (H-R15, H-A41)."""
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
    """Return the highest value in the crew, 0 if it is empty."""
    best = 0
    for colour in range(COLOURS):
        for value in range(VALUES, best, -1):
            if (crew[colour] >> (value - 1)) & 1:
                best = value
                break
    return best


def crew_of(sailors: Iterable[int]) -> list[int]:
    """Return the masks of these sailors (numbers), per colour."""
    masks = [0] * COLOURS
    for sailor in sailors:
        masks[COLOUR[sailor]] |= 1 << int(VALUE[sailor]) - 1
    return masks


def sailors_of(masks: Numbers) -> tuple[int, ...]:
    """Return the sailors of these masks, ascending."""
    return tuple(s for s in range(SAILORS) if int(masks[COLOUR[s]]) >> int(VALUE[s]) - 1 & 1)
