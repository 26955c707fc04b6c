"""A first estimate of actions, based only on the current row and the next roll of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from spelunke.analysis.playouts import Playouts
from spelunke.games.shanghaien import moves
from spelunke.games.shanghaien.moves import Action
from spelunke.games.shanghaien.outlook import FALLS, NUMBERS, Outlook
from spelunke.games.shanghaien.state import State
from spelunke.games.shanghaien.view import View

TRICK = 0.5
"""The estimated value of an unplayed trick card in points, besides the point that it scores (S-R26)."""


class FirstLook(Playouts[State, Action, View]):
    """Quick estimates of actions, which the advice in a game shows until better values are computed.

    The better values come from :class:`.ShanghaienAppraiser`, so positions of this game are never played out.
    """

    def first_look(self, seen: View, legal: Sequence[Action]) -> Sequence[tuple[Action, float]]:
        """Return each action with the estimated lead in points after it.

        A spectator gets 0 for each action. While the direction of the row is not fixed, an action that names no end
        of the row gets 0. See :meth:`spelunke.analysis.playouts.Playouts.first_look`.
        """
        if seen.seat is None:
            return [(action, 0.0) for action in legal]
        return [(action, _weigh(action, seen, seen.seat)) for action in legal]


def _weigh(action: Action, seen: View, seat: int) -> float:
    """Return the estimated lead after an action, in points."""
    end = getattr(action, "end", None)
    board = Outlook.of(seen, end)
    if board is None:
        return 0.0
    rolled = seen.rolled or (0, 0)
    match action:
        case moves.Shanghai():
            return board.lead(seat)
        case moves.Roll() | moves.Reroll():
            return board.lead(seat) + _hope(board, seat) - _hope(board, 1 - seat)
        case moves.RollAgain():
            return board.lead(seat) + _hope(board, seat) - 1 - TRICK
        case moves.Place(value):
            return board.with_dice(seat, value).lead(seat)
        case moves.Nudge(value):
            return board.without_trick(seat).with_dice(seat, value).lead(seat) - TRICK
        case moves.PlaceBoth():
            return board.without_trick(seat).with_dice(seat, *rolled).lead(seat) - TRICK
        case moves.Sharks(value):
            return board.without_trick(seat).with_dice(seat, value).with_sharks(value).lead(seat) - TRICK
        case moves.Exchange(number):
            return board.without_trick(seat).with_dice(seat, *rolled, back=number).lead(seat) - TRICK
        case moves.Joker(nation):
            joined = board.without_trick(seat).with_joker(seat, nation)
            return max(joined.with_dice(seat, value).lead(seat) for value in rolled) - TRICK
        case moves.CrazyCaptain():
            return (
                max(board.without_trick(seat).with_dice(seat, value).lead(seat) for value in rolled) - TRICK
            )
        case moves.Object() | moves.Allow():
            value = sum(rolled) - (seen.named or 0) if isinstance(action, moves.Object) else seen.named or 0
            return board.with_dice(1 - seat, value).lead(seat)
    return board.lead(seat)


def _hope(board: Outlook, seat: int) -> float:
    """Return the mean gain in a seat's lead from one roll, in points.

    The seat is assumed to lay the better of the two dice.
    """
    if board.supply[seat] < 2:
        return 0.0
    now = board.lead(seat)
    gains = [board.with_dice(seat, value).lead(seat) - now for value in NUMBERS]
    pairs = combinations_with_replacement(range(len(gains)), 2)
    return sum((1 if a == b else 2) * max(gains[a], gains[b]) for a, b in pairs) / FALLS
