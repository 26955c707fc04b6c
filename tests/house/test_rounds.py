"""Pairings and standings of events: rules for any number of players, and an independent computation of standings."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spelunke.house.events import (
    Entrant,
    Meeting,
    count_rounds,
    next_divisions,
    pair_round,
    rank_all,
    split_divisions,
    split_tables,
)
from spelunke.house.refusals import NotNow


def field(count: int) -> list[Entrant]:
    return [Entrant(str(number), number) for number in range(1, count + 1)]


def finish(tables: tuple[Meeting, ...], chooser: random.Random, draws: float = 0.2) -> list[Meeting]:
    """Give each table of a round a random result; return the tables with these results."""
    found = []
    for one in tables:
        if one.bye:
            found.append(one)
            continue
        scores = [chooser.randrange(100) for _ in one.names]
        if chooser.random() < draws:
            scores[1] = scores[0]
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        leads = tuple(score - (sum(scores) - score) / (len(scores) - 1) for score in scores)
        found.append(msgspec.structs.replace(one, ranks=ranks, leads=leads))
    return found


def play(kind: str, count: int, sizes: tuple[int, ...], rounds: int, seed: int) -> list[Meeting]:
    chooser, entrants, meetings = random.Random(seed), field(count), []
    for number in range(1, rounds + 1):
        meetings += finish(pair_round(kind, number, entrants, meetings, sizes), chooser)  # type: ignore[arg-type]
    return meetings


def test_tables_of_four_and_three_leave_as_few_without_a_table_as_possible() -> None:
    assert split_tables(8, (4, 3)) == ([4, 4], 0)
    assert split_tables(11, (4, 3)) == ([4, 4, 3], 0)
    assert split_tables(5, (4, 3)) == ([4], 1)
    assert split_tables(9, (4,)) == ([4, 4], 1)
    assert split_tables(7, (2,)) == ([2, 2, 2], 1)
    with pytest.raises(NotNow, match="a table needs at least 2 players"):
        split_tables(1, (2,))


@settings(max_examples=40, deadline=None)
@example(11, (4,), 0)  # more byes than players
@given(st.integers(4, 40), st.sampled_from([(2,), (3,), (4,), (4, 3)]), st.integers(0, 10**6))
def test_swiss_seats_everybody_once_and_shares_the_byes(
    count: int, sizes: tuple[int, ...], seed: int
) -> None:
    rounds = min(count_rounds("swiss", count, sizes), count // 2)
    meetings = play("swiss", count, sizes, rounds, seed)
    byes: dict[str, int] = {}
    for number in range(1, rounds + 1):
        names = [name for one in meetings if one.round == number for name in one.names]
        assert sorted(names, key=int) == [entrant.name for entrant in field(count)]
        for one in meetings:
            assert one.bye or len(one.names) in sizes
            if one.bye and one.round == number:
                byes[one.names[0]] = byes.get(one.names[0], 0) + 1
    a_round = split_tables(count, sizes)[1]
    assert all(most <= -(-a_round * rounds // count) for most in byes.values())
    if sizes == (2,):
        met = [frozenset(one.names) for one in meetings if not one.bye]
        assert len(met) == len(set(met))


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 24))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    rounds = count_rounds("robin", count, (2,))
    meetings = play("robin", count, (2,), rounds, 1)
    met = [frozenset(one.names) for one in meetings if not one.bye]
    assert sorted(map(sorted, met)) == sorted(
        map(sorted, ({a.name, b.name} for a, b in combinations(field(count), 2)))
    )
    with pytest.raises(NotNow, match="the last game has been played"):
        pair_round("robin", rounds + 1, field(count), meetings, (2,))


def of_divisions(*sizes: int) -> list[Entrant]:
    divisions = [number for number, size in enumerate(sizes, 1) for _ in range(size)]
    return [Entrant(str(seed), seed, division=division) for seed, division in enumerate(divisions, 1)]


def test_a_finished_division_of_a_league_rests_until_the_others_are_finished() -> None:
    entrants = of_divisions(8, 3, 2, 1)
    of = {one.name: one.division for one in entrants}
    meetings: list[Meeting] = []
    for number in range(1, 8):
        tables = pair_round("league", number, entrants, meetings, (2,))
        assert {of[one.names[0]] for one in tables} == {1, *([2] if number <= 3 else []), *[3][number - 1 :]}
        meetings += finish(tables, random.Random(number))
    met = sorted(sorted(one.names) for one in meetings if not one.bye)
    same = combinations(entrants, 2)
    assert met == sorted(sorted((a.name, b.name)) for a, b in same if a.division == b.division)
    with pytest.raises(NotNow, match="the last game has been played"):
        pair_round("league", 8, entrants, meetings, (2,))


def test_a_round_that_nobody_is_left_to_play_is_refused() -> None:
    left = [Entrant(str(number), number, until=1) for number in (1, 2, 3)]
    with pytest.raises(NotNow, match="the last game has been played"):
        pair_round("robin", 2, left, [], (2,))


@example(9, 8)
@example(3, 2)
@given(st.integers(2, 130), st.integers(2, 64))
def test_the_divisions_of_a_first_season_are_about_equal(count: int, size: int) -> None:
    divisions = split_divisions(field(count), size)
    assert list(divisions) == [one.name for one in field(count)]
    assert list(divisions.values()) == sorted(divisions.values())
    counts = Counter(divisions.values())
    assert min(counts.values()) >= 2
    assert max(counts.values()) - min(counts.values()) <= 1
    # Three players who can't be two and one are one division.
    assert max(counts.values()) <= max(size, 3)


def test_a_later_season_keeps_its_divisions_unless_one_is_too_small_or_too_large() -> None:
    def sizes(*before: int) -> list[int]:
        divisions = split_divisions(of_divisions(*before), 8)
        assert list(divisions.values()) == sorted(divisions.values())
        return list(Counter(divisions.values()).values())

    assert sizes(8, 4) == [8, 4]
    assert sizes(3, 2) == [3, 2]
    assert sizes(8, 1) == [5, 4]
    assert sizes(0, 5) == [5]
    assert sizes(8, 12) == [7, 7, 6]


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 40), st.integers(0, 1000))
def test_a_knock_out_ends_with_one_who_has_not_lost(count: int, seed: int) -> None:
    rounds = count_rounds("knockout", count, (2,))
    meetings = play("knockout", count, (2,), rounds, seed)
    last = [one for one in meetings if one.round == rounds]
    assert len(last) == 1
    assert sum(not one.bye for one in meetings) == count - 1
    with pytest.raises(NotNow, match="tournament is over"):
        pair_round("knockout", rounds + 1, field(count), meetings, (2,))


def store_as_before(tables: tuple[Meeting, ...]) -> tuple[Meeting, ...]:
    """Return the tables of a round as earlier versions stored them.

    Byes come last. All tables, also byes, are numbered from 1 without gaps.
    """
    order = sorted(tables, key=lambda one: one.bye)
    return tuple(msgspec.structs.replace(one, number=number) for number, one in enumerate(order, 1))


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.integers(0, 6))
def test_a_knock_out_goes_on_whoever_leaves(count: int, seed: int, old: int) -> None:
    """A knock-out goes on to its end. Its first `old` rounds are stored in the form that earlier versions used."""
    chooser, entrants, meetings = random.Random(seed), field(count), []
    chance = chooser.random()
    alive = {one.name for one in entrants}
    rounds = count_rounds("knockout", count, (2,))
    for number in range(1, rounds + 1):
        if not alive:
            with pytest.raises(NotNow, match="tournament is over"):
                pair_round("knockout", number, entrants, meetings, (2,))
            break
        tables = pair_round("knockout", number, entrants, meetings, (2,))
        assert sorted(name for one in tables for name in one.names) == sorted(alive)
        results = finish(store_as_before(tables) if number <= old else tables, chooser)
        meetings += results
        leave = {one.name for one in entrants if chooser.random() < chance and one.until is None}
        entrants = [
            msgspec.structs.replace(one, until=number) if one.name in leave else one for one in entrants
        ]
        here = {one.name for one in entrants if one.until is None}
        ranked = [zip(one.ranks or (1,), map(int, one.names), one.names, strict=True) for one in results]
        alive = {min(left)[2] for one in ranked if (left := [line for line in one if line[2] in here])}
    assert len(alive) <= 1
    with pytest.raises(NotNow, match="tournament is over"):
        pair_round("knockout", rounds + 1, entrants, meetings, (2,))


@pytest.mark.parametrize("count", range(3, 41))
def test_the_best_two_of_a_knock_out_meet_in_the_last_round(count: int) -> None:
    entrants, meetings = field(count), []
    for number in range(1, count_rounds("knockout", count, (2,)) + 1):
        for one in pair_round("knockout", number, entrants, meetings, (2,)):
            ranks = tuple(1 + (name != min(one.names, key=int)) for name in one.names)
            meetings.append(msgspec.structs.replace(one, ranks=ranks))
    assert set(meetings[-1].names) == {"1", "2"}


def standings_again(count: int, meetings: list[Meeting]) -> dict[str, tuple[float, float, float]]:
    """Compute points, Buchholz and Sonneborn-Berger from a table of results, as one does on paper."""
    points = {str(n): 0.0 for n in range(1, count + 1)}
    for one in meetings:
        for name in one.names:
            if one.bye:
                points[name] += 1
                continue
            mine = one.ranks[one.names.index(name)]
            better = sum(rank < mine for rank in one.ranks)
            same = sum(rank == mine for rank in one.ranks) - 1
            points[name] += (len(one.names) - 1 - better - same / 2) / (len(one.names) - 1)
    found = {}
    for name, own in points.items():
        buchholz = sonneborn = 0.0
        for one in meetings:
            if name not in one.names:
                continue
            if one.bye:
                buchholz += own
                sonneborn += own
                continue
            mine = one.ranks[one.names.index(name)]
            others = [
                (other, rank) for other, rank in zip(one.names, one.ranks, strict=True) if other != name
            ]
            buchholz += sum(points[other] for other, _ in others) / len(others)
            sonneborn += sum(
                points[other] * ((rank > mine) + (rank == mine) / 2) for other, rank in others
            ) / len(others)
        found[name] = (own, buchholz, sonneborn)
    return found


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 30), st.sampled_from([(2,), (4, 3)]), st.integers(0, 10**6))
def test_standings_equal_an_independent_computation(count: int, sizes: tuple[int, ...], seed: int) -> None:
    meetings = play("swiss", count, sizes, 3 if count > 6 else 2, seed)
    again = standings_again(count, meetings)
    standings = rank_all(field(count), meetings)
    for line in standings:
        assert (line.points, line.buchholz, line.sonneborn) == pytest.approx(again[line.name])
    order = [(-line.points, -line.buchholz, -line.sonneborn, -line.lead) for line in standings]
    assert order == sorted(order)
    for number, line in enumerate(standings):
        assert line.rank == 1 + next(n for n, one in enumerate(order) if one == order[number])


def test_players_are_paired_only_from_entering_until_leaving() -> None:
    entrants = [*field(6), Entrant("7", 7, since=2), Entrant("8", 8, until=1)]
    first = pair_round("swiss", 1, entrants, [], (2,))
    assert {name for one in first for name in one.names} == {*"1234568"}
    second = pair_round("swiss", 2, entrants, finish(first, random.Random(1)), (2,))
    assert {name for one in second for name in one.names} == {*"1234567"}


def test_a_swiss_round_that_would_repeat_a_meeting_is_refused() -> None:
    meetings = play("swiss", 4, (2,), 3, 1)
    with pytest.raises(NotNow, match="repeats an earlier one"):
        pair_round("swiss", 4, field(4), meetings, (2,))


def test_the_first_of_a_division_rise_and_the_last_fall() -> None:
    entrants = [Entrant(str(n), n, division=1 + (n - 1) // 4) for n in range(1, 13)]
    meetings = [Meeting(1, (str(one), str(one + 3)), (1, 2), (1.0, -1.0)) for one in (1, 5, 9)]
    after = next_divisions(rank_all(entrants, meetings))
    # Those who lost to a winner have the better Buchholz.
    assert after == {
        **dict.fromkeys("1245", 1),
        **dict.fromkeys(("3", "6", "8", "9"), 2),
        **dict.fromkeys(("7", "10", "11", "12"), 3),
    }
