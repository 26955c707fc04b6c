"""Codes of laid dice: each multiset of up to six dice has a number, its code.

Each die lies on the card with the number that it shows: the cards of a row have the numbers 1 to 6. Tables give the
codes after one more die, and the settlement for each pair of codes.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]
Shorts: TypeAlias = npt.NDArray[np.int16]

NUMBERS = 6
SIZES = (1, 6, 21, 56, 126, 252, 462)
"""The number of multisets of each size, from 0 to 6 dice."""
FIRST = (0, 1, 7, 28, 84, 210, 462)
"""The first code of each size. The codes of one size are consecutive."""
CODES = sum(SIZES)
ENDINGS = 3**NUMBERS
"""The number of settlements of six cards.

Each card goes to nobody (0), to the first side (1) or to the second side (2). In base 3, these digits
are the number of the settlement. The lowest digit is for card 1.
"""


@functools.cache
def counts() -> Ints:
    """Return the number of dice on each card, int32[924, 6]. The indices are the code of the dice and the card."""
    found = np.zeros((CODES, NUMBERS), np.int32)
    code = 0
    for size in range(len(SIZES)):
        for dice in itertools.combinations_with_replacement(range(NUMBERS), size):
            for number in dice:
                found[code, number] += 1
            code += 1
    return found


@functools.cache
def _places() -> dict[tuple[int, ...], int]:
    return {tuple(row): code for code, row in enumerate(counts().tolist())}


def code_of(dice: Sequence[int]) -> int:
    """Return the number (code) that stands for dice on the six cards. ``dice`` has the number of dice on each card."""
    return _places()[tuple(int(n) for n in dice)]


def size_of(code: int) -> int:
    """Return the number of dice in the arrangement that a code stands for (:func:`code_of`)."""
    size = 0
    while size < NUMBERS and code >= FIRST[size + 1]:
        size += 1
    return size


@functools.cache
def steps() -> Shorts:
    """Return, for each code of laid dice and each card, the code after one more die on this card, int16[924, 6].

    Each new code is given as its distance from the first code with the same number of dice. A code with six dice allows
    no further die, so its entries are 0.
    """
    found = np.zeros((CODES, NUMBERS), np.int16)
    for code, dice in enumerate(counts()[: FIRST[-1]].tolist()):
        for number in range(NUMBERS):
            more = list(dice)
            more[number] += 1
            place = code_of(more)
            found[code, number] = place - FIRST[size_of(place)]
    return found


@functools.cache
def settled() -> Shorts:
    """Return the settlement of the row's six cards for each pair of codes of laid dice, int16[924, 924].

    The first index is the code of the first side's dice, and the second index is the code of the second side's dice.
    An entry is an index of :func:`takers`, which says for each card which side gets it. The rule (S-R14) is in
    :func:`spelunke.games.shanghaien.reckoning.taker`; a test compares this table with it.
    """
    dice = counts().astype(np.int16)
    values = np.arange(1, NUMBERS + 1, dtype=np.int16)
    pips = np.zeros_like(dice)
    pips[:, 1:] += dice[:, :-1] * values[:-1]
    pips[:, :-1] += dice[:, 1:] * values[1:]
    found = np.zeros((CODES, CODES), np.int16)
    for number in range(NUMBERS):
        lead = dice[:, None, number] - dice[None, :, number]
        tie = (lead == 0) & (dice[:, None, number] > 0)
        lead = np.where(tie, pips[:, None, number] - pips[None, :, number], lead)
        found += np.int16(3**number) * ((lead > 0) + 2 * (lead < 0)).astype(np.int16)
    return found


@functools.cache
def takers() -> Ints:
    """Return the taker of each card in each settlement, int32[729, 6].

    The taker is 0 for nobody, 1 for the first side, 2 for the second. The indices are the
    settlement (a way to share out the row's six cards) and the card.
    """
    endings = np.arange(ENDINGS, dtype=np.int32)
    return np.stack([endings // 3**number % 3 for number in range(NUMBERS)], axis=1).astype(np.int32)


@functools.cache
def swapped() -> Ints:
    """Return, for each settlement, the settlement in which each side gets the other side's cards, int32[729].

    Both settlements are given as indices of :func:`takers`: as the index and as the entry of this table.
    """
    who = takers()
    other = np.array([0, 2, 1], np.int32)[who]
    found: Ints = (other * (3 ** np.arange(NUMBERS, dtype=np.int32))).sum(axis=1).astype(np.int32)
    return found
