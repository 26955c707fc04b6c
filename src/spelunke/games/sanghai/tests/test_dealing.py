"""The set-up: dealing, dealers, schedules, and the points of cards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput, BadOption
from spelunke.core.kernel import copy, pool
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, happenings, moves, notation, state
from spelunke.games.sanghai.cards import CARDS

from .positions import step


def test_eleven_cards_are_dealt_one_by_one_from_the_eldest_hand() -> None:  # N-R3, N-C9
    match = Match(GAME, 4)
    assert {weight for _, weight in match.chances()} == {1}
    match.land(moves.Dealer(2))
    got = []
    while match.chance:
        match.land(match.chances()[0][0])
        got += [event.seat for event in match.events_of(match.ply - 1) if isinstance(event, happenings.Dealt)]
    assert got == [3, 0, 1, 2] * 11
    assert match.actors == (3,)
    assert match.texts(3) == ("stock",)  # N-R6


def test_by_default_tied_calls_are_voted_on_and_the_stock_is_reshuffled() -> None:  # N-R15
    settled = GAME.settle(4)
    assert (settled["hep_tie"], settled["reshuffle_limit"]) == ("vote", 0)


def test_the_deck_consists_of_whole_packs() -> None:  # N-R1, N-A2
    for seats, packs in ((3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)):
        match = Match(GAME, seats)
        match.land(moves.Dealer(0))
        weights = {chance.card: weight for chance, weight in match.chances()}
        assert weights == {**dict.fromkeys(CARDS, packs), "*": 2 * packs}


def test_each_round_the_next_seat_deals_and_the_seat_after_it_begins() -> None:  # N-T19
    match = Match(GAME, 4, {"reshuffle_limit": 1})
    rng = random.Random(4)
    match.land(moves.Dealer(0))
    eldest = []
    while not match.over:
        if match.state.phase == state.OPENING:
            eldest.append((int(match.state.lap), int(match.state.dealer), match.actors[0]))
        step(match, rng)
    assert eldest == [(lap, lap % 4, (lap + 1) % 4) for lap in range(8)]


def test_each_contract_needs_the_number_of_cards_in_the_rules() -> None:  # N-T20
    s = pool(state.STATE, 1)[0]
    s.seats = 4
    needed = []
    for lap in range(8):
        s.lap = lap
        needed.append(int(state.cards_wanted(s)))
        assert state.cards_dealt(s) == 11
    assert needed == [6, 7, 8, 9, 10, 11, 12, 12]
    s.options[state.SCHEDULE] = state.LONG_SCHEDULE
    long = []
    for lap in range(10):
        s.lap = lap
        long.append(int(state.cards_wanted(s)))
    assert long == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def test_two_players_can_play_only_with_the_house_rule() -> None:  # N-T21, N-C13
    with pytest.raises(BadInput, match="3 to 8 players"):
        Match(GAME, 2)
    match = Match(GAME, 2, {"two_player_deal12": True})
    s = match.state.copy()
    s.lap = 6
    assert state.cards_dealt(s) == 12
    s.seats = 3
    assert state.cards_dealt(s) == 11


def test_rounds_that_could_never_be_laid_are_refused() -> None:
    with pytest.raises(BadOption, match=r"round 10 .* needs 16"):
        GAME.settle(4, {"schedule": "shanghai10", "hep_limit": 2})
    GAME.settle(4, {"schedule": "shanghai10", "hep_limit": 3})
    GAME.settle(4, {"schedule": "shanghai10", "hep_limit": 2, "hep_penalty": 1})


def test_cards_count_the_points_of_the_rules_and_the_options() -> None:  # N-T16
    def count(cards: str, **options: object) -> int:
        position = {
            "options": options,
            "turn": 1,
            "seats": [{"hand": cards}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
        }
        return int(state.hand_points(notation.parse_position(position), 0))

    assert [count(card) for card in ("ks", "qs", "js", "10s", "as", "*")] == [13, 12, 11, 10, 14, 15]
    assert count("2s ks as *") == 44
    assert count("as 3d *") == 32  # N-T1
    assert count("ks qs js", face_points=10) == 30
    assert count("as *", ace_points=15, joker_points=50) == 65
    assert count("2s 2h", black_twos_wild=True) == 17


def test_draws_from_a_nearly_empty_stock_follow_the_true_odds() -> None:
    match = Match(GAME, 3)
    while isinstance(match.chances()[0][0], moves.Dealer):
        match.land(match.chances()[0][0])
    s = copy(match.state)
    s.stock[:] = 0
    s.stock[3], s.stock[20], s.stock[state.JOKER] = 2, 1, 1
    s.stocked = 4
    stream = seed_stream(5)
    drawn = Counter(int(GAME.rules.sample_chance(s, stream)) for _ in range(2000))
    assert set(drawn) == {3, 20, state.JOKER}
    assert abs(drawn[3] - 1000) < 100
    assert abs(drawn[20] - 500) < 100
