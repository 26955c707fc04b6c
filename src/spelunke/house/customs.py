"""What the game of a table says to its moments: calls by arrival, standing orders, forms (`core.hooks`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from spelunke.core.hooks import Hooks
from spelunke.house.tables import Table


def arrive(live: Table, seat: int, text: str, at: int) -> str:
    """The move text as it counts when it arrives at this moment. Raises BadText."""
    if live.match is None or not live.game.hooks.has(Hooks.action_on_arrival):
        return text
    action = live.match.parse(text)
    first = next(
        (
            at - row.at
            for index, row in enumerate(live.rows[live.opened[seat] or 0 :], live.opened[seat] or 0)
            if live.where(index) >= 0 and type(live.match.plies[live.where(index)].deed) is type(action)
        ),
        None,
    )
    return str(live.game.notation.write(live.game.hooks.action_on_arrival(action, live.match.state, first)))


def has_standing(live: Table) -> bool:
    """Whether the game knows standing orders."""
    return live.game.hooks.has(Hooks.action_by_orders)


def stand(live: Table, seat: int, orders: Any) -> str | None:
    """The move text that the seat's standing orders choose now, or None."""
    assert live.match is not None
    action = live.game.hooks.action_by_orders(orders, live.match.view(seat), live.match.legal(seat))
    return None if action is None else str(live.game.notation.write(action))


def check_private(live: Table, seat: int, text: str | None) -> str | None:
    """A seat's standing orders as they are kept (JSON), read by the game where it does that. Raises BadInput."""
    if text is None or not live.game.hooks.has(Hooks.check_orders):
        return text
    assert live.match is not None
    return msgspec.json.encode(
        live.game.hooks.check_orders(msgspec.json.decode(text), live.match.view(seat))
    ).decode()


def consider(live: Table, seat: int, fields: Mapping[str, Sequence[str]]) -> Any:
    """What a form that the seat has not sent yet comes to, in the game's own terms; None where it says nothing."""
    if live.match is None or not live.running or not live.game.hooks.has(Hooks.preview_draft):
        return None
    kept = live.facts.chairs[seat].standing
    key = (live.ply, len(live.rows), kept)
    if not fields and (known := live.considered.get(seat)) is not None and known[0] == key:
        return known[1]

    def told() -> Iterator[Any]:
        for index in range(live.ply):
            yield from live.events_of(index, seat)

    found = live.game.hooks.preview_draft(
        fields, live.view(seat), told, None if kept is None else msgspec.json.decode(kept)
    )
    if not fields:  # what most looks ask for, until something happens
        live.considered[seat] = (key, found)
    return found
