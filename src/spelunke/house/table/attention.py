"""The summaries of rounds at which seats still look.

A summary covers a person's board until the person goes on, and bots wait for that. For the content of a
summary, see `summaries`.
"""

from __future__ import annotations

import msgspec

from spelunke.house.refusals import NotNow
from spelunke.house.table.clocks import SCENE_MS
from spelunke.house.table.facts import Attention, Chair
from spelunke.house.table.table import Table

ALONE_MS = 600_000
"""The longest time that bots wait for the only person at a table to leave a summary."""
AMONG_OTHERS_MS = SCENE_MS
"""The longest time that bots wait if several people look at a summary and none of them has gone on.

The people's clocks stop for the same time.
"""


def is_shown(table: Table, chair: Chair) -> bool:
    """Return whether this seat's board is covered by the newest summary."""
    if not table.round_ends or table.seating.stand_ins[chair.seat] is not None:
        return False
    return chair.attention.again or not _has_gone_on(table, chair)


def _has_gone_on(table: Table, chair: Chair) -> bool:
    """Return whether the person has left the newest summary, by a button or by an action after it."""
    row = table.round_ends[-1][0]
    return chair.attention.seen >= row or any(
        later.seat == chair.seat and not later.is_note and later.bot is None for later in table.log.rows[row:]
    )


def bots_wait_until(table: Table) -> int:
    """Return the time until which bots wait for people at a summary.

    Return 0 if nobody looks at it, or if somebody has gone on.
    """
    if not table.round_ends or not table.running:
        return 0
    row = table.round_ends[-1][0]
    people = [table.facts.chairs[seat] for seat in table.people if table.seating.stand_ins[seat] is None]
    if any(_has_gone_on(table, chair) for chair in people):
        return 0
    if not any(chair.attention.held == row for chair in people):
        return 0
    return table.time_after(row) + (ALONE_MS if len(people) == 1 else AMONG_OTHERS_MS)


def newest(table: Table) -> int:
    """Return the row number of the newest summary, or 0 before the first."""
    return table.round_ends[-1][0] if table.round_ends else 0


def hold(table: Table, now: Attention) -> Attention:
    """Return the attention of a seat after its page has shown the newest summary.

    At a table without bots, return it unchanged: nobody waits for the seat, and a write is saved. If a bot
    stands in later, the page is drawn again, which calls this function again.
    """
    if all(table.bot_at(seat) is None for seat in range(table.seats)):
        return now
    return msgspec.structs.replace(now, held=max(now.held, newest(table)))


def go_on(table: Table, now: Attention) -> Attention:
    """Return the attention of a seat after its person has dismissed the summary."""
    if now.seen >= newest(table) and not now.again:
        return now
    return msgspec.structs.replace(now, seen=newest(table), again=False, rev=now.rev + 1)


def call_back(table: Table, now: Attention) -> Attention:
    """Return the attention of a seat after its person has recalled the summary. Bots don't wait for a
    recalled summary.

    Raise NotNow if there is no summary.
    """
    if not table.round_ends:
        raise NotNow("no round has ended yet")
    return now if now.again else msgspec.structs.replace(now, again=True, rev=now.rev + 1)
