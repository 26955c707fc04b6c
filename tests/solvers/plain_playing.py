"""Tests that ``test_playing.py`` runs without compiled kernels: known values of positions with secrets."""

from __future__ import annotations

import contextlib
import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elsewhere import approximately, even_results, pack, pack_played, pack_settled
from spelunke.analysis.analysis import SURE, Analysis, Judgement, mark_of
from spelunke.analysis.playouts import Budget
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.games.halunken import notation
from spelunke.games.match import Match
from spelunke.house.study.judging import as_known
from spelunke.records.position import parse_position, write_position
from spelunke.solvers import playing
from spelunke.solvers.analysis import analyse, judge
from spelunke.solvers.elsewhere import can_play_elsewhere, finish_analysis, plan_analysis
from spelunke.solvers.played import Played
from spelunke.solvers.players import Job, LocalPlayer
from spelunke.solvers.playing import PlayoutAppraiser
from spelunke.solvers.secret import Settled

SMALL = Budget(worlds=2, first=2, keep=2, last=4, here=2, chance=6, secret=64, regret=2)


COMPLETE = {
    "game": "sanghai",
    "seats": [
        {"hand": "3s 7s 8s qs ks 3h 6h 2d 7d 8d qd", "thrown": "as", "let_go": "ac"},
        {"hand": "ah 7h ad 6d jd ac 2c 4c 6c 9c qc kc *", "taken": "ac", "let_go": "as", "heps": 1},
        {"hand": "4s 8s js js ks 3h 3d 5d 5c 6c 10c", "thrown": "ac", "let_go": "as"},
    ],
    "options": {"schedule": "shanghai10"},
    "dealer": 1,
    "turn": 1,
    "pile": "as",
    "turns": 2,
}
"""A position of Sanghai in which the player on turn can lay the contract."""


def appraiser(name: str) -> PlayoutAppraiser:
    return PlayoutAppraiser(find_game(name), SMALL)


@cache
def game(name: str, seats: int, seed: int, **options: object) -> Match:
    """Return a random game. Equal arguments give the same match, so no test may change it."""
    match, rng = Match(find_game(name), seats, options), random.Random(seed)
    while not match.over:
        if match.chance:
            chances = match.chances()
            match.apply_chance(rng.choices([o for o, _ in chances], [w for _, w in chances])[0])
        else:
            seat = rng.choice(match.actors)
            legal = match.legal(seat)
            match.act(seat, rng.choice(legal))
    return match


def at(match: Match, ply: int) -> Match:
    return Match(match.game, match.seats, match.options, state=match.state_at(ply))


def again(match: Match, ply: int) -> Match:
    """Return a match that begins at this ply of a game, and repeats its remaining plies."""
    late = at(match, ply)
    for one in match.plies[ply:]:
        if one.seat < 0:
            late.apply_chance(one.deed)  # type: ignore[arg-type]
        else:
            late.act(one.seat, one.deed)  # type: ignore[arg-type]
    return late


def test_alternatives_are_listed_in_the_order_of_their_chances_to_win() -> None:
    """The alternatives of a decision are in the order of their chances to win, the best first.

    This holds even if some of them were played out less often than the best one. The test leaves out moves
    that lay cards: they may be listed before a discard with a better chance.
    """
    found = [late_hour(2).decisions, late_hour(3).decisions]
    told = [[a.value for a in one.alternatives] for some in found for one in some]
    told.append([a.value for a in ask(*turn_of_sanghai()).alternatives if not a.move.startswith("lay")])
    assert any(len(values) > SMALL.keep for values in told)
    for values in told:
        chances = [value.chance for value in values]
        assert chances == sorted(chances, reverse=True)
        assert all(value.exact or value.bounded or value.chance_error >= 0 for value in values)


@cache
def late_hour(seats: int) -> Analysis:
    whole = game("halunken", seats, 7)
    begun = max(k for k in range(whole.ply) if whole.game.hooks.rounds_done(whole.state_at(k)) == 6)
    while whole.game.hooks.rounds_done(whole.state_at(begun - 1)) == 6:
        begun -= 1
    return analyse(again(whole, begun), [f"P{k}" for k in range(seats)], appraiser=appraiser("halunken"))


def last_choice() -> tuple[Match, int]:
    """Return a decision of Halunken after which the game is over in any case, but with different results."""
    for seed in range(40):
        match = game("halunken", 3, seed)
        for ply in range(match.ply - 1, match.ply - 6, -1):
            seat = match.plies[ply].seat
            if seat < 0:
                continue
            results = set()
            for action in at(match, ply).legal(seat):
                tried = at(match, ply)
                tried.act(seat, action)
                results.add(tried.outcome.scores if tried.outcome else None)
            if len(results) > 1 and None not in results:
                return at(match, ply), seat
    raise AssertionError("no game ended so")


def test_the_value_of_a_last_decision_is_the_exact_result() -> None:
    here, seat = last_choice()
    found = appraiser("halunken").weigh(here.state, seat).choices
    assert {one.action for one in found} == set(here.legal(seat))
    for one in found:
        tried = at(here, 0)
        tried.act(seat, one.action)
        assert tried.outcome is not None
        others = [score for k, score in enumerate(tried.outcome.scores) if k != seat]
        assert one.value.exact
        assert one.value.points == pytest.approx(tried.outcome.scores[seat] - sum(others) / len(others))
        assert one.value.rank == tried.outcome.ranks[seat]
        won = 1 / len(tried.outcome.winners) if seat in tried.outcome.winners else 0
        assert one.value.chance == pytest.approx(won)
        assert one.gap == 0 or one.value.chance != found[0].value.chance
    assert found[0].value.chance == max(one.value.chance for one in found)


def test_no_win_is_certain_while_a_seat_has_a_choice() -> None:
    """At a decision with more than one legal action, each seat's chance to win is between 0.05 and 0.95.

    The test checks the last four such decisions in which no choice is secret. A seat may lose although it wins in all
    playouts: in real games, this happened one time in twenty.
    """
    whole, seen = game("halunken", 2, 7), appraiser("halunken")
    assert whole.outcome is not None
    won = [1.0 if seat in whole.outcome.winners else 0.0 for seat in range(2)]
    assert [value.chance for value in seen.values(whole.state)] == won
    asked = [
        k for k in range(whole.ply) if len(at(whole, k).actors) == 1 and not seen.sealed(whole.state_at(k))
    ]
    free = [k for k in asked if len(at(whole, k).legal(whole.plies[k].seat)) > 1]
    for ply in free[-4:]:
        told = [value.chance for value in seen.values(whole.state_at(ply))]
        assert sum(told) == pytest.approx(1.0)
        assert all(0.05 < chance < 0.95 for chance in told)
    assert free[-1] < whole.ply - 1
    for ply in range(free[-1] + 1, whole.ply):
        if not any(at(whole, later).chance for later in range(ply, whole.ply)):
            assert [value.chance for value in seen.values(whole.state_at(ply))] == won


@pytest.mark.parametrize("seats", [2, 3])
def test_secret_choices_are_mixed_and_regretted(seats: int) -> None:
    found = late_hour(seats)
    secret = [one for one in found.decisions if one.secret and not one.forced]
    assert len(secret) >= seats
    for one in secret:
        kind = one.played.split()[0]
        shares = [a.share for a in one.alternatives if a.move.startswith(kind)]
        assert sum(share for share in shares if share is not None) == pytest.approx(1.0)
        assert one.regret is not None
        assert one.regret >= 0
    assert all(one.regret is None for one in found.decisions if not one.secret)


def test_only_the_final_version_of_a_sealed_choice_is_a_decision() -> None:
    """A seat that changes its sealed card has decided once.

    The hirer of Jack lays two cards and decides twice, each time among the cards of one figure.
    """
    start = {"phase": "choosing", "hirer": 0, "seats": [{"captain": 0}, {"captain": 5}], "jack": {"field": 9}}
    moves = ["card 3", "card 5", "take back", "jack 4", "card 3", "take back", "card 2", "jack 6", "card 7"]
    found = {}
    for name, played in {"changed": moves, "at once": ["card 2", "jack 6", "card 7"]}.items():
        match = Match(find_game("halunken"), 2, state=notation.parse_position(start))
        for text in played:
            match.act(1 if text == "card 7" else 0, match.parse(text))
        found[name] = analyse(match, ["A", "B"], appraiser=appraiser("halunken"))
    changed, once = found["changed"], found["at once"]
    assert [(one.ply, one.seat, one.played) for one in changed.decisions] == [
        (6, 0, "card 2"),
        (7, 0, "jack 6"),
        (8, 1, "card 7"),
    ]
    assert [total.decisions for total in changed.totals] == [2, 1]
    for mine, its in zip(changed.decisions, once.decisions, strict=True):
        assert mine.secret
        assert {one.move.split()[0] for one in mine.alternatives} == {mine.played.split()[0]}
        assert len(mine.alternatives) > 5
        assert mine == msgspec.structs.replace(its, ply=mine.ply)


def test_a_sealed_choice_counts_although_the_game_ended_before_it_was_revealed() -> None:
    start = {"phase": "choosing", "hirer": 0, "seats": [{"captain": 0}, {"captain": 5}], "jack": {"field": 9}}
    match = Match(find_game("halunken"), 2, state=notation.parse_position(start))
    for text in ("card 3", "card 5"):
        match.act(1, match.parse(text))
    found = analyse(match, ["A", "B"], appraiser=appraiser("halunken"))
    assert [(one.ply, one.played) for one in found.decisions] == [(1, "card 5")]


def test_costs_are_marked_beyond_their_error_alone() -> None:
    found = late_hour(2)
    for one in found.decisions:
        assert one.played in {a.move for a in one.alternatives}
        assert one.mark == mark_of(one.cost_chance, one.cost_error)
        assert not one.mark or one.cost_chance >= SURE * one.cost_error
        assert one.forced == (len(one.alternatives) == 1)
        if one.forced:
            assert one.cost_chance == one.cost_points == 0
    for total in found.totals:
        mine = [d for d in found.decisions if d.seat == total.seat and not d.forced]
        counted = [d.cost_chance for d in mine if d.cost_chance >= SURE * d.cost_error]
        assert total.cost_chance == pytest.approx(sum(counted))
    assert found.curve[-1].chance == tuple(total.result for total in found.totals)


def test_the_same_seed_gives_the_same_analysis() -> None:
    here, seat = last_choice()
    hour = at(game("halunken", 2, 7), game("halunken", 2, 7).ply // 2)
    for match, asked in ((here, seat), (hour, None)):
        first, second = (judge(match, appraiser("halunken"), asked) for _ in range(2))
        assert msgspec.json.encode(first) == msgspec.json.encode(second)


def turn_of_sanghai() -> tuple[Match, int]:
    """Return a match at a turn in the first round of a short game, after the draw, and the seat on turn."""
    match, rng = Match(find_game("sanghai"), 3, {"schedule": "short"}), random.Random(2)
    while True:
        if match.chance:
            chances = match.chances()
            match.apply_chance(rng.choices([o for o, _ in chances], [w for _, w in chances])[0])
            continue
        seat = match.actors[-1]
        if match.ply > 60 and match.view(seat).phase == "turn":  # type: ignore[attr-defined]
            return match, seat
        match.act(seat, match.legal(seat)[0])


def ask(match: Match, seat: int) -> Judgement:
    """Return the coach's judgement of a seat's decision, from what the seat knows, as at a table."""
    told = parse_position(write_position(as_known(match, seat)))
    return judge(told, appraiser(match.game.name), seat)


def test_hidden_cards_in_sanghai_do_not_change_the_advice() -> None:
    match, seat = turn_of_sanghai()
    view = match.view(seat)
    other = at(match, match.ply)
    for k in range(2):
        imagined = match.game.view.imagine(view, seed_stream(k + 5))
        other = Match(match.game, match.seats, match.options, state=imagined)
        assert other.state.tobytes() != match.state.tobytes()
        assert write_position(as_known(other, seat)) == write_position(as_known(match, seat))
    assert msgspec.json.encode(ask(match, seat)) == msgspec.json.encode(ask(other, seat))


def test_sealed_cards_in_halunken_do_not_change_the_advice() -> None:
    whole = game("halunken", 3, 7)
    for ply in range(whole.ply // 2, whole.ply):
        here = at(whole, ply)
        if len(here.actors) == 2 and len(here.legal(here.actors[0])) > 1:
            break
    seat = here.actors[0]
    worlds = {here.game.view.imagine(here.view(seat), seed_stream(k)).tobytes() for k in range(9)}
    assert len(worlds) > 1
    told = set()
    for k in range(4):
        state = here.game.view.imagine(here.view(seat), seed_stream(k))
        other = Match(here.game, here.seats, here.options, state=state)
        told.add(write_position(as_known(other, seat)))
    assert len(told) == 1
    found = ask(here, seat)
    assert found.secret
    assert found.seat == seat
    assert sum(one.share or 0 for one in found.alternatives) == pytest.approx(1.0)


def test_less_promising_discards_are_shown_with_a_bound() -> None:
    match, seat = turn_of_sanghai()
    found = ask(match, seat)
    throws = {text for text in match.texts(seat) if text.startswith("discard")}
    layings = {one.move for one in found.alternatives} - throws
    assert layings
    assert all(text.startswith("lay ") for text in layings), "no small steps of one"
    played = [one.value for one in found.alternatives if not one.value.bounded]
    bounded = [one.value for one in found.alternatives if one.value.bounded]
    assert 2 <= len(played) <= 5
    assert bounded
    assert all(value.chance_error > 0 and value.rank is not None for value in played)
    assert all(value.chance <= min(one.chance for one in played) for value in bounded)


def test_a_laying_is_listed_before_a_discard_that_may_be_no_better(monkeypatch: pytest.MonkeyPatch) -> None:
    match = parse_position(msgspec.json.encode(COMPLETE))

    def ask_again() -> tuple[list[str], Judgement]:
        found = judge(match, appraiser("sanghai"), 1)
        return [one.move.split()[0] for one in found.alternatives if not one.value.bounded], found

    kinds, found = ask_again()
    laying, *others = [one.value for one in found.alternatives if not one.value.bounded]
    assert kinds[0] == "lay"
    assert set(kinds[1:]) == {"discard"}
    assert others == sorted(others, key=lambda value: -value.chance)
    assert 0 < others[0].chance - laying.chance <= SURE * found.gaps[1]
    assert found.gaps[0] == 0
    assert found.values[1] == laying
    monkeypatch.setattr(playing, "SURE", 0.0)
    assert ask_again()[0][0] == "discard", "a loss beyond the margin of error counts"


def test_a_call_for_a_useless_card_is_listed_last_with_a_bound() -> None:
    match, _ = turn_of_sanghai()
    rng = random.Random(4)
    while True:
        if match.chance:
            chances = match.chances()
            match.apply_chance(rng.choices([o for o, _ in chances], [w for _, w in chances])[0])
            continue
        seat = match.actors[0]
        texts = match.texts(seat)
        if "hep" in texts:
            view = match.view(seat)
            why = match.game.hooks.reasons(match.parse("hep"), view, ["A", "B", "C"], plain)
            if any("doesn't bring you nearer" in sentence for sentence in why):
                break
        match.act(seat, match.legal(seat)[-1])
    found = ask(match, seat)
    assert [one.value.bounded for one in found.alternatives] == [False, True]
    assert found.alternatives[1].move == "hep"


def test_an_open_game_without_hooks_for_playouts_can_be_analysed() -> None:
    assert find_game("halunken").hooks.playouts().kernels
    shanghaien = find_game("shanghaien")
    assert not shanghaien.hooks.playouts().kernels
    match = game("shanghaien", 2, 3)
    ply = max(k for k in range(match.ply) if match.plies[k].seat >= 0 and len(at(match, k).actors) == 1)
    seat = match.plies[ply].seat
    found = PlayoutAppraiser(shanghaien, SMALL).weigh(match.state_at(ply), seat)
    assert {one.action for one in found.choices} == set(at(match, ply).legal(seat))
    assert sum(value.chance for value in found.values) == pytest.approx(1.0)


class Elsewhere(LocalPlayer):
    """A stand-in for a browser: it computes playouts here, and collects the numbers that a browser would send."""

    def __init__(self, match: Match) -> None:
        super().__init__(match.game)
        self.seats = match.seats
        self.numbers: list[float] = []

    def play(self, job: Job, seat: int = -1) -> Played:
        found = super().play(job, seat)
        self.numbers += pack_played(found, self.seats) if job.parts else []
        return found

    def play_twice(self, first: Job, last: Job, *given: int) -> tuple[Played, list[int], Played]:
        found = super().play_twice(first, last, *given)
        self.numbers += pack_played(found[2], self.seats)
        return found

    def settle(self, job: Job, *given: Any) -> Settled:
        found = super().settle(job, *given)
        self.numbers += pack_settled(found, self.seats)
        return found


def end_of(name: str) -> Match:
    """Return a match with only the last plies of a game of three seats. A browser can compute its analysis."""
    if name == "halunken":
        whole = game(name, 3, 32)
        return again(whole, whole.ply - 9)
    whole = game(name, 3, 32, schedule="short")
    return again(whole, whole.ply - 5)


ELSEWHERE = pytest.mark.parametrize("name", ["halunken", "sanghai"])


@ELSEWHERE
def test_playouts_on_another_device_make_the_same_analysis(name: str) -> None:
    match = end_of(name)
    player = Elsewhere(match)
    here = analyse(match, "ABC", appraiser=PlayoutAppraiser(match.game, SMALL, player=player))
    there = finish_analysis(match, "ABC", "", pack(player.numbers), SMALL)
    assert msgspec.to_builtins(there) == approximately(msgspec.to_builtins(here))


@ELSEWHERE
def test_the_results_of_a_plan_complete_the_analysis(name: str) -> None:
    match = end_of(name)
    plan = plan_analysis(match, SMALL)
    assert len(set(plan.worlds)) == len(plan.worlds)
    assert all(one.first.parts for one in plan.tasks), "a forecast needs no browser"
    results = even_results(plan)
    found = finish_analysis(match, "ABC", "table", results, SMALL)
    assert (found.table, len(found.curve)) == ("table", match.ply + 1)
    if name == "halunken":  # the curve of Sanghai comes from forecasts
        assert all(moment.chance == pytest.approx([1 / 3] * 3) for moment in found.curve)
    assert all(one.cost_chance == pytest.approx(0.0) for one in found.decisions)
    assert plan == plan_analysis(match, SMALL)


@ELSEWHERE
def test_malformed_results_are_refused(name: str) -> None:
    match = end_of(name)
    results = even_results(plan_analysis(match, SMALL))
    numbers = [0.0, *([float("nan")] * (len(results) // 4 - 1))]
    for wrong in (b"", results[:-1], results[:-4], results + bytes(4), pack(numbers)):
        with pytest.raises(BadInput):
            finish_analysis(match, "ABC", "", wrong, SMALL)
    every = 97 if name == "halunken" else len(results) // 20  # forecasts take long without compiled kernels
    for number in (-1.0, 2.0**20, float("inf")):  # each number has bounds
        for at in range(0, len(results), 4 * every):
            changed = results[:at] + pack([number]) + results[at + 4 :]
            with contextlib.suppress(BadInput):
                found = finish_analysis(match, "ABC", "", changed, SMALL)
                assert all(-0.01 <= chance <= 1.02 for moment in found.curve for chance in moment.chance)


def test_a_game_without_a_decision_needs_no_device() -> None:
    match = Match(find_game("sanghai"), 3)
    while match.chance:
        match.apply_chance(match.chances()[0][0])
    assert not plan_analysis(match, SMALL).tasks
    assert not finish_analysis(match, "ABC", "", b"", SMALL).decisions


def test_a_game_that_is_too_long_for_a_device_is_not_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    match = end_of("halunken")
    size = len(even_results(plan_analysis(match, SMALL)))
    monkeypatch.setattr("spelunke.solvers.elsewhere.MOST_RESULTS", size)
    plan_analysis(match, SMALL)
    monkeypatch.setattr("spelunke.solvers.elsewhere.MOST_RESULTS", size - 1)
    with pytest.raises(BadInput, match="too long"):
        plan_analysis(match, SMALL)


def test_only_the_house_can_analyse_a_game_without_a_device_appraiser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [find_game(name) for name in ("halunken", "sanghai", "shanghaien")]
    assert all(map(can_play_elsewhere, games))
    monkeypatch.setattr(type(games[2].hooks), "device_appraiser", lambda hooks: None)
    assert not can_play_elsewhere(games[2])
