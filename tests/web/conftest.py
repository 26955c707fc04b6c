"""A house with its web layer for one test, and servers that real browsers can reach."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import patch

import jinja2
import pytest
from jinja2.bccache import Bucket
from sqlalchemy import event
from starlette.testclient import TestClient

from house_server import TOKEN, Server, make_settings, serve
from spelunke.games import shelf
from spelunke.house.house import House, open_house
from spelunke.house.store.now import Now
from spelunke.web.app import create_app
from spelunke.web.modules import read_modules
from spelunke.web.settings import Settings
from spelunke.web.site import Site
from waiting import PATIENCE, wait_until

GAME = "shanghaien"
AS_HOST = {"authorization": f"Bearer {TOKEN}"}
"""Headers of the host of a house, who may read its counters."""


class CompiledTemplates(jinja2.BytecodeCache):
    """The templates that this process has compiled, by name and source."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(autouse=True, scope="session")
def _read_static_files_once() -> Iterator[None]:
    """Read and link the static files once: each test has its own site, whose first page would do it again."""
    make = Site.statics.func
    read = functools.cache(lambda *_given: make(None))
    with patch.object(Site.statics, "func", lambda _site: read(*shelf(), *read_modules())):
        yield


@pytest.fixture(autouse=True, scope="session")
def _compile_templates_once() -> Iterator[None]:
    """Compile each template once: each test has its own site, and its first page would compile three or more."""
    compiled = CompiledTemplates()
    make = Site.templates.func

    @functools.wraps(make)
    def templates(site: Site) -> jinja2.Environment:
        environment = make(site)
        environment.bytecode_cache = compiled
        return environment

    with patch.object(Site.templates, "func", templates):
        yield


@pytest.fixture(autouse=True)
def _patient_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test 20 s to send its nonces before a game starts without them, because a machine may be busy."""
    monkeypatch.setitem(open_house.__kwdefaults__, "nonce_wait", 20.0)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_settings(tmp_path)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), follow_redirects=False) as client:
        yield client


@pytest.fixture
def hold_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that stops the clock, so that time can't be the reason for later differences."""

    def hold() -> None:
        moment = time.time()
        monkeypatch.setattr(Now, "__call__", lambda _now: moment)

    return hold


class Guest:
    """A guest who uses the API."""

    def __init__(self, client: Any, name: str = "Anna") -> None:
        self.client = client
        answer = client.post("/api/v1/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.keys = 0

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    def get(self, path: str) -> Any:
        return self.client.get("/api/v1" + path, headers=self.headers)

    def post(self, path: str, body: Any = None) -> Any:
        if body is None:
            return self.client.post("/api/v1" + path, headers=self.headers)
        return self.client.post("/api/v1" + path, json=body, headers=self.headers)

    def table(self, *seats: str, **plan: Any) -> str:
        answer = self.post("/tables", {"game": GAME, "seats": list(seats), **plan})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"])

    def look(self, table: str) -> dict[str, Any]:
        answer = self.get(f"/tables/{table}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def wait(
        self, table: str, true: Callable[[dict[str, Any]], bool], patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Return the first look (state of the table) for which the condition is true."""

        def ask() -> dict[str, Any] | None:
            look = self.look(table)
            return look if true(look) else None

        return wait_until(ask, f"nothing came at {table}", patience=patience)

    def play(self, table: str, move: str, ply: int) -> Any:
        self.keys += 1
        return self.post(f"/tables/{table}/act", {"move": move, "ply": ply, "key": f"key-{self.keys:06d}"})

    def start(self, table: str) -> dict[str, Any]:
        """Give a nonce and wait until the game at the table has begun."""
        assert self.post(f"/tables/{table}/nonce", {"nonce": "mine"}).status_code == 200
        return self.wait(table, lambda look: look["status"] == "playing")


@contextlib.contextmanager
def statements_of_requests(house: House) -> Iterator[list[str]]:
    """Yield the statements with which requests read the database within the block.

    Leave out the house's background work, which has threads of its own.
    """
    asked: list[str] = []

    def note(_line: object, _cursor: object, statement: str, *_rest: object) -> None:
        name = threading.current_thread().name
        if name.startswith("house-reads") or not name.startswith("house-"):
            asked.append(statement)

    event.listen(house.store.reader, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(house.store.reader, "before_cursor_execute", note)


def open_stream(client: TestClient, path: str, **headers: str) -> tuple[dict[str, Any], str]:
    """Open a stream, and leave after its first message. Return the head of the answer, and all that came.

    A `_` in a header's name means `-`.
    """
    head: dict[str, Any] = {}
    came: list[bytes] = []
    given = {"host": "testserver"} | headers
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items() if value]
    scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http"}
    scope |= {"path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": pairs}
    scope |= {"client": ("testclient", 1), "server": ("testserver", 80), "extensions": {}}

    async def ask() -> None:
        left = asyncio.Event()

        async def receive() -> dict[str, Any]:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            head.update({} if head else message)
            came.append(message.get("body", b""))
            if b"data:" in came[-1]:
                left.set()

        await client.app(scope, receive, send)

    assert client.portal is not None
    client.portal.call(ask)
    return head, b"".join(came).decode()


def to_sealed_cards(anna: Guest, bert: Guest) -> str:
    """Return a table of Halunken at which Anna and Bert may both lay a card in secret."""
    options = {"mode": "beginner", "two_player_beginner": True}
    table = anna.table("me", "open", game="halunken", options=options, clock={"kind": "none"})
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
    anna.wait(table, lambda look: look["status"] == "playing")
    while not (cards_of(anna, table) and cards_of(bert, table)):
        guest = anna if anna.look(table)["legal"] else bert
        look = guest.look(table)
        assert guest.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200
    return table


def cards_of(guest: Guest, table: str) -> list[str]:
    """Return the moves that lay a card of Halunken."""
    return [move["text"] for move in guest.look(table)["legal"] if move["text"].startswith("card ")]


def ready_to_move(look: dict[str, Any]) -> bool:
    return bool(look["legal"]) or look["status"] == "over"


@pytest.fixture
def anna(client: TestClient) -> Guest:
    return Guest(client)


@pytest.fixture
def bert(client: TestClient) -> Guest:
    return Guest(client, "Bert")


@pytest.fixture
def game_for_two(anna: Guest, bert: Guest) -> str:
    """Return a running game between Anna (seat 0) and Bert (seat 1)."""
    table = anna.table("me", "open", options={"first_starter": "0"})
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
    anna.wait(table, ready_to_move)
    return table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("house"), bot_pause=0.05) as server:
        yield server
