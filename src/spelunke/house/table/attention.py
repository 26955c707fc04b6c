"""Summaries of finished rounds, and the seats whose pages still show a summary.

A summary covers a person's board until the person dismisses it. Meanwhile, bots wait for a limited time.
`house.sight.summaries` makes the content of a summary.
"""

from __future__ import annotations

import msgspec

from spelunke.house.refusals import NotNow
from spelunke.house.table.clocks import SCENE_MS
from spelunke.house.table.facts import Attention, Chair
from spelunke.house.table.log import READ
from spelunke.house.table.table import Table

ALONE_MS = 600_000
"""The longest time in ms that bots wait for the only person at a table to dismiss a summary."""
AMONG_OTHERS_MS = SCENE_MS
"""The longest time in ms that bots wait at a table with several people, none of whom has dismissed a summary.

The people's clocks stop for the same time.
"""


def is_shown(table: Table, chair: Chair) -> bool:
    """Return whether the newest summary covers this seat's board now."""
    if not table.rounds.ends or table.seating.stand_ins[chair.seat] is not None:
        return False
    return chair.attention.again or not _has_gone_on(table, chair)


def _has_gone_on(table: Table, chair: Chair) -> bool:
    """Return whether the seat's person has dismissed the newest summary, by a button or by a later action.

    In a lesson, going on from the last text beside the summary is such an action.
    """
    row = table.rounds.ended
    step = None if table.lesson is None else table.lesson.waiting
    has_read = step is None or step.move
    return chair.attention.seen >= row or any(
        later.seat == chair.seat
        and later.by_person
        and (has_read if later.move == READ else not later.is_note)
        for later in table.log.rows[row:]
    )


def bots_wait_until(table: Table) -> int:
    """Return the time until which bots wait because people look at a summary, in ms since 1970.

    Return 0 if nobody looks at the newest summary, if any person has dismissed it, or if the game is not
    running.
    """
    if not table.rounds.ends or not table.running:
        return 0
    row = table.rounds.ended
    people = [table.facts.chairs[seat] for seat in table.people if table.seating.stand_ins[seat] is None]
    if any(_has_gone_on(table, chair) for chair in people):
        return 0
    if not any(chair.attention.held == row for chair in people):
        return 0
    return table.time_after(row) + (ALONE_MS if len(people) == 1 else AMONG_OTHERS_MS)


def orders_wait_until(table: Table) -> int:
    """Return the time until which standing orders wait, in ms since 1970, or 0 if they need not wait.

    While bots wait (see `bots_wait_until`), standing orders wait too, so that people can read the summary of a round
    before the next round begins. But orders wait no longer than `SCENE_MS` after the end of the round, because
    then the clock of their seat starts. At a table without bots, they never wait.
    """
    return min(bots_wait_until(table), table.time_after(table.rounds.ended) + SCENE_MS)


def hold(table: Table, old: Attention) -> Attention:
    """Return a seat's new `Attention` (the summaries that its person has seen) after its page has shown the newest one.

    At a table without bots, return `old` unchanged, to save a write: no bot has to wait for the person. If a
    bot takes a seat later, the page is drawn again, and then this function is called again.
    """
    if all(table.bot_at(seat) is None for seat in range(table.seats)):
        return old
    return msgspec.structs.replace(old, held=max(old.held, table.rounds.ended))


def go_on(table: Table, old: Attention) -> Attention:
    """Return a seat's new `Attention` after its person has dismissed the summary."""
    if old.seen >= table.rounds.ended and not old.again:
        return old
    return msgspec.structs.replace(old, seen=table.rounds.ended, again=False, rev=old.rev + 1)


def call_back(table: Table, old: Attention) -> Attention:
    """Return a seat's new `Attention` after its person has opened the newest summary again.

    Bots don't wait for a summary that was opened again. Raise NotNow if no round has ended yet.
    """
    if not table.rounds.ends:
        raise NotNow("no round has ended yet")
    return old if old.again else msgspec.structs.replace(old, again=True, rev=old.rev + 1)
