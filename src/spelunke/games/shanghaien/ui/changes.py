"""The crews, trick cards and points in the course of a round, computed from the events of the round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spelunke.core import values
from spelunke.games.shanghaien.cards import Sailor
from spelunke.games.shanghaien.events import JokerLaid, Settled
from spelunke.games.shanghaien.reckoning import gain
from spelunke.games.shanghaien.ui.frame import trick_of
from spelunke.games.shanghaien.view import View


class Holding(NamedTuple):
    """The strength of each crew by seat and nation, and each seat's number of trick cards."""

    strengths: tuple[tuple[int, ...], ...]
    tricks: tuple[int, ...]

    def gain(self, seat: int, nation: int) -> int:
        """Return the points of a seat for a nation (S-R25)."""
        return int(gain(self.strengths[seat][nation], self.strengths[1 - seat][nation]))

    def points(self, seat: int) -> int:
        """Return the points of a seat for all nations and for the seat's trick cards (S-R25, S-R26)."""
        return self.tricks[seat] + sum(self.gain(seat, n) for n in range(len(self.strengths[seat])))


def follow_round(before: View, events: Sequence[values.Event]) -> tuple[Holding, Holding, Holding]:
    """Return what the sides have when a round begins, after its tricks, and after each card went to a side.

    A holding has the strengths and the number of tricks of each side. It is computed from the events, because the view
    after the round may already show the next game of the match.
    """
    strengths = [[crew.strength for crew in crews] for crews in before.crews]
    tricks = [len(hand) for hand in before.tricks]

    def hold() -> Holding:
        return Holding(tuple(map(tuple, strengths)), tuple(tricks))

    start = played = hold()
    for event in events:
        if trick_of(event):
            tricks[event.seat] -= 1  # type: ignore[attr-defined]
        if isinstance(event, JokerLaid):
            strengths[event.seat][event.nation.number] += 2
        if isinstance(event, Settled):
            played = hold()
            for claim in event.claims:
                if claim.taker is None:
                    continue
                if isinstance(claim.card, Sailor):
                    strengths[claim.taker][claim.card.nation.number] += claim.card.value
                else:
                    tricks[claim.taker] += 1
    return start, played, hold()
