"""The summary of the newest round, as one viewer may know it."""

from __future__ import annotations

from msgspec.structs import replace

from spelunke.core.words import Translator
from spelunke.house.messages import RoundSummary
from spelunke.house.sight.viewers import Viewer
from spelunke.house.table import is_shown


def find_summary(viewer: Viewer, translate: Translator, *, asked: bool = False) -> RoundSummary | None:
    """Return the summary of the newest finished round, or None if the viewer's board does not show it now.

    If `asked` is true, return the summary even if the board does not show it. Call this only after a round
    has ended.
    """
    table, chair = viewer.table, viewer.chair
    shown = chair is not None and is_shown(table, chair)
    if not (shown or asked):
        return None
    if not asked and table.outcome is not None and table.outcome.reason != "played":
        return None  # the game was aborted, so its last finished round explains nothing
    noticed = viewer.noticed
    key = (table.rounds.ended, table.running, translate)
    if noticed.summary is None or noticed.summary[0] != key:
        noticed.summary = (key, _find_new_summary(viewer, translate))
    return noticed.summary[1]


def _find_new_summary(viewer: Viewer, translate: Translator) -> RoundSummary:
    if viewer.noticed.open_to_all is None:
        return _make_summary(viewer, translate)
    # The game hides nothing, so the views of all viewers differ only in the seat.
    shared = find_summary(Viewer(viewer.table, None), translate, asked=True)
    assert shared is not None
    before, view = replace(shared.before, seat=viewer.seat), replace(shared.view, seat=viewer.seat)
    return replace(shared, before=before, view=view)


def _make_summary(viewer: Viewer, translate: Translator) -> RoundSummary:
    table = viewer.table
    rounds = table.rounds
    number = len(rounds.ends)
    row, first_row = rounds.ended, rounds.begins[number - 1][0]
    hooks, view = table.game.hooks, table.game.view.view
    assert table.match is not None
    start, end = rounds.newest_states(table.match)
    return RoundSummary(
        row=row,
        number=number,
        before=view(start, viewer.seat),
        view=view(end, viewer.seat),
        events=tuple(
            event
            for index in range(first_row, row)
            if index not in table.log.undone
            for event in viewer.noticed.events_of(index)
        ),
        points_before=hooks.points(start),
        points=hooks.points(end),
        over=not table.running,
        name=hooks.name_round(start, translate),
    )
