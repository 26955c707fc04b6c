"""What decides for a seat: its standing orders, and the game's own bot."""

from __future__ import annotations

from spelunke.core.chance import seed_stream
from spelunke.core.match import Match
from spelunke.games.halunken import GAME, moves, notation
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
