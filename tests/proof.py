"""Check the record of a game that a test has played."""

from __future__ import annotations

from spelunke.games.match import Match
from spelunke.records.fairness import verify
from spelunke.records.record import Record, parse_record, write_record
from spelunke.records.replay import replay


def prove(record: Record) -> Match:
    """Check that a record is read back unchanged, can be replayed, and passes verification with all outcomes of chance.

    If the game was played out, check the result too. Return the match at its end.
    """
    data = write_record(record)
    assert parse_record(data) == record
    assert write_record(parse_record(data)) == data
    match = replay(record)
    assert match.ply == len(record.plies)
    assert record.result is not None
    if record.result.reason == "played":
        assert match.outcome is not None
        assert (match.outcome.scores, match.outcome.ranks) == (record.result.scores, record.result.ranks)
    else:
        assert not match.over
    verdict = verify(record)
    assert verdict.ok, verdict
    assert (verdict.plies, verdict.deviation) == (len(record.plies), None)
    assert verdict.chances == sum(entry.seat == -1 for entry in record.plies) > 0
    return match
