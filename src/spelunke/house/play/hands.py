"""The people who share one device at a table, and the one among them whose view is shown now.

For the reasons, see docs/why/hot-seat.md.
"""

from __future__ import annotations

from typing import NamedTuple

from spelunke.core.digits import is_number
from spelunke.games.hooks import Hooks
from spelunke.house.play.table_store import TableStore
from spelunke.house.sight import Viewer
from spelunke.house.table import RESIGN, Table, is_shown


class Hand(NamedTuple):
    """The state of a device on which several people play.

    A person's hand is the part of the table that they may see. ``person`` is the person whose hand is shown now, or
    None while a page without any hand (the curtain) is shown. ``curtained``: the game hides something, so the
    curtain is shown whenever another person takes the device. ``people`` are all people at the device, by seat.
    ``asked`` are the seats at the device that are to act, and whose standing orders will not answer. The first of them
    is the next to take the device.
    ``summary``: everybody at the device reads the summary of the last round, so no hand is open. ``round`` is the
    number of the log row at which the last round ended, or 0 during the first round. When the current round ends, an
    open hand is closed. ``answered`` are the seats at the device that need not act now. They include seats that have
    answered in secret. This reveals nothing new, because the people at the device saw each other answer. ``row`` is
    the number of rows in the log. ``decider`` is the seat at the device that can decide without an open hand (see
    `find_decider`), or None. If ``curtained`` is false, all fields after ``asked`` have their defaults.
    """

    person: str | None
    curtained: bool
    people: dict[int, str]
    asked: tuple[int, ...]
    summary: bool = False
    round: int = 0
    answered: tuple[int, ...] = ()
    row: int = 0
    decider: int | None = None

    @property
    def decides(self) -> int | None:
        """The seat whose decision the page shows although no hand (a person's view) is open, or None."""
        return self.decider if self.person is None and not self.summary else None

    @property
    def name(self) -> str:
        """The number of the seat whose hand is shown (the view of its person), or `-` if no hand is shown."""
        return next((str(seat) for seat, person in self.people.items() if person == self.person), "-")

    def open(self, seat: str) -> str:
        """Return a text that opens the hand of this seat's person if it is passed to `Hands.hand` as `shown`.

        The hand closes when its person has acted and need not act any more, and when the current round ends.
        """
        return f"{seat}.{self.round}.{self.row}"


class Hands:
    """The people at one device: the host of a table, and the people who play on the host's device."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store

    def hand(self, table_id: str, host: str, shown: str = "") -> Hand | None:
        """Return the state of the host's device, or None if nobody else plays on it.

        Also return None if `host` is not the host of the table.

        A person's hand is the part of the table that they may see. If the running game hides something, `shown` is the
        value of `Hand.open` for the person who has opened their hand. With any other value, no hand is shown. A hand
        closes after its person's decision. When a round ends, no hand is shown until a person opens theirs, so that
        everybody can read the summary. If the game hides nothing, the hand of the next person to act is shown. Before
        and after the game, the host's hand is shown. Raise UnknownTable.
        """
        with self._tables.open(table_id) as slot:
            table = slot.table
            facts = table.facts
            there = facts.at_device(host) if host == facts.host else ()
            people = {chair.seat: chair.person for chair in there if chair.person is not None}
            if not people:
                return None
            asked = tuple(seat for seat in table.actors if seat in people and table.bot_at(seat) is None)
            curtained = table.running and (table.game.hidden or table.game.together)
            if curtained:
                asked = _order_asked(table, tuple(seat for seat in asked if not _is_answered(table, seat)))
                ended = table.rounds.ended
                read = any(is_shown(table, chair) for chair in there)
                answered = tuple(seat for seat in people if seat not in table.actors)
                decider = find_decider(table)
                closed = Hand(None, curtained, people, asked, read, ended, answered, table.row, decider)
                seat = None if read else _find_open(table, shown)
                return closed if seat is None else closed._replace(person=people.get(seat))
            return Hand(people[asked[0]] if asked else host, curtained, people, asked)


def find_decider(table: Table) -> int | None:
    """Return the only seat to act, if its person uses the host's device and the game now hides nothing.

    Otherwise, return None. The seat's standing orders don't matter here, because they are secret. If spectators see
    the table late, return None, because a page on which no person's view is open shows the table as spectators see it.
    """
    hooks, facts = table.game.hooks, table.facts
    if (
        Hooks.hides_nothing not in hooks.offered
        or table.match is None
        or facts.delay
        or len(table.actors) != 1
    ):
        return None
    (seat,) = table.actors
    here = facts.chairs[seat] in facts.at_device(facts.host) and table.bot_at(seat) is None
    return seat if here and hooks.hides_nothing(table.match.state) else None


def _is_answered(table: Table, seat: int) -> bool:
    """Return whether the seat's standing orders will answer after the usual pause.

    This reveals nothing new to the people who share the device. A moment later, they notice the answer, although its
    person has not taken the device.
    """
    return table.facts.chairs[seat].orders is not None and Viewer(table, seat).obeyed


def _order_asked(table: Table, asked: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that are to act, in the order in which their people should take the device.

    Seats whose silence does not count as an answer (`Hooks.silent_action` returns None for them) come last. If the
    person at such a seat took the device earlier, they would often want to wait for the answers of the other people,
    and would have to take the device a second time.
    """
    hooks = table.game.hooks
    if len(asked) < 2 or table.match is None or Hooks.silent_action not in hooks.offered:
        return asked
    state = table.match.state
    return tuple(sorted(asked, key=lambda seat: hooks.silent_action(state, seat) is None))


def _find_open(table: Table, shown: str) -> int | None:
    """Return the seat whose hand the text `shown` opens, or None if it opens none or the hand has closed since.

    `shown` is a value of `Hand.open` (see `Hands.hand`).

    A hand is a person's view of the table. It closes as soon as the person has acted and does not have to act again. If
    another decision follows at once, as after the first of two cards, the hand stays open. If the person opened it to
    decide, an answer by their standing orders closes it too. Other moves by orders, and a bot's moves, don't close it.
    A hand also closes if its person resigns.
    """
    numbers = shown.split(".")
    if len(numbers) != 3 or not all(map(is_number, numbers)):
        return None
    seat, ended, opened = map(int, numbers)
    if ended != table.rounds.ended or not ended <= opened <= table.row:
        return None
    own = [row for row in table.log.rows[opened:] if row.seat == seat]
    if any(row.note[0] == RESIGN for row in own):
        return None
    decides = seat in table.asked_after[opened]
    acted = next(
        (row.number for row in own if not row.is_note and (row.by_person or (decides and row.bot is None))),
        None,
    )
    if acted is None:
        return seat
    # nobody is to act only before an outcome of chance
    return None if any(asked and seat not in asked for asked in table.asked_after[acted:]) else seat
