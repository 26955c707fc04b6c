"""Compile the rules ahead of time: from Numba into one shared library for each game (docs/why/native.md)."""
