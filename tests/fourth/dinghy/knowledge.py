"""The value of a position, for bots."""

from dinghy.rules import State
from spelunke.core.kernel import kernel


@kernel
def worth(s: State, seat: int) -> float:
    """Return the seat's lead in barrels; those at sea count half."""
    best = 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, int(s.ashore[other]))
    return float(s.ashore[seat] - best) + (0.5 * s.aboard if s.turn == seat else -0.5 * s.aboard)


@kernel
def quiescent(s: State) -> bool:
    """Return whether a search should stop here; in Dinghy it may always look further."""
    return False
