"""Several threads can parse source files at once, as they do while the first tables are opened."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from spelunke.core.sources import parse
from spelunke.games import match


def test_many_threads_parse_at_once() -> None:
    """Many threads may call ``parse``, although Python 3.11 fails if two threads build syntax trees at once."""
    files = [Path(str(match.__file__)), Path(__file__)] * 20
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(tree.body for tree in pool.map(parse, files))
    finally:
        sys.setswitchinterval(before)
