"""The kernels of this game that Python calls directly.

They take long to compile, so they are compiled ahead of time.
"""

from __future__ import annotations

KERNELS = {"knowledge": {"weigh": "pilihld"}}
TUPLES: dict[str, tuple[type, ...]] = {}
