"""Servers and a browser for the tests, started when a test first needs them and stopped with the run.

``postgres_url`` and ``redis_url`` are shared by all workers of a run; a test takes a database of its own
(``CREATE DATABASE``) or a prefix of its own. ``browser`` belongs to one worker, ``page`` to one test.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import random
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import pytest

from chromium import Chromium
from servers import database_on, start_postgres, start_redis, stop_postgres, stop_redis

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every run of a test the same deals and bots; SPELUNKE_TEST_SEED selects others.

    A house takes its seeds from the module ``secrets``, so the module's functions are seeded in this process. Each
    function draws from its own stream of random numbers, so that the number of bots' moves does not change the deals.
    """
    for name in ("choice", "randbits", "token_bytes", "token_hex", "token_urlsafe"):
        stream = random.Random(f"{os.environ.get('SPELUNKE_TEST_SEED', '')} {request.node.nodeid} {name}")
        monkeypatch.setattr(secrets, name, _drawn(stream, name))


class Statements(dict[tuple[Any, ...], Any]):
    """A cache of the statements that this process has compiled for one kind of database, for all engines.

    SQLAlchemy's keys begin with the dialect, which is a different object in each engine. So leave it out of the keys.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


@pytest.fixture(autouse=True, scope="session")
def _compile_statements_once() -> Iterator[None]:
    """Compile each statement once: each test has its own engines, and each of them would compile all statements."""
    import sqlalchemy

    from spelunke.house.store import engine

    kept: defaultdict[str, Statements] = defaultdict(Statements)

    def create_engine(*given: Any, **settings: Any) -> sqlalchemy.Engine:
        made = sqlalchemy.create_engine(*given, **settings)
        made.update_execution_options(compiled_cache=kept[made.dialect.name])
        return made

    with patch.object(engine, "create_engine", create_engine):
        yield


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the hashing of passwords cheap; tests/house/test_asvs.py tests the real hashing."""
    from spelunke.house.people import passwords

    monkeypatch.setattr(passwords, "_HASHER", passwords.PasswordHasher(1, 64, 1))
    monkeypatch.setattr(passwords, "_NOBODY", passwords._HASHER.hash("nobody's"))


def _drawn(stream: random.Random, name: str) -> Callable[..., Any]:
    """Return a replacement for the function of ``secrets`` with this name. It draws from the seeded stream."""

    def token_bytes(size: int = 32) -> bytes:
        return stream.randbytes(size)

    found: dict[str, Callable[..., Any]] = {
        "choice": stream.choice,
        "randbits": stream.getrandbits,
        "token_bytes": token_bytes,
        "token_hex": lambda size=32: token_bytes(size).hex(),
        "token_urlsafe": lambda size=32: base64.urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode(),
    }
    return found[name]


class _Shared:
    """One server for all pytest workers of a run: the first one that needs it starts it, and the last one stops it."""

    def __init__(self, name: str, factory: pytest.TempPathFactory, worker: str) -> None:
        base = factory.getbasetemp()
        folder = base if worker == "master" else base.parent
        self.note = folder / f"{name}.json"
        self.lock = folder / f"{name}.lock"

    @contextlib.contextmanager
    def locked(self) -> Iterator[dict[str, Any]]:
        with self.lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = json.loads(self.note.read_text()) if self.note.exists() else {}
            yield state
            self.note.write_text(json.dumps(state))

    @contextlib.contextmanager
    def use(self, start: Any, stop: Any) -> Iterator[str]:
        with self.locked() as state:
            if not state.get("users"):
                state.clear()
                state.update(start())
                state["users"] = 0
            state["users"] += 1
            url = state["url"]
        try:
            yield url
        finally:
            with self.locked() as state:
                state["users"] -= 1
                if not state["users"]:
                    stop(state)


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """Yield the address of this run's PostgreSQL for SQLAlchemy (``postgresql+psycopg://...``)."""
    with _Shared("postgres", tmp_path_factory, worker_id).use(start_postgres, stop_postgres) as url:
        yield url


@pytest.fixture
def postgres_database(postgres_url: str) -> Iterator[str]:
    """Yield this test's empty database on ``postgres_url``."""
    with database_on(postgres_url) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_tables(postgres_url: str) -> Iterator[str]:
    """Yield the name of a database with a house's tables and nothing in them, to copy (:mod:`empty_house`)."""
    from spelunke.house.store.engine import migrate_database

    with database_on(postgres_url) as url:
        migrate_database(url)
        yield url.rsplit("/", 1)[1]


@pytest.fixture
def postgres_house(postgres_url: str, postgres_tables: str) -> Iterator[str]:
    """Yield this test's database with a house's tables and nothing in them."""
    with database_on(postgres_url, postgres_tables) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """Yield this run's Redis."""
    with _Shared("redis", tmp_path_factory, worker_id).use(start_redis, stop_redis) as url:
        yield url


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[str]:
    """Yield a PostgreSQL that no other module uses, for tests that freeze it."""
    state = start_postgres()
    try:
        yield state["url"]
    finally:
        stop_postgres(state)


class OwnRedis(NamedTuple):
    """A Redis that no other test uses, and its process."""

    url: str
    process: int


@pytest.fixture
def own_redis() -> Iterator[OwnRedis]:
    """Yield a Redis for a test that freezes or kills it."""
    state = start_redis()
    try:
        yield OwnRedis(state["url"], state["process"])
    finally:
        stop_redis(state)


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Chromium]:
    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.stop()


@pytest.fixture
def browser(_chromium: Chromium) -> Iterator[Browser]:
    """Yield this worker's Chromium; a test's storage is in contexts, which end with the test."""
    with _chromium.lend() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield a page in a context of its own: no cookies, nothing stored."""
    context = browser.new_context()
    context.set_default_timeout(60_000)
    try:
        yield context.new_page()
    finally:
        context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the source of axe-core. ``page.evaluate(axe)`` loads it even if the page's content policy forbids that."""
    file = ROOT / "node_modules/axe-core/axe.min.js"
    if not file.is_file():
        pytest.fail("axe-core is not installed: run `make tools`, or `npm ci --ignore-scripts`.")
    return file.read_text(encoding="utf-8")
