"""The one door through which history leaves for a seat or a spectator.

Whatever a client, a page, a bot or a log shows of the past of a running game comes from here, and what the game's
``events.tell`` does not say to a viewer does not exist for that viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.hooks import Hooks
from spelunke.core.match import Match
from spelunke.core.ui import plain
from spelunke.records.record import Fairness, Record, Seat, write_options

Translate = Callable[[str], str]


class Told(msgspec.Struct, frozen=True):
    """One thing that happened at ``ply`` (from 0) as one viewer may know it: the game's event and its sentence.

    ``seat`` is who acted, -1 for chance.
    """

    ply: int
    seat: int
    event: Any
    text: str


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

    When the match is over, or ``finished`` says so (resigned, agreed, time), nothing is hidden any more. A ply
    of which
    the viewer may know nothing leaves no trace. Raises BadInput for a viewer without a seat.
    """
    if viewer is not None and not 0 <= viewer < match.seats:
        raise BadInput(f"there is no seat {viewer}; the seats are 0 to {match.seats - 1}", "viewer")
    sight = ALL if finished or match.over else viewer
    called = tuple(names) or tuple(f"Seat {seat + 1}" for seat in range(match.seats))
    say = match.game.events.say
    return tuple(
        Told(ply.number, ply.seat, event, say(event, called, translate))
        for ply in match.plies[max(0, since) :]
        for event in events_of(match, ply.number, sight)
    )


def events_of(match: Match, ply: int, viewer: int | None) -> tuple[Any, ...]:
    """What this viewer (a seat, None for a spectator, ALL when nothing is hidden any more) may know of one ply."""
    return match.events_of(ply, viewer)


def last_events(match: Match, viewer: int | None, *, finished: bool = False) -> tuple[Any, ...]:
    """The events since the viewer's own last act, as that viewer may know them; what a face is given to show.

    For a spectator: since the last act of anybody that he noticed. Where a game tells in scenes (hook
    ``begins_scene``), the
    whole scene stays, so that it can be gone through again.
    """
    sight = ALL if finished or match.over else viewer
    since = 0
    for ply in reversed(match.plies):
        noticed = viewer is None and ply.seat != CHANCE and events_of(match, ply.number, sight)
        if ply.seat == viewer or noticed:
            since = ply.number
            break
    begins = match.game.hooks.begins_scene
    if match.game.hooks.has(Hooks.begins_scene):
        for number in range(since, -1, -1):
            if number < match.ply and any(begins(event) for event in events_of(match, number, sight)):
                since = number
                break
    return tuple(told.event for told in history(match, viewer, since, finished=finished))


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
    """The record without its seed: how the house keeps it until the game is over. It still holds every ply."""
    if record.fairness is None:
        return record
    return msgspec.structs.replace(record, fairness=msgspec.structs.replace(record.fairness, seed=None))
