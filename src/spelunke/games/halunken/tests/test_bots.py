"""What decides for a seat: its standing orders, and the game's own bot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.match import Match
from spelunke.games.halunken import GAME, moves, notation, state
from spelunke.games.halunken.orders import action_by_orders


def test_a_standing_order_bids_up_to_its_card() -> None:
    start = {
        "phase": "bidding",
        "opener": 0,
        "seats": [
            {"captain": 0, "crew": ["red 5"]},
            {"captain": 1, "crew": ["grey 6", "grey 9", "violet 11"]},
            {"captain": 2},
        ],
        "jack": {"field": 9},
    }
    match = Match(GAME, 3, state=notation.parse_position(start))
    seen = match.view(1)
    orders = {"up_to": "grey 9"}
    assert action_by_orders(orders, seen, match.legal(1)) is None
    match.act(0, match.parse("bid red 5"))
    assert action_by_orders(orders, match.view(1), match.legal(1)) == match.parse("bid grey 6")
    assert action_by_orders({"up_to": "grey 4"}, match.view(1), match.legal(1)) == moves.Pass()
    assert action_by_orders({"up_to": "pass"}, match.view(1), match.legal(1)) == moves.Pass()
    for nonsense in ({}, {"up_to": "a king's ransom"}, {"up_to": ""}, None, 7, {"up_to": 3}):
        assert action_by_orders(nonsense, match.view(1), match.legal(1)) is None


def test_the_watchman_takes_what_is_best() -> None:
    from spelunke.bots.levels import seat_bot

    start = {
        "phase": "landed",
        "options": {"mode": "beginner"},
        "mover": 0,
        "took": True,
        "seats": [
            {"captain": 5, "laid": 2, "crew": ["red 4"]},
            {"captain": 5, "laid": 7, "crew": ["red 15", "yellow 1"]},
            {"captain": 9, "laid": 1},
        ],
    }
    match = Match(GAME, 3, {"mode": "beginner"}, state=notation.parse_position(start))
    bot = seat_bot(GAME, "greedy")
    assert bot.choose(match.view(0), match.legal(0), seed_stream(1)) == match.parse("rob red 15")


def test_the_names_of_levels_stay() -> None:
    assert {"landlubber", "mate", "greedy", "pilot", "harbourmaster"} <= set(GAME.levels)


def test_a_searching_bot_plays_hours_with_a_hired_jack() -> None:
    from spelunke.bots.levels import seat_player

    match = Match(GAME, 2)
    bot, stream = seat_player(GAME, "search:looks=20"), seed_stream(2)
    laid_by_hirer = 0
    while match.state.hour < 1:
        if match.chance:
            match.apply_chance(match.chances()[0][0])
            continue
        seat = match.actors[0]
        action = bot.choose(match.view(seat), match.legal(seat), stream)
        laid_by_hirer += match.state.phase == state.CHOOSING and match.state.hirer == seat
        match.act(seat, action)
    assert laid_by_hirer in {0, 2}


def test_the_search_makes_a_clear_choice_where_one_card_wins() -> None:
    """The last secret choice: card 5 leads to the red 15, and the other captain has none to cancel it."""
    from spelunke.solvers.search import Budget, search

    start = {
        "options": {"mode": "beginner", "two_player_beginner": True},
        "phase": "choosing",
        "seats": [
            {"captain": 0, "crew": ["red 9", "red 10"], "used": [2, 3, 4, 6, 7, "rum"]},
            {"captain": 7, "crew": ["violet 9", "violet 10"], "used": [2, 4, 5, 6, 7, "rum"]},
        ],
        "taverns": {"5": "red 15", "1": "yellow 1", "12": "yellow 2", "8": "yellow 3", "6": "yellow 4"},
    }
    match = Match(GAME, 2, start["options"], state=notation.parse_position(start))  # type: ignore[arg-type]
    found = search(GAME, match.state, 0, Budget(400, ahead=1), seed_stream(1))
    best = max(found.choices, key=lambda choice: choice.share)
    assert best.actions == moves.encode(match.parse("card 5"))


@pytest.mark.deep
def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    from spelunke.games.halunken.learning import learn, write
    from spelunke.games.halunken.weights import WEIGHTS

    (weights, told), again = learn(200, 5), learn(200, 5)
    assert told == again[1]
    assert weights.shape == WEIGHTS.shape
    assert (weights == again[0]).all()
    file = tmp_path / "weights.py"
    file.write_text(write(weights, told, 200, 5), encoding="utf-8")
    kept: dict[str, object] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), kept)
    assert np.allclose(kept["WEIGHTS"], weights, atol=1e-4)


def test_points_are_worth_more_the_later_it_is() -> None:
    from spelunke.games.halunken.weights import WEIGHTS

    assert np.isfinite(WEIGHTS).all()
    assert (np.diff(WEIGHTS[2:, 1:, 0], axis=1) > 0).all()
