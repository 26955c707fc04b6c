"""Messages for people and hosts, and limits of requests, while the disk or Redis has failed."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from spelunke.web.app import create_app
from spelunke.web.limits import ANSWER_S, Limits
from waiting import wait_until

from .conftest import AS_HOST, Guest, make_settings

LONG_S = 4.0
"""A limit for Redis that is far longer than any request takes on a busy machine."""


def told(client: TestClient) -> tuple[int, str, str]:
    """Return the answer of /health: the HTTP status, the word for the health, and the problems that hosts see."""
    answer = client.get("/health", headers=AS_HOST)
    return answer.status_code, answer.json()["status"], " ".join(answer.json()["problems"])


@pytest.mark.deep
def test_a_full_disk_is_reported_and_pages_can_still_be_read(
    client: TestClient, anna: Guest, game_for_two: str
) -> None:
    house = client.app.state.site.house  # type: ignore[attr-defined]

    def fail(*_given: Any) -> None:
        raise OperationalError("commit", {}, RuntimeError("database or disk is full"))

    engine = house.store.engine
    event.listen(engine, "commit", fail)
    try:
        look = anna.look(game_for_two)
        for _ in range(5):
            answer = anna.play(game_for_two, look["legal"][0]["text"], look["ply"])
            assert answer.status_code == 503
            assert "nothing was changed" in answer.json()["message"]
        assert told(client) == (503, "down", "the database can't be written: database or disk is full")
        assert client.get("/health").json() == {"status": "down", "ok": False}
        for path in ("/", f"/t/{game_for_two}", "/rules/shanghaien"):
            assert client.get(path).status_code == 200, path
        client.cookies.set("guest", anna.token)
        page = client.get(f"/t/{game_for_two}")
        assert page.status_code == 200
        refused = client.post(
            f"/t/{game_for_two}/act", data={"move": "roll", "ply": look["ply"], "key": "12345678"}
        )
        assert refused.status_code == 503
        assert "nothing was changed" in refused.text
        assert anna.look(game_for_two)["ply"] == look["ply"]
    finally:
        event.remove(engine, "commit", fail)
    wait_until(lambda: told(client)[1] == "ok")
    assert anna.play(game_for_two, look["legal"][0]["text"], look["ply"]).status_code == 200


@pytest.mark.parametrize("death", [signal.SIGSTOP, signal.SIGKILL])
def test_a_silent_redis_delays_only_the_first_request(
    tmp_path: Path, own_redis: Any, death: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spelunke.web.limits.ANSWER_S", LONG_S)
    settings = make_settings(tmp_path, redis=own_redis.url)
    with TestClient(create_app(settings), follow_redirects=False) as client:
        anna = Guest(client)
        anna.get("/me")
        wait_until(lambda: told(client)[1] == "ok")
        os.kill(own_redis.process, death)
        try:
            waited = [timed(anna) > LONG_S / 2 for _ in range(25)]
            assert not any(waited[1:]), "only the first request may wait"
            wait_until(lambda: told(client)[:2] == (200, "degraded"))
            assert "limits are counted by each worker alone" in told(client)[2]
        finally:
            if death == signal.SIGSTOP:
                os.kill(own_redis.process, signal.SIGCONT)
        if death == signal.SIGSTOP:
            wait_until(lambda: told(client)[1] == "ok", "it does not recover without help")


def timed(guest: Guest) -> float:
    began = time.perf_counter()
    assert guest.get("/me").status_code == 200
    answer = guest.client.patch("/api/v1/me", json={"name": "Anna"}, headers=guest.headers)
    assert answer.status_code == 200
    return time.perf_counter() - began


def test_limits_hold_without_redis(tmp_path: Path) -> None:
    limits = Limits(make_settings(tmp_path, redis="redis://127.0.0.1:1/0", writes_per_minute=3))

    async def ask() -> list[bool]:
        answers = [await limits.allow("write", "somebody") for _ in range(8)]
        assert await limits.allow("write", "somebody else")
        await limits.close()
        return answers

    allowed = asyncio.run(ask())
    assert 3 <= sum(allowed) <= 6, "as many as one worker allows alone, in two neighbouring minutes at most"


def test_reads_do_not_wait_for_redis_and_count_for_all_workers(
    tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spelunke.web.limits.ANSWER_S", 10.0)
    who = f"network {tmp_path.name} {time.time()}"

    async def ask() -> int:
        one, two = (Limits(make_settings(tmp_path, redis=redis_url, reads_per_minute=20)) for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(one._shared, "hit", lambda *_given, **_cost: pytest.fail("it waits for Redis"))
            allowed = [await one.allow("read", who) for _ in range(21)]
        asked = 1
        while await two.allow("read", who):
            asked += 1
            await asyncio.sleep(0.2)
        assert await two.allow("read", f"{who} of another")
        await one.close()
        await two.close()
        assert allowed == [True] * 20 + [False]
        return asked

    assert asyncio.run(ask()) < 20, "each worker allows as much as all together may"


def test_reads_are_not_lost_if_redis_fails_while_they_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SHARE_S", "AGAIN_S"):
        monkeypatch.setattr(f"spelunke.web.limits.{name}", 0.01)
    limits = Limits(make_settings(tmp_path, redis="redis://127.0.0.1:1/0"))
    names = ["Anna", "Bert", "Carl"]
    sent: list[tuple[str, int]] = []

    async def hit(_item: object, _kind: str, who: str, cost: int = 1) -> bool:
        sent.append((who, cost))
        if len(sent) == 2:
            raise ConnectionError
        return True

    async def check() -> bool:
        return True

    async def ask() -> None:
        monkeypatch.setattr(limits._shared, "hit", hit)
        monkeypatch.setattr(limits._shared.storage, "check", check)
        for who in [*names, *names]:
            assert await limits.allow("read", who)
        assert limits._sharing is not None
        await limits._sharing
        assert limits._asking is not None
        await limits._asking
        assert await limits.allow("read", "Dora")
        assert limits._sharing is not None
        await limits._sharing
        await limits.close()

    asyncio.run(ask())
    assert sorted(sent) == [*((name, 2) for name in names), ("Dora", 1)]


def test_a_limit_does_not_last_longer_because_the_clock_went_back(tmp_path: Path) -> None:
    wall = [time.time()]
    limits = Limits(make_settings(tmp_path, writes_per_minute=3), wall=lambda: wall[0])

    async def ask() -> bool:
        while await limits.allow("write", "somebody"):
            pass
        wall[0] -= 3600
        return await limits.allow("write", "somebody")

    assert asyncio.run(ask())


def test_the_timeout_for_redis_is_at_most_50_ms() -> None:
    assert ANSWER_S <= 0.05  # seconds; docs/why/failures.md promises it
