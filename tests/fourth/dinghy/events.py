"""Events of Dinghy, and their sentences."""

from collections.abc import Callable, Sequence
from typing import Literal

from dinghy.moves import Action, Row, Wave
from dinghy.rules import State
from spelunke.core import values
from spelunke.core.values import ChanceOutcome


class Happened(values.Event, frozen=True, tag="happened"):
    """A seat rows, lands or meets a wave."""

    seat: int
    what: Literal["row", "land", "wave"]
    barrels: int = 0


def tell(
    before: State, seat: int, deed: Action | ChanceOutcome, after: State, viewer: int | None
) -> tuple[Happened, ...]:
    """Return the events of one ply for a viewer; in Dinghy everyone sees everything."""
    if isinstance(deed, Wave):
        return (Happened(int(before.turn), "wave", deed.barrels),)
    return (Happened(seat, "row" if isinstance(deed, Row) else "land", int(before.aboard)),)


def say(event: Happened, names: Sequence[str], translate: Callable[[str], str]) -> str:
    """Return the sentence for an event."""
    text = {"row": "{name} rows on.", "land": "{name} lands {n}.", "wave": "A wave of {n} for {name}."}
    return translate(text[event.what]).format(name=names[event.seat], n=event.barrels)
