"""What a game may tell the house besides its rules: functions that its ``moves`` offer, or leave out.

- ``window(options, live, state) -> int | None``: how many milliseconds a decision may wait until silence is an
  answer (``live``: a table at which people sit together, not one over days); None: for ever.
- ``pause(options, live, state) -> (name, int) | None``: name and milliseconds of the time that everybody sees the
  table wait now; it may rest on nothing but what everybody knows, and is shown from when it began until it is over.
  No clock runs before it is over: who is on turn then can't do all that he might, and has it as a delay.
- ``asked(state, viewer) -> (name, seats) | None``: the name of a moment in which it is told to nobody who has answered,
  and the seats that this viewer (None: a spectator) may then take to be asked; None: everybody knows who is asked.
  What others are shown of clocks and of who is asked rests on it alone (`house.told`).
- ``silence(state, seat) -> Action | None``: the answer of a seat that said nothing until then; None: it is still
  waited for. The clock of a seat whose silence is an answer does not run.
- ``arrive(action, state, since_first_ms) -> Action``: the action as it counts when it comes so many milliseconds
  after the first of its kind (None: it is the first) since the seat could act; for calls that are as good as
  simultaneous. Actions that come to the same as firsts are one choice of the seat, whatever becomes of them in time.
- ``stand(orders, view, legal) -> Action | None``: what a seat's standing orders do now; None leaves it to the seat.
- ``check_private(orders, view) -> orders``: standing orders as they are kept; raises BadInput for what means nothing.
- ``consider(fields, view, told, orders) -> Any``: what the fields of a form that somebody is still filling in come to
  (picked cards, orders that are being written), for that seat alone; ``fields`` are texts by name, ``told()`` gives all
  events so far as the seat knows them. It changes nothing, and the face draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from spelunke.house.table import Live


def arrive(live: Live, seat: int, text: str, at: int) -> str:
    """The move text as it counts when it arrives at this moment. Raises BadText."""
    hook = getattr(live.game.moves, "arrive", None)
    if hook is None or live.match is None:
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
    return str(live.game.notation.write(hook(action, live.match.state, first)))


def has_standing(live: Live) -> bool:
    """Whether the game knows standing orders."""
    return hasattr(live.game.moves, "stand")


def stand(live: Live, seat: int, orders: Any) -> str | None:
    """The move text that the seat's standing orders choose now, or None."""
    assert live.match is not None
    action = live.game.moves.stand(orders, live.match.view(seat), live.match.legal(seat))
    return None if action is None else str(live.game.notation.write(action))


def check_private(live: Live, seat: int, text: str | None) -> str | None:
    """A seat's standing orders as they are kept (JSON), read by the game where it does that. Raises BadInput."""
    check = getattr(live.game.moves, "check_private", None)
    if check is None or text is None:
        return text
    assert live.match is not None
    return msgspec.json.encode(check(msgspec.json.decode(text), live.match.view(seat))).decode()


def consider(live: Live, seat: int, fields: Mapping[str, Sequence[str]]) -> Any:
    """What a form that the seat has not sent yet comes to, in the game's own terms; None where it says nothing."""
    hook = getattr(live.game.moves, "consider", None)
    if hook is None or live.match is None or not live.running:
        return None
    kept = live.facts.chairs[seat].standing
    key = (live.ply, len(live.rows), kept)
    if not fields and (known := live.considered.get(seat)) is not None and known[0] == key:
        return known[1]

    def told() -> Iterator[Any]:
        for index in range(live.ply):
            yield from live.events_of(index, seat)

    found = hook(fields, live.view(seat), told, None if kept is None else msgspec.json.decode(kept))
    if not fields:  # what most looks ask for, until something happens
        live.considered[seat] = (key, found)
    return found
