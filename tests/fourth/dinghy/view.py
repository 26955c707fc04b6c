"""What a seat of Dinghy sees: everything."""

from __future__ import annotations

from typing import Any

from dinghy import notation
from spelunke.core import values
from spelunke.core.kernel import kernel


class View(values.View, frozen=True):
    """The whole table."""

    table: dict[str, Any]


def view(s: Any, seat: int | None) -> View:
    return View(seat, notation.write_position(s))


def imagine(seen: View, stream: Any) -> Any:
    return notation.parse_position(seen.table)


FEATURES = 5


def feature_names() -> tuple[str, ...]:
    return ("my turn", "aboard", "mine", "the next one's", "rowing")


@kernel
def features(s: Any, seat: int, out: Any) -> None:
    out[0] = 1.0 if s.turn == seat else 0.0
    out[1] = s.aboard / 20.0
    out[2] = s.ashore[seat] / 20.0
    out[3] = s.ashore[(seat + 1) % s.seats] / 20.0
    out[4] = s.rowing
