"""Two workers that share PostgreSQL and Redis behave as one house."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from sqlalchemy import select

from spelunke.house.store.schema import tables
from spelunke.house.store.workers import Workers
from spelunke.web.app import create_app
from spelunke.web.settings import Settings
from waiting import wait_until

from .conftest import Guest, Server, ready_to_move, serve, statements_of_requests
from .test_live import Stream, Web


def test_a_move_at_one_worker_reaches_a_stream_at_the_other(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    shared = {"database": postgres_database, "redis": redis_url}
    with serve(tmp_path, **shared) as one, serve(tmp_path, **shared) as two:
        here, there = Web(one), Web(two)
        anna, bert = Guest(here), Guest(there, "Bert")
        table = anna.table("me", "open", options={"first_starter": "0"})
        assert bert.post(f"/tables/{table}/join", {}).status_code == 200
        for guest in (anna, bert):
            assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
        look = anna.wait(table, ready_to_move)
        stream = Stream(f"{two.url}/api/v1/tables/{table}/stream", bert.headers)
        stream.wait(1)
        assert anna.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200
        # Other changes may be pushed in between, presence for one.
        count = 2
        while json.loads(stream.wait(count)[count - 1]["data"])["ply"] <= look["ply"]:
            count += 1
        assert bert.look(table)["log"] == anna.look(table)["log"]
        stream.close()
        for web in (here, there):
            web.http.close()


def test_rate_limits_are_shared(
    postgres_database: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine Redis takes longer than 40 ms, and each worker would count alone for a while.
    monkeypatch.setattr("spelunke.web.limits.ANSWER_S", 10.0)
    shared = {"database": postgres_database, "redis": redis_url, "writes_per_minute": 6}
    with serve(tmp_path, **shared) as one, serve(tmp_path, **shared) as two:
        webs = (Web(one), Web(two))
        answers = [webs[n % 2].post("/api/v1/guests", json={}).status_code for n in range(20)]
        assert 429 in answers
        assert answers.count(201) <= 12, "at most what two neighbouring minutes allow, for both together"
        for web in webs:
            web.http.close()


def test_without_redis_people_still_play(tmp_path: Path) -> None:
    """Redis carries changes between workers, and counts requests. If it can't be reached, people still play."""
    with serve(tmp_path, redis="redis://127.0.0.1:1/0") as server:
        web = Web(server)
        anna = Guest(web)
        assert anna.get("/me").json()["name"] == "Anna"
        table = anna.table("me", "bot:deckhand", options={"first_starter": "0"})
        look = anna.start(table)
        assert anna.play(table, "roll", look["ply"]).status_code == 200
        assert anna.look(table)["ply"] > look["ply"]
        web.http.close()


SAME = ("ply", "version", "status", "log", "legal", "view", "options", "clock")
"""The fields that do not change with the time."""


@contextlib.contextmanager
def two_workers(folder: Path, database: str, redis: str, **given: Any) -> Iterator[list[Server]]:
    """Yield two workers that know each other, and that can reach Redis."""
    shared = {"database": database, "redis": redis, "heartbeat": 0.2, **given}
    with serve(folder, **shared) as one, serve(folder, **shared) as two:
        servers = [one, two]
        for server in servers:
            wait_until(lambda server=server: len(workers_of(server).living) == 2)
            wait_until(lambda server=server: server.house.store.bus.problem is None)
        yield servers


def workers_of(server: Server) -> Workers:
    return server.house.store.workers


def owned_by(servers: list[Server], table: str) -> tuple[Server, Server]:
    """Return the owner of the table, and the other worker."""
    wait_until(lambda: [s for s in servers if workers_of(s).owner(table) is not None])
    return tuple(sorted(servers, key=lambda s: workers_of(s).owner(table) is not None))  # type: ignore[return-value]


def running_game(web: Web, other: Web) -> tuple[str, Guest, Guest]:
    anna, bert = Guest(web), Guest(other, "Bert")
    table = anna.table("me", "open", options={"first_starter": "0"})
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
    anna.wait(table, ready_to_move)
    return table, anna, bert


def taken_over(server: Server) -> int:
    return int(server.app.state.exchange.taken_over)


@pytest.mark.deep
def test_a_worker_that_does_not_own_a_table_answers_like_its_owner(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    with two_workers(tmp_path, postgres_database, redis_url) as servers:
        table, anna, bert = running_game(Web(servers[0]), Web(servers[1]))
        right, wrong = owned_by(servers, table)
        before = taken_over(right)
        for path in (f"/t/{table}", f"/api/v1/tables/{table}", f"/t/{table}x", f"/t/{table}/replay"):
            answers = [Web(server).get(path, anna.headers) for server in (right, wrong)]
            assert answers[0].status_code == answers[1].status_code
            assert set(answers[0].headers) == set(answers[1].headers)
            if path.startswith("/api"):
                told = [{name: answer.json()[name] for name in SAME} for answer in answers]
                assert told[0] == told[1]
        assert taken_over(right) >= before + 3
        # An action, its repetition, and refusals.
        look = anna.look(table)
        body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "key-of-anna"}
        path = f"/api/v1/tables/{table}/act"
        said = [Web(wrong).post(path, body, anna.headers) for _ in range(2)]
        assert [answer.status_code for answer in said] == [200, 200]
        assert [answer.json()["status"] for answer in said] == ["done", "repeated"]
        refused = [Web(server).post(path, {"move": "x" * 100_000}, anna.headers) for server in (right, wrong)]
        assert {answer.status_code for answer in refused} == {413}
        crossing = {**anna.headers, "origin": "https://elsewhere.example", "sec-fetch-site": "cross-site"}
        assert Web(wrong).post(path, body, crossing).status_code == 403
        assert bert.look(table)["ply"] > look["ply"]


@pytest.mark.deep
def test_a_forwarded_stream_sends_changes_and_ends_with_its_owner(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    with two_workers(tmp_path, postgres_database, redis_url) as servers:
        table, anna, bert = running_game(Web(servers[0]), Web(servers[1]))
        right, wrong = owned_by(servers, table)
        stream = Stream(f"{wrong.url}/api/v1/tables/{table}/stream", bert.headers)
        stream.wait(1)
        assert right.app.state.site.audiences.readers == 1
        assert wrong.app.state.site.audiences.readers == 0
        look = anna.look(table)
        assert anna.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200
        wait_until(lambda: json.loads(stream.messages[-1]["data"])["ply"] > look["ply"])
        stream.close()
        wait_until(lambda: right.app.state.site.audiences.readers == 0, "it is kept although nobody reads it")
        # If the owner ends it, it ends for its readers.
        stream = Stream(f"{wrong.url}/api/v1/tables/{table}/stream", bert.headers)
        stream.wait(1)
        right.stop()
        wait_until(lambda: stream.ended, "its reader receives nothing")
        assert Web(wrong).get(f"/api/v1/tables/{table}", bert.headers).status_code == 200
        right.start()


def test_streams_move_to_the_worker_that_owns_their_table(
    postgres_database: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a second worker starts, the streams of the tables that it now owns move to it."""
    monkeypatch.setattr("spelunke.web.forwarding.SETTLE_S", 0.2)
    shared = {"database": postgres_database, "redis": redis_url, "heartbeat": 0.2}
    with serve(tmp_path, **shared) as one:
        anna = Guest(Web(one))
        tables = [anna.table("me", "open") for _ in range(14)]
        streams = [Stream(f"{one.url}/api/v1/tables/{table}/stream") for table in tables]
        for stream in streams:
            stream.wait(1)
        with serve(tmp_path, **shared) as two:
            wait_until(lambda: len(workers_of(one).living) == 2)
            moving = [workers_of(one).owner(table) is not None for table in tables]
            assert any(moving)
            wait_until(lambda: [stream.ended for stream in streams] == moving, "they stay")
            for table in (table for table, moves in zip(tables, moving, strict=True) if moves):
                Stream(f"{one.url}/api/v1/tables/{table}/stream").wait(1)
            wait_until(lambda: two.app.state.site.audiences.readers == sum(moving))
        for stream in streams:
            stream.close()


def test_forwarded_streams_count_for_the_address_of_the_client(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    """A stream counts for its client's address, even if another worker forwards it to the owner of the table."""
    with two_workers(tmp_path, postgres_database, redis_url, streams_per_address=1) as servers:
        table, anna, _bert = running_game(Web(servers[0]), Web(servers[1]))
        right, wrong = owned_by(servers, table)
        path = f"/api/v1/tables/{table}/stream"

        def stream(server: Server, client: str) -> Stream:
            # uvicorn trusts a proxy on this machine, and takes the tests for one
            return Stream(f"{server.url}{path}", {**anna.headers, "x-forwarded-for": client})

        opened = [stream(wrong, "192.0.2.1"), stream(wrong, "192.0.2.2")]
        with pytest.raises(HTTPError) as refused:
            stream(right, "192.0.2.1")
        assert refused.value.code == 429
        refused.value.close()
        for one in opened:
            one.close()
        folder = Path(right.settings.sockets)
        assert folder.stat().st_mode & 0o077 == 0, "others of this machine can open it"


def test_a_look_over_http_asks_neither_database_nor_redis(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    with two_workers(tmp_path, postgres_database, redis_url) as servers:
        table, anna, _bert = running_game(Web(servers[0]), Web(servers[1]))
        right, _wrong = owned_by(servers, table)
        web = Web(right)

        def quiet() -> list[list[str]]:
            """Return a list with the database statements of five requests.

            If, meanwhile, the worker that owns the table stopped trusting its copy of the table, return an empty list.
            Then the caller tries again.
            """
            before = wait_until(lambda: workers_of(right).term(table))
            for _ in range(2):
                assert web.get(f"/api/v1/tables/{table}", anna.headers).status_code == 200
            with statements_of_requests(right.house) as asked:
                with right.house.store.reader.connect() as line:
                    line.execute(select(tables.c.status).where(tables.c.id == table))
                assert len(asked) == 1, "a question about the table is noted"
                asked.clear()
                for _ in range(5):
                    assert web.get(f"/api/v1/tables/{table}", anna.headers).status_code == 200
            return [asked] if workers_of(right).term(table) == before else []

        asked = wait_until(quiet)[0]
        assert [statement for statement in asked if "tables" in statement or "moves" in statement] == []


def test_one_process_forwards_nothing(settings: Settings) -> None:
    app = create_app(settings)
    assert app.state.exchange is None
    assert "Forwarding" not in {middleware.cls.__name__ for middleware in app.user_middleware}


@pytest.mark.deep
def test_a_house_closes_and_opens_at_all_workers(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    """If a host closes the site at one worker, live tables pause at the other too, until the host opens it."""
    with two_workers(tmp_path, postgres_database, redis_url) as servers:
        anna, bert = Guest(Web(servers[0])), Guest(Web(servers[1]), "Bert")
        clock = {"kind": "live", "minutes": 5, "increment": 5}
        table = anna.table("me", "open", options={"first_starter": "0"}, clock=clock)
        assert bert.post(f"/tables/{table}/join", {}).status_code == 200
        for guest in (anna, bert):
            assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
        look = anna.wait(table, ready_to_move)
        _right, wrong = owned_by(servers, table)
        host = wrong.house.people.create("Hanna").id
        assert wrong.house.closing.close(host, "We restart at eight.") == 1
        told = lambda: [bool(server.house.closed) for server in servers] == [True, True]  # noqa: E731
        wait_until(told, "a worker has not noticed that the house is closed")
        for server in servers:
            body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "closed-key"}
            refused = Web(server).post(f"/api/v1/tables/{table}/act", body, anna.headers)
            assert refused.status_code == 409, refused.text
            assert "We restart at eight." in refused.json()["message"]
        wrong.house.closing.open(host)
        wait_until(lambda: not any(server.house.closed for server in servers), "a worker stays closed")
        look = anna.wait(table, ready_to_move)
        assert anna.play(table, look["legal"][0]["text"], look["ply"]).status_code == 200


@pytest.mark.deep
def test_a_spectator_sees_a_delayed_game_alike_at_all_workers(
    postgres_database: str, redis_url: str, tmp_path: Path
) -> None:
    """A spectator's pages, looks (table states) and streams have the same delay at both workers."""
    delay, moves = 3, 8
    with two_workers(tmp_path, postgres_database, redis_url) as servers:
        anna, bert = Guest(Web(servers[0])), Guest(Web(servers[1]), "Bert")
        table = anna.table("me", "open", options={"first_starter": "0"}, delay=delay)
        assert bert.post(f"/tables/{table}/join", {}).status_code == 200
        for guest in (anna, bert):
            assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
        start = anna.wait(table, ready_to_move)["ply"]  # the rows before the first decision are always shown
        right, wrong = owned_by(servers, table)
        stream = Stream(f"{wrong.url}/api/v1/tables/{table}/stream")
        allowed, before = [start], taken_over(right)
        for _ in range(moves):
            looks = [guest.look(table) for guest in (anna, bert)]
            mover = next(n for n, look in enumerate(looks) if look["legal"])
            played = (anna, bert)[mover].play(table, looks[mover]["legal"][0]["text"], looks[mover]["ply"])
            assert played.status_code == 200
            now = anna.look(table)["ply"]
            seen = [Web(server).get(f"/api/v1/tables/{table}").json() for server in (right, wrong)]
            assert seen[0]["ply"] == seen[1]["ply"] <= max(now - delay, start)
            assert {name: seen[0][name] for name in SAME} == {name: seen[1][name] for name in SAME}
            allowed.append(seen[0]["ply"])
            pages = [Web(server).get(f"/t/{table}/watch") for server in (right, wrong)]
            assert [page.status_code for page in pages] == [200, 200]
            boards = [re.sub('nonce="[^"]*"|nonce-[^"]*', "", page.text) for page in pages]
            assert boards[0] == boards[1]
        assert allowed[-1] > start
        assert taken_over(right) >= before + 2 * moves
        plies = lambda: [json.loads(one["data"])["ply"] for one in stream.messages]  # noqa: E731
        wait_until(lambda: plies() and plies()[-1] == allowed[-1], "the stream does not follow")
        assert set(plies()) <= set(allowed), "the stream is ahead of a spectator"
        stream.close()
        right.stop()
        assert Web(wrong).get(f"/api/v1/tables/{table}").json()["ply"] == allowed[-1]
        right.start()
