"""The public record of a finished game."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from spelunke.house.refusals import NotNow
from spelunke.house.sight import Viewer
from spelunke.records.fairness import commit
from spelunke.records.proof import Head
from spelunke.records.record import Record, Result, Seat, compose
from spelunke.records.sealing import seal
from spelunke.records.signing import Signer


def record_of(viewer: Viewer, signer: Signer | None, *, reveal: bool = True) -> Record:
    """Return the record of a finished game, with its hash chains. If there is a `signer`, sign the record.

    With `reveal`, the record contains the seed. A lesson's record has no seed, hash chains or signature. Raise
    NotNow if the game is not over.
    """
    table = viewer.table
    facts, match, outcome = table.facts, table.match, table.outcome
    if match is None or outcome is None or facts.started_ms is None:
        raise NotNow("the record is published when the game is over")
    ended = table.seating.ended_by
    result = None
    if outcome.reason != "played":
        result = Result(
            reason=outcome.reason,  # type: ignore[arg-type]
            ranks=outcome.ranks,
            seat=ended.seat if ended is not None and outcome.reason not in {"agreed", "called_off"} else None,
            ply=match.ply,
        )
    plies = [row for row, ply in zip(table.log.rows, table.log.plies, strict=True) if ply is not None]
    record = compose(
        match,
        table=facts.id,
        seats=[
            Seat(name=name, kind="bot" if chair.level else "person", level=chair.level)
            for name, chair in zip(table.names, facts.chairs, strict=True)
        ],
        created=datetime.fromtimestamp(facts.created_ms / 1000, UTC),
        finished=datetime.fromtimestamp((facts.ended_ms or table.last_at) / 1000, UTC),
        times=[row.at - facts.started_ms for row in plies],
        # a lesson's chance is fixed, so there is nothing to prove
        fairness=None
        if table.taught
        else commit(bytes.fromhex(facts.seed), facts.nonces, reveal=reveal, deal=facts.deal),
        result=result,
        origin=facts.origin,
    )
    if table.taught:
        return record
    noticed = [(seat, table.noticed(seat)) for seat in (None, *range(table.seats))]
    return seal(
        record,
        opening=table.opening,
        lines=[
            msgspec.structs.replace(row.line(facts.started_ms), undone=index in table.log.undone)
            for index, row in enumerate(table.log.rows)
        ],
        given=facts.given,
        heads=[Head(viewer=seat, seen=one.seen, link=one.link_at(one.seen).hex()) for seat, one in noticed],
        seed=bytes.fromhex(facts.seed),
        signer=signer,
    )
