"""Perft gives the number and exact probability of sequences, and the number of positions, at each depth.

Its results agree with a count by hand and with plies that a match plays one by one.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from spelunke.core.count import Depth, perft
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.records.position import apply

GAMES = tuple(shelf())


def count_slowly(match: Match, depth: int) -> tuple[int, Fraction, set[bytes]]:
    """Play each sequence of plies on a match, and take it back.

    Return the number of sequences, the sum of their probabilities, and the set of final states.
    """
    if depth == 0:
        return 1, Fraction(1), {match.state.tobytes()}
    sequences, mass, states = 0, Fraction(0), set()
    total = sum(weight for _, weight in match.chances())
    steps = [(None, chance, Fraction(weight, total)) for chance, weight in match.chances()]
    steps += [(seat, action, Fraction(1)) for seat in match.actors for action in match.legal(seat)]
    for seat, deed, share in steps:
        if seat is None:
            match.land(deed)
        else:
            match.act(seat, deed)
        more, part, found = count_slowly(match, depth - 1)
        match.undo()
        sequences += more
        mass += share * part
        states |= found
    return sequences, mass, states


@pytest.mark.parametrize("game", GAMES)
def test_perft_counts_the_sequences_that_a_match_can_play(game: str) -> None:
    match = Match(find_game(game))
    depths = list(perft(match.game.rules, match.state, 2))
    assert [found.depth for found in depths] == [0, 1, 2]
    for found in depths:
        sequences, mass, states = count_slowly(match, found.depth)
        assert (found.sequences, found.mass, found.positions) == (sequences, mass, len(states))


def test_perft_agrees_with_a_count_by_hand_for_the_first_turns() -> None:
    match = Match(find_game("shanghaien"))
    apply(match, "deal red 1; deal red 3; deal pm1; deal both; deal again; deal green 3; starter 0")
    table = list(perft(match.game.rules, match.state, 6))
    # A roll; 21 pairs; either die at either end: 15 x 4 + 6 x 2, on 12 cards; then the other does the same, at one end.
    assert [row.sequences for row in table] == [1, 1, 21, 72, 72, 72 * 21, 72 * 36]
    assert [row.positions for row in table] == [1, 1, 21, 12, 12, 252, 72]
    first, second = Fraction(30 * 4 + 6 * 2, 36), Fraction(30 * 2 + 6, 36)
    assert [row.mass for row in table] == [1, 1, 1, first, first, first, first * second]
    assert len({row.digest for row in table}) == 7


def test_sequences_that_end_early_are_counted_once() -> None:
    match = Match(find_game("shanghaien"))
    state = match.game.notation.parse_position(
        {
            "tavern": 8,
            "phase": "turn",
            "turn": 0,
            "starter": 0,
            "direction": "left",
            "row": ["red 1", "red 2", "red 3", "red 3", "red 4", "green 1"],
            "seats": [{"dice": [1, 1, 2, 3]}, {"dice": [4, 4]}],
        }
    )
    table = list(perft(match.game.rules, state, 3))
    assert [row.sequences for row in table[:3]] == [1, 2, 21]
    assert [row.over for row in table] == [0, Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]
    assert isinstance(table[0], Depth)
