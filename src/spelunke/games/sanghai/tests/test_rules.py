"""What no single position shows: dealing, dealers, schedules, calls in every order, orders, secrets, whole games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import permutations
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.chance import seed_stream
from spelunke.core.contract import ALL
from spelunke.core.errors import BadInput, BadOption, BadPosition, BadText, IllegalMove
from spelunke.core.kernel import pool
from spelunke.core.match import Match
from spelunke.games.sanghai import GAME, events, knowledge, moves, notation, orders, rules, state
from spelunke.games.sanghai.cards import CARDS, make_run, make_set, parse_card, parse_meld, write_meld

HANDS = ("2c 3c", "4c 5c", "6c 7c", "8c 9c", "10c jc", "qc kc", "2d 3d", "4d 5d")


def step(match: Match, rng: random.Random) -> None:
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
    else:
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))


def at_window(seats: int = 4, pile: str = "7s", **options: Any) -> Match:
    position = {
        "options": options,
        "phase": "window",
        "turn": 1,
        "dealer": seats - 1,
        "pile": pile,
        "seats": [{"hand": hand} for hand in HANDS[:seats]],
    }
    state = notation.parse_position(position)
    return Match(GAME, seats, options, state=state)


def play(match: Match, *texts: str) -> Match:
    for text in texts:
        seat, _, move = text.partition(": ")
        if move:
            match.act(int(seat), match.parse(move))
        else:
            match.land(notation.parse_chance(text))
    return match


def laid_with(cards: str, contract_round: int, lay: str, **options: Any) -> None:
    done = [{"points": [0, 0, 0, 0]}] * (contract_round - 1)
    position = {
        "options": options,
        "round": contract_round,
        "finished": done,
        "turn": 0,
        "seats": [{"hand": cards}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
    }
    match = Match(GAME, 4, options, state=notation.parse_position(position))
    match.act(0, match.parse(lay))
    assert match.view(0).laid[0]


# ---- setting the table


def test_eleven_cards_are_dealt_one_by_one_from_the_eldest_hand() -> None:  # N-R3, N-C9
    match = Match(GAME, 4)
    assert {weight for _, weight in match.chances()} == {1}
    match.land(moves.Dealer(2))
    got = []
    while match.chance:
        match.land(match.chances()[0][0])
        got += [event.seat for event in match.events_of(match.ply - 1) if isinstance(event, events.Dealt)]
    assert got == [3, 0, 1, 2] * 11
    assert match.actors == (3,)
    assert match.texts(3) == ("stock",)  # N-R6


def test_the_packs_are_whole() -> None:  # N-R1, N-A2
    for seats, packs in ((3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)):
        match = Match(GAME, seats)
        match.land(moves.Dealer(0))
        weights = {chance.card: weight for chance, weight in match.chances()}
        assert weights == {**dict.fromkeys(CARDS, packs), "*": 2 * packs}


def test_the_deal_goes_round() -> None:  # N-T19
    match = Match(GAME, 4, {"reshuffle_limit": 1})
    rng = random.Random(4)
    match.land(moves.Dealer(0))
    eldest = []
    while not match.over:
        if match.state.phase == state.OPENING:
            eldest.append((int(match.state.lap), int(match.state.dealer), match.actors[0]))
        step(match, rng)
    assert eldest == [(lap, lap % 4, (lap + 1) % 4) for lap in range(8)]


def test_contracts_need_so_many_cards() -> None:  # N-T20
    s = pool(rules.STATE, 1)[0]
    s.seats = 4
    needed = []
    for lap in range(8):
        s.lap = lap
        needed.append(int(state.cards_wanted(s)))
        assert state.cards_dealt(s) == 11
    assert needed == [6, 7, 8, 9, 10, 11, 12, 12]
    s.schedule = 3
    long = []
    for lap in range(10):
        s.lap = lap
        long.append(int(state.cards_wanted(s)))
    assert long == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def test_two_players_only_with_the_house_rule() -> None:  # N-T21, N-C13
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


def test_what_cards_count() -> None:  # N-T16
    def count(cards: str, **options: Any) -> int:
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


# ---- laying

RUNS = (
    ("qs ks as 2s", False),  # N-T10
    ("js qs ks as", True),
    ("as 2s 3s 4s", True),
    ("4h 5h 6c 7h", False),
    ("*4h *5h *6h *7h", False),
    ("4h *5h 6h *7h", True),
)


@pytest.mark.parametrize(("run", "legal"), RUNS)
def test_runs(run: str, legal: bool) -> None:
    cards = " ".join("*" if word.startswith("*") else word for word in run.split())
    hand = f"{cards} 9d 9h 9s 5d"
    if legal:
        laid_with(hand, 2, f"lay 9d 9h 9s | {run}", jokers_per_pack=4)
        return
    with pytest.raises((IllegalMove, BadText)):
        laid_with(hand, 2, f"lay 9d 9h 9s | {run}", jokers_per_pack=4)


SETS = (("7h 7h 7c", True), ("7h * *", True), ("* * *", False), ("7h 7c 8d", False))


@pytest.mark.parametrize(("cards", "legal"), SETS)  # N-T11
def test_sets(cards: str, legal: bool) -> None:
    if legal:
        laid_with(f"{cards} 9d 9h 9s 5d", 1, f"lay {cards} | 9d 9h 9s", jokers_per_pack=4)
        return
    with pytest.raises((IllegalMove, BadText)):
        laid_with(f"{cards} 9d 9h 9s 5d", 1, f"lay {cards} | 9d 9h 9s", jokers_per_pack=4)


REFUSED = (
    (1, "7s 7h 7c 9h 9d 9s kh", "7s 7h 7c | 9h 9d", "a set needs at least 3 cards"),
    (1, "7s 7h 7c 9h 9d 9s kh", "7s 7h 7c | 9h 9d 9s 9s", "these cards are not in hand: 9s"),
    (1, "7s 7h 7c 9h 9d 9s kh", "7s 7h 7c", "this round asks for 2 sets and 0 runs, and here are 1 and 0"),
    (1, "7s 7h 7c 9h 9d 9s", "7s 7h 7c | 9h 9d 9s", "one card must be left to discard"),
    (3, "4d 5d 6d 7d 9h 10h jh qh 3h", "4d-7d | 9h-jh", "a run needs at least 4 cards"),
    (3, "4d 5d 6d 7d 9d 10d jd qd * 3h", "4d 5d 6d 7d *8d | 9d-qd", "runs of one suit must not overlap"),
)


@pytest.mark.parametrize(("lap", "hand", "laying", "why"), REFUSED)
def test_a_refused_laying_says_what_is_wrong_with_it(lap: int, hand: str, laying: str, why: str) -> None:
    """Not what was wrong once the first melds had left the hand."""
    with pytest.raises(IllegalMove, match=why):
        laid_with(hand, lap, f"lay {laying}", no_adjacent_runs=True)


def test_the_longest_run_is_fourteen() -> None:
    hand = "ah 2h 3h 4h 5h 6h 7h 8h 9h 10h jh qh kh ah 5d 6d 7d 8d 2s"
    position = {
        "round": 3,
        "finished": [{"points": [0] * 4}] * 2,
        "turn": 0,
        "options": {"hep_penalty": 2},
        "seats": [{"hand": hand, "heps": 3}, {"hand": "2c"}, {"hand": "3c"}, {"hand": "2h"}],
    }
    match = Match(GAME, 4, {"hep_penalty": 2}, state=notation.parse_position(position))
    match.act(0, match.parse("lay ah-kh ah | 5d-8d".replace("ah-kh ah", " ".join(hand.split()[:14]))))
    assert match.view(0).melds[1].meld.high == 8
    assert match.view(0).melds[0].meld.low == 1
    assert match.view(0).melds[0].meld.high == 14


def test_a_laying_once_begun_can_always_be_completed() -> None:
    """Every prefix of small steps leads to a whole contract, whatever is chosen on the way."""
    begun = finished = 0
    for seed in range(40):
        rng = random.Random(seed)
        options = {
            "schedule": rng.choice(["short", "contract7", "shanghai10"]),
            "black_twos_wild": rng.random() < 0.5,
            "last_round_at_once": rng.random() < 0.5,
            "distinct_sets": rng.random() < 0.3,
            "no_adjacent_runs": rng.random() < 0.3,
            "jokers_per_pack": 4,
            "hep_limit": 5,
            "hep_penalty": 2,
        }
        s = pool(rules.STATE, 1)[0]
        rules.start(s, GAME.setup(3, GAME.settle(3, options)))
        s.lap = rng.randrange(int(state.rounds(s)))
        s.dealer, s.turn, s.phase = 2, 0, state.TURN
        wanted = int(state.cards_wanted(s)) + 1 + rng.randint(0, 2)
        kinds = [52] * rng.randint(1, 5) + [rng.randrange(52) // 3 * 3 % 52 for _ in range(wanted + 8)]
        for kind in kinds:
            if s.stock[kind] and s.held[0] < wanted:
                s.stock[kind] -= 1
                s.stocked -= 1
                state.give(s, 0, kind)
        for seat in (1, 2):
            kind = int(np.flatnonzero(s.stock)[0])
            s.stock[kind] -= 1
            state.give(s, seat, kind)
        match = Match(GAME, 3, options, state=s)
        opened = [a for a in match.legal(0) if isinstance(a, moves.OpenSet | moves.OpenRun)]
        if not opened:
            continue
        begun += 1
        match.act(0, rng.choice(opened))
        while match.state.phase != state.TURN:
            assert match.legal(0), match.texts(0)
            match.act(0, rng.choice(match.legal(0)))
        finished += bool(match.view(0).laid[0])
        assert match.state.held[0] >= 1
    assert begun == finished
    assert begun > 5


# ---- calls


@pytest.mark.parametrize("order", list(permutations((2, 3, 4))))
def test_calls_in_every_order(order: tuple[int, ...]) -> None:
    match = play(at_window(5), *(f"{seat}: hep" for seat in order), "1: stock", "card 4h")
    assert list(match.view(None).heps) == [int(seat == order[0]) for seat in range(5)]


@given(
    st.lists(st.sampled_from(["hep", "hep tied", "pass"]), min_size=3, max_size=3), st.permutations([2, 3, 4])
)
@settings(max_examples=60, deadline=None)
def test_a_mark_needs_a_first_call_that_all_before_share(
    answers: list[str], order: list[int]
) -> None:  # N-C2
    match = at_window(5)
    tied: list[int] = []
    called: list[int] = []
    for seat, answer in zip(order, answers, strict=True):
        allowed = answer != "hep tied" or (bool(called) and tied == called)
        if not allowed:
            with pytest.raises(IllegalMove):
                match.act(seat, match.parse(answer))
            answer = "pass"
        match.act(seat, match.parse(answer))
        if answer != "pass":
            tied += [seat] if answer == "hep tied" or not called else []
            called.append(seat)
    play(match, "1: stock", "card 4h")
    winner = min(tied, key=lambda seat: (seat - 1) % 5) if tied else None
    assert [seat for seat, n in enumerate(match.view(None).heps) if n] == ([] if winner is None else [winner])


def test_arrival_decides_what_is_simultaneous() -> None:
    match = at_window(5)
    assert moves.arrive(moves.Hep(), match.state, None) == moves.Hep()
    play(match, "3: hep")
    assert moves.arrive(moves.Hep(), match.state, 150) == moves.Hep(tied=True)
    assert moves.arrive(moves.Hep(tied=True), match.state, 151) == moves.Hep()
    play(match, "2: hep")
    assert moves.arrive(moves.Hep(), match.state, 10) == moves.Hep()
    assert moves.arrive(moves.Pass(), match.state, 10) == moves.Pass()


def test_silence_and_the_length_of_the_window() -> None:
    match = at_window(5, hep_seconds=8)
    assert moves.window(match.options, True, match.state) == 8000
    assert moves.window(match.options, False, match.state) is None
    assert moves.silence(match.state, 2) == moves.Pass()
    assert moves.silence(match.state, 1) is None
    play(match, "2: pass", "3: pass", "4: pass")
    assert moves.window(match.options, True, match.state) is None
    assert match.texts(1) == ("stock", "take")


def test_the_time_that_everybody_sees_rests_on_what_everybody_knows() -> None:
    match = at_window(5, hep_seconds=8, hep_tie="vote")
    assert moves.pause(match.options, True, match.state) == ("window", 8000)
    assert moves.pause(match.options, False, match.state) is None
    play(match, "2: hep", "3: hep tied", "4: pass")  # nobody is asked any more
    assert moves.pause(match.options, True, match.state) == ("window", 8000)
    play(match, "1: stock")
    assert moves.pause(match.options, True, match.state) == ("vote", 8000)
    play(match, "0: vote 3", "1: vote 3", "4: vote 3")
    assert match.chance
    assert moves.pause(match.options, True, match.state) is None
    unhurried = at_window(5, hep_seconds=0)
    assert moves.pause(unhurried.options, True, unhurried.state) is None


def test_sealed_calls_are_told_together() -> None:
    match = at_window(4, hep_window="sequenced")
    play(match, "3: hep")
    assert match.events_of(0, 2) == ()
    assert match.view(2).calls == ()
    play(match, "2: hep")
    assert match.view(0).calls == (2, 3)
    assert [event.seat for event in match.events_of(1, 0)] == [2, 3]
    play(match, "1: stock", "card 4h")
    assert match.view(None).heps == (0, 0, 1, 0)


def test_stock_and_pile_both_out() -> None:  # N-A20, N-C6
    position = {
        "phase": "window",
        "turn": 1,
        "pile": "7s",
        "seats": [{"hand": "2c 3c"}, {"hand": "4c"}, {"hand": "6c"}, {"hand": "8c"}],
        "stock": "",
    }
    state = notation.parse_position(position)
    state.pile[:] = 0
    state.pile[6] = 1
    state.piled, state.under = 1, -1
    match = Match(GAME, 4, state=state)
    play(match, "2: pass", "3: pass", "1: stock")
    assert match.state.shuffled == 0
    assert match.texts(1) == ("discard 4c",)
    play(match, "1: discard 4c")  # out without having laid
    assert match.view(None).winners == (1,)


def test_a_round_that_lasts_too_long_is_scored() -> None:  # N-C7
    position = {
        "turns": 799,
        "turn": 0,
        "seats": [{"hand": "2c 3c"}, {"hand": "4c"}, {"hand": "6c"}, {"hand": "8c"}],
    }
    match = Match(GAME, 4, state=notation.parse_position(position))
    play(match, "0: discard 2c")
    assert match.view(None).sheet == ((3, 4, 6, 8),)
    assert match.view(None).winners == (None,)


def test_ties_are_broken_by_rounds_won_then_laid() -> None:  # N-R13, N-A22
    def ranks(*rows: tuple[list[int], int | None, list[int]]) -> list[int]:
        position = {
            "options": {"schedule": "short"},
            "round": 4,
            "phase": "over",
            "finished": [{"points": p, "winner": w, "laid": laid} for p, w, laid in rows],
            "seats": [{}, {"hand": "2c"}, {"hand": "3c"}],
        }
        match = Match(GAME, 3, {"schedule": "short"}, state=notation.parse_position(position))
        assert match.outcome is not None
        return list(match.outcome.ranks)

    none: list[int] = []
    assert ranks(*[([5, 3, 4], None, none)] * 4) == [3, 1, 2]
    assert ranks(([5, 5, 9], 1, none), *[([5, 5, 9], None, none)] * 3) == [2, 1, 3]
    assert ranks(([5, 5, 9], None, [0]), *[([5, 5, 9], None, none)] * 3) == [1, 2, 3]
    assert ranks(*[([5, 5, 9], None, none)] * 4) == [1, 1, 3]


# ---- texts


@given(st.sampled_from(CARDS), st.booleans())
def test_cards_are_read_in_many_ways(card: str, upper: bool) -> None:
    assert parse_card(card.upper() if upper else card) == card
    if card != "*":
        assert parse_card(card[-1] + card[:-1]) == card
        assert parse_card(card[:-1] + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[-1]]) == card


@given(st.integers(0, 3), st.integers(1, 11), st.integers(4, 14), st.integers(0, 2**14), st.booleans())
def test_runs_are_written_and_read(suit: int, low: int, size: int, wild: int, black: bool) -> None:
    size = min(size, 15 - low)
    homes = [CARDS[13 * suit + (low + k - 1) % 13] for k in range(size)]
    jokers = ["2s" if black and k % 3 == 0 else "*" for k in range(size)]
    cards = [
        j if wild >> k & 1 and j != home else home
        for k, (j, home) in enumerate(zip(jokers, homes, strict=True))
    ]
    meld = make_run(cards, "shdc"[suit], low)
    if not all(meld.wild):
        assert parse_meld(write_meld(meld), black) == meld


@given(st.integers(0, 12), st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 3))
def test_sets_are_written_and_read(rank: int, suits: list[int], jokers: int) -> None:
    meld = make_set([CARDS[13 * suit + rank] for suit in suits] + ["*"] * jokers)
    assert parse_meld(write_meld(meld)) == meld


@pytest.mark.parametrize(
    "text",
    [
        "add 9h",
        "add * to 0",
        "lay",
        "vote 9",
        "swap * into 2",
        "discard 1x",
        "hep hep",
        "",
        "lay 7s 8h 9d | 4d-7d",
    ],
)
def test_texts_that_say_nothing_are_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"\w+ \w+"):
        notation.parse(text, at_window().state)


WRONG: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"seats": [{"hand": "7s 7s 7s"}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].hand", "one more"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}]}, "seats", "players"),
    ({"seats": [{"hand": "7s", "laid": True}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].laid", "2 sets"),
    ({"seats": [{"hand": "zz"}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].hand", "no card"),
    ({"seats": [{"hand": "7s", "heps": 4}, {"hand": "2c"}, {"hand": "2d"}]}, "seats[0].heps", "at most 3"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "phase": "window"}, "pile", "discarded"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "round": 9}, "round", "1 to 8"),
    ({"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}], "colour": "red"}, "", "colour"),
    (
        {
            "seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}],
            "melds": [{"owner": 0, "cards": "3s 4h 9d"}],
        },
        "melds[0].cards",
        "set",
    ),
)


@pytest.mark.parametrize(("position", "place", "reason"), WRONG)
def test_impossible_positions_are_refused(position: dict[str, Any], place: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason) as refused:
        notation.parse_position(position)
    assert refused.value.place == place


NUMBERS = (
    ("seats[0].heps", lambda p, n: p["seats"][0].update(heps=n)),
    ("turns", lambda p, n: p.update(turns=n)),
    ("reshuffles", lambda p, n: p.update(reshuffles=n)),
    ("wild_this_turn", lambda p, n: p.update(wild_this_turn=n)),
    ("owed", lambda p, n: p.update(owed=n, owed_to=0)),
    ("tied", lambda p, n: p.update(tied=n)),
    ("round", lambda p, n: p.update(round=n)),
    ("dealer", lambda p, n: p.update(dealer=n)),
    ("turn", lambda p, n: p.update(turn=n)),
    ("discarder", lambda p, n: p.update(discarder=n)),
    ("owed_to", lambda p, n: p.update(owed_to=n)),
    ("calls", lambda p, n: p.update(calls=[n])),
    ("seats[1].vote", lambda p, n: p["seats"][1].update(vote=n)),
    ("melds[0].owner", lambda p, n: p.update(melds=[{"owner": n, "cards": "9s 9h 9d"}])),
    ("laying.sets", lambda p, n: p.update(phase="laying", laying={"sets": n, "runs": 0})),
    ("laying.runs", lambda p, n: p.update(phase="laying", laying={"sets": 0, "runs": n})),
    (
        "laying.least_rank",
        lambda p, n: p.update(phase="laying", laying={"sets": 1, "runs": 0, "least_rank": n}),
    ),
    (
        "laying.least_run",
        lambda p, n: p.update(phase="laying", laying={"sets": 1, "runs": 0, "least_run": n}),
    ),
)


@pytest.mark.parametrize("number", [-(2**15) - 1, 2**15, 2**63, 10**30])
@pytest.mark.parametrize(("place", "put"), NUMBERS, ids=[place for place, _ in NUMBERS])
def test_numbers_that_fit_no_state_are_refused_where_they_stand(place: str, put: Any, number: int) -> None:
    position: dict[str, Any] = {"seats": [{"hand": "7s"}, {"hand": "2c"}, {"hand": "2d"}]}
    put(position, number)
    with pytest.raises(BadPosition, match=r"\w+ \w+") as refused:
        notation.parse_position(position)
    assert refused.value.place == place


# ---- standing orders

ORDERS = (
    ("any nine", "9h", 1, 0, True),
    ("any nine", "8h", 1, 0, False),
    ("hearts", "2h", 1, 0, True),
    ("hearts, jokers", "*", 1, 0, True),
    ("nines\nat most one more", "9h", 1, 0, True),
    ("nines\nat most one more", "9h", 1, 1, False),
    ("nines; never in round 3", "9h", 3, 0, False),
    ("nines; never in rounds 3-5", "9h", 6, 0, True),
    ("nines; only in round 7", "9h", 6, 0, False),
    ("pass", "9h", 1, 0, False),
    *((text, "10s", 1, 0, True) for text in ("10s", "ts", "s10", "10♠", "tens", "any 10", "10", "any 10s")),
    *((text, "10h", 1, 0, False) for text in ("10s", "ts", "s10", "10♠", "9s", "nines, 10s")),
    *((text, "10h", 1, 0, True) for text in ("tens", "ten", "any 10", "all 10s", "9s 10", "nines, any 10s")),
    *((text, "9h", 1, 0, False) for text in ("9s", "10s", "any 10, 9s")),
    *((text, "9h", 1, 0, True) for text in ("nines", "any 9", "any 9s", "all nines", "9 10s")),
    *((text, "ks", 1, 0, True) for text in ("ks", "kings", "any k", "king")),
    *((text, "kh", 1, 0, False) for text in ("ks", "as", "js")),
)


@pytest.mark.parametrize(("text", "card", "lap", "won", "wanted"), ORDERS)
def test_standing_orders(text: str, card: str, lap: int, won: int, wanted: bool) -> None:
    known = orders.orders_of(knowledge.check_private(text))
    assert known is not None
    assert orders.wants_card(known, card, lap, won) == wanted


@pytest.mark.parametrize("text", ["any elephant", "at most", "never in round 99", "x" * 500])
def test_orders_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"\w+ \w+"):
        knowledge.check_private(text)


def test_orders_act_for_their_seat_alone() -> None:
    match = at_window(5)
    legal = match.legal(2)
    assert moves.stand({"text": "any seven"}, match.view(2), legal) == moves.Hep()
    assert moves.stand({"text": "hearts"}, match.view(2), legal) == moves.Pass()
    assert moves.stand({}, match.view(2), legal) is None
    assert moves.stand({"text": "at most three"}, match.view(2), legal) is None
    assert moves.stand({"text": "any seven"}, match.view(1), match.legal(1)) is None
    since = knowledge.check_private("sevens, at most one more", match.view(2))
    assert since["since"] == "1 0"


LIMITS = (  # with one call won in round 1 when the orders were kept
    ("sevens, at most one", 1, 1, False),
    ("sevens, at most two", 1, 1, True),
    ("sevens, at most two", 1, 2, False),
    ("sevens, at most one", 2, 0, True),
    ("sevens, at most one more", 1, 1, True),
    ("sevens, at most one more call", 1, 2, False),
    ("sevens, at most one more", 2, 0, True),
    ("sevens, at most one more", 2, 1, False),
    ("sevens, at most one more, at most one", 1, 1, False),
)


@pytest.mark.parametrize(("text", "lap", "won", "wanted"), LIMITS)
def test_only_more_counts_from_now_on(text: str, lap: int, won: int, wanted: bool) -> None:
    match = at_window(5)
    match.state.heps[2] = 1
    known = orders.orders_of(knowledge.check_private(text, match.view(2)))
    assert known is not None
    assert orders.wants_card(known, "7s", lap, won) == wanted


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("never in round 10", (1, 10)),
        ("never in round 1", (1,)),
        ("never in rounds 1-3", (1, 2, 3)),
        ("never in rounds 3 1", (1, 3)),
        ("nines", (1,)),
        ("", (1,)),
    ],
)
def test_not_this_round_joins_whatever_is_kept(text: str, never: tuple[int, ...]) -> None:
    kept = knowledge.check_private({"text": text, "do": "never 1"}, at_window(5).view(2))
    known = orders.orders_of(kept)
    assert known is not None
    assert known.never == never
    assert knowledge.check_private({"text": kept["text"], "do": "never 1"})["text"] == kept["text"]


# ---- secrets


def test_events_tell_a_card_to_its_owner_alone() -> None:
    rng = random.Random(8)
    match = Match(GAME, 4, {"hep_penalty": 1})
    for _ in range(300):
        step(match, rng)
    hidden = 0
    for ply in range(match.ply):
        for event in match.events_of(ply, ALL):
            if isinstance(event, events.Dealt | events.Drew):
                hidden += 1
                for viewer in (None, 0, 1, 2, 3):
                    told = [e for e in match.events_of(ply, viewer) if type(e) is type(event)]
                    assert len(told) == 1
                    assert told[0].card == (event.card if viewer == event.seat else None)
    assert hidden > 50


@pytest.mark.parametrize("answer", ["hep", "pass"])
def test_a_sealed_answer_changes_no_byte_for_the_others(answer: str) -> None:
    match = at_window(5, hep_window="sequenced")
    twin = at_window(5, hep_window="sequenced")
    play(match, f"3: {answer}")
    play(twin, "3: pass")
    for seat in (None, 0, 1, 2, 4):
        assert msgspec.json.encode(match.view(seat)) == msgspec.json.encode(twin.view(seat))
        assert match.events_of(0, seat) == twin.events_of(0, seat) == ()
        if seat is not None:
            assert match.texts(seat) == twin.texts(seat)


def test_a_pass_is_told_to_nobody() -> None:
    match = play(at_window(5), "3: pass")
    for seat in (None, 0, 1, 2, 4):
        assert msgspec.json.encode(match.view(seat)) == msgspec.json.encode(at_window(5).view(seat))
    assert match.events_of(0, 2) == match.events_of(0, None) == ()
    assert len(match.events_of(0, 3)) == 1


# ---- whole games


@pytest.mark.parametrize(
    ("seats", "options"), [(3, {}), (8, {"schedule": "short"}), (4, {"schedule": "shanghai10"})]
)
def test_planners_lay_their_contracts(seats: int, options: dict[str, Any]) -> None:
    match = Match(GAME, seats, options)
    bot = knowledge.PlannerBot(GAME)
    stream = seed_stream(seats)
    rng = random.Random(seats)
    while not match.over:
        if match.chance:
            step(match, rng)
        else:
            seat = match.actors[0]
            match.act(seat, bot.choose(match.view(seat), match.legal(seat), stream))
    seen = match.view(None)
    assert sum(winner is not None for winner in seen.winners) >= len(seen.winners) - 3


PLAIN = """
import random
from spelunke.core.match import Match
from spelunke.games.sanghai import GAME
import hashlib
rng = random.Random(5)
digest = hashlib.sha256()
match = Match(GAME, 5, {"hep_tie": "vote", "joker_swap": True, "black_twos_wild": True, "hep_penalty": 1})
for _ in range(700):
    if match.chance:
        found = match.chances()
        match.land(rng.choices([c for c, _ in found], [w for _, w in found])[0])
    else:
        seat = rng.choice(match.actors)
        match.act(seat, rng.choice(match.legal(seat)))
    digest.update(match.state.tobytes())
print(digest.hexdigest())
"""


def test_the_plain_twin_plays_the_same() -> None:
    ways = ({"SPELUNKE_JIT": "1"}, {"SPELUNKE_JIT": "0"})
    found = [
        subprocess.run(
            [sys.executable, "-c", PLAIN],
            env={**os.environ, **way},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for way in ways
    ]
    assert found[0] == found[1] != ""
