"""Functions of this game that are compiled ahead of time, because they take long to compile.

``KERNELS`` has the module and the name of each function, and letters for the types of its arguments. ``BROWSERS`` has
the same for functions that are compiled only for browsers. :mod:`spelunke.ahead.exports` describes the letters, and
the constant ``TUPLES``.
"""

from __future__ import annotations

KERNELS = {"reckoning": {"survey": "rHHhHh"}}
BROWSERS = {"solving.device": {"solve": "ffhhhdhhhff"}}
TUPLES: dict[str, tuple[type, ...]] = {}
