"""The door through which a record's history leaves for a seat or a spectator: what :mod:`viewer` knows, in one call."""

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
    """What this viewer (a seat, None for a spectator) may know of the plies from ``since`` on, oldest first.

    When the match is over, or ``finished`` says so (resigned, agreed, time), nothing is hidden any more. A ply of which
    the viewer may know nothing leaves no trace. Raises BadInput for a viewer without a seat.
    """
    return MatchViewer(match, viewer, finished=finished).history(since, names=names, translate=translate)


def last_events(match: Match, viewer: int | None, *, finished: bool = False) -> tuple[Event, ...]:
    """The events since the viewer's own last act, as that viewer may know them; what a board is given to show.

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
    """A running game for somebody who may not see everything; the seed is left out even when it is given."""
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
    """The record without its seed, and so without a proof, which rests on it. It still holds every ply."""
    if record.fairness is None:
        return record
    fairness = msgspec.structs.replace(record.fairness, seed=None)
    return msgspec.structs.replace(record, format=FORMAT, fairness=fairness, proof=None)
