"""What a game may tell the house besides its rules: hooks that a game's parts offer, or leave out.

- ``moves.window(options, live, state) -> int | None``: how many milliseconds a decision may wait until
silence is an answer (``live``: a table at which people sit together, not one over days); None: for ever.
- ``moves.silence(state, seat) -> Action | None``: the answer of a seat that said nothing until then; None: it
is still waited for.
- ``moves.arrive(options, action, earlier) -> Action``: the action as it counts when it comes after
``earlier``, a tuple of (seat, action, milliseconds ago) of what others did while the seat could have acted;
for calls that are as good as simultaneous.
- ``moves.stand(orders, view, legal) -> Action | None``: what a seat's standing orders do now; None leaves it
to the seat.
- ``view.asked(state, viewer) -> tuple[int, ...]``: the seats that the viewer may know to be asked; without
it, all that are.
"""

from __future__ import annotations

from typing import Any

from spelunke.core.contract import CHANCE
from spelunke.house.table import Live


def window_of(live: Live) -> int | None:
    """How many milliseconds the present decision may wait until silence is an answer; None: for ever."""
    window = getattr(live.game.moves, "window", None)
    if window is None or live.match is None or not live.actors:
        return None
    length: int | None = window(live.match.options, live.facts.clock.kind != "days", live.match.state)
    return length


def silence(live: Live, seat: int) -> str | None:
    """The move text of a seat that said nothing, or None."""
    assert live.match is not None
    action = live.game.moves.silence(live.match.state, seat)
    return None if action is None else str(live.game.notation.write(action))


def arrive(live: Live, seat: int, text: str, at: int) -> str:
    """The move text as it counts when it arrives at this moment. Raises BadText."""
    hook = getattr(live.game.moves, "arrive", None)
    if hook is None or live.match is None:
        return text
    opened = live.opened[seat] or 0
    earlier = tuple(
        (row.seat, live.match.plies[live.where(index)].deed, at - row.at)
        for index, row in enumerate(live.rows[opened:], opened)
        if row.seat != CHANCE and live.where(index) >= 0
    )
    action = hook(live.match.options, live.match.parse(text), earlier)
    return str(live.game.notation.write(action))


def has_standing(live: Live) -> bool:
    """Whether the game knows standing orders."""
    return hasattr(live.game.moves, "stand")


def stand(live: Live, seat: int, orders: Any) -> str | None:
    """The move text that the seat's standing orders choose now, or None."""
    assert live.match is not None
    action = live.game.moves.stand(orders, live.match.view(seat), live.match.legal(seat))
    return None if action is None else str(live.game.notation.write(action))


def asked(live: Live, viewer: int | None) -> tuple[int, ...]:
    """The seats that the viewer may know to be asked."""
    hook = getattr(live.game.view, "asked", None)
    if hook is None or live.match is None or not live.running:
        return live.actors
    told: tuple[int, ...] = tuple(hook(live.match.state, viewer))
    return tuple(seat for seat in live.actors if seat in told)
