"""Houses for the tests: with SQLite and PostgreSQL, with a clock that the test moves, and bots that need no time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from empty_house import lay_tables
from spelunke.games.game import Game
from spelunke.house.house import House, open_house
from spelunke.house.messages import Look, Person
from spelunke.house.plan import Plan


class Clockwork:
    """Seconds since 1970 that pass only when the test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


class Dicer:
    """A bot that takes a random legal action, drawn from a seed. It fails if it gets no view of the game."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)

    def choose(self, view: Any, legal: tuple[Any, ...], stream: Any) -> Any:
        assert view is not None
        return self._random.choice(legal)


def seat_dicer(game: Game, level: str) -> Dicer:
    assert level in game.levels
    return Dicer()


Open = Callable[..., House]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database with empty tables, SQLite and PostgreSQL in turn."""
    if request.param == "sqlite":
        return lay_tables(tmp_path / "house.sqlite3")
    return str(request.getfixturevalue("postgres_house"))


@pytest.fixture(params=["sqlite", "postgres"])
def bare_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database without any tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'house.sqlite3'}"
    return str(request.getfixturevalue("postgres_database"))


@pytest.fixture
def clockwork() -> Clockwork:
    return Clockwork()


@pytest.fixture
def opener(database: str, clockwork: Clockwork) -> Iterator[Open]:
    """Yield a function that opens houses on this test's database, by default without timers; close all at the end."""
    opened: list[House] = []

    def make(**given: Any) -> House:
        settings: dict[str, Any] = {
            "timers": False,
            "clock": clockwork,
            "bots": seat_dicer,
            "bot_pause": 0.0,
            "nonce_wait": 5.0,
            "alone": False,
            "patience": 60.0,  # a busy machine only takes longer
        }
        house = open_house(database, **{**settings, **given})
        opened.append(house)
        return house

    yield make
    for house in opened:
        house.close()


@pytest.fixture
def house(opener: Open) -> House:
    return opener()


class Table:
    """Two people and a running table, with methods to play there.

    If the plan has no open seat, only the first person sits at the table.
    """

    def __init__(self, house: House, plan: Plan | None = None) -> None:
        self.house = house
        self.people = [house.people.create("Anna"), house.people.create("Ben")]
        plan = plan or Plan(game="shanghaien", seats=("me", "open"), options={"first_starter": 0})
        self.id = house.lobby.create(self.people[0].id, plan)
        if "open" in plan.seats:
            house.lobby.join(self.id, self.people[1].id)
        for number, person in enumerate(self.people[: 2 if "open" in plan.seats else 1]):
            house.lobby.add_nonce(self.id, person.id, f"nonce{number}")
        self._keys = 0

    def key(self) -> str:
        self._keys += 1
        return f"key-{self._keys:06d}"

    def look(self, seat: int | None = None, house: House | None = None, since: int = 0) -> Look:
        person = self.people[seat].id if seat is not None else None
        return (house or self.house).looks.look(self.id, person, since=since)

    def asked(self, house: House | None = None) -> Person:
        look = self.look(house=house)
        return self.people[look.actors[0]]

    def play(self, plies: int, chooser: random.Random | None = None, house: House | None = None) -> int:
        """Play up to ``plies`` actions of the seats that may act; return their number."""
        chooser = chooser or random.Random(7)
        use = house or self.house
        for done in range(plies):
            look = self.look(house=use)
            if look.status == "over":
                return done
            seat = look.actors[0]
            look = self.look(seat, house=use)
            move = chooser.choice(look.legal)[1]
            answer = use.play.act(self.id, self.people[seat].id, move, look.ply, self.key())
            assert answer.status == "done"
        return plies


@pytest.fixture
def sit() -> Callable[..., Table]:
    """Return a function that makes a running table of a house for two people (see `Table`)."""
    return Table


@pytest.fixture
def table(house: House) -> Table:
    return Table(house)
