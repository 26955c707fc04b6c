"""Tournaments: the same job gives the same results in any order of games, after an interruption, and on any machine."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from spelunke.arena.match import Job, Pairing, Result, check_job, pairings, play_here, play_pairing, run
from spelunke.arena.plot import plot_ratings
from spelunke.arena.rating import judge, rate, sequential
from spelunke.core.errors import BadInput
from spelunke.games import find_game, shelf

GAME = next(name for name in sorted(shelf(), reverse=True) if not find_game(name).hidden)
JOB = Job(GAME, ("chance", "greedy"), 2, seed=4)
CHANCE = Job(GAME, ("chance", "chance"), 2, seed=4)


def one_by_one(job: Job, todo: Iterable[Pairing]) -> Iterator[tuple[Result, ...]]:
    return play_here(job, todo, workers=1)


def backwards(job: Job, todo: Iterable[Pairing]) -> Iterator[tuple[Result, ...]]:
    for pairing in reversed(list(todo)):
        yield play_pairing(job, pairing)


def test_any_order_gives_the_same_results() -> None:
    results = run(CHANCE, 2, spread=one_by_one)
    assert run(CHANCE, 2, spread=backwards) == results
    assert [r.pairing for r in results] == [0, 0, 1, 1]
    assert {r.seating for r in results} == {(0, 1), (1, 0)}


def test_several_processes_give_the_same_results() -> None:
    assert run(CHANCE, 2, spread=lambda job, todo: play_here(job, todo, workers=2)) == run(
        CHANCE, 2, spread=one_by_one
    )


def test_a_tournament_resumes_from_the_file_of_played_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = run(CHANCE, 2, spread=one_by_one)
    file.write_bytes(msgspec.json.encode(CHANCE))  # the end of the line is missing
    assert run(CHANCE, 1, file, one_by_one) == whole[:2]
    with file.open("ab") as log:
        log.write(b'[{"pairing":1,"rot')  # the line that a power cut left
    played: list[int] = []

    def watch(job: Job, todo: Iterable[Pairing]) -> Iterator[tuple[Result, ...]]:
        for pairing in todo:
            played.append(pairing.number)
            yield play_pairing(job, pairing)

    assert run(CHANCE, 2, file, watch) == whole
    assert played == [1]
    assert run(CHANCE, 2, file, watch) == whole
    assert played == [1]
    with pytest.raises(BadInput, match="another tournament"):
        run(JOB, 2, file, one_by_one)


def test_more_players_than_seats_meet_in_every_group() -> None:
    job = Job(GAME, ("chance", "chance", "chance"), 2)
    assert [p.group for p in pairings(job, 1)] == [(0, 1), (0, 2), (1, 2)]


def test_rounds_alternate_the_order_of_players_around_the_table() -> None:
    three = Job("halunken", ("chance", "mate", "landlubber"), 3)
    assert [p.group for p in pairings(three, 3)] == [(0, 1, 2), (0, 2, 1), (0, 1, 2)]


@pytest.mark.parametrize(("seats", "groups"), [(3, 2), (4, 1)])
def test_players_fewer_than_the_seats_play_equally_often_and_are_rated(seats: int, groups: int) -> None:
    job = Job("halunken", ("landlubber", "chance"), seats)
    tables = [p.group for p in pairings(job, 2)]
    assert len(tables) == 2 * groups
    assert sum(table.count(0) for table in tables) == sum(table.count(1) for table in tables)
    if seats == 4:
        assert tables == [(0, 0, 1, 1), (0, 1, 0, 1)]
    first = tuple(1 if who == 0 else seats for who in tables[0])
    won = [Result(n, 0, tables[0], first, (0,) * seats, 10) for n in range(20)]
    better, worse = rate(job, won)
    assert better.player == "landlubber"
    assert better.rating - better.error > worse.rating + worse.error


@pytest.mark.parametrize(
    ("job", "reason"),
    [
        (Job(GAME, ("chance",), 2), "at least two players"),
        (Job(GAME, ("chance", "grandmaster"), 2), "has no level 'grandmaster'"),
        (Job(GAME, ("chance", "greedy:deep=3"), 2), "can't be played"),
        (Job(GAME, ("chance", "greedy:3"), 2), "write KIND:SETTING=VALUE"),
        (Job(GAME, ("chance", "chance"), 9), "players, not for 9"),
        (Job("nothing", ("chance", "chance"), 2), "there is no game"),
    ],
)
def test_an_impossible_tournament_is_refused(job: Job, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        check_job(job)


def made(wins: float, games: int, seed: int = 1) -> list[Result]:
    rng = random.Random(seed)
    found = []
    for pairing in range(games):
        for rotation in range(2):
            first = rng.random() < wins
            seating = (0, 1) if rotation == 0 else (1, 0)
            ranks = (1, 2) if first == (rotation == 0) else (2, 1)
            found.append(Result(pairing, rotation, seating, ranks, (0, 0), 10))
    return found


def test_ratings_show_the_better_player_with_an_error() -> None:
    few, many = rate(CHANCE, made(0.7, 10)), rate(CHANCE, made(0.7, 150))
    assert many[0].rating - many[0].error > many[1].rating
    assert many[0].error < few[0].error
    assert many[0].score == pytest.approx(0.4, abs=0.15)
    assert abs(many[0].score - 0.4) < 2 * many[0].score_error
    assert many[0].score == -many[1].score


@pytest.mark.parametrize("seats", [3, 4, 5, 8])
def test_players_who_are_all_tied_get_the_same_rating(seats: int) -> None:
    job = Job("sanghai", tuple(f"player {number}" for number in range(seats)), seats)
    tied = Result(0, 0, tuple(range(seats)), (1,) * seats, (0,) * seats, 9)
    assert [rating.rating for rating in rate(job, [tied])] == pytest.approx([0.0] * seats, abs=1e-6)


def test_the_sequential_test_stops_on_either_side() -> None:
    assert judge(CHANCE, made(0.75, 400)).answer == "better"
    assert judge(CHANCE, made(0.45, 800)).answer == "not better"
    assert judge(CHANCE, made(0.75, 5)).answer == "open"


def pairs(mean: float, rng: random.Random) -> Iterator[float]:
    """Yield random scores of pairs of games, from 1 (two wins) to -1 (two losses). Their expected value is ``mean``."""
    while True:
        yield sum(rng.choices((-1.0, 0.0, 1.0), (2 - 3 * mean, 2, 2 + 3 * mean), k=2)) / 2


def decide(mean: float, rng: random.Random) -> tuple[str, int]:
    """Ask the sequential test after every eighth pair of games whether the mean is 0.2 or 0.

    Return its first clear answer, and the number of pairs until then.
    """
    values: list[float] = []
    for value in pairs(mean, rng):
        values.append(value)
        if len(values) % 8 == 0:
            answer = sequential(values, 0.0, 0.2).answer
            if answer != "open":
                return answer, len(values)
    raise AssertionError("pairs never end")


@pytest.mark.parametrize(
    ("mean", "wrong", "share"),
    [(0.0, "better", 0.05), (0.2, "not better", 0.05), (-0.2, "better", 0.002), (0.4, "not better", 0.002)],
)
def test_the_sequential_test_keeps_the_promised_rate_of_errors(mean: float, wrong: str, share: float) -> None:
    rng, runs = random.Random(7), 200
    found = [decide(mean, rng) for _ in range(runs)]
    errors = sum(answer == wrong for answer, _ in found)
    assert errors <= runs * share + 3 * math.sqrt(runs * share) + 1
    if share == 0.05:
        assert errors > 0, "it asks for more than it needs"
    # A test of fixed length needs (2 * 1.645)^2 * variance / edge^2 = 90 pairs for these errors.
    assert sum(length for _, length in found) / runs < (75 if share == 0.05 else 40)


def test_early_stopping_does_not_depend_on_the_order_of_finished_games() -> None:
    def stop(results: object) -> bool:
        return len(list(results)) >= 4  # type: ignore[call-overload]

    assert run(CHANCE, 3, spread=backwards, stop=stop) == run(CHANCE, 3, spread=one_by_one, stop=stop)


def test_a_faulty_player_spoils_no_game() -> None:
    job = Job(GAME, ("chance", "process:/nowhere/bot"), 2)
    results = run(job, 1, spread=one_by_one)
    assert all("can't be started" in result.fault for result in results)
    assert {rating.faults for rating in rate(job, results)} == {0, 2}


def test_a_position_with_too_many_choices_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Mock(open_node=Mock(return_value=-1))
    monkeypatch.setattr("spelunke.solvers.search.kernels_of", lambda _game: full)
    results = run(Job(GAME, ("chance", "search:looks=8"), 2), 1, spread=one_by_one)
    assert all("too many choices" in result.fault for result in results)


def test_the_picture_of_ratings_names_every_player() -> None:
    picture = plot_ratings("Tom & Jerry", rate(CHANCE, made(0.6, 20)))
    assert "<title>Tom &amp; Jerry</title>" in picture
    assert picture.count("<circle") == 2


@pytest.mark.deep
def test_a_cluster_gives_the_same_results() -> None:
    from spelunke.arena.cluster import spread_over

    results = run(CHANCE, 4, spread=spread_over(num_cpus=2))
    assert results == run(CHANCE, 4, spread=one_by_one)
