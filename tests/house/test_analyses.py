"""Analyses of finished games, with SQLite and with PostgreSQL: begun on request, stored, never of a running game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from appraising import FakeAnalyst, finish
from spelunke.core.errors import BadInput
from spelunke.house.plan import Plan
from spelunke.house.refusals import HouseClosed, NotNow, NotYet, TooFast, UnknownTable
from waiting import wait_until


@pytest.fixture
def analyst() -> FakeAnalyst:
    return FakeAnalyst()


@pytest.fixture
def house(opener: Callable[..., Any], analyst: FakeAnalyst) -> Any:
    return opener(analyst=lambda: analyst)


def test_an_analysis_is_made_once_and_kept(
    house: Any, analyst: FakeAnalyst, opener: Callable[..., Any]
) -> None:
    table, anna = finish(house)
    assert "analyse" in house.looks.look(table, anna).may
    assert "analyse" in house.looks.look(table).may
    assert house.analyses.look(table).status == "none"
    house.analyses.begin(table, anna)
    house.analyses.begin(table)
    assert house.analyses.look(table).status == "working"
    assert house.tick() == 1
    found = house.analyses.look(table)
    plies = house.replays.look(table).plies
    assert (found.status, found.done, found.plies, found.made_ms) == ("done", plies, plies, 1_700_000_000_000)
    assert found.analysis.table == table
    assert len(found.analysis.curve) == plies + 1
    house.analyses.begin(table)
    assert house.tick() == 0
    other = opener(analyst=lambda: analyst)
    assert other.analyses.look(table) == found
    other.analyses.begin(table)
    assert other.tick() == 0
    assert analyst.games == 1


def test_the_analysis_of_a_dead_worker_can_be_started_again(
    house: Any, analyst: FakeAnalyst, opener: Callable[..., Any], clockwork: Any
) -> None:
    table, _anna = finish(house)
    house.analyses.begin(table)  # and it never completes
    other = opener(analyst=lambda: analyst)
    assert other.analyses.look(table).status == "working"
    other.analyses.begin(table)
    assert other.tick() == 0, "it is claimed"
    clockwork.wait(61)
    assert other.analyses.look(table).status == "none"
    other.analyses.begin(table)
    assert other.tick() == 1
    assert other.analyses.look(table).status == "done"


def test_a_house_that_runs_alone_can_restart_an_unfinished_analysis_at_once(
    house: Any, analyst: FakeAnalyst, opener: Callable[..., Any]
) -> None:
    table, _anna = finish(house)
    house.analyses.begin(table)  # and it never completes
    after = opener(analyst=lambda: analyst, alone=True)
    assert after.analyses.look(table).status == "none"
    after.analyses.begin(table)
    assert after.tick() == 1
    assert after.analyses.look(table).status == "done"


def test_a_refused_analysis_shows_its_reason(opener: Callable[..., Any], clockwork: Any) -> None:
    class Refusing(FakeAnalyst):
        def analyse(self, record: bytes, tell: Any) -> Any:
            super().analyse(record, tell)
            raise BadInput("there is something wrong with it")

    house = opener(analyst=Refusing)
    table, _anna = finish(house)
    house.analyses.begin(table)
    house.tick()
    found = house.analyses.look(table)
    assert (found.status, found.problem) == ("failed", "there is something wrong with it")
    house.analyses.begin(table)
    assert house.analyses.look(table).status == "working"


def test_a_game_that_runs_is_not_analysed(house: Any, analyst: FakeAnalyst) -> None:
    anna, ben = (house.people.create(name).id for name in ("Anna", "Ben"))
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open")))
    for ask in (house.analyses.look, house.analyses.begin, house.replays.course):
        with pytest.raises(NotNow):
            ask(table)
    house.lobby.join(table, ben)
    for person in (anna, ben):
        house.lobby.add_nonce(table, person, "share")
    assert house.looks.look(table).status == "playing"
    for ask in (house.analyses.look, house.analyses.begin, house.replays.course):
        with pytest.raises(NotNow, match="not over yet"):
            ask(table)
    assert "analyse" not in house.looks.look(table, anna).may
    with pytest.raises(UnknownTable):
        house.analyses.begin("nowhere")
    assert analyst.games == 0


def test_a_game_with_secrets_is_analysed_when_it_is_over(house: Any) -> None:
    table, anna = finish(house, "halunken")
    assert "analyse" in house.looks.look(table, anna).may
    house.analyses.begin(table)
    house.tick()
    assert house.analyses.look(table).status == "done"


def test_an_analysis_runs_in_the_background(opener: Callable[..., Any], analyst: FakeAnalyst) -> None:
    analyst.may_go_on.clear()
    house = opener(timers=True, analyst=lambda: analyst)
    table, _anna = finish(house)
    house.analyses.begin(table)
    wait_until(lambda: house.analyses.look(table).done == 1, "it did not begin")
    analyst.may_go_on.set()
    wait_until(lambda: house.analyses.look(table).status == "done", "it was not done")
    house.close()
    assert analyst.closed


@pytest.mark.parametrize(("most", "refusal"), [(1, TooFast), (2, NotYet)])
def test_a_plan_request_waits_for_the_previous_one_or_is_refused(
    most: int,
    refusal: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    opener: Callable[..., Any],
    analyst: FakeAnalyst,
) -> None:
    """A request for a plan waits for the one before it. It is refused after a time, or if too many wait already."""
    monkeypatch.setattr("spelunke.house.study.own_analyses.MOST_WAITING", most)
    house = opener(analyst=lambda: analyst)
    table, anna = finish(house, "halunken")
    own = house.own_analyses
    analyst.may_go_on.clear()
    with ThreadPoolExecutor() as threads:
        first = threads.submit(own.plan, table, anna)
        wait_until(lambda: analyst.plans, "it did not begin")
        with monkeypatch.context() as patched:
            patched.setattr("spelunke.house.study.own_analyses.PATIENCE_S", 0.0)
            with pytest.raises(refusal):
                own.plan(table, anna)
        analyst.may_go_on.set()
        first.result()
        assert own.plan(table, anna)
    own.close()
    assert analyst.closed
    with pytest.raises(HouseClosed, match="shutting down"):
        own.plan(table, anna)


def test_an_analysis_is_deleted_with_its_table(
    house: Any, opener: Callable[..., Any], clockwork: Any
) -> None:
    from spelunke.house.work.cleaning import Keeping

    cleaner = opener(keeping=Keeping(finished=1.0), analyst=FakeAnalyst)
    table, _anna = finish(house)
    house.analyses.begin(table)
    house.tick()
    clockwork.wait(3 * 24 * 3600)
    cleaner.tick()
    with pytest.raises(UnknownTable):
        opener(analyst=FakeAnalyst).analyses.look(table)
    from sqlalchemy import select

    from spelunke.house.store.schema import analyses

    with house.store.read() as connection:
        assert connection.execute(select(analyses)).first() is None
