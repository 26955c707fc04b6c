"""Two workers on PostgreSQL and Redis are one house."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Guest, ready_to_move, serve
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
        # Something else may be told in between: who is there, for one.
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
    # On a machine that does much else Redis takes longer than 40 ms, and each would count alone for a while.
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
    """Redis carries changes and counts; when it is gone the house goes on."""
    with serve(tmp_path, redis="redis://127.0.0.1:1/0") as server:
        web = Web(server)
        anna = Guest(web)
        assert anna.get("/me").json()["name"] == "Anna"
        table = anna.table("me", "bot:deckhand", options={"first_starter": "0"})
        look = anna.start(table)
        assert anna.play(table, "roll", look["ply"]).status_code == 200
        assert anna.look(table)["ply"] > look["ply"]
        web.http.close()
