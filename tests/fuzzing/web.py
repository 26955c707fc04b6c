"""The API and the forms of a house, requested in this process; a refused request must leave the house as it was."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from spelunke.house.house import House, open_house
from spelunke.house.operations import OPERATIONS
from spelunke.house.plan import Plan
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .find import Find, check_sentence, in_time, judged
from .games import _texts, kept_documents
from .mutate import Json, mutate_json, mutate_text

MOST = 400
"""The number of requests after which the tables are made again: some are over by then."""
TABLES = ("shanghaien", "halunken", "sanghai")
BODIES: dict[str, list[Json]] = {
    "join": [{}, {"seat": 1, "invite": "{invite}"}],
    "nonce": [{"nonce": "mine"}],
    "fill": [{"level": None, "seat": 1}, {}],
    "act": [
        {"move": "roll", "ply": "{ply}", "key": "{key}"},
        {"move": "{move}", "ply": "{ply}", "key": "{key}"},
        {"move": "lay 7s 7h * | 4d-7d", "ply": "{ply}", "key": "{key}"},
    ],
    "take-back": [{"ply": "{ply}", "key": "{key}"}],
    "resign": [{"key": "{key}"}],
    "draw": [{"answer": "offer"}, {"answer": "accept", "key": "{key}"}, {"answer": "decline"}],
    "stand-in": [{"level": None}, {}],
    "chat": [{"text": "hello"}],
    "standing": [
        {"orders": None},
        {"orders": {"text": "any nine", "do": "set"}},
        {"orders": {"upto": "grey 5", "auction": "pass"}},
    ],
    "draft": [{"fields": {"card": ["7s", "7h.2", "*"], "order.text": ["any nine"]}}, {"fields": {}}],
}
PAGES: tuple[tuple[str, str, Json], ...] = (
    ("GET", "/", {}),
    ("GET", "/new/sanghai", {}),
    ("GET", "/rules/halunken", {}),
    ("GET", "/me", {"game": "sanghai", "opponent": "Zoë", "result": "won", "past": "week", "page": "2"}),
    ("GET", "/me/settings", {}),
    ("GET", "/me/next", {"after": "{table}"}),
    ("GET", "/p/abcdefghijklmnop", {"page": "1"}),
    ("GET", "/house/people", {"group": "guests", "name": "Zoë", "page": "1"}),
    ("GET", "/house/tables", {"state": "idle"}),
    ("GET", "/house/log", {"page": "1"}),
    ("GET", "/manifest.webmanifest", {}),
    ("POST", "/house/people/abcdefghijklmnop/out", {"lasting": "week"}),
    ("POST", "/house/tables/{table}/off", {"state": "idle"}),
    ("POST", "/me/shown", {"shown": "everybody"}),
    ("POST", "/me/changes", {"back": "/me"}),
    ("POST", "/password/grade", {"password": "lantern mussel quarry tin", "name": "Cleo"}),
    ("GET", "/t/{table}", {}),
    ("GET", "/t/{table}/turn", {}),
    ("GET", "/t/{table}/stream", {"since": "3.2"}),
    ("GET", "/t/{table}/record.json", {}),
    ("GET", "/j/{table}/{invite}", {}),
    ("GET", "/verify", {"table": "{table}"}),
    ("GET", "/static/site.css", {"v": "1"}),
    ("GET", "/health", {}),
    ("POST", "/me", {"name": "Zoë"}),
    ("POST", "/me/theme", {"theme": "dark", "back": "/me"}),
    ("POST", "/member", {"name": "Cleo", "password": "lantern mussel quarry tin"}),
    ("POST", "/login", {"name": "Cleo", "password": "lantern mussel quarry tin", "back": "/me"}),
    ("POST", "/recover", {"code": "01234-56789-ABCDE-FGHJK-MNPQR-S"}),
    ("POST", "/link/0123456789ABCDEFGHJKMNPQRS", {}),
    ("POST", "/me/confirm", {"password": "lantern mussel quarry tin", "back": "/me/account"}),
    ("POST", "/me/devices/0123456789abcdef0123456789abcdef/end", {}),
    ("POST", "/me/language", {"language": "de", "back": "/"}),
    ("POST", "/tables", {"game": "shanghaien", "quick": "open"}),
    (
        "POST",
        "/tables",
        {
            "game": "sanghai",
            "seat.0": "me",
            "seat.1": "open",
            "seat.2": "link",
            "option.packs": "2",
            "clock": "live",
        },
    ),
    (
        "POST",
        "/tables",
        {"game": "halunken", "seat.0": "me", "seat.1": "open", "clock": "days", "days": "3", "minutes": "15"},
    ),
    ("POST", "/j/{table}/{invite}", {"name": "Cleo"}),
    ("POST", "/t/{table}/act", {"move": "{move}", "ply": "{ply}", "key": "{key}"}),
    (
        "POST",
        "/t/{table}/act",
        {"move": "compose", "do": "lay", "card": "7s", "ply": "{ply}", "key": "{key}"},
    ),
    ("POST", "/t/{table}/act", {"standing": "set", "order.text": "any nine"}),
    ("POST", "/t/{table}/act", {"take_back": "1", "ply": "{ply}", "key": "{key}"}),
    ("POST", "/t/{table}/draft", {"draft": "live", "card": "7s", "order.text": "hearts"}),
)
CALLS: tuple[tuple[str, str, Json, Json], ...] = (
    ("GET", "/games", {}, None),
    ("GET", "/games/sanghai", {}, None),
    ("POST", "/guests", {}, {"name": "Zoë"}),
    ("GET", "/me", {}, None),
    ("PATCH", "/me", {}, {"name": "Ada"}),
    ("GET", "/tables", {"list": "mine", "game": "sanghai"}, None),
    (
        "POST",
        "/tables",
        {},
        {"game": "shanghaien", "seats": ["me", "open"], "options": {"match": 1}, "listed": True},
    ),
    (
        "POST",
        "/tables",
        {},
        {
            "game": "sanghai",
            "seats": ["me", "open", "link", "bot:deckhand"],
            "options": {"schedule": "short", "hep_limit": 3},
            "clock": {"kind": "live", "minutes": 10, "increment": 5, "days": 3},
        },
    ),
    ("GET", "/tables/{table}", {"since": "3"}, None),
    ("GET", "/tables/{table}/record", {}, None),
    ("GET", "/tables/{table}/stream", {"since": "1.1"}, None),
)


class Site:
    """A house with three people, a running table of each game, a table that waits, and a table that is over."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "house.sqlite3"
        self.settings = Settings(
            database=f"sqlite:///{self.file}",
            secret="a secret of the tests",
            reads_per_minute=10**9,
            writes_per_minute=10**9,
            tables_per_hour=10**9,
            metrics_token="a token of the tests",
        )
        self.house: House = open_house(self.settings.database, timers=False, bot_pause=0)
        self.app = create_app(self.settings, self.house)
        self.loop = asyncio.new_event_loop()
        self.db = sqlite3.connect(self.file)
        self.people = [self.house.people.create(name).id for name in ("Anna", "Bert", "Cleo")]
        self.asked = self.keys = self.laid = 0
        self._marks: tuple[int, tuple[Any, ...]] = (-1, ())
        self.tables: list[str] = []

    def lay(self) -> None:
        """Make a running table of each game, then a table that waits for people, and a table that is over."""
        self.asked = 0
        self.laid += 1
        self.tables = [self._table(game, count) for game, count in zip(TABLES, (2, 3, 3), strict=True)]
        for table in self.tables:
            for number, person in enumerate(self.people):
                if self.house.looks.look(table, person).seat is not None:
                    self.house.lobby.add_nonce(table, person, f"nonce{number}")
        self.tables += [self._table("sanghai", 3, joined=1), self._table("shanghaien", 2)]
        for person in self.people[:2]:
            self.house.lobby.add_nonce(self.tables[-1], person, "mine")
        self.house.play.resign(self.tables[-1], self.people[0], "give-it-up")
        while self.house.tick():
            pass

    def _table(self, game: str, count: int, joined: int = 9) -> str:
        seats = ("me", *["open"] * (count - 1))
        table = self.house.lobby.create(self.people[0], Plan(game=game, seats=seats))
        for person in self.people[1 : min(count, joined)]:
            self.house.lobby.join(table, person)
        return table

    def fill(self, text: str, table: str, person: str) -> str:
        """Replace the placeholders in a text: by the table, its ply, a legal move, its invitation, or a new key."""
        if "{" not in text:
            return text
        if "{ply}" in text or "{move}" in text or "{invite}" in text:
            look = self.house.looks.look(table, person)
            move = look.legal[0][1] if look.legal else "pass"
            host = self.house.looks.look(table, self.people[0])
            text = (
                text.replace("{ply}", str(look.ply))
                .replace("{move}", move)
                .replace("{invite}", host.invite or "x")
            )
        if "{key}" in text:
            self.keys += 1
            text = text.replace("{key}", f"key-{self.keys:08d}")
        return text.replace("{table}", table)

    def marks(self) -> tuple[Any, ...]:
        """Return all rows of the database's tables `tables`, `seats`, `moves`, `chat` and `due`.

        People are left out, because a refused request may still make its sender a guest. The times at which people
        were last seen at a table are left out too.
        """
        now = self.changes()
        if self._marks[0] != now:
            names = ("tables", "seats", "moves", "chat", "due")
            self.db.row_factory = sqlite3.Row
            found = tuple(
                tuple(
                    tuple(row[key] for key in row.keys() if key != "seen_ms")  # noqa: SIM118
                    for row in self.db.execute(f"select * from {name}").fetchall()
                )
                for name in names
            )
            self._marks = (now, found)
        return self._marks[1]

    def changes(self) -> int:
        """Return a number that changes whenever another connection writes to the database."""
        return int(self.db.execute("pragma data_version").fetchone()[0])

    async def _send(self, scope: dict[str, Any], body: bytes) -> tuple[int, dict[str, str], bytes]:
        status, headers, parts = 0, {}, []
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if asked:
                return asked.pop()
            await asyncio.sleep(0.02)  # by now a stream has begun
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in message["headers"]}
            else:
                parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        return status, headers, b"".join(parts)

    def ask(
        self, method: str, path: str, query: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request as a server would pass it on."""
        path = path.encode("utf-8", "replace").decode()  # a server never passes on incomplete characters
        raw = quote(path, safe="/%:{}|*!$&'()+,;=@~-._").encode("ascii", "replace")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": raw,
            "root_path": "",
            "query_string": query.encode("utf-8", "surrogatepass"),
            "headers": [
                (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                for name, value in headers.items()
            ],
            "client": ("192.0.2.1", 1),
            "server": ("house", 80),
        }
        return self.loop.run_until_complete(self._send(scope, body))

    def close(self) -> None:
        self.db.close()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()
        self.house.close()
        self.folder.cleanup()


class Requests:
    """Requests of one kind, each a JSON document with method, path, query, headers, body, person and table."""

    name = ""
    weight = 0.0

    def __init__(self, site: Callable[[], Site]) -> None:
        self._site = site
        self.seeds: list[Json] = kept_documents(self.name) + self.good()
        self.texts = sorted({text for seed in self.seeds for text in _texts(seed)})

    def good(self) -> list[Json]:
        """Return valid requests."""
        raise NotImplementedError

    def encode(self, request: dict[str, Any], headers: dict[str, str]) -> bytes:
        """Return the body of a request as bytes, in the format that its headers name."""
        raise NotImplementedError

    def take(self, rng: random.Random) -> bytes:
        seed = rng.choice(self.seeds)
        assert isinstance(seed, dict)
        changed = dict(seed)
        for part in rng.sample(("body", "body", "query", "path", "headers"), k=rng.choice((1, 1, 2))):
            if part == "path":
                changed[part] = mutate_text(str(seed["path"]), rng, self.texts, most=2000)
            else:
                changed[part] = mutate_json(seed[part], rng, [dict(s)[part] for s in self.seeds], self.texts)  # type: ignore[arg-type]
        changed["who"], changed["at"] = rng.randrange(-1, 3), rng.randrange(6)
        return json.dumps(changed).encode()

    def feed(self, data: bytes) -> None:
        request = json.loads(data)
        site = self._site()
        if not site.tables or site.asked >= MOST:
            site.lay()
        site.asked += 1
        who, at = request["who"], request["at"]
        table = site.tables[at] if at < len(site.tables) else "nowhere123"
        person = site.people[who] if who >= 0 else None

        def fill(value: Any) -> Any:
            if isinstance(value, str):
                filled = site.fill(
                    value, table if at < len(site.tables) else site.tables[0], person or site.people[0]
                )
                return int(filled) if value == "{ply}" and self.name == "api" else filled
            if isinstance(value, dict):
                return {fill(k): fill(v) for k, v in value.items()}
            return [fill(part) for part in value] if isinstance(value, list) else value

        request = fill(request)
        headers = _strings(request["headers"])
        if person is not None:
            headers["authorization"] = f"Bearer {site.app.state.site.signer.dumps(person)}"
        body = self.encode(request, headers)
        query = _query(request["query"])
        marks = site.marks()
        with judged(), in_time():
            status, told, answer = site.ask(
                str(request["method"]), str(request["path"])[:3000], query, headers, body
            )
        self._judge(status, told, answer)
        if status >= 400 and site.marks() != marks:
            raise Find(f"a request that was refused ({status}) changed the house", answer.decode()[:300])

    def _judge(self, status: int, headers: dict[str, str], answer: bytes) -> None:
        if not 200 <= status < 500:
            raise Find(f"status {status}", answer.decode("utf-8", "replace")[:500])
        if status < 400:
            return
        if headers.get("content-type", "").startswith("application/json"):
            fault = json.loads(answer)
            if set(fault) != {"error", "message"}:
                raise Find("a refusal of another form", answer.decode()[:300])
            check_sentence(fault["message"], str(fault["error"]))
        elif 'role="alert"' not in answer.decode() and "notice bad" not in answer.decode():
            raise Find(f"a page of status {status} without its sentence", answer.decode()[:300])

    def close(self) -> None:
        pass


def _strings(value: Any) -> dict[str, str]:
    """Return a JSON value as headers. Leave out names and characters that no server accepts."""
    if not isinstance(value, dict):
        return {}
    clean = {}
    for name, text in value.items():
        if name.isascii() and name.replace("-", "").isalnum() and isinstance(text, (str, int)):
            clean[name] = "".join(c for c in str(text) if c >= " " and c != "\x7f")
    return clean


def _query(value: Any) -> str:
    if isinstance(value, dict):
        return urlencode([(k, str(v)) for k, v in value.items()], errors="surrogatepass")
    return quote(str(value), safe="&=%+", errors="surrogatepass") if value else ""


class Calls(Requests):
    """The JSON API."""

    name = "api"
    weight = 18

    def good(self) -> list[Json]:
        found: list[Json] = []
        kind: Json = {"content-type": "application/json"}
        for method, path, query, body in CALLS:
            found.append(
                {"method": method, "path": f"/api/v1{path}", "query": query, "headers": kind, "body": body}
            )
        for operation in OPERATIONS.values():
            for body in BODIES.get(operation.name, [None]):
                path = f"/api/v1/tables/{{table}}/{operation.name}"
                found.append(
                    {"method": operation.method, "path": path, "query": {}, "headers": kind, "body": body}
                )
        return found

    def encode(self, request: dict[str, Any], headers: dict[str, str]) -> bytes:
        return json.dumps(request["body"]).encode("utf-8", "surrogatepass")


class Forms(Requests):
    """The pages and their forms."""

    name = "forms"
    weight = 12

    def good(self) -> list[Json]:
        found: list[Json] = []
        kind: Json = {"content-type": "application/x-www-form-urlencoded"}
        for method, path, fields in PAGES:
            body, query = (fields, {}) if method == "POST" else ({}, fields)
            found.append({"method": method, "path": path, "query": query, "headers": kind, "body": body})
        for operation in OPERATIONS.values():
            for fields in BODIES.get(operation.name, [{}]):
                path = f"/t/{{table}}/{operation.name}"
                found.append({"method": "POST", "path": path, "query": {}, "headers": kind, "body": fields})
        multi: Json = {"content-type": "multipart/form-data; boundary=b"}
        found.append(
            {"method": "POST", "path": "/tables", "query": {}, "headers": multi, "body": {"game": "sanghai"}}
        )
        return found

    def encode(self, request: dict[str, Any], headers: dict[str, str]) -> bytes:
        body = request["body"]
        fields = [(str(k), str(v)) for k, v in body.items()] if isinstance(body, dict) else [("x", str(body))]
        if "multipart" in headers.get("content-type", ""):
            text = "".join(
                f'--b\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields
            )
            return (text + "--b--\r\n").encode("utf-8", "surrogatepass")
        return urlencode(fields, errors="surrogatepass").encode()
