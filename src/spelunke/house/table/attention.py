"""Who still looks at the summary of a round: it holds a seat's board until its person goes on, and bots wait for that.

What a summary tells: `summaries`.
"""

from __future__ import annotations

import msgspec

from spelunke.house.refusals import NotNow
from spelunke.house.table.clocks import SCENE_MS
from spelunke.house.table.facts import Attention, Chair
from spelunke.house.table.table import Table

ALONE_MS = 600_000
"""So long bots wait for the only person at a table, who looks at a summary."""
AMONG_OTHERS_MS = SCENE_MS
"""So long they wait while several look, as long as nobody has gone on. The clocks of people stand still as long."""


def is_shown(table: Table, chair: Chair) -> bool:
    """Whether the newest summary holds the board of this seat."""
    if not table.round_ends or table.seating.stand_ins[chair.seat] is not None:
        return False
    return chair.attention.again or not _has_gone_on(table, chair)


def _has_gone_on(table: Table, chair: Chair) -> bool:
    """Whether the person went on from the newest summary: said so, or acted since."""
    row = table.round_ends[-1][0]
    return chair.attention.seen >= row or any(
        later.seat == chair.seat and not later.is_note and later.bot is None for later in table.log.rows[row:]
    )


def bots_wait_until(table: Table) -> int:
    """Until when bots wait for people who look at a summary; 0 when nobody does, or somebody has gone on."""
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
    """The row of the newest summary, 0 before the first."""
    return table.round_ends[-1][0] if table.round_ends else 0


def hold(table: Table, now: Attention) -> Attention:
    """Its page shows the newest summary. Noted where bots may have to wait for it; else it is one thing less to write.

    When a bot comes to stand in, the page is drawn anew, and this asked again.
    """
    if all(table.bot_at(seat) is None for seat in range(table.seats)):
        return now
    return msgspec.structs.replace(now, held=max(now.held, newest(table)))


def go_on(table: Table, now: Attention) -> Attention:
    """The summary is dismissed."""
    if now.seen >= newest(table) and not now.again:
        return now
    return msgspec.structs.replace(now, seen=newest(table), again=False, rev=now.rev + 1)


def call_back(table: Table, now: Attention) -> Attention:
    """The summary is looked at once more; nobody waits for that. Raises NotNow."""
    if not table.round_ends:
        raise NotNow("no round has ended yet")
    return now if now.again else msgspec.structs.replace(now, again=True, rev=now.rev + 1)
