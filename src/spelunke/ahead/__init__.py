"""Compiling the rules ahead of time: out of Numba into one shared library for each game (docs/why/native.md)."""
