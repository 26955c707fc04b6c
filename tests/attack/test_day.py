"""A table of the game of the day, while others still have to play with the same dice.

Each route that takes a table is requested for Anna's table by everybody else. Until the day is over, no answer depends
on the course of her game.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from waiting import wait_until

from .test_shared_chance import KEYS, OWN, READING, Round, differing, read
from .world import Attacker, open_crowd

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("quick_passwords")]

GAME = "shanghaien"
SENTENCE = (
    "Other tables of this game of the day have the same dice and cards, "
    "so you can look at this table only when the day is in the archive."
)
BESIDE = (
    "/",
    "/play",
    "/daily",
    "/daily/shanghaien/today",
    "/daily/shanghaien/today/compare",
    "/daily/shanghaien/{event}/picture.png",
    "/me",
    "/me/notifications",
    "/me/problems",
    "/people",
    "/p/{address}",
    "/house/people/{address}",
    "/analysis/shanghaien?table={table}",
    "/analysis/shanghaien?table={table}&ply=2",
    "/api/v1/daily",
    "/api/v1/daily/shanghaien/today",
    "/api/v1/tables?list=running",
    "/api/v1/tables?list=mine",
)
"""Pages that don't take a table, or only in their query, but tell of tables, results and people."""


@dataclass
class Day(Round):
    """Anna plays the game of the day. `event` is the date; Hanna has begun her own game, and Carl has finished his."""

    beside = BESIDE

    def play(self, table: str, moves: int) -> None:
        """Play `moves` moves for Anna, each time the first legal one."""
        anna = self.crowd.players["Anna"]
        for _ in range(moves):
            look = wait_until(lambda: (found := self.crowd.house.looks.look(table, anna)).legal and found)
            self.crowd.house.play.act(table, anna, look.legal[0][1], look.ply, f"key-{next(KEYS):08d}")
        wait_until(lambda: self.crowd.house.looks.look(table, anna).legal)

    def end(self, table: str) -> None:
        """Let Anna resign, and let the house store the result."""
        self.crowd.house.play.resign(table, self.crowd.players["Anna"], f"key-{next(KEYS):08d}")
        assert self.crowd.house.day_results.settle() == 1


@pytest.fixture
def day(tmp_path: Path) -> Iterator[Day]:
    with open_crowd(tmp_path, "Anna") as crowd:
        house, players = crowd.house, crowd.players
        today = house.days.today().isoformat()
        begun = {name: house.days.play(players[name], GAME, today) for name in ("Anna", "Hanna", "Carl")}
        house.play.resign(begun["Carl"], players["Carl"], f"key-{next(KEYS):08d}")
        house.day_results.settle()
        yield Day(
            crowd=crowd,
            readers=crowd.readers("somebody who has finished, by token"),
            own=Attacker("the player of the table", crowd.members["Anna"]),
            event=today,
            fast=begun["Anna"],
            slow=begun["Hanna"],
        )


def test_no_route_shows_others_a_table_of_the_day(day: Day) -> None:
    at_start = [day.answers(reader) for reader in day.readers]
    own = [read(day.own.ask("GET", path.format(day.fast), None)) for path in OWN]
    day.play(day.fast, 4)
    after = [read(day.own.ask("GET", path.format(day.fast), None)) for path in OWN]
    assert all(now != before and now[0] == 200 for before, now in zip(own, after, strict=True))
    running = [day.answers(reader) for reader in day.readers]
    for reader, before, now in zip(day.readers, at_start, running, strict=True):
        assert differing(before, now) == [], reader.name
        for route in READING:
            assert now[route][0] == 409, (reader.name, route)
            assert SENTENCE in html.unescape(now[route][1]), (reader.name, route)
    day.end(day.fast)
    for reader, before in zip(day.readers, running, strict=True):
        now = day.answers(reader)
        for route in differing(before, now):
            # A host may see that Anna plays no more. Who often wrote to the chat is too fast now.
            assert route == "GET /house/people/{address}" or now[route][0] in {403, 409, 429}, (
                reader.name,
                route,
            )
        for route in READING:
            assert SENTENCE in html.unescape(now[route][1]), (reader.name, route)
    for path in ("/t/{}/replay", "/t/{}/record.json", "/api/v1/tables/{}/record", "/t/{}/position.svg"):
        assert day.own.ask("GET", path.format(day.fast), None).status_code == 200, path
