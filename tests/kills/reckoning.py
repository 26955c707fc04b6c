"""Check a round of kills afterwards: each acknowledged action is stored, and each record passes verification."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from proof import prove
from spelunke.house.house import open_house
from spelunke.house.store.engine import read_address


@dataclass
class Tally:
    """The results of one round of kills. The fields from `lost` to `broken` list faults, and must be empty."""

    title: str
    kills: int
    seconds: float
    acknowledged: int = 0
    tables: int = 0
    rows: int = 0
    records: int = 0
    reopened: int = 0
    slowest_start: float = 0.0
    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def faults(self) -> list[str]:
        """Return all faults."""
        names = ("lost", "doubled", "unasked", "gaps", "late", "broken")
        return [f"{name}: {fault}" for name in names for fault in getattr(self, name)]

    @property
    def figures(self) -> dict[str, Any]:
        """Return the counts and times of the round and its lists of faults, by field name."""
        return asdict(self)


def reckon(tally: Tally, database: str, journal: Path) -> None:
    """Fill in the tally from the database and the journal, and replay and verify each record."""
    lines = [line.split() for line in journal.read_text(encoding="ascii").splitlines()]
    tables = [words[1] for words in lines if words[0] == "table"]
    acknowledged = [(words[2], words[1]) for words in lines if words[0] == "ack"]
    tried = {words[1] for words in lines if words[0] == "try"}
    engine = create_engine(read_address(database))
    with engine.connect() as connection:
        rows = connection.execute(text("select table_id, ply, key from moves order by table_id, ply")).all()
        if connection.dialect.name == "sqlite":
            assert connection.execute(text("pragma integrity_check")).scalar() == "ok"
    engine.dispose()
    stored = Counter((table, key) for table, _ply, key in rows if key)
    tally.acknowledged, tally.tables, tally.rows = len(acknowledged), len(tables), len(rows)
    tally.lost = tuple(" ".join(pair) for pair in acknowledged if pair not in stored)
    tally.doubled = tuple(" ".join(pair) for pair, times in stored.items() if times > 1)
    tally.unasked = tuple(" ".join(pair) for pair in stored if pair[1] not in tried)
    tally.gaps = tuple(_gaps(tables, rows))
    with contextlib.closing(open_house(database, timers=False)) as house:
        for table in tables:
            assert house.looks.look(table).result is not None, f"{table} is not over"
            prove(house.replays.record(table))
            tally.records += 1


def _gaps(tables: list[str], rows: Any) -> list[str]:
    found: dict[str, list[int]] = {table: [] for table in tables}
    for table, ply, _key in rows:
        found.setdefault(table, []).append(ply)
    return [table for table, plies in found.items() if plies != list(range(1, len(plies) + 1))]
