"""Kernels of this game that Python calls directly.

They take long to compile, so they are compiled ahead of time.
"""

from __future__ import annotations

from spelunke.games.sanghai.planning import Wish

WISH = f"({'i' * len(Wish._fields)})"
KERNELS = {
    "hints": {"survey": f"h{WISH}hhd"},
    "planning.lacking": {"lacking": f"h{WISH}ih"},
    "redeals": {"redeal": "ril"},
    "shrewd": {"choose": "riDdhl"},
}
TUPLES: dict[str, tuple[type, ...]] = {"survey": (Wish,), "lacking": (Wish,)}
