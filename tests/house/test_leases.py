"""Leases: the holder of a row, the end of the lease, and the next holder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, select

from spelunke.house.store.leases import Leases
from spelunke.house.store.schema import due
from spelunke.house.store.writer import Write
from spelunke.house.work.cleaning import FIRST_MS

LASTS_MS = 10_000


@pytest.fixture
def two(opener: Callable[..., Any]) -> list[Leases]:
    """Return two workers on one database."""
    return [Leases(opener().store, due, LASTS_MS) for _ in range(2)]


def put(leases: Leases, *times: int) -> None:
    """Add one task for each of these times: it is due after that number of milliseconds."""
    now = leases._store.now()
    rows = [
        {"table_id": f"t{number}", "kind": "bot", "seat": 0, "at": now + at, "ply": 0, "claimed_ms": 0}
        for number, at in enumerate(times)
    ]
    leases._store.writer.write(Write(call=lambda connection: connection.execute(insert(due), rows).rowcount))


def names(rows: Any) -> list[str]:
    return [row.table_id for row in rows]


def write(leases: Leases, change: Callable[..., Any], *key: object, **values: object) -> Any:
    return leases._store.writer.write(Write(call=lambda connection: change(connection, *key, **values)))


def test_due_rows_are_claimed_by_one_worker_oldest_first(two: list[Leases], clockwork: Any) -> None:
    put(two[0], -1000, 5000, -3000)
    assert names(two[0].claim_due()) == ["t2", "t0"]
    assert names(two[1].claim_due()) == []
    assert names(two[1].due()) == ["t2", "t0"], "they are due, held or not"
    clockwork.wait(LASTS_MS / 1000 + 0.001)
    assert names(two[1].claim_due()) == ["t2", "t0", "t1"]
    assert names(two[0].claim_due()) == []


def test_the_number_of_claims_at_once_is_limited(two: list[Leases]) -> None:
    leases = Leases(two[0]._store, due, LASTS_MS, most=2)
    put(leases, -3, -2, -1)
    assert names(leases.claim_due()) == ["t0", "t1"]
    assert names(leases.claim_due()) == ["t2"]


def test_a_lease_is_renewed_and_released(two: list[Leases], clockwork: Any) -> None:
    put(two[0], -1000)
    assert names(two[0].claim_due()) == ["t0"]
    clockwork.wait(9)
    assert write(two[0], two[0].renew, "t0", "bot", 0) == 1
    clockwork.wait(9)
    assert names(two[1].claim_due()) == []
    later = two[0]._store.now() + 4000
    assert write(two[0], two[0].release, "t0", "bot", 0, at=later, ply=3) == 1
    assert names(two[1].claim_due()) == []
    clockwork.wait(4)
    [row] = two[1].claim_due()
    assert (row.table_id, row.ply) == ("t0", 3)
    assert write(two[0], two[0].renew, "gone", "bot", 0) == 0


def test_leases_report_the_time_of_the_next_possible_claim(two: list[Leases]) -> None:
    now = two[0]._store.now()
    assert two[0].next_ms() == now + FIRST_MS, "the house is cleaned then"
    put(two[0], -1000, 30_000)
    assert two[0].next_ms() == now - 1000
    two[0].claim_due()
    assert two[1].next_ms() == now + LASTS_MS
    write(two[0], two[0].release, "t0", "bot", 0, at=now + 60_000)
    assert two[1].next_ms() == now + 30_000


def test_a_row_is_added_once(two: list[Leases]) -> None:
    row = {"table_id": "t0", "kind": "bot", "seat": 0, "at": two[0]._store.now(), "ply": 0}
    assert [write(leases, leases.add, **row) for leases in two] == [True, False]
    assert names(two[1].claim_due()) == ["t0"]


def test_a_process_that_is_alone_frees_all_rows_when_it_begins(opener: Callable[..., Any]) -> None:
    shared = Leases(opener().store, due, LASTS_MS)
    put(shared, -1000)
    shared.claim_due()
    opener()
    assert names(shared.claim_due()) == [], "another process may hold it"
    opener(alone=True)
    with shared._store.read() as connection:
        held = connection.execute(select(due.c.claimed_ms).where(due.c.table_id == "t0")).scalar()
    assert held == 0
