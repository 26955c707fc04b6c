"""The analyst, a process that analyses games: its answers, its refusals, and its end."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from elsewhere import even_results
from records.random_games import record_of
from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.records.position import write_position
from spelunke.records.record import write_record
from spelunke.solvers.analyst import AnalystGone, ProcessAnalyst, Question, Reply, serve
from spelunke.solvers.elsewhere import Plan

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/game.json"


def ask(*questions: Question | bytes) -> list[Reply]:
    out = io.BytesIO()
    serve([one if isinstance(one, bytes) else msgspec.json.encode(one) for one in questions], out)
    return [msgspec.json.decode(line, type=Reply) for line in out.getvalue().splitlines()]


def test_an_error_is_reported_and_the_next_request_answered() -> None:
    start = write_position(Match(find_game("halunken"))).decode().replace("halunken", "nonesuch")
    told = [
        one.refused
        for one in ask(
            Question("game", "{}"), Question("position", "no position"), Question("position", start)
        )
    ]
    assert len(told) == 3
    assert all(told)
    assert "nonesuch" in told[2]


@pytest.mark.deep
def test_a_process_reports_bad_records_and_ends_with_the_house() -> None:
    analyst = ProcessAnalyst()
    try:
        for _ in range(2):
            with pytest.raises(BadInput, match="it lacks the field"):
                analyst.analyse(b'{"format": "spelunke-record-1"}')
        process = analyst._process
        assert process is not None
        process.kill()
        process.wait()
        for ask_for in (analyst.judge, analyst.plan, lambda file: analyst.finish(file, bytes(8))):
            with pytest.raises(BadInput):
                ask_for(b"{}")
    finally:
        analyst.close()
    assert analyst._process is None
    with pytest.raises(AnalystGone, match="shutting down"):
        analyst.judge(b"{}")


def test_a_plan_and_the_results_of_a_device_make_an_analysis() -> None:
    record = write_record(record_of("halunken", 3, 12))
    asked = Question("plan", record.decode())
    [told] = ask(asked)
    assert told.plan is not None
    plan = msgspec.json.decode(gzip.decompress(told.plan), type=Plan)
    results = even_results(plan)
    good, *bad = ask(
        *(
            replace(asked, what="finish", results=one)
            for one in (results, b"", results[:-4], results + bytes(4), bytes(396))
        ),
        asked,
    )
    assert good.analysis is not None
    assert len(good.analysis.curve) == 13
    assert all("not the results" in one.refused for one in bad[:-1])
    assert bad[-1] == told, "the next question is answered as before"


@pytest.mark.deep
def test_a_process_gives_the_same_analysis_as_a_direct_call() -> None:
    from spelunke.records.record import parse_record
    from spelunke.records.replay import replay
    from spelunke.solvers.analysis import analyse

    record = parse_record(EXAMPLE.read_bytes())
    heard: list[int] = []
    analyst = ProcessAnalyst()
    try:
        found = analyst.analyse(EXAMPLE.read_bytes(), lambda done, of: heard.append(done))
    finally:
        analyst.close()
    assert heard == sorted(heard)
    assert heard[-1] <= len(record.plies)
    assert found == analyse(replay(record), [seat.name for seat in record.seats], record.table)
