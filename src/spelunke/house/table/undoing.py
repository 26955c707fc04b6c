"""The conditions for taking a move back, and the people who must agree.

For the reasons, see docs/why/undo.md.
"""

from __future__ import annotations

from typing import cast

from spelunke.core.values import Action
from spelunke.house.table.table import Table
from spelunke.records.undoing import may_take_back


def row_to_undo(table: Table, seat: int) -> int | None:
    """Return the index of the row that the seat could take back now, or None if there is none.

    The row must be the newest move at the table. The seat's person must have made the move. A move by standing orders
    can't be taken back, because the orders would only make it again. The move must have revealed nothing new to
    anybody: no outcome of chance, no end of a round, and no hidden fact. At tables that share their chance with other
    tables, in lessons, and during a decision that hides which seats have answered, no move can be taken back.
    Whether standing orders made the move is not public. Otherwise, the result depends only on public facts.
    """
    if table.facts.deal is not None:  # its outcomes are the same at other tables
        return None
    match, log = table.match, table.log
    if (
        match is None
        or not match.plies
        or not table.running
        or table.taught
        or table.bot_at(seat) is not None
    ):
        return None
    if match.plies[-1].seat != seat or table.moment.secret is not None or seat in table.seating.resigned:
        return None
    index = log.newest_ply()
    before = match.state_at(match.ply - 1)
    rounds = table.game.hooks.rounds_done
    if not log.rows[index].by_person or rounds(before) != rounds(match.state):
        return None
    return index if may_take_back(table.game, cast(Action, match.plies[-1].deed), before) else None


def deciders(table: Table, seat: int) -> frozenset[int]:
    """Return the seats of all people who must agree before the seat takes a move back.

    If all other players are bots, the result is empty.
    """
    return frozenset(other for other in table.people if other != seat and table.bot_at(other) is None)


def mates(table: Table, seat: int) -> frozenset[int]:
    """Return those `deciders` who play on the same device as the seat. They agree in person, not on a page."""
    there = {chair.seat for chair in table.facts.at_device(table.facts.chairs[seat].person)}
    return deciders(table, seat) & there


def undoable(table: Table, seat: int) -> str:
    """Return the name of the undo operation that the seat may use now, or an empty text if there is none.

    With `undo`, the seat takes its newest move back at once. With `ask_undo`, it asks the other people to agree.
    With `answer_undo`, it answers the request of another seat. `Look.may` uses the same names.
    """
    asking = table.asking
    if asking.by is not None and asking.by != seat:
        return "answer_undo" if seat in deciders(table, asking.by) - asking.agreed else ""
    if asking.by == seat or row_to_undo(table, seat) is None:
        return ""
    if deciders(table, seat) == mates(table, seat):
        return "undo"
    assert table.match is not None
    return "" if asking.since == table.match.ply else "ask_undo"


def seat_to_undo(table: Table, seat: int) -> int:
    """Return the seat whose newest move is taken back by an undo on the page of `seat`.

    This is `seat` itself, or the seat of another person on the same device. If the game hides nothing, a shared
    device shows the page of the next person to act. If nobody else must agree, this page offers the undo to the
    person who has just acted on the device (docs/why/hot-seat.md).
    """
    match, game = table.match, table.game
    if match is None or not match.plies or game.hidden or game.together:
        return seat
    newest = match.plies[-1].seat
    beside = table.asking.by is None and newest in mates(table, seat)
    return newest if beside and undoable(table, newest) == "undo" else seat


def takes_time_to_undo(table: Table) -> bool:
    """Return whether the bots must wait now, because the only person at the table can still undo a move.

    If several people play, return False.
    """
    if not table.alone or not table.people:
        return False
    return row_to_undo(table, table.people[0]) is not None
