"""What holds for all tests, those in the games' folders included. It runs before anything imports Numba."""

import os

# Without it, an index out of bounds silently writes a neighbouring field: docs/why/tests.md.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

pytest_plugins: list[str] = []
