"""Workers killed and stopped while people play over HTTP; `python -m kills` does the same a thousand times."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import create_engine, text

from kills.players import Person
from kills.running import run_round, run_stopped
from kills.site import Plan, Site
from proxy import find_nginx
from spelunke.house.store.ring import Ring
from waiting import wait_until


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't compile kernels. A worker that is killed during compilation would begin it again at each start."""
    monkeypatch.setenv("SPELUNKE_JIT", "0")


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize("nginx", [False, True])
def test_a_dozen_kills_on_sqlite(tmp_path: Path, nginx: bool) -> None:
    if nginx and find_nginx() is None:
        pytest.skip("nginx is not installed")
    tally = run_round(Plan(f"sqlite:///{tmp_path / 'house.sqlite3'}", "", 1, nginx), tmp_path, 12, seed=3)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("nginx", [False, True])
def test_a_dozen_kills_on_postgresql(
    tmp_path: Path, postgres_database: str, redis_url: str, workers: int, nginx: bool
) -> None:
    if nginx and find_nginx() is None:
        pytest.skip("nginx is not installed")
    tally = run_round(Plan(postgres_database, redis_url, workers, nginx), tmp_path, 12, seed=4)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0


@pytest.mark.deep(minutes=2)
@pytest.mark.parametrize(("times", "seconds"), [(2, 13), (1, 60)])
def test_a_worker_that_was_stopped_goes_on(
    tmp_path: Path, postgres_database: str, redis_url: str, times: int, seconds: int
) -> None:
    """The worker is stopped for longer than its claims on tasks last, so the other worker does these tasks."""
    tally = run_stopped(Plan(postgres_database, redis_url, 2, False), tmp_path, times, seconds)
    assert tally.faults == []
    assert tally.acknowledged > 0
    assert tally.records == tally.tables > 0


class Game:
    """Anna and Bert at a table. One of two workers owns it, and both people send requests to the other worker."""

    def __init__(self, site: Site, database: str) -> None:
        self.site = site
        self._engine = create_engine(database)
        self.other = site.ports[0]
        self.people = [Person(self.address, name) for name in ("Anna", "Bert")]
        plan = {"game": "shanghaien", "seats": ["me", "open"]}
        self.table = str(self.people[0].ask("POST", "/tables", plan)["table"])
        self.people[1].ask("POST", f"/tables/{self.table}/join", {})
        for person in self.people:
            person.ask("POST", f"/tables/{self.table}/nonce", {"nonce": secrets.token_hex(8)})
        owner = Ring(wait_until(self.both)).find(self.table)
        self.owner = int(str(owner).rpartition(":")[2])
        self.other = next(port for port in site.ports if port != self.owner)

    def address(self) -> str:
        return f"http://127.0.0.1:{self.other}"

    def both(self) -> list[str]:
        """Return the names of both workers, or an empty list until both are in the database."""
        with self._engine.connect() as line:
            names = sorted(line.execute(text("select name from workers")).scalars())
        return names if len(names) == 2 else []

    def keys(self) -> list[str]:
        """Return the stored keys of actions."""
        with self._engine.connect() as line:
            found = line.execute(text("select key from moves where key is not null order by ply"))
            return [str(key) for (key,) in found]

    def mover(self) -> tuple[Person, dict[str, Any]]:
        """Return the person to move, and the table as the server shows it to that person."""

        def ask() -> tuple[Person, dict[str, Any]] | None:
            for person in self.people:
                if (look := person.ask("GET", f"/tables/{self.table}")).get("legal"):
                    return person, look
            return None

        return wait_until(ask, "no seat is to act")

    def act(self) -> str:
        """Send a legal action, check that the server acknowledges it, and return its key."""
        person, look = self.mover()
        body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": secrets.token_hex(8)}
        answer = person.ask("POST", f"/tables/{self.table}/act", body)
        assert (answer["status_code"], answer["status"]) == (200, "done")
        return body["key"]

    def close(self) -> None:
        for person in self.people:
            person.close()
        self._engine.dispose()


@pytest.fixture
def game(tmp_path: Path, postgres_database: str, redis_url: str) -> Iterator[Game]:
    with (
        Site(Plan(postgres_database, redis_url, 2, False), tmp_path) as site,
        contextlib.closing(Game(site, postgres_database)) as game,
    ):
        yield game


@pytest.mark.deep
def test_the_tables_of_a_killed_worker_go_on_at_another(game: Game) -> None:
    keys = [game.act() for _ in range(5)]
    game.site.end(game.owner)
    keys += [game.act() for _ in range(5)]
    game.site.start(game.owner)
    game.site.wait(game.owner)
    keys += [game.act() for _ in range(5)]
    assert game.keys() == keys


@pytest.mark.deep
def test_a_worker_that_wakes_from_a_pause_refuses_stale_actions(game: Game) -> None:
    """An action waits at a frozen worker while others play on at the worker's table.

    When the worker wakes, it checks the stored table before it answers, and refuses the stale action.
    """
    keys = [game.act() for _ in range(3)]
    person, look = game.mover()
    body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "key-that-waited"}
    url = f"http://127.0.0.1:{game.owner}/api/v1/tables/{game.table}"
    headers = person._headers

    def ask(method: str, path: str = "", given: Any = None) -> httpx2.Response:
        return httpx2.request(method, url + path, json=given, headers=headers, timeout=120)

    with ThreadPoolExecutor(1) as pool:
        with game.site.stopped(game.owner):
            waited: Future[httpx2.Response] = pool.submit(ask, "POST", "/act", body)
            keys += [game.act() for _ in range(4)]
        answer = waited.result()
    assert ask("GET").json()["ply"] >= game.mover()[1]["ply"], "it shows an old table"
    assert answer.status_code == 409, "others were first, so it is stale"
    assert game.keys() == keys
    keys += [game.act() for _ in range(4)]
    assert game.keys() == keys


@pytest.mark.deep
def test_a_worker_that_is_closed_ends_the_streams_that_it_handed_on(game: Game, tmp_path: Path) -> None:
    """When a worker ends, it closes the streams that it forwards, before its own web server has to break them off."""
    url = f"{game.address()}/api/v1/tables/{game.table}/stream"
    with httpx2.stream("GET", url, timeout=60) as stream:
        lines = stream.iter_lines()
        next(line for line in lines if line.startswith("data: "))
        process = game.site._processes[game.other]
        process.terminate()
        assert list(lines)[-1:] == [""], "it is broken off"
        process.join(60)
    said = (tmp_path / f"worker{game.site.ports.index(game.other)}.log").read_text()
    assert "closed" in said
    assert "Cancel" not in said
    assert "Traceback" not in said
    game.site.start(game.other)
    game.site.wait(game.other)
