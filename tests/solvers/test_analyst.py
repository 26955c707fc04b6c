"""The analyst in its process: answers, refusals, a process that dies."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from spelunke.core.errors import BadInput
from spelunke.games import find_game
from spelunke.games.match import Match
from spelunke.records.position import write_position
from spelunke.solvers.analyst import AnalystGone, ProcessAnalyst, Question, Reply, serve

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


def test_a_process_refuses_in_words_and_ends_with_its_house() -> None:
    analyst = ProcessAnalyst()
    try:
        for _ in range(2):
            with pytest.raises(BadInput, match="it lacks the field"):
                analyst.analyse(b'{"format": "spelunke-record-1"}')
        process = analyst._process
        assert process is not None
        process.kill()
        process.wait()
        with pytest.raises(BadInput):
            analyst.judge(b"{}")
    finally:
        analyst.close()
    assert analyst._process is None
    with pytest.raises(AnalystGone, match="closing"):
        analyst.judge(b"{}")


@pytest.mark.deep
def test_a_process_analyses_a_game_as_it_is_done_here() -> None:
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
