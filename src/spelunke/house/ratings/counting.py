"""Decide from a table's log whether and how its result counts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spelunke.house.table import Facts, Row, Table

UNCOUNTED = frozenset({"called_off"})
"""The reasons of endings that change no rating."""


class Counted(msgspec.Struct, frozen=True):
    """A seat's result: its place, whether its person left, and whether the result changes their rating."""

    seat: int
    person: str
    place: int
    gone: bool
    counts: bool


def count_table(table: Table) -> tuple[Counted, ...]:
    """Return the results of a finished table in seat order; nothing if it changes no rating."""
    facts, outcome = table.facts, table.outcome
    if not facts.rated or outcome is None or outcome.reason in UNCOUNTED:
        return ()
    if any(chair.person is None for chair in facts.chairs):
        return ()
    return count_rows(facts, table.log.rows, outcome.ranks, tuple(table.seating.resigned))


def count_rows(
    facts: Facts, rows: Sequence[Row], ranks: Sequence[int], resigned: Sequence[int]
) -> tuple[Counted, ...]:
    """Return the results of a rated game's log.

    A person has left if they resigned at a table of more than two, or if a bot has moved for them. Those who
    left share the last place, so a bot gains them nothing. If a bot first moved in the first half of the
    game, the others mostly played against a bot. Then the result changes only the ratings of those who left.
    """
    moved = {row.seat for row in rows if row.bot is not None and not row.is_note}
    first = next((row.number for row in rows if row.bot is not None and not row.is_note), None)
    gone = {seat for seat in range(len(ranks)) if seat in moved or (len(ranks) > 2 and seat in resigned)}
    early = first is not None and 2 * first <= len(rows)
    last = len(ranks) - len(gone) + 1
    stayed = sorted(ranks[seat] for seat in range(len(ranks)) if seat not in gone)
    found = []
    for chair in facts.chairs:
        seat = chair.seat
        assert chair.person is not None  # `count_table` has checked
        left = seat in gone
        place = last if left else 1 + sum(rank < ranks[seat] for rank in stayed)
        found.append(Counted(seat, chair.person, place, left, left or not early))
    return tuple(found)
