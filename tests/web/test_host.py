"""The pages for the host of a house; no counter reveals a seat's secret actions."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from spelunke.web.app import create_app
from spelunke.web.settings import BadSetting, read_settings

from .conftest import AS_HOST, Guest, cards_of, make_settings, to_sealed_cards

DETAILS = {
    "store",
    "store_ms",
    "writer_queue",
    "tables_in_memory",
    "late_ms",
    "bots_late_ms",
    "worker",
    "problems",
}


@pytest.mark.parametrize(
    "shown", [{}, {"authorization": "Bearer guess"}, {"authorization": "Basic a token of the tests"}]
)
def test_strangers_see_no_metrics_and_no_health_details(client: TestClient, shown: dict[str, str]) -> None:
    refused = client.get("/metrics", headers={**shown, "accept": "application/json"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.json()["error"] == "not_the_host"
    assert client.get("/health", headers=shown).json() == {"status": "ok", "ok": True}


def test_the_host_sees_metrics_and_health_details_with_a_token(client: TestClient) -> None:
    assert "spelunke_requests_total" in client.get("/metrics", headers=AS_HOST).text
    told = client.get("/health", headers=AS_HOST).json()
    assert told.keys() == {"status", "ok"} | DETAILS


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("peer", "host", "headers", "allowed"),
    [
        ("127.0.0.1", "localhost:8000", {}, True),
        ("::1", "[::1]:8000", {}, True),
        ("127.0.0.1", "127.0.0.1", {}, True),
        ("192.168.0.7", "localhost", {}, False),
        ("127.0.0.1", "localhost", {"x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", "localhost", {"forwarded": "for=127.0.0.1"}, False),
        ("127.0.0.1", "house.example", {}, False),
        ("127.0.0.1", "a_name.example", {}, False),
        ("127.0.0.1", "[", {}, False),
    ],
)
def test_without_a_token_only_this_machine_sees_metrics(
    tmp_path: Path, peer: str, host: str, headers: dict[str, str], allowed: bool
) -> None:
    app = create_app(make_settings(tmp_path, metrics_token=""))
    with TestClient(app, client=(peer, 5000)) as client:
        headers = {**headers, "host": host}
        assert client.get("/metrics", headers=headers).status_code == (200 if allowed else 401)
        assert ("store" in client.get("/health", headers=headers).json()) is allowed


def test_strangers_see_that_the_server_is_degraded_but_not_the_reason(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spelunke.web.site.HEALTH_SECONDS", 0)
    house = client.app.state.site.house  # type: ignore[attr-defined]
    well = house.health()
    lame = msgspec.structs.replace(well, problems=("redis does not answer",))
    monkeypatch.setattr(house, "health", lambda *_: lame)
    assert client.get("/health").json() == {"status": "degraded", "ok": True}
    monkeypatch.setattr(house, "health", lambda *_: msgspec.structs.replace(lame, ok=False))
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "down", "ok": False})


def test_a_token_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(BadSetting, match="METRICS_TOKEN"):
        read_settings(
            {
                "SPELUNKE_METRICS_TOKEN": "short",
                "SPELUNKE_SECRET": "x" * 16,
                "SPELUNKE_DATABASE": "sqlite:///x",
            }
        )


def test_a_sealed_choice_changes_no_counter_of_requests(client: TestClient, anna: Guest, bert: Guest) -> None:
    """Requests that act at a table are counted only if the server fails or a rate limit refuses them."""

    def count() -> list[str]:
        text = client.get("/metrics", headers=AS_HOST).text
        return [
            line
            for line in re.findall("^spelunke_request.*$", text, re.MULTILINE)
            if '"/metrics"' not in line
        ]

    table = to_sealed_cards(anna, bert)
    card, ply = cards_of(anna, table)[0], anna.look(table)["ply"]
    before = count()
    assert anna.play(table, card, ply).status_code == 200
    anna.post(f"/tables/{table}/act", {"move": "nonsense", "ply": 0, "key": "key-of-a-mistake"})
    assert count() == before
