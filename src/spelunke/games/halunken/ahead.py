"""More kernels of this game that are compiled ahead of time, because they take long to compile.

:mod:`spelunke.ahead.exports` describes ``KERNELS`` and ``TUPLES``.
"""

from __future__ import annotations

KERNELS = {"knowledge": {"weigh": "pilihld"}}
TUPLES: dict[str, tuple[type, ...]] = {}
