"""People at a table, by default of Sanghai. They use only the house's public services."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from spelunke.house.house import House
from spelunke.house.plan import Clock, Plan

LIVE = Clock(kind="live", minutes=10, increment=5)
DAYS = Clock(kind="days", days=2)
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Frida", "Gerd", "Hanna")


class Circle:
    """People at a running table. They play at random until several seats may act at once."""

    def __init__(
        self,
        house: House,
        clock: Clock = LIVE,
        seats: int = 4,
        options: Mapping[str, Any] | None = None,
        game: str = "sanghai",
    ) -> None:
        self.house = house
        self.seats = range(seats)
        self.people = [house.people.create(name).id for name in NAMES[:seats]]
        chairs = ("me", *("open" for _ in self.people[1:]))
        plan = Plan(game=game, seats=chairs, options=dict(options or {}), clock=clock)
        self.id = house.lobby.create(self.people[0], plan)
        for number, person in enumerate(self.people):
            if number:
                house.lobby.join(self.id, person)
            house.lobby.add_nonce(self.id, person, f"nonce{number}")
        self.keys = 0
        self.chooser = random.Random(3)

    def look(self, seat: int | None, since: int = 0) -> Any:
        return self.house.looks.look(self.id, None if seat is None else self.people[seat], since=since)

    def ply(self, seat: int) -> int:
        ply: int = self.look(seat, 10**6).ply
        return ply

    def act(self, seat: int, move: str, ply: int | None = None) -> Any:
        """Play a move that a seat chose at this ply. The default is the newest ply that the seat sees."""
        self.keys += 1
        ply = self.ply(seat) if ply is None else ply
        return self.house.play.act(self.id, self.people[seat], move, ply, f"key-{self.keys:06d}")

    def moves(self, seat: int) -> list[str]:
        return [move for _, move in self.look(seat, 10**6).legal]

    def calling(self) -> list[int]:
        """Return the seats that may call now."""
        return [seat for seat in self.seats if "hep" in self.moves(seat)]

    def to_window(self, callers: int = 1) -> list[int]:
        """Play until at least ``callers`` seats may call for the same discard. Return these seats."""
        for _ in range(600):
            calling = self.calling()
            if len(calling) >= callers:
                return calling
            seat = calling[0] if calling else next(seat for seat in self.seats if self.moves(seat))
            self.act(seat, "pass" if calling else self.chooser.choice(self.moves(seat)))
        pytest.fail("no window opened")

    def to_sealing(self) -> list[int]:
        """Play until everybody may lay a sealed card, and seat 0 has at least two to choose from. Return all seats."""
        for _ in range(600):
            asked = [seat for seat in self.seats if self.moves(seat)]
            if len(asked) == len(self.seats) and len(self.moves(0)) > 1:
                return asked
            self.act(asked[0], self.chooser.choice(self.moves(asked[0])))
        pytest.fail("they never chose at the same time")

    def calls(self) -> list[tuple[int, bool]]:
        """Return the seats that have called for the last discard, in the order of the log, each with ``tied``.

        ``tied`` is True if the call came at the same time as the first call.
        """
        told = [line.event for line in self.look(None).log]
        last = max(k for k, event in enumerate(told) if type(event).__name__ == "Discarded")
        return [(event.seat, event.tied) for event in told[last:] if type(event).__name__ == "Called"]
