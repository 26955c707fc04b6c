"""Each route but the streams, requested by attackers: they neither change nor see any data of the victim, Anna.

`make attack` and `make deep` run these tests. `test_rows.py`, which `make test` runs, finds routes without such a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .rows import ENDLESS, MINE, row_of
from .test_rows import routes_of
from .world import PASSWORD, Attacker, World, open_world

LAST = frozenset({"POST /logout", "POST /me/leave"})
"""After these requests their sender is a stranger."""

pytestmark = [pytest.mark.deep(minutes=2), pytest.mark.usefixtures("quick_passwords")]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = open_world(tmp_path)
    yield found
    found.client.__exit__(None, None, None)


def ask_all(world: World, attacker: Attacker, only: str = "", **headers: str) -> Iterator[tuple[str, Any]]:
    """Send each request of each route, with the ids of the victim's data; yield each request and its answer."""
    for route in sorted(routes_of(world.client.app), key=LAST.__contains__):
        if route in ENDLESS or (attacker.name == "the opponent" and route == "POST /me/leave"):
            continue  # a person who leaves gives up the game with Anna
        method = route.split(" ", 1)[0]
        if only not in {"", method}:
            continue
        for path in world.paths(route):
            if attacker.name == "the opponent" and world.things["table"][0] in path:
                continue  # a player may act there
            yield (
                f"{attacker.name}: {method} {path}",
                attacker.ask(method, path, world.fill(row_of(route)), **headers),
            )


def test_attackers_can_neither_read_nor_change_what_belongs_to_others(world: World) -> None:
    asked = 0
    for attacker in world.attackers:
        before = world.rows(attacker.person)
        for what, answer in ask_all(world, attacker):
            asked += 1
            assert answer.status_code < 500, f"{what}: {answer.text[:300]}"
            told = answer.text + repr(answer.headers)
            for name, marker in world.markers.items():
                assert marker not in told, f"{what} tells the {name}"
        after = world.rows(attacker.person)
        for table in {*before, *after}:
            gone = before.get(table, set()) - after.get(table, set())
            new = after.get(table, set()) - before.get(table, set())
            changed = gone | new
            assert not changed, f"{attacker.name} changed {gone} to {new}"
    assert asked > 700


def test_hosts_see_no_secrets(world: World) -> None:
    for what, answer in ask_all(world, world.host, "GET"):
        for name, marker in world.markers.items():
            assert marker not in answer.text, f"{what} tells the {name}"


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}])
def test_requests_from_another_site_with_annas_cookies_change_nothing(
    world: World, headers: dict[str, str]
) -> None:
    before = world.rows()
    for what, answer in ask_all(world, world.anna, **headers):
        if " GET " not in what and "/api/" not in what:
            assert answer.status_code == 403, f"{what}: {answer.text[:300]}"
    assert world.rows() == before


@pytest.mark.parametrize("route", MINE)
def test_the_same_requests_from_the_owner_change_the_data(world: World, route: str) -> None:
    """If Anna herself sends one of the requests in `MINE`, `World.rows` finds a change of her data.

    So the tests above would notice if an attacker's request changed her data. For the API, this test calls the house
    instead of the route.
    """
    before = world.rows()
    body = dict(row_of(route) or {})
    if route == "POST /me":
        body = {"name": "Annika"}
    path = next(iter(world.paths(route)))
    if path.startswith("/api/"):
        world.house.play.stand_in(path.split("/")[4], world.anna.person)
    else:
        world.anna.client.post("/me/confirm", data={"password": PASSWORD, "back": "/me"})
        answer = world.anna.ask("POST", path, world.fill(body))
        assert answer.status_code < 400, answer.text[:300]
    assert world.rows() != before
