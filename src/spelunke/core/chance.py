"""Sources of chance: fast random streams for kernels, and verifiable chance for tables.

Both choose among outcomes with integer weights. At a table, the rules of the game only list the outcomes and their
weights. The caller of the rules then draws one outcome. For the choice of the stream's generator, see
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
    """Return a new random stream, an int64 array of length 1. Different seeds or paths give independent streams."""
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
    """Draw a number from 0 to n - 1, all equally likely (Lemire 2019). Advance the stream.

    ``n`` must be greater than 0 and less than 2**31.
    """
    wide = bits(stream) * n
    if (wide & LOW) < n:
        least = (LOW + 1 - n) % n
        while (wide & LOW) < least:
            wide = bits(stream) * n
    return wide >> 32


@kernel
def pick(stream: Stream, weights: Numbers, n: int) -> int:
    """Draw an index below n with a probability proportional to its weight. Advance the stream.

    The weights are integers with a sum below 2**31.
    """
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
    """Draw one of the seats whose bit is set in ``who``, all equally likely.

    If there are several such seats, advance the stream.
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
    """The source of chance of a table: :class:`Verifiable`, or :class:`Fast` if no proof is needed."""

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Choose the outcome of the game's ``k``-th chance event, and return its index. ``k`` counts from 0.

        ``weights`` are integers with a positive sum.
        """
        ...


class Fast:
    """A source of chance that draws from a fast stream, and advances the stream in place."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Draw an index with a probability proportional to its weight.

        ``k`` is ignored: each call draws the next number of the stream.
        """
        return _index_of(int(below(self._stream, sum(weights))), weights)


def _index_of(left: int, weights: Sequence[int]) -> int:
    """Return the smallest index ``k`` for which ``sum(weights[: k + 1])`` is more than ``left``.

    ``left`` is at least 0 and less than the sum of all weights.
    """
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to their total")


class Verifiable:
    """A source of chance whose draws a player can recompute after the game.

    The draws come from HMAC-SHA256 with the server's ``seed`` as the key. The message contains the table's id, the
    players' nonces in seat order, and two counters. The constructor raises ValueError unless the seed has 32 bytes. For
    the proof, see docs/why/fair-chance.md.
    """

    __slots__ = ("_numbers",)

    def __init__(self, seed: bytes, table: str, nonces: Sequence[str]) -> None:
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        context = "\n".join(("spelunke-chance-1", table, *nonces)).encode()
        self._numbers = hmac.new(seed, context, "sha256")

    def number(self, k: int, attempt: int) -> int:
        """Return the 64-bit number from which :meth:`pick` chooses the outcome of the game's ``k``-th chance event.

        ``k`` and ``attempt`` count from 0. If :meth:`pick` can't use a number, it makes another attempt.
        """
        number = self._numbers.copy()
        number.update(b"\n%d\n%d" % (k, attempt))
        return int.from_bytes(number.digest()[:8], "big")

    def pick(self, k: int, weights: Sequence[int]) -> int:
        """Choose the outcome of the game's ``k``-th chance event, and return its index. ``k`` counts from 0.

        ``weights`` are integers. Raise ValueError if their sum is not positive. Each attempt gives a 64-bit number
        (:meth:`number`). If it is among the highest ``2**64 % sum`` of all 64-bit numbers, make another attempt. So the
        draw has no bias.
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
    """Return the SHA-256 of the seed in hexadecimal. The server shows this hash before the first chance event."""
    return hashlib.sha256(seed).hexdigest()


def stream_state(stream: Stream) -> list[int]:
    """Return the state of the stream as a list of ints, so that it can be stored."""
    return [int(part) for part in stream]
