"""The seat that would take each card of the row if the round ended now (S-R14), for views, events and boards."""

from __future__ import annotations

import msgspec
import numpy as np

from spelunke.games.shanghaien.cards import Card, card_of
from spelunke.games.shanghaien.reckoning import place_of, points, survey
from spelunke.games.shanghaien.state import FINISHED, NOTHING, UNFIXED, State


class Claim(msgspec.Struct, frozen=True):
    """One card of the row, and the seat that would take it if the round ended now (S-R14).

    ``place`` counts the places of the row from the left, from 1. ``number`` is the card's number in this round, or 0
    before the direction is fixed. ``dice`` has each seat's number of dice on the card. ``pips`` has, for each seat,
    the sum of the pips of its dice on the neighbouring cards.

    ``taker`` is the seat that would take the card, or None. ``rule`` is the reason: ``nobody`` (no dice), ``alone``,
    ``majority``, ``neighbours``, ``tie`` or ``sharks`` (face down).
    """

    place: int
    number: int
    card: Card | None
    down: bool
    dice: tuple[int, int]
    pips: tuple[int, int]
    taker: int | None
    rule: str


class Survey:
    """Each seat's strengths and points, and the seat that would take each card of the row if the round ended now.

    Cards that lie face down are treated as if they lay face up (:func:`.reckoning.taker`). One call of the compiled
    function ``survey`` computes everything.
    """

    __slots__ = ("gains", "pips", "points", "strengths", "takers")

    def __init__(self, s: State) -> None:
        arrays = [np.zeros(shape, np.int16) for shape in ((2, 8), (2, 8), (6,), (2, 6), (2,))]
        survey(s, *arrays)
        self.strengths, self.gains, self.takers, self.pips, self.points = (array.tolist() for array in arrays)


def list_claims(s: State, found: Survey | None = None) -> tuple[Claim, ...]:
    """Return the cards of the row from left to right, each with the seat that would take it if the round ended now.

    ``found`` is the :class:`Survey` of this state. If it is None, it is computed.
    """
    found = found or Survey(s)
    dice: list[list[int]] = s.dice.tolist()
    down: list[int] = s.down.tolist()
    claims = []
    for place, kind in enumerate(s.row.tolist()):
        if kind < 0:
            continue
        number, lying, pips, taker = -1, (0, 0), (0, 0), NOTHING
        if s.end != UNFIXED:
            number = place_of(place, s.end)  # the function is its own inverse
            lying = (dice[0][number], dice[1][number])
            pips = (found.pips[0][number], found.pips[1][number])
            taker = found.takers[number]
        rule = _rule(lying, taker, bool(down[place]))
        claims.append(
            Claim(
                place=place + 1,
                number=number + 1,
                card=card_of(kind),
                down=bool(down[place]),
                dice=lying,
                pips=pips,
                taker=taker if taker >= 0 and not down[place] else None,
                rule=rule,
            )
        )
    return tuple(claims)


def _rule(dice: tuple[int, int], taker: int, down: bool) -> str:
    if down:
        return "sharks"
    if dice == (0, 0):
        return "nobody"
    if 0 in dice:
        return "alone"
    if dice[0] != dice[1]:
        return "majority"
    return "neighbours" if taker >= 0 else "tie"


def standing(s: State) -> tuple[int, int]:
    """Return the current points of both seats, including the earlier games of the match."""
    now = (0, 0) if s.phase == FINISHED else (int(points(s, 0)), int(points(s, 1)))
    return int(s.total[0]) + now[0], int(s.total[1]) + now[1]
