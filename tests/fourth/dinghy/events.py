"""What happened in Dinghy."""

from __future__ import annotations

from typing import Any

from dinghy import moves
from spelunke.core import values


class Happened(values.Event, frozen=True, tag="happened"):
    """A seat rows, lands or meets a wave."""

    seat: int
    what: str
    barrels: int = 0


def tell(before: Any, seat: int, deed: Any, after: Any, viewer: int | None) -> tuple[Happened, ...]:
    if isinstance(deed, moves.Wave):
        return (Happened(int(before.turn), "wave", deed.barrels),)
    return (Happened(seat, "row" if isinstance(deed, moves.Row) else "land", int(before.aboard)),)


def say(event: Happened, names: Any, translate: Any) -> str:
    text = {"row": "{name} rows on.", "land": "{name} lands {n}.", "wave": "A wave of {n} for {name}."}
    return str(translate(text[event.what])).format(name=names[event.seat], n=event.barrels)
