"""The steps of a turn: roll two dice, lay one of them, end the turn."""

from __future__ import annotations

from spelunke.core.kernel import hot
from spelunke.games.shanghaien.state import ROLLING, TURN, State


@hot
def clear_roll(s: State) -> None:
    """Clear the rolled dice and the record of tricks and rerolls in this turn."""
    s.low = 0
    s.high = 0
    s.named = 0
    s.tricked = 0
    s.rerolled = 0


@hot
def roll(s: State) -> None:
    """Let chance roll two dice. An earlier result is lost (S-R24)."""
    s.low = 0
    s.high = 0
    s.phase = ROLLING


@hot
def lay(s: State, seat: int, value: int) -> None:
    """Lay one of the seat's dice on the card with the number ``value`` (S-R10)."""
    s.dice[seat, value - 1] += 1
    s.placed[seat] += 1


@hot
def end_turn(s: State) -> None:
    """End the turn; the other seat is on turn (S-R7)."""
    clear_roll(s)
    s.turn = 1 - s.turn
    s.phase = TURN
