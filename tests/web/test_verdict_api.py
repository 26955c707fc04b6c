"""POST /api/v1/verdicts: the verdict of `spelunke verify`, and refusals for files that can't be judged."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from spelunke.records.claims import Kept
from spelunke.records.fairness import verify
from spelunke.records.judgement import ENDS
from spelunke.records.record import write_record
from spelunke.web import endpoints
from spelunke.web import verify as verify_page
from spelunke.web.words import house_in, languages

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
from random_games import sealed_of

RECORD = write_record(sealed_of("halunken", 1)).decode()
PROVEN = (Path(__file__).parents[2] / "docs" / "examples" / "proven.json").read_text()
ENGLISH_WORDS = frozenset(
    {"the", "this", "that", "chain", "record", "link", "which", "rows", "house", "with", "from", "were"}
)


def post(client: TestClient, record: str, kept: str = "") -> Any:
    return client.post("/api/v1/verdicts", json={"record": record, "kept": kept})


def test_the_answer_is_the_verdict_of_the_command(client: TestClient) -> None:
    key = client.get("/api/v1/key").json()["key"]
    answer = post(client, RECORD)
    assert answer.status_code == 200
    told = verify(sealed_of("halunken", 1), Kept(key=key))
    assert (answer.json()["verdict"], answer.json()["text"]) == (told.verdict, told.text)
    assert [one["text"] for one in answer.json()["claims"]] == [claim.text for claim in told.claims]


def test_a_body_may_be_compressed(client: TestClient) -> None:
    body = json.dumps({"record": RECORD + " " * 200_000}).encode()
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    answer = client.post("/api/v1/verdicts", content=gzip.compress(body), headers=headers)
    assert answer.status_code == 200
    assert client.post("/api/v1/verdicts", content=body, headers=headers).status_code == 413
    for bad, encoding, status in (
        (b"no gzip", "gzip", 400),
        (gzip.compress(body)[:-200], "gzip", 400),
        (gzip.compress(b" " * (endpoints.LARGEST + 1)), "gzip", 413),
        (gzip.compress(body), "br", 415),
    ):
        refused = client.post(
            "/api/v1/verdicts", content=bad, headers=headers | {"content-encoding": encoding}
        )
        assert refused.status_code == status, (bad[:20], refused.text)
        assert refused.json()["message"].endswith(".")
        assert refused.json()["error"] == {400: "not_gzip", 413: "too_large", 415: "not_gzip"}[status]


def test_an_unreadable_or_too_long_record_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for record, kept, said in (
        ("", "", "It is empty"),
        ("{", "", "It ends in the middle"),
        ('{"format": "other"}', "", "Format: it can't be 'other'"),
        (RECORD, "six words that are no link", "no link"),
    ):
        refused = post(client, record, kept)
        assert refused.status_code == 400
        assert said in refused.json()["message"]
    monkeypatch.setattr(verify_page, "MOST_PLIES", 10)
    long = post(client, RECORD)
    assert long.status_code == 413
    assert "at most 10 plies. Use the command" in long.json()["message"]
    proven = json.loads(PROVEN)
    assert proven["proof"]["notes"]
    monkeypatch.setattr(verify_page, "MOST_PLIES", len(proven["plies"]))
    assert post(client, PROVEN).status_code == 413  # notes and moves taken back cost as much time as plies


def test_requests_for_verdicts_are_limited(client: TestClient) -> None:
    answers = [post(client, "{}") for _ in range(31)]
    assert {answer.status_code for answer in answers[:30]} == {400}
    assert answers[30].status_code == 429


@pytest.mark.sampled
@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_the_faults_of_a_record_are_reported_in_the_readers_language(
    client: TestClient, language: str
) -> None:
    record = json.loads(RECORD)
    changed = {
        "sealed": record | {"proof": record["proof"] | {"head": "0" * 64}},
        "longer": record | {"proof": record["proof"] | {"links": record["proof"]["links"][:-8]}},
        "begun": record | {"table": "elsewhere"},
    }
    kept = " ".join(["zoo"] * 6)
    for name, one in changed.items():
        spoken = {"accept-language": language}
        body = {"record": json.dumps(one), "kept": kept}
        english, told = (
            client.post("/api/v1/verdicts", json=body, headers=headers).json() for headers in ({}, spoken)
        )
        pairs = zip([english, *english["claims"]], [told, *told["claims"]], strict=True)
        for before, after in pairs:
            same = set(re.findall("[a-z]{4,}", before["text"])) & set(re.findall("[a-z]{4,}", after["text"]))
            assert before["text"] != after["text"], (name, before["text"])
            assert not same & ENGLISH_WORDS, (name, after["text"])


@pytest.mark.sampled
@pytest.mark.parametrize("language", languages())
def test_a_clause_in_the_readers_language_says_why_a_game_was_not_played_out(
    client: TestClient, language: str
) -> None:
    record = json.loads(RECORD)
    plies = record["plies"][:20]
    told = []
    for reason in ENDS:
        seat, ranks = (0, [2, 1]) if reason in ("resigned", "time", "left") else (None, [1, 1])
        result = {"reason": reason, "ranks": ranks, "scores": None, "seat": seat, "ply": len(plies)}
        body = {"record": json.dumps(record | {"plies": plies, "result": result})}
        answer = client.post("/api/v1/verdicts", json=body, headers={"accept-language": language})
        (text,) = (one["text"] for one in answer.json()["claims"] if one["claim"] == "rules")
        told.append(text.partition("(")[2].partition(")")[0])
    assert told == [house_in(language)(clause) for clause in ENDS.values()]
    assert (set(told) & set(ENDS.values()) == set()) == (language != "en")
