"""The end of a round: the points of the cards left in a hand add up to the points of its seat."""

from __future__ import annotations

from html import unescape

import pytest

from spelunke.boards.scene import Summary
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME
from spelunke.games.sanghai.cards import kind_of
from spelunke.games.sanghai.happenings import Discarded, RoundScored
from spelunke.games.sanghai.state import hand_points
from spelunke.games.sanghai.ui.summary import render_summary, worths

HANDS = (("ks", "2s", "*"), (), ("as", "10h", "7d", "7d"))


@pytest.mark.parametrize(
    "options", [{}, {"face_points": 10}, {"black_twos_wild": True}], ids=["usual", "faces", "twos"]
)
def test_the_numbers_in_a_summary_add_up(options: dict[str, object]) -> None:
    match = Match(GAME, 3, options)
    state = match.state_at(0)
    for seat, cards in enumerate(HANDS):
        for card in cards:
            state.hand[seat, kind_of(card)] += 1
    points = tuple(int(hand_points(state, seat)) for seat in range(3))
    view = GAME.view.view(state, None)
    for seat, cards in enumerate(HANDS):
        assert sum(worths(view, cards)) == points[seat]
    scored = RoundScored(
        lap=1, winner=1, points=points, totals=tuple(p + 30 for p in points), hands=HANDS, why="out"
    )
    state.lap = 1
    state.won[0] = 1
    told = str(
        render_summary(
            Summary(
                before=view,
                view=GAME.view.view(state, None),
                events=(Discarded(2, "9c", 4), Discarded(1, "jd", 0), scored),
                seat=0,
                names=("Anna", "Ben", "Cleo"),
            )
        )
    )
    for seat in range(3):
        assert f"<b>{points[seat]} points</b>" in told
    assert "Ben discards J♦, their last card! Ben wins round 1." in unescape(told)
    assert "Cleo discards" not in told
    assert "no cards left" in told
    assert "won the round" in told
