"""A record and an analysis of it, made up so that every part of the terminal's analysis has something to show."""

from __future__ import annotations

from pathlib import Path

from spelunke.analysis.analysis import Alternative, Analysis, Decision, Moment, Total, TurningPoint, Value
from spelunke.records.record import Record, parse_record
from spelunke.records.replay import replay

FILE = Path(__file__).parent / "compatibility" / "0.2.0" / "shanghaien.record.json"
RECORD = parse_record(FILE.read_bytes())
ERROR = 18
"""The ply of the decision that is marked as an error."""


def make_analysis(record: Record = RECORD) -> Analysis:
    """Return an analysis with one error, a rising and a falling chance to win, and one turning point."""
    plies, before = replay(record).ply, replay(record, ERROR)
    seat = before.actors[0]
    texts = before.texts(seat)
    alternatives = tuple(Alternative(text, Value(1.0, 0.6 - 0.1 * n)) for n, text in enumerate(texts))
    half = plies // 2
    chances = [0.5 + 0.45 * (1 - abs(ply - half) / half) for ply in range(plies + 1)]
    return Analysis(
        game=record.game,
        rules=1,
        table="t",
        seats=tuple(one.name for one in record.seats),
        method="made up",
        thresholds={},
        decisions=(Decision(ERROR, seat, 1, texts[-1], alternatives, 1.0, 0.12, False, "blunder"),),
        luck=(),
        curve=tuple(Moment(ply, 1, (0.0, 0.0), (one, 1 - one)) for ply, one in enumerate(chances)),
        turning_points=(TurningPoint(ERROR, 1, seat, "Ben lays a 2.", (0.12, -0.12)),),
        totals=tuple(
            Total(
                one,
                40,
                3,
                {"blunder": one, "mistake": 1},
                2.0,
                0.15,
                1.0,
                0.08 - 0.16 * one,
                None,
                None,
                None,
                None,
            )
            for one in range(2)
        ),
    )
