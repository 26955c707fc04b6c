"""The fast paths (which answer common requests instead of the app) and the app give the same answers and changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from spelunke.house.store.trouble import NOT_KNOWN, NOT_SAVED, Unsaved
from spelunke.house.store.writer import Write
from spelunke.web.app import create_app
from spelunke.web.settings import Settings

from .conftest import Guest, open_stream, ready_to_move

FORM = "application/x-www-form-urlencoded"
HX = {"hx-request": "true", "content-type": FORM, "sec-fetch-site": "same-origin"}


class Scene:
    """A game for two at a house. The fast path answers the house's common requests, or the app answers all requests."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.anna, self.bert = Guest(client), Guest(client, "Bert")
        self.table = self.anna.table("me", "open", options={"first_starter": "0"})
        self.bert.post(f"/tables/{self.table}/join", {})
        for guest in (self.anna, self.bert):
            guest.post(f"/tables/{self.table}/nonce", {"nonce": "share"})
        self.look = self.anna.wait(self.table, ready_to_move)
        self.secrets = {self.table: "TABLE", self.anna.token: "ANNA", self.bert.token: "BERT"}

    def page(self, body: str, *, table: str = "", cookie: str | None = None, **headers: str) -> Any:
        """Post a move as Anna's page does; `_` in a header's name means `-`."""
        given = {**HX, **{name.replace("_", "-"): value for name, value in headers.items()}}
        shown = self.anna.token if cookie is None else cookie
        given["cookie"] = f"guest={shown}" if shown else "theme=auto"
        return self.client.post(f"/t/{table or self.table}/act", content=body.encode(), headers=given)

    def program(self, body: object, *, token: str | None = None, **headers: str) -> Any:
        """Post a move to the API."""
        given = {"content-type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        given["authorization"] = f"Bearer {self.anna.token if token is None else token}"
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return self.client.post(f"/api/v1/tables/{self.table}/act", content=content, headers=given)

    def here(self, *, table: str = "", **headers: str) -> Any:
        """Report that Anna's page is open."""
        given = {"cookie": f"guest={self.anna.token}"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(f"/t/{table or self.table}/here", headers=given)

    def look_at(
        self, query: str = "since=1", *, table: str = "", token: str | None = None, **given: str
    ) -> Any:
        """Look at the table by the API. Return only the names of the fields of the answer, because times differ."""
        shown = self.anna.token if token is None else token
        heads = {name.replace("_", "-"): value for name, value in given.items()}
        heads |= {"authorization": f"Bearer {shown}"} if shown else {}
        answer = self.client.get(f"/api/v1/tables/{table or self.table}?{query}", headers=heads)
        return outline(answer) if answer.status_code == 200 else answer

    def stream(self, path: str = "/t/{}/stream", *, table: str = "", **given: str) -> Any:
        """Open a stream and leave after its first message; return its answer without the content."""
        given = {"cookie": f"guest={self.anna.token}"} | given
        head, told = open_stream(self.client, path.format(table or self.table), **given)
        heads = {name.decode(): value.decode() for name, value in head["headers"]}
        text = "" if head["status"] == 200 else told
        return SimpleNamespace(status_code=head["status"], headers=heads, content=text.encode(), text=text)

    def move(self, **given: object) -> dict[str, object]:
        """Return the fields of a valid roll. The given fields replace or extend them."""
        return {"move": "roll", "ply": self.look["ply"], "key": "key-000001", **given}

    def form(self, **given: object) -> str:
        """Return the fields from :meth:`move` as the body of a form's request (``name=value&…``)."""
        return "&".join(f"{name}={value}" for name, value in self.move(**given).items())

    def tell(self, answer: Any) -> tuple[object, ...]:
        """Return the answer without the parts that differ from server to server."""

        def plain(text: str) -> str:
            for secret, word in self.secrets.items():
                text = text.replace(secret, word)
            return re.sub(r"'([a-z]+ ){5}[a-z]+'", "'six words'", text)

        heads = {name: plain(value) for name, value in answer.headers.items()}
        length = int(heads.pop("content-length", "0"))
        return answer.status_code, heads, length == len(answer.content), plain(answer.text)


def outline(answer: Any) -> Any:
    names = " ".join(sorted(answer.json()))
    heads = {**answer.headers, "content-length": str(len(names))}
    return SimpleNamespace(status_code=200, headers=heads, content=names.encode(), text=names)


CASES: dict[str, Callable[[Scene], Any]] = {
    "page": lambda at: at.page(at.form()),
    "page with its link": lambda at: at.page(at.form(link=at.look["chain"]["link"])),
    "page without scripts": lambda at: at.client.post(
        f"/t/{at.table}/act", data=at.move(), headers={"cookie": f"guest={at.anna.token}"}
    ),
    "program": lambda at: at.program(at.move()),
    "program in German": lambda at: at.program(at.move(), accept_language="de"),
    "twice": lambda at: (at.program(at.move()), at.program(at.move()))[1],
    "too late": lambda at: (at.program(at.move()), at.program(at.move(key="key-000002")))[1],
    "page too late": lambda at: (at.page(at.form()), at.page(at.form(key="key-000002")))[1],
    "another's turn": lambda at: at.program(at.move(), token=at.bert.token),
    "no such move": lambda at: at.page(at.form(move="dance")),
    "a move that is not legal": lambda at: at.program(at.move(move="place 4 left")),
    "no ply": lambda at: at.page("move=roll&key=key-000001"),
    "a ply in words": lambda at: at.page(at.form(ply="many")),
    "a short key": lambda at: at.page(at.form(key="k")),
    "another past": lambda at: at.program(at.move(link="0" * 64)),
    "a link that is none": lambda at: at.program(at.move(link="x")),
    "a field too many": lambda at: at.program(at.move(more=1)),
    "no JSON": lambda at: at.program(b"{"),
    "JSON that is deep": lambda at: at.program(b"[" * 5000),
    "no form": lambda at: at.page(at.form(), content_type="text/plain"),
    "another charset": lambda at: at.page(at.form(), content_type=f"{FORM}; charset=utf-7"),
    "a form with parts of a draft": lambda at: at.page("draft=1"),
    "a move to be put together": lambda at: at.page(at.form(move="compose")),
    "a stranger": lambda at: at.page(at.form(), cookie=""),
    "a forged token": lambda at: at.program(at.move(), token="x.y.z"),
    "a token of a device that is none": lambda at: at.program(at.move(), token="spk.a.b"),
    "another site": lambda at: at.page(at.form(), sec_fetch_site="cross-site"),
    "another origin": lambda at: at.program(at.move(), origin="http://elsewhere"),
    "the own origin": lambda at: at.program(at.move(), origin="http://testserver"),
    "no such table": lambda at: at.page(at.form(), table="AAAAAAAAAA"),
    "a table that is a path": lambda at: at.page(at.form(), table="a/b"),
    "much too large": lambda at: at.page(f"{at.form()}&more={'x' * 300_000}"),
    "large": lambda at: at.page(f"{at.form()}&more={'x' * 9_000}"),
    "many fields": lambda at: at.page(at.form() + "&a=1" * 300),
    "no body": lambda at: at.page(""),
    "here": lambda at: at.here(),
    "here in German": lambda at: at.here(accept_language="de"),
    "here, from a program": lambda at: at.client.get(
        f"/t/{at.table}/here", headers={"authorization": f"Bearer {at.anna.token}"}
    ),
    "here, a stranger": lambda at: at.here(cookie="theme=auto"),
    "here, a forged token": lambda at: at.here(cookie="guest=x.y.z"),
    "here at no table": lambda at: at.here(table="AAAAAAAAAA"),
    "here at a path": lambda at: at.here(table="a/b"),
    "here by POST": lambda at: at.client.post(f"/t/{at.table}/here", data={}),
    "here by HEAD": lambda at: at.client.head(f"/t/{at.table}/here"),
    "GET": lambda at: at.client.get(f"/api/v1/tables/{at.table}/act"),
    "a look": lambda at: at.look_at(),
    "a look at all": lambda at: at.look_at(""),
    "a look from the start": lambda at: at.look_at("since=0"),
    "a look since nothing": lambda at: at.look_at("since=many"),
    "a look since two": lambda at: at.look_at("since=1&since=2"),
    "a look in German": lambda at: at.look_at(accept_language="de"),
    "a look by a stranger": lambda at: at.look_at(token=""),
    "a look with a forged token": lambda at: at.look_at(token="x.y.z"),
    "a look at no table": lambda at: at.look_at(table="AAAAAAAAAA"),
    "a look by HEAD": lambda at: at.client.head(f"/api/v1/tables/{at.table}?since=1"),
    "a page's stream": lambda at: at.stream(),
    "a page's stream in German": lambda at: at.stream(accept_language="de"),
    "a program's stream": lambda at: at.stream("/api/v1/tables/{}/stream"),
    "a stream by token": lambda at: at.stream(
        "/api/v1/tables/{}/stream", cookie="", authorization=f"Bearer {at.bert.token}"
    ),
    "a stranger's stream": lambda at: at.stream(cookie=""),
    "a stream of no table": lambda at: at.stream(table="AAAAAAAAAA"),
    "a stream of a path": lambda at: at.stream(table="a/b"),
    "a stream with a body": lambda at: at.stream(content_length="x"),
}


@pytest.fixture
def scenes(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> Iterator[list[Scene]]:
    """Yield two games: one with the fast path, and one whose debug log switches the fast path off."""
    made = []
    clients = []
    for level in ("warning", "debug"):
        database = f"sqlite:///{tmp_path_factory.mktemp(level)}/house.sqlite3"
        own = msgspec.structs.replace(settings, database=database, log_level=level)
        client = TestClient(create_app(own), follow_redirects=False)
        clients.append(client.__enter__())
        made.append(Scene(client))
    yield made
    for client in clients:
        client.__exit__(None, None, None)


def test_the_fast_path_and_the_app_give_the_same_answer(scenes: list[Scene]) -> None:
    for name, ask in CASES.items():
        told = [scene.tell(ask(scene)) for scene in scenes]
        assert told[0] == told[1], name
        for scene in scenes:
            # If a case made a move, the next one begins with a new game.
            if scene.anna.look(scene.table)["ply"] != scene.look["ply"]:
                scene.__init__(scene.client)  # type: ignore[misc]


def test_a_move_with_unknown_outcome_is_written_once_and_reported_as_unknown(
    tmp_path: Path, settings: Settings
) -> None:
    """If nobody knows whether a move was stored, the server says so, and doesn't try the move again."""
    settings = msgspec.structs.replace(settings, database=f"sqlite:///{tmp_path}/house.sqlite3")
    with TestClient(create_app(settings), follow_redirects=False) as client:
        scene = Scene(client)
        writer = client.app.state.site.house.store.writer  # type: ignore[attr-defined]
        writes, commit = [], writer.write

        def write(asked: Write[object]) -> object:
            if not asked.moves:  # background work of the house
                return commit(asked)
            writes.append(asked)
            raise Unsaved(NOT_KNOWN if len(writes) == 1 else NOT_SAVED)

        for way in ("page", "program"):
            writes.clear()
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(writer, "write", write)
                answer = scene.page(scene.form()) if way == "page" else scene.program(scene.move())
            assert answer.status_code == 503
            assert NOT_KNOWN[1:30] in answer.text
            assert len(writes) == 1
        ended = client.app.state.site.house.store.metrics.text().decode()  # type: ignore[attr-defined]
        assert 'reason="resigned"' not in ended
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(writer, "write", write)
            refused = scene.anna.post(f"/tables/{scene.table}/resign", {"key": "resign-01"})
        assert refused.status_code == 503
        told = client.app.state.site.house.store.metrics.text().decode()  # type: ignore[attr-defined]
        assert 'reason="resigned"} 1' not in told, "a game that goes on has not ended"
        assert scene.program(scene.move()).status_code == 200, "it can be played once the store takes it"


@pytest.mark.deep
def test_a_request_with_a_repeated_header_is_handled_by_the_app(scenes: list[Scene]) -> None:
    told = []
    for scene in scenes:
        headers = [
            ("content-type", "application/json"),
            ("authorization", f"Bearer {scene.bert.token}"),
            ("authorization", f"Bearer {scene.anna.token}"),
        ]
        body = msgspec.json.encode(scene.move())
        told.append(
            scene.client.post(f"/api/v1/tables/{scene.table}/act", content=body, headers=headers).status_code
        )
    assert told == [409, 409], "it is Bert's, by the first, whose turn it is not"
