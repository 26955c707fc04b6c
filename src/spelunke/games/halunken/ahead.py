"""Kernels of this game that Python calls itself and that take long: compiled ahead of time with its rules."""

from __future__ import annotations

KERNELS = {"knowledge": {"weigh": "pilihld"}}
TUPLES: dict[str, tuple[type, ...]] = {}
