"""Kernels of this game that Python calls directly and that take long to compile. They are compiled ahead of time."""

from __future__ import annotations

KERNELS = {"reckoning": {"survey": "rHHhHh"}}
TUPLES: dict[str, tuple[type, ...]] = {}
