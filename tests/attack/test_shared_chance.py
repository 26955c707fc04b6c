"""A duplicate event with a fast and a slow table of one round, whose dice are the same.

Each route that takes a table is requested for the fast table by all who don't play there. Until the round is over,
no answer depends on the course of the table. `routes_of` finds the routes, so a new one is tested too.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from spelunke.house.events import EventPlan
from spelunke.house.plan import Clock

from .rows import ENDLESS, row_of
from .test_rows import routes_of
from .world import Attacker, Crowd, open_crowd

pytestmark = pytest.mark.usefixtures("quick_passwords")

FAST, SLOW = ("Anna", "Ben"), ("Hanna", "Carl")
SENTENCE = (
    "Other tables of this round have the same dice and cards, so you can watch this table only when the round is "
    "over."
)
READING = (
    "GET /api/v1/tables/{table}",
    "GET /api/v1/tables/{table}/analysis",
    "GET /api/v1/tables/{table}/chain",
    "GET /api/v1/tables/{table}/record",
    "GET /api/v1/tables/{table}/stream",
    "GET /analysis/shanghaien?table={table}",
    "GET /embed/t/{table}",
    "GET /j/{table}/{invite}",
    "GET /t/{table}",
    "GET /t/{table}/picture.png",
    "GET /t/{table}/position.json",
    "GET /t/{table}/position.png",
    "GET /t/{table}/position.svg",
    "GET /t/{table}/record.json",
    "GET /t/{table}/replay",
    "GET /t/{table}/stream",
    "GET /t/{table}/turn",
    "GET /t/{table}/watch",
)
"""Routes that show something of a table to every reader, and so refuse everybody here with the sentence."""
OWN = ("/t/{}", "/api/v1/tables/{}")
TELL_THE_END = frozenset(
    {"GET /events/{event}", "GET /events/{event}?round=1", "GET /house/people/{address}"}
)
"""Pages that tell that the table is finished, and nothing else of it."""
OPEN_LATER = (
    "/t/{}",
    "/t/{}/replay",
    "/t/{}/record.json",
    "/t/{}/position.json",
    "/t/{}/position.svg",
    "/t/{}/picture.png",
    "/embed/t/{}",
    "/api/v1/tables/{}",
    "/api/v1/tables/{}/record",
    "/api/v1/tables/{}/chain",
    "/api/v1/tables/{}/analysis",
    "/analysis/shanghaien?table={}",
)
BESIDE = (
    "/",
    "/play",
    "/me",
    "/people",
    "/events",
    "/events/{event}",
    "/events/{event}?round=1",
    "/events/{event}/picture.png",
    "/events/{event}/results.csv",
    "/events/{event}/results.json",
    "/events/{event}/state",
    "/analysis/shanghaien?table={table}",
    "/analysis/shanghaien?table={table}&ply=2",
    "/p/{address}",
    "/me/notifications",
    "/house/people/{address}",
    "/api/v1/tables?list=running",
    "/api/v1/tables?list=mine",
)
"""Pages that don't take a table, or only in their query, but tell of tables, results and people."""


@dataclass
class Round:
    """A started event. Anna and Ben play at the fast table, which ends first, and two others at the slow table."""

    crowd: Crowd
    readers: list[Attacker]
    event: str
    fast: str
    slow: str
    own: Attacker
    """A player of the fast table, whose answers show that the requests would find something."""
    beside: ClassVar[tuple[str, ...]] = BESIDE

    def play(self, table: str, moves: int) -> None:
        """Play `moves` moves at a table, each time the first legal one."""
        people = [self.crowd.players[name] for name in (FAST if table == self.fast else SLOW)]
        for _ in range(moves):
            looks = [(person, self.crowd.house.looks.look(table, person)) for person in people]
            person, look = next((person, look) for person, look in looks if look.legal)
            self.crowd.house.play.act(table, person, look.legal[0][1], look.ply, f"key-{next(KEYS):08d}")

    def end(self, table: str) -> None:
        """Let a player resign, and let the event notice it."""
        person = self.crowd.players[(FAST if table == self.fast else SLOW)[1]]
        self.crowd.house.play.resign(table, person, f"key-{next(KEYS):08d}")
        self.crowd.house.event_runner.go_on(self.event)

    def answers(self, reader: Attacker) -> dict[str, tuple[int, str]]:
        """Let a reader send each request about the table `fast`. Return the status and the content of each answer."""
        found = {}
        things = Things(table=self.fast, address=self.crowd.address("Anna"), event=self.event)
        for route in sorted(routes_of(self.crowd.client.app)):
            if "{table}" not in route or route == "POST /house/tables/{table}/off":
                continue  # hosts may call a table off, which is no look at it
            if route in ENDLESS:  # asked only if it ends with a refusal
                assert found["GET /api/v1/tables/{table}"][0] == 409, f"{reader.name} gets a stream"
            method, path = route.split(" ", 1)
            path = path.format_map(things)
            body = dict(row_of(route) or {}) or None
            if body and "move" in body:
                body |= {"move": "roll", "ply": "2"} if "/api/" not in path else {"move": "roll", "ply": 2}
            found[route] = read(reader.ask(method, path, body))
        for path in self.beside:
            told = path.format_map(things)
            found[f"GET {path}"] = read(reader.ask("GET", told, None))
        return found


class Things(dict[str, str]):
    """The parameters of addresses."""

    def __missing__(self, name: str) -> str:
        return "1" if name == "ply" else "guess"


KEYS = itertools.count(1)


def read(answer: Any) -> tuple[int, str]:
    """Return status and content of an answer, without the nonces, which differ at each request."""
    kind = answer.headers.get("content-type", "")
    text = answer.text if "image/png" not in kind else answer.content.hex()
    text = re.sub(r"nonce-[\w+/=-]+|nonce=\"[^\"]+\"", "", text)
    return answer.status_code, text + answer.headers.get("location", "")


@pytest.fixture
def round_one(tmp_path: Path) -> Iterator[Round]:
    with open_crowd(tmp_path, *FAST) as crowd:
        house, players = crowd.house, crowd.players
        plan = EventPlan(game="shanghaien", name="Evening", rounds=2, duplicate=True, round_minutes=600)
        plan = msgspec.structs.replace(plan, clock=Clock(), options={"first_starter": 0})
        event = house.events.create(players["Hanna"], plan)
        for name in (*SLOW, *FAST):
            house.events.enter(event, players[name])
        house.events.start(event, players["Hanna"])
        fast, slow, other, same = (
            house.events.look(event, players[name]).yours for name in (*FAST[:1], *SLOW, FAST[1])
        )
        assert fast == same != slow == other
        yield Round(
            crowd=crowd,
            readers=crowd.readers("another player, by token"),
            own=Attacker("a player of the table", crowd.members["Anna"]),
            event=event,
            fast=str(fast),
            slow=str(slow),
        )


def differing(before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]) -> list[str]:
    return [route for route, answer in before.items() if after[route] != answer]


@pytest.mark.deep
def test_no_route_shows_others_a_table_whose_chance_is_still_secret(round_one: Round) -> None:
    at_start = [round_one.answers(reader) for reader in round_one.readers]
    own = [read(round_one.own.ask("GET", path.format(round_one.fast), None)) for path in OWN]
    round_one.play(round_one.fast, 6)
    for reader, before in zip(round_one.readers, at_start, strict=True):
        now = round_one.answers(reader)
        assert differing(before, now) == [], reader.name
        for route, (status, told) in now.items():
            if "{table}" not in route or status >= 400:
                continue
            assert (status, told) in {(204, ""), (303, f"/t/{round_one.fast}")}, (
                reader.name,
                route,
                told[:300],
            )
        for route in READING:
            assert now[route][0] == 409, (reader.name, route)
            assert SENTENCE in html.unescape(now[route][1]), (reader.name, route)
    after = [read(round_one.own.ask("GET", path.format(round_one.fast), None)) for path in OWN]
    assert all(now != before and now[0] == 200 for before, now in zip(own, after, strict=True))


@pytest.mark.deep
def test_a_finished_table_stays_closed_until_the_whole_round_is_over(round_one: Round) -> None:
    round_one.play(round_one.fast, 6)
    running = [round_one.answers(reader) for reader in round_one.readers]
    round_one.end(round_one.fast)
    for reader, before in zip(round_one.readers, running, strict=True):
        now = round_one.answers(reader)
        for route in differing(before, now):
            if route in TELL_THE_END:
                lines = [set(told[route][1].splitlines()) for told in (before, now)]
                assert len(lines[1] - lines[0]) <= 1, (reader.name, route, lines[1] - lines[0])
            else:
                assert now[route][0] in {403, 409}, (reader.name, route)
        for route in READING:
            assert SENTENCE in html.unescape(now[route][1]), (reader.name, route)
    page = round_one.crowd.client.get(f"/events/{round_one.event}").text
    assert f"/t/{round_one.fast}" not in page
    refused = round_one.crowd.client.get(f"/t/{round_one.fast}/replay").text
    assert f'<a class="button primary" href="/events/{round_one.event}">To the tournament</a>' in refused
    results = round_one.crowd.client.get(f"/events/{round_one.event}/results.json").json()
    assert [line["points"] for line in results["standings"]] == [0.0] * 4
    assert [one["places"] for one in results["tables"]] == [[], []]
    for path in ("/t/{}/replay", "/t/{}/record.json", "/api/v1/tables/{}/record", "/t/{}/position.svg"):
        assert round_one.own.ask("GET", path.format(round_one.fast), None).status_code == 200, path


@pytest.mark.deep
def test_everybody_may_look_at_tables_after_the_round(round_one: Round) -> None:
    round_one.play(round_one.fast, 6)
    round_one.end(round_one.fast)
    round_one.play(round_one.slow, 3)
    round_one.end(round_one.slow)
    look = round_one.crowd.house.events.look(round_one.event)
    assert look.round == 2
    assert [one.players_only for one in look.tables] == [False, False, True, True]
    for path in OPEN_LATER:
        for table in (round_one.fast, round_one.slow):
            assert round_one.crowd.client.get(path.format(table)).status_code == 200, path
    for one in look.tables[2:]:
        assert round_one.crowd.client.get(f"/t/{one.table}").status_code == 409
    page = round_one.crowd.client.get(f"/events/{round_one.event}?round=1").text
    assert f"/t/{round_one.fast}/replay" in page
    results = round_one.crowd.client.get(f"/events/{round_one.event}/results.json").json()
    assert sorted(line["points"] for line in results["standings"]) == [0.0, 0.0, 1.0, 1.0]
