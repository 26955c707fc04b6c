"""Normally distributed noise from a fast stream, for players that make errors on purpose."""

from __future__ import annotations

import math

from spelunke.core.chance import below
from spelunke.core.values import Stream

FINE = 2**30


def normal(stream: Stream) -> float:
    """Draw a number from the normal distribution with mean 0 and standard deviation 1 (Box and Muller 1958).

    Change ``stream`` in place.
    """
    radius = math.sqrt(-2.0 * math.log((int(below(stream, FINE)) + 1) / FINE))
    return radius * math.cos(2.0 * math.pi * int(below(stream, FINE)) / FINE)
