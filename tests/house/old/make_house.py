"""Write a house with real games as SQL, made by the code of an earlier version of Spelunke.

    PYTHONPATH=CHECKOUT_OF_THAT_VERSION/src SPELUNKE_JIT=0 python tests/house/old/make_house.py house-0009.sql

Run it by hand once for each database schema that was released, before the next migration is written. Keep the file:
`test_old_houses.py` reads it. This program uses only functions that the oldest of these versions of Spelunke has. It
also writes members if the version has them.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spelunke.house.house import open_house
from spelunke.house.plan import Plan

PASSWORD = "lantern mussel quarry tin"
NEVER = 10_000


class Clockwork:
    """Seconds since 1970 that pass only when the test says so."""

    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


class Dicer:
    """A bot that takes any legal action."""

    def __init__(self) -> None:
        self._random = random.Random(1)

    def choose(self, view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        return self._random.choice(legal)


def seat_dicer(game: Any, level: str) -> Dicer:
    return Dicer()


def play(house: Any, table: str, people: list[str], plies: int, tick: Callable[[], None]) -> None:
    """Let the seats that may act take any move, up to ``plies`` times."""
    chooser = random.Random(table)
    for number in range(plies):
        look = house.looks.look(table)
        if look.status == "over":
            return
        if not look.actors or look.actors[0] >= len(people):
            tick()
            continue
        person = people[look.actors[0]]
        look = house.looks.look(table, person)
        if not look.legal:
            tick()
            continue
        house.play.act(table, person, chooser.choice(look.legal)[1], look.ply, f"key-{number:06d}")
        tick()


def fill(house: Any, clockwork: Clockwork) -> None:
    """Make finished and running games, waiting tables, chat and guests; also members if the version has them."""
    anna, ben, cleo = (house.people.create(name).id for name in ("Anna", "Ben", "Cleo"))

    def tick() -> None:
        clockwork.now += 1
        house.tick()

    def sit(game: str, *people: str, **options: Any) -> str:
        seats = ("me", *["open"] * (len(people) - 1))
        table = str(house.lobby.create(people[0], Plan(game=game, seats=seats, options=options)))
        for person in people[1:]:
            house.lobby.join(table, person)
        for person in people:
            house.lobby.add_nonce(table, person, "share")
        tick()
        return table

    whole = sit("shanghaien", anna, ben)
    play(house, whole, [anna, ben], NEVER, tick)
    house.chat.say(whole, ben, "well played")
    given_up = sit("sanghai", anna, ben, cleo)
    play(house, given_up, [anna, ben, cleo], 6, tick)
    for person in (ben, cleo):
        house.play.resign(given_up, person, f"resign-{person[:8]}")
    running = sit("shanghaien", ben, anna)
    play(house, running, [ben, anna], 9, tick)
    house.chat.say(running, anna, "your turn")
    three = sit("halunken", anna, ben, cleo)
    play(house, three, [anna, ben, cleo], 12, tick)
    bots = house.lobby.create(cleo, Plan(game="shanghaien", seats=("me", "bot:deckhand"), listed=False))
    house.lobby.add_nonce(bots, cleo, "share")
    tick()
    house.lobby.create(cleo, Plan(game="shanghaien", seats=("me", "open")))
    if hasattr(house, "members"):
        house.members.become(anna, "Anna", label="Firefox, Linux", password=PASSWORD)
        house.members.codes.make_recovery(anna)
        house.members.log_in("Anna", PASSWORD, label="Chrome, Android")


def main() -> None:
    """Write the house to the given file."""
    with tempfile.TemporaryDirectory() as folder:
        file, clockwork = Path(folder) / "house.sqlite3", Clockwork()
        house = open_house(
            f"sqlite:///{file}", timers=False, clock=clockwork, bots=seat_dicer, bot_pause=0.0, nonce_wait=5.0
        )
        fill(house, clockwork)
        house.close()
        with sqlite3.connect(file) as line:
            Path(sys.argv[1]).write_text("\n".join(line.iterdump()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
