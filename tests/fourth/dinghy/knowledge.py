"""What a position of Dinghy promises."""

from __future__ import annotations

from dinghy.rules import State
from spelunke.core.kernel import kernel


@kernel
def worth(s: State, seat: int) -> float:
    """Barrels ashore, and half of those at sea."""
    best = 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, int(s.ashore[other]))
    return float(s.ashore[seat] - best) + (0.5 * s.aboard if s.turn == seat else -0.5 * s.aboard)


@kernel
def quiescent(s: State) -> bool:
    """Waves are few: look on."""
    return False
