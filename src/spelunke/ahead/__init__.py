"""Compile the rules of each game ahead of time into a shared library (docs/why/native.md)."""
