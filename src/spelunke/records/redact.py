"""Release a record's history to a seat or a spectator: the knowledge of :mod:`viewer`, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from spelunke.core.values import Event
from spelunke.core.words import plain
from spelunke.games.match import Match
from spelunke.records.record import FORMAT, Fairness, Record, Seat, write_options
from spelunke.records.viewer import MatchViewer, Told, Translate


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """A running game as one viewer may know it: sentences instead of plies, and no seed."""

    format: Literal["spelunke-excerpt-1"] = "spelunke-excerpt-1"
    game: str
    rules: int
    table: str
    seats: tuple[Seat, ...]
    options: dict[str, str]
    commitment: str | None
    nonces: tuple[str, ...]
    viewer: int | None
    lines: tuple[tuple[int, str], ...]


def history(
    match: Match,
    viewer: int | None,
    since: int = 0,
    *,
    names: Sequence[str] = (),
    translate: Translate = plain,
    finished: bool = False,
) -> tuple[Told, ...]:
    """Return the plies from ``since`` on as this viewer (a seat, None for a spectator) may know them, oldest first.

    If the match is over, or ``finished`` says so (resigned, agreed, time), nothing is hidden any more. A ply of which
    the viewer may know nothing leaves no trace. Raise BadInput for a seat that does not exist.
    """
    return MatchViewer(match, viewer, finished=finished).history(since, names=names, translate=translate)


def last_events(match: Match, viewer: int | None, *, finished: bool = False) -> tuple[Event, ...]:
    """Return the events since the viewer's own last action, as that viewer may know them, for its board.

    See :meth:`spelunke.records.viewer.LogViewer.last`.
    """
    return MatchViewer(match, viewer, finished=finished).last()


def excerpt(
    match: Match,
    viewer: int | None,
    *,
    table: str,
    seats: Sequence[Seat],
    fairness: Fairness | None = None,
    translate: Translate = plain,
) -> Excerpt:
    """Return a running game for a viewer who may not see everything; the seed is left out even if it is given."""
    told = history(match, viewer, names=[seat.name for seat in seats], translate=translate)
    return Excerpt(
        game=match.game.name,
        rules=match.game.version,
        table=table,
        seats=tuple(seats),
        options=write_options(match.options),
        commitment=fairness.commitment if fairness else None,
        nonces=fairness.nonces if fairness else (),
        viewer=viewer,
        lines=tuple((line.ply, line.text) for line in told),
    )


def conceal(record: Record) -> Record:
    """Return the record without its seed, and so without a proof, which needs it. It still contains every ply."""
    if record.fairness is None:
        return record
    fairness = msgspec.structs.replace(record.fairness, seed=None)
    return msgspec.structs.replace(record, format=FORMAT, fairness=fairness, proof=None)
