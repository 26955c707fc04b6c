"""Moves of Dinghy: as Python objects, and as the numbers that kernels use."""

from typing import TypeAlias

from dinghy.rules import State
from spelunke.core import values
from spelunke.core.codec import Codec


class Row(values.Action, frozen=True, tag="row"):
    """Row on."""


class Land(values.Action, frozen=True, tag="land"):
    """Bring the barrels ashore."""


class Wave(values.ChanceOutcome, frozen=True, tag="wave"):
    """A wave. It brings 2 to 6 barrels aboard, but if ``barrels`` is 1, it takes all barrels that are aboard."""

    barrels: int


Action: TypeAlias = Row | Land
ACTIONS = Codec[Action]((Row(), Land()))
WAVES = Codec(Wave(barrels) for barrels in range(1, 7))


def encode(action: Action, s: State | None = None) -> tuple[int, ...]:
    """Return the kernel numbers that play this action. In this game, each action has only one number."""
    return (ACTIONS.encode(action),)


decode = ACTIONS.decode
encode_chance = WAVES.encode
decode_chance = WAVES.decode
