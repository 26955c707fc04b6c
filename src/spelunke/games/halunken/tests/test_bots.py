"""Standing orders and the game's own bot."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.games.halunken import GAME, moves, notation, state, walking
from spelunke.games.halunken.orders import (
    action_by_orders,
    active_order,
    check_orders,
    find_auction,
    made_offer,
    read_order,
    write_order,
)
from spelunke.games.match import Match
from spelunke.records.position import parse_position


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


def bidding(**more: object) -> Match:
    """Return a game during an auction: captain 0 has offered red 5, and captain 1 is to bid or pass."""
    start: dict[str, object] = {
        "phase": "bidding",
        "opener": 0,
        "seats": [
            {"captain": 0, "crew": ["red 5"]},
            {"captain": 1, "crew": ["grey 6", "yellow 9", "violet 11"]},
            {"captain": 2},
        ],
        "jack": {"field": 9},
    }
    match = Match(GAME, 3, state=notation.parse_position(start | more))
    match.act(0, match.parse("bid red 5"))
    return match


def test_only_an_order_for_every_hour_stays_valid_after_the_next_auction() -> None:
    match = bidding()
    for text, lasts in (
        ("grey 9", False),
        ("pass", False),
        ("grey 9 every hour", True),
        ("pass, Every Hour", True),
    ):
        kept = check_orders({"text": text}, match.view(1))
        later = msgspec.structs.replace(match.view(1), hour=2)
        assert action_by_orders(kept, match.view(1), match.legal(1)) is not None
        assert (action_by_orders(kept, later, match.legal(1)) is not None) is lasts
    form = {"up_to": "grey 9", "hours": "next"}
    assert check_orders(form, match.view(1)) == {"up_to": "grey 9", "hour": 1}
    assert check_orders({"up_to": "grey 9"}, match.view(1)) == {"up_to": "grey 9"}, (
        "older clients mean every hour"
    )


def test_an_order_given_after_the_own_bid_applies_to_the_next_hour() -> None:
    match = bidding()
    assert find_auction(match.view(1)) == 1
    assert find_auction(match.view(0)) == 2, "with three players, each bids once"
    match.act(1, match.parse("bid yellow 9"))
    kept = check_orders({"up_to": "pass", "hours": "every"}, match.view(1))
    assert not made_offer(kept, match.view(1)), "the player made this offer"
    match.act(2, moves.Pass())
    assert match.view(1).phase == "choosing"
    assert find_auction(match.view(1)) == 2
    last = msgspec.structs.replace(match.view(1), hour=8)
    assert find_auction(last) is None
    assert active_order(kept, last) is None
    with pytest.raises(BadInput, match="no hour is left"):
        check_orders({"up_to": "pass", "hours": "next"}, last)


def test_the_limit_of_an_order_is_a_value_in_any_colour() -> None:
    match = bidding(
        seats=[{"captain": 0, "crew": ["red 5"]}, {"captain": 1, "crew": ["yellow 9"]}, {"captain": 2}]
    )
    assert action_by_orders({"up_to": "grey 9"}, match.view(1), match.legal(1)) == match.parse("bid yellow 9")


@pytest.mark.parametrize(
    "orders", ["a king's ransom", {"up_to": "red 99"}, {"up_to": 7}, {}, [1], {"up_to": "pass", "hours": "x"}]
)
def test_an_order_that_cannot_be_read_is_refused(orders: object) -> None:
    with pytest.raises(BadInput):
        check_orders(orders, bidding().view(1))


def test_writing_an_order_gives_the_text_that_was_read() -> None:
    view = bidding().view(1)
    for text in ("grey 9", "pass", "violet 11 every hour"):
        order = read_order(check_orders(text, view))
        assert order is not None
        assert write_order(order) == text


def test_the_greedy_bot_takes_the_best_move_and_a_slipping_bot_others() -> None:
    from spelunke.bots.levels import seat_bot, seat_player

    match = parse_position((Path(__file__).parent / "robbery.json").read_bytes())
    bot = seat_bot(GAME, "greedy")
    assert bot.choose(match.view(0), match.legal(0), seed_stream(1)) == match.parse("rob red 15")
    slipping = seat_player(GAME, "watchman:slips=0.5")
    chosen = [slipping.choose(match.view(0), match.legal(0), seed_stream(k)) for k in range(40)]
    assert set(chosen) == set(match.legal(0))
    assert chosen.count(match.parse("rob red 15")) >= 20


def test_the_names_of_the_levels_do_not_change() -> None:
    assert {"landlubber", "shipsboy", "mate", "greedy", "pilot", "harbourmaster"} <= set(GAME.levels)


@pytest.mark.deep
def test_the_same_seed_produces_the_same_weights(tmp_path: Path) -> None:
    from spelunke.games.halunken.learning import learn, write
    from spelunke.games.halunken.weights import WEIGHTS

    (weights, told), again = learn(200, 5, 1), learn(200, 5, 1)
    assert told == again[1]
    assert weights.shape == WEIGHTS.shape
    assert (weights == again[0]).all()
    kept_games = tmp_path / "games"
    kept_games.mkdir()
    assert (learn(200, 5, 1, kept_games)[0] == weights).all()
    min(kept_games.iterdir()).unlink()  # the interrupted part
    assert (learn(200, 5, 1, kept_games)[0] == weights).all()
    assert len(list(kept_games.iterdir())) == len(GAME.seats)
    file = tmp_path / "weights.py"
    file.write_text(write(weights, told, 200, 5, 1), encoding="utf-8")
    kept: dict[str, object] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), kept)
    assert np.allclose(kept["WEIGHTS"], weights, atol=1e-4)


def test_points_are_worth_more_in_later_hours() -> None:
    from spelunke.games.halunken.weights import WEIGHTS

    assert np.isfinite(WEIGHTS).all()
    assert (np.diff(WEIGHTS[2:, 1:, 0], axis=1) > 0).all()
    assert (WEIGHTS[2:, 1:, 5] > 0).all(), "who has the Rum still is better off"


@pytest.mark.deep
def test_most_traits_compare_a_seat_with_the_other_seat() -> None:
    """With two players, each trait (feature) except the right to open bidding is a difference between the two seats.

    In this position, Black Jack endangers only seat 1, and only seat 0 has a Rum.
    """
    from spelunke.games.halunken.judging import TRAITS, traits, value

    start = {
        "phase": "bidding",
        "opener": 1,
        "seats": [
            {"captain": 0, "crew": ["red 9", "red 4", "grey 2"], "used": [1, 2, 4, 5, 6, 7]},
            {"captain": 8, "crew": ["violet 9"], "used": [1, 2, 4, 5, 6, "rum"]},
        ],
        "jack": {"field": 5, "used": [1, 2, 4, 5, 6, 7]},
    }
    s = notation.parse_position(start)
    found = np.zeros((2, TRAITS))
    for seat in range(2):
        traits(s, seat, found[seat])
    points, hands, colour, _, opens, rum, danger, dearest, cheapest = found[0]
    assert points == pytest.approx((28 - 18) / 20)
    assert (hands, colour, opens, rum, danger) == (2, 1, 0, 1, -0.5)
    assert (dearest, cheapest) == (pytest.approx((18 - 18) / 10), pytest.approx((2 - 18) / 10))
    assert found[0][:4] == pytest.approx(-found[1][:4])
    assert found[1][4] == 1
    assert value(s, 0) == pytest.approx(-value(s, 1), abs=0.1)


@pytest.mark.parametrize(
    ("card", "seat", "overtaken"),
    [
        (2, 0, False),  # one field short of the captain on 8
        (3, 0, True),  # reaches that captain and moves on
        (3, 1, True),  # also passes the next captain, on 9
        (4, 0, True),
        (4, 1, True),
        (12, 2, False),  # goes round the harbour to 3, one field short of the captain on 4
    ],
)
def test_black_jack_endangers_the_captains_that_he_would_overtake(
    card: int, seat: int, overtaken: bool
) -> None:
    """Black Jack's card endangers exactly the captains that he would overtake with this card (H-R20, H-A22).

    With three or four players, he also overtakes a captain on the field to which the card leads, because he moves on.
    """
    from spelunke.games.halunken.judging import danger

    start = {
        "phase": "bidding",
        "opener": 0,
        "seats": [{"captain": 8}, {"captain": 9}, {"captain": 4}],
        "jack": {"field": 5},
    }
    s = notation.parse_position(start)
    s.cards[state.JACK] = 1 << (card - 1)  # no other card can come
    assert danger(s, seat) == overtaken
    s.laid[state.JACK] = card
    walking.prowl(s)
    assert (seat in s.queue) == overtaken, "the rules say the same"


def test_a_sailor_whose_loss_would_be_a_gain_is_the_cheapest() -> None:
    """The least valuable sailor of this crew is grey 2: without it, the crew has 7 points more.

    The reason is that violet 14 then counts double (H-A41). Without grey 3, the crew has 6 points more. Without
    violet 14, it has 14 points less.
    """
    from spelunke.games.halunken.judging import TRAITS, traits

    start = {
        "phase": "bidding",
        "opener": 0,
        "seats": [
            {"captain": 0, "crew": ["grey 2", "grey 3", "violet 14"]},
            {"captain": 8},
            {"captain": 9},
        ],
        "jack": {"field": 5},
    }
    found = np.zeros(TRAITS)
    traits(notation.parse_position(start), 0, found)
    assert found[7:] == pytest.approx([14 / 10, -7 / 10])


@pytest.mark.deep
def test_an_analysis_counts_the_sailor_that_a_captain_with_rum_would_turn_up() -> None:
    """In the last hour, each captain has one card left, so only the number of the second captain's Rum is open.

    If the first captain robs violet 14, it ends with 95 points. If the second captain's Rum is 1, this captain robs
    grey 13 from the third captain on field 1, and ends with 90 points. If the Rum is 3, the second captain arrives on
    field 3 after the third captain. It robs grey 13 there too, and also gets the sailor that lay under grey 3. With
    nine of the eleven unseen sailors, the second captain then wins. With one of them, the first two captains are equal.
    """
    from spelunke.solvers.playing import PlayoutAppraiser

    start = {
        "phase": "landed",
        "options": {"mode": "beginner"},
        "mover": 0,
        "seats": [
            {
                "captain": 13,
                "crew": "yellow 4, yellow 6, yellow 9, yellow 12, grey 2, violet 8, red 7".split(", "),
                "used": [1, 2, 3, 4, 6, "rum"],
                "laid": 5,
            },
            {
                "captain": 13,
                "crew": "yellow 2, yellow 5, grey 6, grey 7, grey 10, violet 14, red 11".split(", "),
                "used": [1, 2, 4, 5, 6, 7],
                "laid": 3,
            },
            {
                "captain": 1,
                "crew": "grey 13, violet 3, violet 6, violet 7, violet 10, violet 11, red 5, red 6".split(
                    ", "
                ),
                "used": [1, 3, 5, 6, 7, "rum"],
                "laid": 4,
            },
        ],
        "taverns": {
            "0": "violet 9 +1",
            "3": "grey 3 +1",
            "5": "violet 4 +2",
            "6": "yellow 1 +2",
            "7": "yellow 11",
            "8": "red 8 +1",
            "9": "yellow 3 +2",
            "11": "grey 5 +2",
            "12": "red 9",
        },
    }
    weighed = PlayoutAppraiser(GAME).weigh(notation.parse_position(start), 0)
    found = {notation.write(one.action): one.value for one in weighed.choices}
    assert found["rob violet 14"].chance == pytest.approx(0.88 * 1.5 / 11 + 0.12 / 3, abs=0.04)
    assert found["rob violet 14"].chance_error > 0.005
