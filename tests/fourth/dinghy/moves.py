"""Moves of Dinghy: typed, and as the numbers of the kernels."""

from __future__ import annotations

from typing import TypeAlias

from dinghy.rules import State
from spelunke.core import values
from spelunke.core.codec import Codec


class Row(values.Action, frozen=True, tag="row"):
    """Row on."""


class Land(values.Action, frozen=True, tag="land"):
    """Bring it ashore."""


class Wave(values.ChanceOutcome, frozen=True, tag="wave"):
    """What the sea brings; one takes all that is aboard."""

    barrels: int


Action: TypeAlias = Row | Land
Chance: TypeAlias = Wave
ACTIONS = Codec[Action]((Row(), Land()))
WAVES = Codec(Wave(barrels) for barrels in range(1, 7))


def encode(action: Action, s: State | None = None) -> tuple[int, ...]:
    """See ``core.parts.Moves``."""
    return (ACTIONS.encode(action),)


decode = ACTIONS.decode
encode_chance = WAVES.encode
decode_chance = WAVES.decode
