"""What a position of Dinghy promises."""

from __future__ import annotations

from typing import Any

from spelunke.core.kernel import kernel


@kernel
def worth(s: Any, seat: int) -> float:
    best = 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, int(s.ashore[other]))
    return float(s.ashore[seat] - best) + (0.5 * s.aboard if s.turn == seat else -0.5 * s.aboard)


@kernel
def quiescent(s: Any) -> bool:
    return False
