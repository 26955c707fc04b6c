"""The results on which ratings depend, computed from the log of a finished table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from spelunke.core.digits import is_number
from spelunke.house.table import Facts, Row, Table

CALLED_OFF = "called_off"
"""The value of `Outcome.reason` for a game that was called off.

Such a game changes only the ratings of people who left before its end.
"""


class Counted(msgspec.Struct, frozen=True):
    """The result of one seat. ``gone``: the seat's person left before the end of the game.

    ``counts``: the result changes the rating of the seat's person.
    """

    seat: int
    person: str
    place: int
    gone: bool
    counts: bool


def count_table(table: Table) -> tuple[Counted, ...]:
    """Return the results of a finished table in seat order.

    If the table changes no rating, the result is empty.

    A game that was called off has no winner. It changes only the ratings of people who left before its end.
    If the game was called off because a player did not return, that player counts as having left. If nobody
    left, the game changes no rating.
    """
    facts, outcome = table.facts, table.outcome
    if not facts.rated or outcome is None or any(chair.person is None for chair in facts.chairs):
        return ()
    ended = table.seating.ended_by
    away = ended.note[1] if ended is not None and outcome.reason == CALLED_OFF else ""
    found = count_rows(
        facts,
        table.log.rows,
        outcome.ranks,
        tuple(table.seating.resigned),
        away=int(away) if is_number(away) else None,
    )
    if outcome.reason != CALLED_OFF:
        return found
    if not any(one.gone for one in found):
        return ()
    return tuple(msgspec.structs.replace(one, counts=one.gone) for one in found)


def count_rows(
    facts: Facts,
    rows: Sequence[Row],
    ranks: Sequence[int],
    resigned: Sequence[int],
    *,
    away: int | None = None,
) -> tuple[Counted, ...]:
    """Return the results of a rated game, computed from the game's log.

    A person has left if a bot has moved for them, or if they resigned in a game with more than two seats.
    People who left share the last place, so the bot's moves earn them nothing. If a bot first moved in the
    first half of the game, the others played mostly against a bot. Then the result changes only the ratings
    of people who left. `ranks` has the rank of each seat, and `resigned` the seats that resigned. If a person
    left by not returning, `away` is their seat.
    """
    moved = {row.seat for row in rows if row.bot is not None and not row.is_note}
    first = next((row.number for row in rows if row.bot is not None and not row.is_note), None)
    gone = {seat for seat in range(len(ranks)) if seat in moved or (len(ranks) > 2 and seat in resigned)}
    if away is not None:
        gone.add(away)
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
