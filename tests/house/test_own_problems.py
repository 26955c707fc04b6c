"""Problems from a person's own games come from costly decisions, and are repeated until they are learned.

In a secret choice, each move that the best mixed strategy plays is a right answer.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import pytest

from spelunke.analysis.analysis import Alternative, Analysis, Decision, Value
from spelunke.house.plan import Plan
from spelunke.house.refusals import BadPlan, NotNow, UnknownTable
from spelunke.house.store import Write, analyses
from spelunke.house.study import own_problems

from .test_histories import add_copies

DAY = 86400


def decision(house: Any, table: str, ply: int, *, secret: bool = False) -> Decision:
    """Return a decision of seat 0 in which the played move lowered the chance to win by 0.2."""
    moves = list(house.replays.match_at(table, ply).texts(0))[:3]
    values = (0.7, 0.68 if secret else 0.6, 0.5)
    shares = (0.6, 0.3, 0.0) if secret else (None, None, None)
    return Decision(
        ply=ply,
        seat=0,
        part=1,
        played=moves[-1],
        alternatives=tuple(
            Alternative(move, Value(0.0, value - 0.1 * (secret and n == 1)), share)
            for n, (move, value, share) in enumerate(zip(moves, values, shares, strict=True))
        ),
        cost_points=3.0,
        cost_chance=0.2,
        forced=False,
        mark="blunder",
        secret=secret,
    )


@pytest.fixture
def analysed(house: Any, table: Any) -> tuple[str, str, int]:
    """Return a person, their finished game, and a ply at which they chose among at least three moves."""
    table.play(30)
    house.play.resign(table.id, table.people[1].id, "enough-0001")
    course = house.replays.course(table.id)
    ply = next(
        one.number
        for one in course.match.plies
        if one.seat == 0 and len(course.match_at(one.number).texts(0)) >= 3
    )
    return table.people[0].id, table.id, ply


def keep(house: Any, table: str, *decisions: Decision) -> None:
    found = Analysis(
        game="shanghaien",
        rules=1,
        table=table,
        seats=("Anna", "Ben"),
        method="",
        thresholds={},
        decisions=decisions,
        luck=(),
        curve=(),
        turning_points=(),
        totals=(),
    )
    body = zlib.compress(msgspec.json.encode(found))
    row = {"table_id": table, "body": body, "claimed_ms": 0, "done": 1, "plies": 1, "made_ms": 1}
    house.store.writer.write(
        Write(call=lambda connection: connection.execute(analyses.insert(), row).rowcount)
    )


def test_a_problem_comes_back_after_longer_times_until_it_is_learned(
    house: Any, clockwork: Any, analysed: tuple[str, str, int]
) -> None:
    person, table, ply = analysed
    one = decision(house, table, ply)
    keep(house, table, one)
    problems = house.own_problems
    assert problems.collect(person) == 1
    assert problems.collect(person) == 0
    assert problems.next(person).ply == ply
    assert not problems.answer(person, table, ply, one.played)
    with pytest.raises(NotNow, match="none of your problems is due"):
        problems.next(person)
    clockwork.wait(601)
    for days in (1, 3, 7, 21, 21):
        assert problems.count_due(person) == 1
        assert problems.answer(person, table, ply, one.alternatives[0].move)
        assert problems.count_due(person) == 0
        clockwork.wait(days * DAY + 1)
    assert [line.state for line in problems.list(person)] == ["learned"]


def test_learned_problems_do_not_hide_those_that_are_due(
    house: Any, clockwork: Any, analysed: tuple[str, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    person, table, ply = analysed
    monkeypatch.setattr("spelunke.house.study.own_problems.SHOWN", 1)
    one, other = decision(house, table, ply), decision(house, table, ply)
    keep(house, table, one, msgspec.structs.replace(other, ply=ply + 2))
    problems = house.own_problems
    assert problems.collect(person) == 2
    for _ in range(5):
        assert problems.answer(person, table, ply, one.alternatives[0].move)
        clockwork.wait(22 * DAY)
    assert not problems.answer(person, table, ply + 2, one.played)
    clockwork.wait(601)
    assert problems.count_due(person) == 1
    assert problems.next(person).ply == ply + 2


def test_games_without_problems_do_not_hide_older_games(
    house: Any, analysed: tuple[str, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    person, table, ply = analysed
    monkeypatch.setattr("spelunke.house.study.own_problems.SCANNED", 2)
    add_copies(house.store.engine, table, 4)
    keep(house, "copy000003", decision(house, table, ply))  # the oldest game
    for newer in (table, "copy000000", "copy000001", "copy000002"):
        keep(house, newer)
    assert [house.own_problems.collect(person) for _ in range(4)] == [0, 0, 1, 0]


def test_problems_that_are_stored_already_do_not_count_as_new(
    house: Any, analysed: tuple[str, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    person, table, ply = analysed
    keep(house, table, decision(house, table, ply))
    insert = own_problems.insert_new

    def be_overtaken(*given: Any) -> int:
        monkeypatch.setattr(own_problems, "insert_new", insert)
        insert(*given)  # another worker
        return insert(*given)

    monkeypatch.setattr(own_problems, "insert_new", be_overtaken)
    assert house.own_problems.collect(person) == 0
    assert len(house.own_problems.list(person)) == 1


def test_in_a_secret_choice_each_move_of_the_mixture_is_right(
    house: Any, analysed: tuple[str, str, int]
) -> None:
    person, table, ply = analysed
    one = decision(house, table, ply, secret=True)
    keep(house, table, one)
    house.own_problems.collect(person)
    posed = house.own_problems.pose(person, table, ply)
    assert [posed.solves(each.move) for each in one.alternatives] == [True, True, False]


def test_a_changed_secret_choice_is_posed_as_it_was_before_the_first_card(house: Any, sit: Any) -> None:
    table = sit(house, Plan(game="halunken", seats=("me", "open")))
    anna, ben = (person.id for person in table.people)
    while not any(text.startswith("card") for _, text in table.look(0).legal):
        table.play(1)
    cards = [text for _, text in table.look(0).legal if text.startswith("card")]
    for move in (cards[0], cards[1]):
        look = table.look(0)
        assert house.play.act(table.id, anna, move, look.ply, table.key()).status == "done"
    house.play.resign(table.id, ben, "enough-0001")
    ply = house.replays.course(table.id).match.ply - 1
    values = (Value(0.0, 0.7), Value(0.0, 0.6), Value(0.0, 0.4))
    one = Decision(
        ply=ply,
        seat=0,
        part=1,
        played=cards[1],
        alternatives=tuple(map(Alternative, (cards[0], cards[2], cards[1]), values, (0.6, 0.4, 0.0))),
        cost_points=3.0,
        cost_chance=0.3,
        forced=False,
        mark="blunder",
        secret=True,
    )
    keep(house, table.id, one)
    house.own_problems.collect(anna)
    posed = house.own_problems.pose(anna, table.id, ply)
    assert set(cards) <= set(posed.match.texts(0))
    assert house.own_problems.answer(anna, table.id, ply, cards[0])


def test_others_problems_and_unknown_moves_are_refused(house: Any, analysed: tuple[str, str, int]) -> None:
    person, table, ply = analysed
    keep(house, table, decision(house, table, ply))
    house.own_problems.collect(person)
    stranger = house.people.create("Cleo").id
    with pytest.raises(UnknownTable, match="not one of your problems"):
        house.own_problems.pose(stranger, table, ply)
    with pytest.raises(BadPlan, match="no value"):
        house.own_problems.answer(person, table, ply, "fly away")
