"""Analyses of whole games with secrets, by compiled kernels. They include every ply, and end with the true result."""

from __future__ import annotations

import pytest

from spelunke.analysis.analysis import SURE
from spelunke.bots.levels import first_level, seat_bot
from spelunke.core.chance import below, seed_stream
from spelunke.core.contract import CHANCE
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.solvers.analysis import analyse

pytestmark = pytest.mark.deep


def play(name: str, seats: int, **options: object) -> Match:
    match, stream = Match(find_game(name), seats, options), seed_stream(5)
    bot = seat_bot(match.game, first_level(match.game))
    while not match.over:
        if match.chance:
            outcomes = [outcome for outcome, weight in match.chances() for _ in range(weight)]
            match.apply_chance(outcomes[below(stream, len(outcomes))])
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    return match


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [("halunken", 2, {}), ("halunken", 4, {}), ("sanghai", 4, {"schedule": "short"}), ("sanghai", 4, {})],
)
def test_the_analysis_of_a_whole_game_covers_every_ply(
    name: str, seats: int, options: dict[str, object]
) -> None:
    match = play(name, seats, **options)
    found = analyse(match, [f"P{seat}" for seat in range(seats)])
    told = sorted(one.ply for one in (*found.decisions, *found.luck))
    assert told == list(range(match.ply))
    assert all(match.plies[one.ply].seat == CHANCE for one in found.luck)
    outcome = match.outcome
    assert outcome is not None
    for seat, total in enumerate(found.totals):
        won = 1 / len(outcome.winners) if seat in outcome.winners else 0
        assert found.curve[-1].chance[seat] == pytest.approx(won)
        assert total.result == pytest.approx(won)
        assert total.result_points == pytest.approx(found.curve[-1].points[seat])
    for moment in found.curve:
        assert sum(moment.chance) == pytest.approx(1.0, abs=1e-6)
        assert sum(moment.points) == pytest.approx(0.0, abs=1e-6)
    for one in found.decisions:
        assert one.played in {a.move for a in one.alternatives}
        assert not one.mark or one.cost_chance >= SURE * one.cost_error
    secret = [one for one in found.decisions if one.secret and not one.forced]
    assert bool(secret) == (name == "halunken")
    assert all(one.regret is not None for one in secret)
