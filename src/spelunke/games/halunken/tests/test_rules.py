"""Rules that the examples don't cover, such as unsuitable options, matches of three games, and the double colour."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.contract import ALL
from spelunke.core.errors import BadInput, BadOption
from spelunke.core.kernel import bind, copy, pool
from spelunke.games.halunken import GAME, moves, rules, state
from spelunke.games.halunken.cards import ALL_SAILORS, sailor_of
from spelunke.games.halunken.sailors import FULL, sailors_of, worth_of
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.tests.playing import each_table, step
from spelunke.games.match import Match

if TYPE_CHECKING:
    from spelunke.core.playout import Playout

MOVED = (state.NAMING, state.FALLING, state.OPENING, state.LANDED, state.PASSING, state.PICKING)


def test_the_42_sailors_have_the_values_of_the_rules() -> None:  # H-R2, H-A1
    assert len(ALL_SAILORS) == 42
    per_colour = {
        c: [s.value for s in ALL_SAILORS if s.colour == c] for c in ("yellow", "grey", "violet", "red")
    }
    assert {c: sum(v) for c, v in per_colour.items()} == {"yellow": 78, "grey": 78, "violet": 77, "red": 75}
    assert per_colour["red"] == [4, 5, 6, 7, 8, 9, 10, 11, 15]


def test_the_codec_and_the_kernels_use_the_same_numbers() -> None:
    first = {
        moves.Pass: state.PASS,
        moves.Bid: state.BID,
        moves.Choose: state.CARD,
        moves.ChooseJack: state.JACK_CARD,
        moves.TakeBack: state.TAKE_BACK,
        moves.Name: state.NAME,
        moves.Rob: state.ROB,
        moves.Fish: state.FISH,
        moves.Give: state.GIVE,
        moves.Decline: state.DECLINE,
    }
    for kind, number in first.items():
        assert isinstance(moves.ACTION_CODEC.values[number], kind)
        assert not isinstance(moves.ACTION_CODEC.values[number - 1], kind)
    assert len(moves.ACTION_CODEC.values) == state.ACTIONS == len(set(moves.ACTION_CODEC.values))
    assert moves.ACTION_CODEC.values[state.JACK_CARD + state.JACK_RUM] == moves.ChooseJack("rum")
    assert moves.CHANCE_CODEC.values[state.FLIPPED + state.JACK_RUM] == moves.Flip("rum")
    assert moves.CHANCE_CODEC.values[state.SEEN] == moves.Seen(sailor_of(0))
    assert moves.CHANCE_CODEC.values[state.FALLS] == moves.Falls(1)
    assert len(moves.CHANCE_CODEC.values) == state.OUTCOMES == len(set(moves.CHANCE_CODEC.values))


@each_table
def test_every_sailor_is_in_one_place(seats: int, options: dict[str, object]) -> None:  # H-T18
    rng = random.Random(f"places {seats} {options}")
    match = Match(GAME, seats, options)
    flips = 0
    while not match.over:
        step(match, rng)
        s = match.state
        flips += isinstance(match.plies[-1].deed, moves.Flip)
        where = [int(top) for top in s.top if top >= 0]
        for masks in (*s.crew[:seats], s.harbour, s.unseen):
            where += sailors_of(masks)
        assert sorted(where) == list(range(42))
        assert s.under.sum() == s.dark == len(sailors_of(s.unseen))
        assert s.afloat == len(sailors_of(s.harbour))
        assert [int(n) for n in s.hands[:seats]] == [len(sailors_of(s.crew[seat])) for seat in range(seats)]
        if s.phase in (state.HIDING, state.CHOOSING) and s.hour == 0 and s.afloat == 0 and s.hirer < 0:
            assert (s.top >= 0).sum() + s.under.sum() == 42 - seats
        standing = [int(f) for f in s.field if f >= 0]
        assert len(set(standing)) >= len(standing) - (s.phase in MOVED)
    if match.state.options[state.MODE] == state.STANDARD and not options.get("tactical_bj_34"):
        assert flips == 8 * (3 if match.state.options[state.MATCH] else 1)
        assert int(match.state.cards[JACK]).bit_count() == 4  # H-A2


@each_table
def test_every_captain_uses_each_card_once(seats: int, options: dict[str, object]) -> None:  # H-R7, H-R14
    match = Match(GAME, seats, options)
    rng = random.Random(3)
    while not match.over:
        step(match, rng, changes=True)
    assert not match.state.cards[:seats].any()
    assert match.outcome is not None
    assert match.state.games == (3 if match.state.options[state.MATCH] else 1)


def test_set_up_opens_each_start_card_before_the_next_captain(  # H-C1, H-A4
) -> None:
    match = Match(GAME, 3)
    match.land(moves.First(1))
    for seat in (1, 2, 0):
        assert match.actors == (seat,)
        match.act(seat, match.legal(seat)[0])
        match.land(match.chances()[0][0])
    for field in range(14):
        assert match.state.opening == field
        match.land(match.chances()[0][0])
    assert len(match.actors) == 1
    assert match.state.phase == state.HIDING


def test_options_that_do_not_fit_are_refused() -> None:
    refused: list[tuple[int, dict[str, object], str]] = [
        (2, {"mode": "standard"}, "two_player"),
        (3, {"mode": "two_player"}, "2 players"),
        (2, {"mode": "beginner"}, "two_player_beginner"),
        (3, {"mode": "beginner", "two_player_beginner": True}, "beginner game of two"),
        (2, {"two_player_beginner": True}, "beginner game of two"),
        (3, {"bj2_pass_theft": True}, "does not use"),
        (4, {"bj2_rum_unhired": "stay"}, "does not use"),
        (2, {"tactical_bj_34": True}, "does not use"),
        (2, {"bj_peek": True}, "does not use"),
        (3, {"mode": "beginner", "bid_colour_tiebreak": True}, "does not use"),
        (3, {"mode": "beginner", "bj_peek": True}, "does not use"),
        (3, {"tactical_bj_34": True, "bj_peek": True}, "off"),
        (3, {"match": 2}, "1, 3"),
    ]
    for seats, options, why in refused:
        with pytest.raises(BadOption, match=why):
            GAME.settle(seats, options)
    for seats in (1, 5):
        with pytest.raises(BadInput, match="players"):
            GAME.settle(seats)
    assert GAME.settle(2)["mode"] == "two_player"
    assert GAME.settle(4)["mode"] == "standard"


def test_a_match_of_three_adds_the_points_and_sets_up_each_game() -> None:  # H-R23, H-C8
    match = Match(GAME, 3, {"match": 3})
    rng = random.Random(5)
    sums = np.zeros(3, int)
    crews = None
    while not match.over:
        games = int(match.state.games)
        crews = match.state.crew.copy()
        before = copy(match.state)
        step(match, rng)
        if match.state.games > games:
            told = match.events_of(match.ply - 1, ALL)[-1]
            sums += np.array(told.points)
            assert tuple(int(n) for n in match.state.total[:3]) == told.totals == tuple(sums)
            if not match.over:
                assert match.state.phase == state.FIRST
                assert match.state.dark == 42
                assert before.games == games
    assert crews is not None
    assert match.outcome is not None
    assert match.outcome.scores == tuple(sums)


@pytest.mark.parametrize(
    ("seats", "mode", "decisions", "mean"),
    [(3, "beginner", 31, 83), (4, "beginner", 42, 76), (2, "two_player", 45, 82)],
)
def test_random_games_have_the_simulated_mean_length_and_points(
    seats: int, mode: str, decisions: int, mean: int
) -> None:
    kernels = cast("Playout", bind("spelunke.core.playout", rules.__name__))
    table = pool(state.STATE, 1)
    setup = GAME.setup(seats, GAME.settle(seats, {"mode": mode}))
    stream = seed_stream(11)
    played = 0
    points = 0
    for _ in range(150):
        played += kernels.playouts(table, 0, setup, stream, 1)
        points += int(table[0].total.sum())
    # Random play bids more often than people do, which costs crews sailors.
    assert abs(played / 150 - decisions) < 7
    assert abs(points / 150 / seats - mean) < (6 if mode == "beginner" else 30)


def test_the_doubled_colour_is_the_owners_best() -> None:  # H-R15
    crew = np.array([FULL[0] & 0b111, FULL[1] & 0b1110, 0, 0], np.int16)
    assert worth_of(crew) == (1 + 2 + 3) + 2 * (2 + 3 + 4)
