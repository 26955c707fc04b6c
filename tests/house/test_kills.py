"""Workers killed and stopped while people play over HTTP; `python -m kills` does the same a thousand times."""

from __future__ import annotations

from pathlib import Path

import pytest

from kills.running import run_round, run_stopped
from kills.site import Plan
from proxy import find_nginx


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed while it compiles would compile for ever."""
    monkeypatch.setenv("SPELUNKE_JIT", "0")


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize("nginx", [False, True])
def test_a_dozen_kills_on_sqlite(tmp_path: Path, nginx: bool) -> None:
    if nginx and find_nginx() is None:
        pytest.skip("nginx is not installed")
    tally = run_round(Plan(f"sqlite:///{tmp_path / 'house.sqlite3'}", "", 1, nginx), tmp_path, 12, seed=3)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("nginx", [False, True])
def test_a_dozen_kills_on_postgresql(
    tmp_path: Path, postgres_database: str, redis_url: str, workers: int, nginx: bool
) -> None:
    if nginx and find_nginx() is None:
        pytest.skip("nginx is not installed")
    tally = run_round(Plan(postgres_database, redis_url, workers, nginx), tmp_path, 12, seed=4)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize(("times", "seconds"), [(2, 13), (1, 60)])
def test_a_worker_that_was_stopped_goes_on(
    tmp_path: Path, postgres_database: str, redis_url: str, times: int, seconds: int
) -> None:
    """For longer than its claims last, so that the other one does its work meanwhile."""
    tally = run_stopped(Plan(postgres_database, redis_url, 2, False), tmp_path, times, seconds)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0
