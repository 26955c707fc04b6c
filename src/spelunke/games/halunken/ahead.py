"""Kernels of this game that are compiled ahead of time, besides those that are compiled for every game.

:mod:`spelunke.ahead.exports` describes ``KERNELS`` and ``TUPLES``.
"""

from __future__ import annotations

KERNELS = {"knowledge": {"weigh": "pilihld"}}
TUPLES: dict[str, tuple[type, ...]] = {}
