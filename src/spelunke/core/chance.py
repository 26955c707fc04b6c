"""Chance: a fast stream for kernels, a verifiable one for tables, and exact weights for both.

Rules modules never draw; the caller that drives the match draws. For the choice of this stream, see
docs/why/stream.md.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers, Stream

# Multiply with carry, base 2**32. The multiplier is below 2**31, so that every product fits an int64. So
# compiled and plain code give the same numbers, without overflow. MULTIPLIER * 2**32 - 1 and MULTIPLIER *
# 2**31 - 1 are both prime, which gives the full period of about 2**62 (Marsaglia 1994). The two halves are
# mixed as in MWC64X (Thomas 2011).
MULTIPLIER = 2147483085
LOW = 0xFFFFFFFF


def seed_stream(seed: int, *path: int) -> Stream:
    """Return a fresh stream, int64[1]; different seeds or paths give unrelated streams."""
    text = ",".join(str(part) for part in (seed, *path))
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
    return np.array([1 + number % (MULTIPLIER * 2**32 - 2)], np.int64)


@hot
def bits(stream: Stream) -> int:
    """Draw 32 fair bits as a number from 0 to 2**32 - 1; advance the stream in place."""
    x = stream[0]
    low = x & LOW
    high = x >> 32
    stream[0] = MULTIPLIER * low + high
    return low ^ high  # type: ignore[no-any-return]


@hot
def below(stream: Stream, n: int) -> int:
    """Draw a number from 0 to n - 1, all equally likely (0 < n < 2**31); advance the stream (Lemire 2019)."""
    wide = bits(stream) * n
    if (wide & LOW) < n:
        least = (LOW + 1 - n) % n
        while (wide & LOW) < least:
            wide = bits(stream) * n
    return wide >> 32


@kernel
def pick(stream: Stream, weights: Numbers, n: int) -> int:
    """Draw an index below n with probability proportional to its weight (integers, sum below 2**31)."""
    total = 0
    for k in range(n):
        total += int(weights[k])
    left = below(stream, total)
    for k in range(n):
        left -= int(weights[k])
        if left < 0:
            return k
    return n - 1


@kernel
def pick_seat(who: int, stream: Stream) -> int:
    """Draw one of the seats in ``who`` (a bit for each), all equally likely.

    If there are several, advance the stream.
    """
    count = 0
    left = who
    while left:
        left &= left - 1
        count += 1
    skip = below(stream, count) if count > 1 else 0
    seat = 0
    while skip or not who >> seat & 1:
        skip -= who >> seat & 1
        seat += 1
    return seat


class Chance(Protocol):
    """Decide chance at a table: :class:`Verifiable`, or :class:`Fast` if no proof is needed."""

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Return the index that the k-th chance of the game (from 0) chooses among integer weights (sum > 0)."""
        ...


class Fast:
    """Chance by a fast stream, which advances in place."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Return an index as in :class:`Chance`. Ignore ``k``, because the stream advances with each call."""
        return _index_of(int(below(self._stream, sum(weights))), weights)


def _index_of(left: int, weights: Sequence[int]) -> int:
    """Return the index whose share of the weights contains ``left`` (0 <= left < sum)."""
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to their total")


class Verifiable:
    """Chance that a player can recompute: HMAC-SHA256 with the house's seed over the table, the nonces and a counter.

    The nonces are in seat order. For what this proves, see docs/why/fair-chance.md.
    """

    __slots__ = ("_numbers",)

    def __init__(self, seed: bytes, table: str, nonces: Sequence[str]) -> None:
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        context = "\n".join(("spelunke-chance-1", table, *nonces)).encode()
        self._numbers = hmac.new(seed, context, "sha256")

    def number(self, k: int, attempt: int) -> int:
        """Return the 64-bit number of the k-th chance of the game (from 0) at this attempt (from 0)."""
        number = self._numbers.copy()
        number.update(b"\n%d\n%d" % (k, attempt))
        return int.from_bytes(number.digest()[:8], "big")

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Return the index that the k-th chance chooses among integer weights.

        Raise ValueError if their sum is not positive.

        Numbers past the largest multiple of the sum are skipped, so there is no bias.
        """
        total = sum(weights)
        if total <= 0:
            raise ValueError("chance needs at least one outcome with a positive weight")
        ceiling = 2**64 - 2**64 % total
        attempt = 0
        while (number := self.number(k, attempt)) >= ceiling:
            attempt += 1
        return _index_of(number % total, weights)


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, which the house shows before the first chance."""
    return hashlib.sha256(seed).hexdigest()


def stream_state(stream: Stream) -> list[int]:
    """Return the stream as plain numbers, to be stored."""
    return [int(part) for part in stream]
