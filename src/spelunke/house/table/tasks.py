"""The tasks of a table, for example a bot's move. The server does each task at its due time.

Each task is stored in the database, so after a crash it may be late but is not lost. The kinds are `start`
(the time for nonces is over), `bot` (a bot moves), `clock` (a seat's time is up), `window` (silence becomes
an answer), `standing` (a seat's standing orders may act), and `rate` (the result changes ratings).
"""

from __future__ import annotations

import msgspec

from spelunke.core.contract import CHANCE
from spelunke.house.table.attention import bots_wait_until, orders_wait_until
from spelunke.house.table.table import Table
from spelunke.house.table.undoing import takes_time_to_undo

LEASE_MS = 10_000
"""The time in ms for which a worker's claim on a task lasts.

It is counted from the time at which the task is due. If a worker claims the task after that time, it is counted from
the time of the claim. If the worker dies, another worker does the task after the claim has expired.
"""
MOST_IN_VAIN = 4
"""The number of times that the server does a task without any effect before it gives the task up.

A task for standing orders is given up after the first time, because the orders may leave the decision to their owner.
"""


class Task(msgspec.Struct, frozen=True):
    """A task as it is stored. `at` is the time at which it is due, in milliseconds since 1970.

    `row` (the column `ply`) is the row at which the task's decision opened. If that decision is no longer open, a
    task of the kind `bot`, `clock` or `standing` has no effect. `claimed_ms` is the time at which a worker's claim on
    the task expires.
    """

    table_id: str
    kind: str
    seat: int
    at: int
    row: int
    claimed_ms: int

    @property
    def name(self) -> tuple[str, str, int, int]:
        """The values that identify the task."""
        return self.table_id, self.kind, self.seat, self.row

    def stored(self) -> dict[str, object]:
        """Return the task in the form of a row in the store."""
        return {
            "table_id": self.table_id,
            "kind": self.kind,
            "seat": self.seat,
            "at": self.at,
            "ply": self.row,
            "claimed_ms": self.claimed_ms,
        }


class Pauses(msgspec.Struct, frozen=True):
    """The lengths of pauses, in milliseconds.

    ``bot_ms`` is a bot's pause before it moves. ``nonce_ms`` is the time for which a table waits for nonces.
    ``undo_ms`` is a bot's pause after a move that a person can take back, and after an outcome of chance that
    everybody sees, such as thrown dice: they need time to land, and people to read them.
    """

    bot_ms: int = 0
    nonce_ms: int = 0
    undo_ms: int = 0


def tasks_of(table: Table, pauses: Pauses) -> list[Task]:
    """Return the present tasks of a table, except those that this worker no longer does (see `is_given_up`).

    Of all running clocks, only the one that runs out first has a task. A window is the time that a seat has before
    its silence becomes an answer. Of all open windows, only the one that closes first has a task. Apart
    from `is_given_up`, the tasks depend only on the table's log and facts, so all workers compute the same tasks.
    """
    facts = table.facts
    if facts.status == "ready":
        return [start_task(facts.id, facts.closed_ms or facts.ready_ms or 0, pauses)]
    if facts.status == "over" and facts.rated and facts.counted_ms is None and facts.ended_ms is not None:
        return [_task(table, "rate", 0, facts.ended_ms, 0)] if facts.started_ms is not None else []
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
            at = max(begins + _find_pause(table, pauses), bots_wait_until(table))
            tasks.append(_task(table, "bot", seat, at, opened))
            continue
        if (end := table.clocks.deadline(seat)) is not None:
            deadlines.append((end, seat, opened))
        if facts.chairs[seat].orders and table.takes_orders:
            at = max(table.opened_at(seat) + pauses.bot_ms, orders_wait_until(table))
            tasks.append(_task(table, "standing", seat, at, opened))
    if deadlines:
        end, seat, opened = min(deadlines)
        tasks.append(_task(table, "clock", seat, end, opened))
    if table.moment.window_ms is None:
        closing = []
    else:
        closing = [(end, seat) for seat in table.actors if (end := table.window_closes(seat)) is not None]
    if closing:
        end, seat = min(closing)
        tasks.append(_task(table, "window", 0, end, table.decisions.opened[seat] or 0))
    return [task for task in tasks if not is_given_up(table, task)]


def _find_pause(table: Table, pauses: Pauses) -> int:
    """Return the time in ms for which a bot waits before it moves.

    It waits longer while a person can take a move back, and after an outcome of chance in a game without hidden facts.
    """
    thrown = (
        not table.game.hidden
        and table.match is not None
        and bool(table.match.plies)
        and table.match.plies[-1].seat == CHANCE
    )
    longer = thrown or takes_time_to_undo(table)
    return max(pauses.bot_ms, pauses.undo_ms) if longer else pauses.bot_ms


def is_given_up(table: Table, task: Task) -> bool:
    """Return whether this worker no longer does a task, because it has already run the task without effect.

    A task of standing orders is given up after the first run without effect, and any other task after
    `MOST_IN_VAIN` such runs.
    """
    most = 1 if task.kind == "standing" else MOST_IN_VAIN
    return table.in_vain[task.kind, task.seat, task.row] >= most


def start_task(table_id: str, ready_ms: int, pauses: Pauses) -> Task:
    """Return the task that starts a table's game when the time for nonces is over.

    `ready_ms` is the time from which the table waits for nonces.
    """
    at = ready_ms + pauses.nonce_ms
    return Task(table_id, "start", 0, at, 0, at + LEASE_MS)


def _task(table: Table, kind: str, seat: int, at: int, row: int) -> Task:
    return Task(table.facts.id, kind, seat, at, row, at + LEASE_MS)
