"""The settlement of a round, the strength of crews, the points, and the result of a match."""

from __future__ import annotations

from spelunke.core.kernel import hot, kernel
from spelunke.core.values import Numbers
from spelunke.games.shanghaien.state import (
    BEST_OF_THREE,
    LEFT,
    MATCH,
    NATIONS,
    NOT_STARTER,
    NOTHING,
    TIEBREAK,
    UNUSED_TRICKS,
    State,
)


@hot
def place_of(number: int, end: int) -> int:
    """Return a card's place in the row, counted from 0 at the left (S-R8).

    ``number`` is the card's number, counted from 0. ``end`` is the end of the row at which the card with number 0
    lies. The function also turns a place back into a number.
    """
    return number if end == LEFT else 5 - number


@hot
def taker(s: State, number: int) -> int:
    """Return the seat that takes a card if the round ends now, or NOTHING (S-R14, S-R15).

    ``number`` is the card's number counted from 0. The card is treated as if it lay face up. The calling
    code must check whether it lies face down, because nobody takes such a card.
    """
    mine = s.dice[0, number]
    theirs = s.dice[1, number]
    if mine > theirs:
        return 0
    if theirs > mine:
        return 1
    if mine == 0:
        return NOTHING
    balance = neighbour_pips(s, 0, number) - neighbour_pips(s, 1, number)
    if balance > 0:
        return 0
    if balance < 0:
        return 1
    return NOTHING


@hot
def neighbour_pips(s: State, seat: int, number: int) -> int:
    """Return the sum of the pips of the seat's dice on the neighbouring cards (S-R14, S-A19).

    ``number`` is the card's number counted from 0.
    """
    pips = 0
    if number > 0:
        pips += s.dice[seat, number - 1] * number
    if number < 5:
        pips += s.dice[seat, number + 1] * (number + 2)
    return pips


@hot
def strength(s: State, seat: int, nation: int) -> int:
    """Return the sum of the seat's sailors of that nation. A joker counts 2 (S-R21)."""
    total = 0
    for value in range(4):
        total += (value + 1) * s.crew[seat, nation, value]
    for trick in range(3):
        total += 2 * s.joker[seat, nation, trick]
    return total


@kernel
def unplayed(s: State, seat: int) -> int:
    """Return the number of trick cards in the seat's hand. Each is worth one point (S-R26, S-A21)."""
    total = 0
    for trick in range(5):
        total += s.hand[seat, trick]
    return total


@kernel
def gain(mine: int, theirs: int) -> int:
    """Return the points that a side gets for a nation (S-R25).

    ``mine`` is the sum of this side's sailors, and ``theirs`` is the sum of the other side's.
    """
    if theirs == 0:
        return mine
    if mine > theirs:
        return theirs
    return 0


@kernel
def points(s: State, seat: int) -> int:
    """Return the seat's points if the game ended now, without a settlement of the row (S-R25, S-R26)."""
    total = unplayed(s, seat)
    for nation in range(NATIONS):
        total += gain(strength(s, seat, nation), strength(s, 1 - seat, nation))
    return total


@kernel
def survey(
    s: State, strengths: Numbers, gains: Numbers, takers: Numbers, pips: Numbers, scores: Numbers
) -> None:
    """Write into the given arrays all values that a view needs besides the fields of the state.

    ``strengths`` and ``gains`` have a row for each seat and a column for each nation (2, 8). ``takers`` has a
    value for each card number (6,), and ``pips`` for each seat and card number (2, 6). ``scores`` has a value
    for each seat (2,).
    """
    for seat in range(2):
        scores[seat] = points(s, seat)
        for nation in range(NATIONS):
            strengths[seat, nation] = strength(s, seat, nation)
            gains[seat, nation] = gain(strength(s, seat, nation), strength(s, 1 - seat, nation))
        for number in range(6):
            pips[seat, number] = neighbour_pips(s, seat, number)
    for number in range(6):
        takers[number] = taker(s, number)


@kernel
def break_tie(s: State, mine: int, theirs: int, opener: int) -> int:
    """Return the winner of a tied game or match: a positive number for seat 0, negative for seat 1, 0 for both (S-A14).

    ``mine`` and ``theirs`` are the numbers of unplayed trick cards of seats 0 and 1. ``opener`` is the seat that began
    the game, or the first game of the match.
    """
    if s.options[TIEBREAK] == UNUSED_TRICKS:
        return mine - theirs
    if s.options[TIEBREAK] == NOT_STARTER:
        return -1 if opener == 0 else 1
    return 0


@kernel
def result(s: State, scores: Numbers, ranks: Numbers) -> None:
    """Write the points of a finished match into ``scores``, and the ranks into ``ranks``.

    In a best of three, the points are the games won.
    """
    if s.options[MATCH] == BEST_OF_THREE:
        scores[0] = s.wins[0]
        scores[1] = s.wins[1]
        balance = s.wins[0] - s.wins[1]
    else:
        scores[0] = s.total[0]
        scores[1] = s.total[1]
        balance = s.total[0] - s.total[1]
        if balance == 0:
            balance = break_tie(s, s.spare[0], s.spare[1], s.first_opener)
    ranks[0] = 1 if balance >= 0 else 2
    ranks[1] = 1 if balance <= 0 else 2
