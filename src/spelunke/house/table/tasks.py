"""Due work: what the house itself has to do at a time. A row per task, so that a crash delays it and never loses it.

Kinds: `start` (nonces have had their time), `bot` (a bot moves), `clock` (a seat's time is up), `window`
(silence becomes an answer), `standing` (a seat's standing orders may act).
"""

from __future__ import annotations

import msgspec

from spelunke.house.table.attention import bots_wait_until
from spelunke.house.table.table import Table

LEASE_MS = 10_000
"""How long a claim lasts past its time: a dead worker's task is late by this much."""


class Task(msgspec.Struct, frozen=True):
    """One piece of due work, as it is stored; `row` (the column `ply`) is where the decision began that it is about.

    It is void when the table has moved on.
    """

    table_id: str
    kind: str
    seat: int
    at: int
    row: int
    claimed_ms: int

    @property
    def name(self) -> tuple[str, str, int, int]:
        """What tells it from every other."""
        return self.table_id, self.kind, self.seat, self.row

    def stored(self) -> dict[str, object]:
        """Its row in the store."""
        return {
            "table_id": self.table_id,
            "kind": self.kind,
            "seat": self.seat,
            "at": self.at,
            "ply": self.row,
            "claimed_ms": self.claimed_ms,
        }


class Pauses(msgspec.Struct, frozen=True):
    """How long a bot pauses before it moves, and how long a table waits for nonces, in milliseconds."""

    bot_ms: int = 0
    nonce_ms: int = 0


def tasks_of(table: Table, pauses: Pauses) -> list[Task]:
    """All tasks of a table, from its log and facts alone: whoever computes them gets the same."""
    facts = table.facts
    if facts.status == "ready":
        return [start_task(facts.id, facts.closed_ms or facts.ready_ms or 0, pauses)]
    if not table.running:
        return []
    tasks = []
    deadlines = []
    for seat in table.actors:
        opened = table.decisions.opened[seat] or 0
        if table.bot_at(seat) is not None:
            if table.waits_for_learner(seat):
                continue
            begins = max(table.opened_at(seat), table.seating.came_ms[seat])
            at = max(begins + pauses.bot_ms, bots_wait_until(table))
            tasks.append(_task(table, "bot", seat, at, opened))
            continue
        if (end := table.clocks.deadline(seat)) is not None:
            deadlines.append((end, seat, opened))
        if facts.chairs[seat].orders and table.takes_orders:
            tasks.append(_task(table, "standing", seat, table.opened_at(seat) + pauses.bot_ms, opened))
    if deadlines:
        end, seat, opened = min(deadlines)
        tasks.append(_task(table, "clock", seat, end, opened))
    closing = [(end, seat) for seat in table.actors if (end := table.window_closes(seat)) is not None]
    if closing:
        end, seat = min(closing)
        tasks.append(_task(table, "window", 0, end, table.decisions.opened[seat] or 0))
    return [task for task in tasks if (task.kind, task.seat, task.row) not in table.given_up]


def start_task(table_id: str, ready_ms: int, pauses: Pauses) -> Task:
    """What a table has to do that is ready since then: start, once nonces have had their time."""
    at = ready_ms + pauses.nonce_ms
    return Task(table_id, "start", 0, at, 0, at + LEASE_MS)


def _task(table: Table, kind: str, seat: int, at: int, row: int) -> Task:
    return Task(table.facts.id, kind, seat, at, row, at + LEASE_MS)
