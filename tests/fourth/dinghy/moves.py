"""Moves of Dinghy."""

from __future__ import annotations

from typing import Any

from spelunke.core import values


class Row(values.Action, frozen=True, tag="row"):
    """Row on."""


class Land(values.Action, frozen=True, tag="land"):
    """Bring it ashore."""


class Wave(values.ChanceOutcome, frozen=True, tag="wave"):
    """What the sea brings; one takes all that is aboard."""

    barrels: int


Action = Row | Land
Chance = Wave
TABLE = (Row(), Land())


def encode(action: Any, s: Any = None) -> tuple[int, ...]:
    return (TABLE.index(action),)


def decode(number: int) -> Any:
    return TABLE[number]


def encode_chance(chance: Wave) -> int:
    return chance.barrels - 1


def decode_chance(number: int) -> Wave:
    return Wave(number + 1)
