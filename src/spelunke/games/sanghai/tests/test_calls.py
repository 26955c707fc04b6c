"""Calls (their order, time limit, ties and votes), and the ends of rounds and games."""

from __future__ import annotations

import json
import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spelunke.core.errors import BadPosition, IllegalMove
from spelunke.games.match import Match
from spelunke.games.sanghai import GAME, moves, notation, timing

from .positions import HANDS, at_window, play, step


@pytest.mark.parametrize("order", list(permutations((2, 3, 4))))
def test_the_first_call_wins_in_every_order_of_calls(order: tuple[int, ...]) -> None:
    match = play(at_window(5), *(f"{seat}: hep" for seat in order), "1: stock", "card 4h")
    assert list(match.view(None).heps) == [int(seat == order[0]) for seat in range(5)]


@given(
    st.lists(st.sampled_from(["hep", "hep tied", "pass"]), min_size=3, max_size=3), st.permutations([2, 3, 4])
)
@settings(max_examples=60, deadline=None)
def test_a_call_can_be_tied_only_if_all_earlier_calls_are_tied(
    answers: list[str], order: list[int]
) -> None:  # N-C2
    match = at_window(5, hep_tie="seat_order")
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


def test_a_call_is_tied_if_it_arrives_within_150_ms() -> None:
    match = at_window(5)
    assert timing.action_on_arrival(moves.Hep(), match.state, None) == moves.Hep()
    play(match, "3: hep")
    assert timing.action_on_arrival(moves.Hep(), match.state, 150) == moves.Hep(tied=True)
    assert timing.action_on_arrival(moves.Hep(tied=True), match.state, 151) == moves.Hep()
    play(match, "2: hep")
    assert timing.action_on_arrival(moves.Hep(), match.state, 10) == moves.Hep()
    assert timing.action_on_arrival(moves.Pass(), match.state, 10) == moves.Pass()


def test_an_analysis_has_one_call_whether_it_ties_or_not() -> None:
    match = play(at_window(5), "3: hep")
    seen, how = match.view(2), GAME.hooks.playouts()
    found = [notation.write(action) for action, _value in how.candidates(seen, match.legal(2))]
    assert found == ["hep", "pass"]
    assert how.same(moves.Hep(), moves.Hep(tied=True))
    assert not how.same(moves.Hep(), moves.Pass())


@pytest.mark.parametrize(
    ("seat", "move", "why"),
    [
        (1, "stock", "until all have answered, nobody can draw from the stock"),
        (1, "discard 4c", "only in your turn, after you have drawn a card"),
        (2, "stock", "until all have answered, nobody can draw from the stock"),
        (2, "take", "only the next player may take the discard; call hep, or pass"),
        (2, "discard 6c", "only in your turn, after you have drawn a card"),
    ],
)
def test_a_refusal_in_the_call_window_gives_the_reason_for_that_seat(seat: int, move: str, why: str) -> None:
    match = at_window(4)
    with pytest.raises(IllegalMove, match=why):
        match.act(seat, match.parse(move))


@pytest.mark.parametrize("move", ["stock", "take", "hep", "discard 2c", "vote 1"])
def test_a_voter_who_tries_another_move_is_asked_to_vote(move: str) -> None:
    match = play(at_window(4, hep_tie="vote"), "2: hep", "3: hep tied", "1: stock", "1: vote 3")
    with pytest.raises(IllegalMove, match="vote for one of the players who called at the same time"):
        match.act(0, match.parse(move))


def test_a_silent_seat_passes_and_the_call_window_keeps_the_chosen_length() -> None:
    match = at_window(5, hep_seconds=8)
    assert timing.answer_window_ms(match.options, True, match.state) == 8000
    assert timing.answer_window_ms(match.options, False, match.state) is None
    assert timing.silent_action(match.state, 2) == moves.Pass()
    assert timing.silent_action(match.state, 1) is None
    play(match, "2: pass", "3: pass", "4: pass")
    assert timing.answer_window_ms(match.options, True, match.state) == 8000, (
        "it must not reveal who has answered"
    )
    assert match.texts(1) == ("stock", "take")


@pytest.mark.parametrize(
    "options", [{}, {"hep_window": "sequenced"}, {"hep_seconds": 0}, {"hep_tie": "vote"}]
)
def test_the_hooks_about_waiting_and_points_do_not_reveal_who_has_passed(options: dict[str, object]) -> None:
    """At two tables that differ only in passes, six hooks return equal results for a viewer who has not passed.

    After the last answer, the next player may know that all have answered. If the option ``hep_window`` is
    ``sequenced``, everybody may know it. So these cases are not compared.
    """
    hooks = at_window(5, **options).game.hooks
    compared = 0
    for count in (1, 2, 3):
        for passed in combinations((2, 3, 4), count):
            worlds = at_window(5, **options), at_window(5, **options)
            play(worlds[1], *(f"{seat}: pass" for seat in passed))
            if worlds[0].options["hep_window"] == "sequenced" and count == 3:
                continue  # then all know that the window is over
            for viewer in {None, 0, 1, 2, 3, 4} - set(passed):
                told = [
                    (
                        hooks.answer_window_ms(world.options, True, world.state),
                        hooks.visible_wait(world.options, True, world.state),
                        None if viewer == 1 and count == 3 else hooks.seats_maybe_asked(world.state, viewer),
                        hooks.rounds_done(world.state),
                        hooks.points(world.state),
                        hooks.setting_up(world.state),
                    )
                    for world in worlds
                ]
                assert told[0] == told[1], (passed, viewer)
                compared += 1
    assert compared


def test_the_visible_time_depends_only_on_public_facts() -> None:
    match = at_window(5, hep_seconds=8, hep_tie="vote")
    assert timing.visible_wait(match.options, True, match.state) == ("window", 8000)
    assert timing.visible_wait(match.options, False, match.state) is None
    play(match, "2: hep", "3: hep tied", "4: pass")  # no seat is left to answer
    assert timing.visible_wait(match.options, True, match.state) == ("window", 8000)
    play(match, "1: stock")
    assert timing.visible_wait(match.options, True, match.state) == ("vote", 8000)
    play(match, "0: vote 3", "1: vote 3", "4: vote 3")
    assert match.chance
    assert timing.visible_wait(match.options, True, match.state) is None
    unhurried = at_window(5, hep_seconds=0)
    assert timing.visible_wait(unhurried.options, True, unhurried.state) is None


def test_sealed_calls_are_revealed_together() -> None:
    match = at_window(4, hep_window="sequenced", hep_tie="seat_order")
    play(match, "3: hep")
    assert match.events_of(0, 2) == ()
    assert match.view(2).calls == ()
    play(match, "2: hep")
    assert match.view(0).calls == (2, 3)
    assert [event.seat for event in match.events_of(1, 0)] == [2, 3]
    play(match, "1: stock", "card 4h")
    assert match.view(None).heps == (0, 0, 1, 0)


def test_a_player_draws_nothing_if_only_one_discard_and_no_stock_are_left() -> None:  # N-A20, N-C6
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


@pytest.mark.parametrize("lap", [7, 8])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_positions_from_a_round_ended_by_the_turn_limit_can_be_read(seats: int, lap: int) -> None:  # N-C7
    options = {"two_player_deal12": True} if seats == 2 else {}
    position = {
        "options": options,
        "round": lap,
        "finished": [{"points": [0] * seats}] * (lap - 1),
        "turns": 200 * seats - 2,
        "turn": 0,
        "seats": [{"hand": hand} for hand in HANDS[:seats]],
    }
    match = Match(GAME, seats, options, state=notation.parse_position(position))
    rng = random.Random(seats)
    first = match.ply
    while not match.over and match.state.lap == lap - 1:
        step(match, rng)
        text = json.loads(json.dumps(notation.write_position(match.state)))
        assert notation.parse_position(text).tobytes() == match.state.tobytes()
    assert match.ply > first
    assert match.over == (lap == 8)
    if match.over:
        assert notation.write_position(match.state)["turns"] == 200 * seats
        for turns in (200 * seats + 1, 10**9):
            with pytest.raises(BadPosition, match=f"must be from 0 to {200 * seats}"):
                notation.parse_position({**notation.write_position(match.state), "turns": turns})


@pytest.mark.parametrize("seed", range(12))
def test_positions_from_a_round_ended_by_an_empty_stock_can_be_read(seed: int) -> None:  # N-A21
    options = {"reshuffle_limit": 1, "hep_penalty": 2, "hep_window": ("live", "sequenced")[seed % 2]}
    position = {
        "options": options,
        "round": 8,
        "finished": [{"points": [0] * 4}] * 7,
        "phase": "window",
        "turn": 1,
        "dealer": 3,
        "pile": "9h jh kh",
        "reshuffles": 1,
        "stock": " ".join(("2h", "3h", "5h", "6h", "qh")[: seed % 6]),
        "seats": [{"hand": f"{hand} {more}"} for hand, more in zip(HANDS, HANDS[4:], strict=False)],
    }
    match = Match(GAME, 4, options, state=notation.parse_position(position))
    rng = random.Random(seed)
    for _ in range(300):
        if match.over:
            break
        step(match, rng)
        text = json.loads(json.dumps(notation.write_position(match.state)))
        assert notation.parse_position(text).tobytes() == match.state.tobytes()
    assert match.over


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
