"""Tests of the doubt in the values of playouts: doubt alone never makes one move worse than another.

The value of a line (a sequence of steps) mixes the results of its playouts with an even chance, because people may play
differently from playouts. The doubt is the weight of the even chance.

``test_playing.py`` runs these tests without compiled kernels.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from spelunke.analysis.playouts import Budget
from spelunke.games import find_game
from spelunke.games.halunken.playouts import HalunkenPlayouts
from spelunke.games.halunken.state import CHOOSING, HOURS
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse
from spelunke.solvers.playing import PlayoutAppraiser

SMALL = Budget(worlds=2, first=4, keep=2, last=8, here=8, chance=24, secret=64, regret=4)
HALUNKEN = find_game("halunken")
DOUBT = HalunkenPlayouts.doubt
CARDS = (1, 2, 3, 4, 5, 6, 7, "rum")
BEST, MIDDLE, POOR = ["red 15", "red 11", "red 10"], ["grey 2", "grey 3", "grey 4"], ["yellow 1", "yellow 2"]


def match_at(position: dict[str, object]) -> Match:
    options = position["options"]
    seats = position["seats"]
    assert isinstance(options, dict)
    assert isinstance(seats, list)
    return Match(HALUNKEN, len(seats), options, state=HALUNKEN.notation.parse_position(position))


def two_overtaken(*crews: Sequence[str], hirer: int | None = 0) -> Match:
    """Return a position late in the last hour: Jack, hired by the first captain, has overtaken two other captains.

    The first captain may rob them, but never a crew that is smaller than the first captain's own. If all three crews
    have the same size, one robbery makes the first captain's crew the larger one. So nobody else may be robbed, and
    the game is over. If the first captain declines, there is a second decision: whether to rob the other captain.

    If ``hirer`` is None, nobody has hired Jack, and nobody may be robbed.
    """
    seats = [
        {"captain": 3 * k + 1, "crew": crew, "used": [card for card in CARDS if card != k + 1], "laid": k + 1}
        for k, crew in enumerate(crews)
    ]
    jack = {"field": 0, "used": [1, 2, 3, 4, 5, 7, 8], "laid": 6}
    return match_at(
        {
            "options": {"mode": "standard"},
            "phase": "passing",
            **({"opener": 0} if hirer is None else {"hirer": hirer}),
            "mover": "jack",
            "overtaken": [1, 2],
            "jack": jack,
            "seats": seats,
            "taverns": {},
        }
    )


def one_may_rob_after(first: Sequence[str], second: Sequence[str], third: Sequence[str]) -> Match:
    """Return a position late in the last hour: the first captain may rob the second, who is pushed to the field where
    the third arrives.

    If the first robs the second, the second's crew becomes smaller than the third's, and the third may not rob it.
    Otherwise the third may.
    """
    at = [(5, 2, first), (5, 7, second), (3, 3, third)]
    seats = [
        {"captain": field, "crew": crew, "used": [card for card in CARDS if card != laid], "laid": laid}
        for field, laid, crew in at
    ]
    return match_at(
        {
            "options": {"mode": "beginner"},
            "phase": "landed",
            "mover": 0,
            "took": True,
            "moving": [2],
            "seats": seats,
            "taverns": {},
        }
    )


def appraiser(doubt: float | None = DOUBT) -> PlayoutAppraiser:
    found = PlayoutAppraiser(HALUNKEN, SMALL)
    found._doubt = doubt
    return found


def end_of(match: Match, text: str) -> bool:
    tried = Match(HALUNKEN, match.seats, match.options, state=match.state_at(match.ply))
    tried.act(tried.actors[0], tried.parse(text))
    return tried.over


@pytest.mark.parametrize("won", [True, False])
def test_robbing_and_declining_have_equal_values_if_the_winner_is_certain(
    won: bool,
) -> None:
    match = two_overtaken(BEST, MIDDLE, ["yellow 3", "yellow 4", "yellow 5"], POOR)
    if not won:
        match = two_overtaken(
            ["yellow 1", "yellow 2", "yellow 3"], MIDDLE, ["grey 5", "grey 6", "grey 7"], BEST
        )
    texts = match.texts(0)
    assert {end_of(match, text) for text in texts} == {True, False}
    for text in texts:
        played = Match(HALUNKEN, match.seats, match.options, state=match.state_at(0))
        played.act(0, played.parse(text))
        (one,) = analyse(played, list("ABCD"), appraiser=appraiser()).decisions
        assert one.cost_chance == pytest.approx(0.0)
        assert not one.mark
        # Nobody else has a choice left, so there is nothing to doubt.
        assert {a.value.chance for a in one.alternatives} == {1.0 if won else 0.0}


@pytest.mark.parametrize("won", [True, False])
def test_equal_results_have_equal_values_even_if_another_seat_still_chooses(won: bool) -> None:
    """If two actions lead to the same result, they have the same value, even if one of them lets another seat choose.

    This value is not mixed with an even chance, because the player can choose an action that ends the game with this
    result.
    """
    match = one_may_rob_after(["red 15"], MIDDLE[:2], POOR)
    if not won:
        match = one_may_rob_after(["yellow 1"], ["yellow 2", "yellow 3"], BEST[:2])
    assert [end_of(match, text) for text in match.texts(0)] == [True, True, False]
    raw = {one.value.chance for one in appraiser(0.0).weigh(match.state, 0).choices}
    assert raw == {1.0 if won else 0.0}
    assert {one.value.chance for one in appraiser().weigh(match.state, 0).choices} == raw


def test_doubt_reduces_the_cost_of_a_choice() -> None:
    """In this position, robbing wins certainly, and declining doesn't. Doubt reduces the difference of their values."""
    match = one_may_rob_after(["red 4", "red 5"], ["red 15", "grey 2"], ["yellow 1", "yellow 2"])
    sure, doubted = (
        {one.action: (one.value.chance, one.gap) for one in appraiser(doubt).weigh(match.state, 0).choices}
        for doubt in (0.0, DOUBT)
    )
    best, worst = (max(sure, key=lambda a: sure[a][0]), min(sure, key=lambda a: sure[a][0]))
    cost = sure[best][0] - sure[worst][0]
    assert cost > 0.5
    assert doubted[best][0] == 1.0
    assert doubted[best][0] - doubted[worst][0] == pytest.approx((1 - DOUBT) * cost)
    for action, (_, gap) in sure.items():
        assert doubted[action][1] == pytest.approx((1 - DOUBT) * gap)


def test_a_forced_ending_is_certain() -> None:
    """If nobody hired Jack, an overtaken captain must give up their only sailor, so the values are exact."""
    match = two_overtaken(BEST, ["yellow 1"], [], MIDDLE, hirer=None)
    assert match.texts(1) == ("give yellow 1",)
    told = appraiser().values(match.state)
    assert [value.chance for value in told] == [1.0, 0.0, 0.0, 0.0]
    assert all(value.exact for value in told)


def test_only_seats_that_still_choose_bring_doubt() -> None:
    match = two_overtaken(BEST, MIDDLE, ["yellow 3", "yellow 4", "yellow 5"], POOR)
    told = [value.chance for value in appraiser().values(match.state)]
    assert told == pytest.approx([1 - DOUBT + DOUBT / 4, *[DOUBT / 4] * 3])


def test_the_end_of_doubt_is_no_turning_point() -> None:
    match = two_overtaken(BEST, MIDDLE, ["yellow 3", "yellow 4", "yellow 5"], POOR)
    for text in ("decline", "rob yellow 3"):
        match.act(0, match.parse(text))
    assert match.over
    found = analyse(match, list("ABCD"), appraiser=appraiser())
    assert found.curve[-1].chance[0] - found.curve[0].chance[0] == pytest.approx(0.75 * DOUBT)
    assert not found.turning_points


def test_the_gains_at_a_turning_point_leave_out_changes_from_doubt() -> None:
    """If the first captain declines a likely win, its chance to win falls. Doubt changes the fall in the chart too.

    But the gains of the turning point (the changes of each seat's chance to win) leave out this change from doubt.
    """
    match = two_overtaken(["red 4", "red 5"], ["red 15", "grey 13", "grey 2"], ["yellow 3", "yellow 4"], POOR)
    while not match.over:
        match.act(0, match.parse("decline"))
    found = analyse(match, list("ABCD"), appraiser=appraiser())
    before, sure = found.curve[0], appraiser(0.0).values(match.state_at(0))
    assert sure[0].chance > 0.5
    (turn,) = found.turning_points
    assert turn.ply == 0
    for seat in range(4):
        won = 1.0 if seat == 1 else 0.0
        assert turn.gain[seat] == pytest.approx((1 - DOUBT) * (won - sure[seat].chance), abs=1e-9)
        assert before.chance[seat] == pytest.approx((1 - DOUBT) * sure[seat].chance + DOUBT / 4)


def last_to_seal(seats: int) -> tuple[Match, int]:
    """Play to a secret choice in which each seat has three cards in hand. Stop before the last seal of this choice.

    Return the match, and the only seat that still has to seal a card.
    """
    match, rng = Match(HALUNKEN, seats), random.Random(7)
    while True:
        if match.chance:
            outcomes, weights = zip(*match.chances(), strict=True)
            match.apply_chance(rng.choices(outcomes, weights)[0])
            continue
        seat = rng.choice(match.actors)
        action = rng.choice(match.legal(seat))
        late = match.state.hour == HOURS - 3 and match.state.phase == CHOOSING
        match.act(seat, action)
        if late and match.state.phase != CHOOSING:
            match.undo()
            return match, seat


@pytest.mark.parametrize("seats", [2, 4])
def test_hindsight_and_values_are_reduced_by_the_same_doubt(seats: int) -> None:
    match, last = last_to_seal(seats)
    s, played = match.state, match.legal(last)[0]
    sure, doubted = appraiser(0.0), appraiser()
    share = 1 - (1 - DOUBT) ** (seats - 1)
    for raw, told in zip(sure.values(s), doubted.values(s), strict=True):
        assert told.chance == pytest.approx((1 - share) * raw.chance + share / seats)
    raw_regret, regret = (one.regret(s, last, played) for one in (sure, doubted))
    assert any(raw_regret.values())
    for seat, lost in raw_regret.items():
        assert regret[seat] == pytest.approx((1 - share) * lost)
