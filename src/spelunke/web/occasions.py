"""The link from a table to its tournament or its game of the day."""

from __future__ import annotations

from spelunke.house.house import House
from spelunke.house.messages import Look
from spelunke.web.words import translate as _


def find_occasion(house: House, look: Look) -> tuple[str, str] | None:
    """Return the address and the label of a table's tournament or game of the day, or None if it has neither.

    This call blocks, because it reads the database. For tables in the public lists, it returns None at once: tables of
    tournaments and of games of the day are never in these lists.
    """
    if look.listed:
        return None
    event = house.events.of_table(look.table)
    if event is not None:
        return f"/events/{event[0]}", event[1]
    day = house.days.of_table(look.table)
    return None if day is None else (f"/daily/{day[0]}/{day[1]}", _("Games of the day"))
