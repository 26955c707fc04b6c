"""The steps of a turn: roll two dice, lay one, pass the turn."""

from __future__ import annotations

from spelunke.core.kernel import hot
from spelunke.games.shanghaien.state import ROLLING, TURN, State


@hot
def clear_roll(s: State) -> None:
    """Reset the rolled dice and their use in this turn."""
    s.low = 0
    s.high = 0
    s.named = 0
    s.tricked = 0
    s.rerolled = 0


@hot
def roll(s: State) -> None:
    """Roll two dice; an earlier result is lost (S-R24)."""
    s.low = 0
    s.high = 0
    s.phase = ROLLING


@hot
def lay(s: State, seat: int, value: int) -> None:
    """Lay one of the seat's dice at the card of that number (S-R10)."""
    s.dice[seat, value - 1] += 1
    s.placed[seat] += 1


@hot
def end_turn(s: State) -> None:
    """Begin the other seat's turn (S-R7)."""
    clear_roll(s)
    s.turn = 1 - s.turn
    s.phase = TURN
