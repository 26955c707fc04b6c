"""The people who share one device at a table, and the one among them whose view is shown now.

For the reasons, see docs/why/hot-seat.md.
"""

from __future__ import annotations

from typing import NamedTuple

from spelunke.house.play.table_store import TableStore


class Hand(NamedTuple):
    """The state of a device on which several people play.

    A person's hand is the part of the table that they may see. ``person`` is the person whose hand is shown
    now, or None while a page without any hand (the curtain) is shown. ``curtained``: the game hides something,
    so the curtain is shown whenever another person takes the device. ``people`` are all people at the device,
    by seat. ``asked`` are the seats of these people that are to act.
    """

    person: str | None
    curtained: bool
    people: dict[int, str]
    asked: tuple[int, ...]


class Hands:
    """The people at one device: the host of a table, and the people who play on the host's device."""

    def __init__(self, table_store: TableStore) -> None:
        self._tables = table_store

    def hand(self, table_id: str, host: str, shown: str = "") -> Hand | None:
        """Return the state of the host's device, or None if nobody else plays on it.

        Also return None if `host` is not the host of the table.

        If the running game hides something, `shown` is the number of the seat whose person has opened their
        hand. With any other value, no hand is shown. If the game hides nothing, the hand of the next person
        to act is shown. Before and after the game, the host's hand is shown. Raise UnknownTable.
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
                seat = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 4 else None
                return Hand(people.get(seat) if seat is not None else None, curtained, people, asked)
            return Hand(people[asked[0]] if asked else host, curtained, people, asked)
