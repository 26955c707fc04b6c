"""Analyses: costs and luck add up to the result, perfect play costs nothing, and impossible requests are refused."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from spelunke.analysis.analysis import Analysis, ahead, mark_of
from spelunke.arena.shared import SharedChance
from spelunke.bots.levels import seat_bot
from spelunke.core.chance import seed_stream
from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.kernel import copy
from spelunke.core.values import Action
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.records.record import parse_record
from spelunke.records.replay import replay
from spelunke.solvers.analysis import analyse
from walks import step_by

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/game.json"
JUDGED = [name for name, game in shelf().items() if game.hooks.appraiser() is not None]


@cache
def example() -> tuple[Match, Analysis]:
    record = parse_record(EXAMPLE.read_bytes())
    match = replay(record)
    return match, analyse(match, [seat.name for seat in record.seats], record.table)


def test_at_least_one_game_has_an_appraiser() -> None:
    assert JUDGED


@pytest.mark.deep
def test_every_ply_is_reported_once() -> None:
    match, found = example()
    told = [one.ply for one in (*found.decisions, *found.luck)]
    assert sorted(told) == list(range(match.ply))
    assert [moment.ply for moment in found.curve] == list(range(match.ply + 1))
    assert all(match.plies[one.ply].seat == CHANCE for one in found.luck)
    for decision in found.decisions:
        moves = {alternative.move for alternative in decision.alternatives}
        assert decision.played in moves
        assert decision.forced == (len(moves) == 1)
        assert decision.mark == mark_of(decision.cost_chance)
        if decision.forced:
            assert decision.cost_chance == decision.cost_points == 0


def test_luck_and_costs_add_up_to_the_result() -> None:
    match, found = example()
    begin, end = found.curve[0], found.curve[-1]
    outcome = match.outcome
    assert outcome is not None
    assert end.points[0] == outcome.scores[0] - outcome.scores[1]
    assert end.chance[0] == pytest.approx(1.0 if outcome.winners == (0,) else 0.0)
    for seat, total in enumerate(found.totals):
        other = found.totals[1 - seat]
        points = begin.points[seat] + total.luck_points - total.cost_points + other.cost_points
        chance = begin.chance[seat] + total.luck_chance - total.cost_chance + other.cost_chance
        assert points == pytest.approx(end.points[seat], abs=0.01)
        assert chance == pytest.approx(end.chance[seat], abs=0.001)
        assert total.result_points_without_luck == pytest.approx(end.points[seat] - total.luck_points)


@pytest.mark.parametrize("kind", ["sum_of_three", "best_of_three"])
def test_the_lead_in_a_match_counts_the_points_of_all_games(kind: str) -> None:
    """In each kind of match of Shanghaien, the lead is a margin in points, from the first game to the last."""
    game, rng = find_game("shanghaien"), random.Random(2)
    match = Match(game, 2, {"match": kind})
    s = copy(match.state)
    s.games, s.total[:], s.wins[:] = 1, (18, 13), (1, 0)  # as at the start of the second game
    appraiser = game.hooks.appraiser()
    assert appraiser is not None
    assert [one.points for one in appraiser.values(s)] == pytest.approx([5.0, -5.0])
    late = copy(s)
    while not match.over:
        late = copy(match.state)
        step_by(match, rng, lambda action: True)
    last = Match(game, 2, {"match": kind}, state=late)
    last.act(last.actors[0], cast(Action, match.plies[-1].deed))
    found = analyse(last, ["Anna", "Bert"], appraiser=appraiser)
    margin = last.view(0).totals[0] - last.view(0).totals[1]
    assert found.leads is not None
    assert [one.result_points for one in found.totals] == [margin, -margin]
    assert found.leads[0] == ahead([margin, -margin])
    (decision,) = found.decisions
    most = max(one.value.points for one in decision.alternatives)
    assert found.curve[0].points[decision.seat] == pytest.approx(most)
    played = next(one for one in decision.alternatives if one.move == decision.played)
    assert played.value.points == pytest.approx(found.curve[1].points[decision.seat])
    assert decision.cost_points == pytest.approx(most - played.value.points)


def test_exactly_the_values_of_the_last_part_are_marked_exact() -> None:
    _, found = example()
    last = max(decision.part for decision in found.decisions)
    for decision in found.decisions:
        for alternative in decision.alternatives:
            assert alternative.value.exact == (decision.part == last)
            assert (alternative.value.chance_error == 0) == alternative.value.exact


@pytest.mark.deep
@pytest.mark.parametrize("name", JUDGED)
def test_the_best_level_makes_no_errors(name: str) -> None:
    game = find_game(name)
    match, luck = Match(game), SharedChance(3)
    bot = seat_bot(game, list(game.levels)[-1])
    while not match.over:
        if match.chance:
            match.apply_chance(luck.decide(match))
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), seed_stream(1)))
    found = analyse(match, ["Anna", "Bert"])
    # Besides winning, the player counts a point as 0.0002 of a win; the analysis does not.
    assert sum(total.cost_chance for total in found.totals) < 0.05
    assert all(not decision.mark for decision in found.decisions)


def test_a_game_without_a_ply_is_refused() -> None:
    with pytest.raises(BadInput, match="no move was played"):
        analyse(Match(find_game(JUDGED[0])), [])
