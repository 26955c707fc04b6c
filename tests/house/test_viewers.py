"""`Viewer` (of a table) and `MatchViewer` (of its match) give the same facts, so page and terminal show the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from circle import Circle
from empty_house import lay_tables
from spelunke.house.house import House
from spelunke.house.sight.viewers import Viewer
from spelunke.records.viewer import MatchViewer


@pytest.fixture
def database(tmp_path: Any) -> str:
    """Return the address of an SQLite database. These tests need no PostgreSQL: they compare data in memory."""
    return lay_tables(tmp_path / "house.sqlite3")


def viewers(house: House, table: str, seats: int) -> list[tuple[Viewer, MatchViewer]]:
    """Return one pair for a spectator, and then one pair for each seat.

    A pair has two objects: the `Viewer` of the table, and the `MatchViewer` of the table's match.
    """
    with house._tables.open(table) as slot:
        match = slot.table.match
        assert match is not None
        finished = not slot.table.running
        return [
            (Viewer(slot.table, seat), MatchViewer(match, seat, finished=finished))
            for seat in (None, *range(seats))
        ]


def test_a_table_shows_each_viewer_the_same_as_its_match(house: House) -> None:
    circle = Circle(house)
    circle.to_window()
    for _ in range(3):
        circle.act(circle.calling()[0], "pass")
        circle.to_window()
    for of_table, of_match in viewers(house, circle.id, 4):
        assert of_table.events() == of_match.events()
        assert of_table.last() == of_match.last()
        assert of_table.view == of_match.view
        assert of_table.legal == of_match.legal
        told = [line.text for line in of_match.history(names=of_table.table.names)]
        assert [line.text for line in circle.look(of_table.seat).log] == told
    (first, _), *others = viewers(house, circle.id, 4)
    assert all(first.seen <= seat.seen <= seat.table.row for seat, _ in others)


def test_everybody_sees_all_events_after_the_end(house: House, sit: Any) -> None:
    table = sit(house)
    table.play(30, random.Random(4))
    house.play.resign(table.id, table.people[0].id, "resign-it")
    (spectator, of_match), *others = viewers(house, table.id, 2)
    assert spectator.events() == of_match.events() == spectator.table.match.events()  # type: ignore[union-attr]
    assert all(viewer.events() == spectator.events() for viewer, _ in others)


def test_a_note_in_the_log_counts_as_seen_but_not_as_a_ply(house: House, sit: Any) -> None:
    table = sit(house)
    table.play(6)
    seat = table.look().actors[0]
    before = {viewer.seat: viewer.seen for viewer, _ in viewers(house, table.id, 2)}
    plies = viewers(house, table.id, 2)[0][1].entries
    newest = [viewer.last() for viewer, _ in viewers(house, table.id, 2)]
    house.play.stand_in(table.id, table.people[seat].id)
    for viewer, of_match in viewers(house, table.id, 2):
        assert viewer.seen == before[viewer.seat] + 1
        assert of_match.entries == plies
        assert viewer.events_of(viewer.entries - 1) == ()
    assert newest[1 + seat]
    assert [viewer.last() for viewer, _ in viewers(house, table.id, 2)] == newest
