"""What a viewer may take the clocks to be while a game tells nobody who has answered (hook `seats_maybe_asked`).

A clock that stops tells that its seat has answered. So each viewer is shown the clocks as they follow from what it was
told: who may still be asked, for all it knows, is shown as being asked since that moment began. A seat knows of itself,
and when the moment is over everybody is shown the true clocks.
"""

from __future__ import annotations

from spelunke.house.clocks import Clocks
from spelunke.house.tables import AWAY, COME_BACK, Table


def told_clocks(live: Table, viewer: int | None) -> Clocks:
    """The clocks as the viewer knows them; not to be changed."""
    if live.veil is None:
        return live.clocks
    (_, _, first), *later = live.veil.after
    shown = first.copy()
    counts = live.seen(viewer)
    for rows, plies, true in later:
        if counts[rows] == counts[rows - 1]:
            continue  # nothing that the viewer was told of
        row = live.rows[rows - 1]
        noted = row.move.startswith("!")
        if row.move == AWAY:
            shown.begin_anew(row.at)
        elif row.move == COME_BACK and live.veil.runs[row.seat]:
            shown.asked[row.seat] = live.time_begins(row.at)
        elif noted:
            shown.acted(row.seat, row.at)
        asked = live.asked_then(viewer, plies)
        for seat in range(live.seats):
            if seat not in asked or (seat == row.seat and not noted):
                shown.adopt(seat, true)
    if viewer is not None:
        shown.adopt(viewer, live.clocks)
    return shown
