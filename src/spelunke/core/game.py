"""The card that a game's folder publishes: cheap to import, everything behind it loaded when asked for."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from spelunke.core.errors import BadInput, BadOption
from spelunke.core.option import Option, Value, write_value

Settled = dict[str, Value]
"""Every option of a table with its checked value, in the order of the game's card."""


@dataclass(frozen=True)
class Game:
    """A game as the shelf knows it.

    ``package`` is the dotted name of its folder. ``check`` refuses combinations of options (raises BadOption).
    ``hidden``: seats know different things. ``together``: several seats may act at once. ``usual``: how many play when
    nothing is said.
    """

    name: str
    title: str
    package: str
    seats: tuple[int, ...]
    version: int
    pitch: str = ""
    minutes: tuple[int, int] = (15, 30)
    options: tuple[Option, ...] = ()
    check: Callable[[int, Settled], None] | None = None
    seats_of: Callable[[Mapping[str, object]], tuple[int, ...]] | None = None
    hidden: bool = False
    together: bool = False
    usual: int | None = None

    @property
    def usual_seats(self) -> int:
        """How many play when nothing is said: ``usual``, or the fewest."""
        return self.usual or self.seats[0]

    @cached_property
    def rules(self) -> Any:
        """The kernels (see :class:`spelunke.core.contract.Rules`); importing them is what takes time."""
        return self._part("rules")

    @cached_property
    def moves(self) -> Any:
        """Typed actions and chance outcomes, and their numbers."""
        return self._part("moves")

    @cached_property
    def events(self) -> Any:
        """What happened, in the game's words, as one viewer may know it."""
        return self._part("events")

    @cached_property
    def notation(self) -> Any:
        """Move text and position text."""
        return self._part("notation")

    @cached_property
    def view(self) -> Any:
        """What a seat may see."""
        return self._part("view")

    @cached_property
    def knowledge(self) -> Any:
        """Evaluation for bots."""
        return self._part("knowledge")

    @cached_property
    def ui(self) -> Any:
        """How the game looks: ``board`` for the page, ``terminal`` for the terminal."""
        return self._part("ui")

    @cached_property
    def levels(self) -> dict[str, dict[str, Any]]:
        """The named strengths of ``levels.toml``."""
        return tomllib.loads(files(self.package).joinpath("levels.toml").read_text(encoding="utf-8"))

    def _part(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def option(self, name: str) -> Option:
        """The option of that name; raises BadOption."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise BadOption(f"{self.title} has no option of that name; it has {known}", f"option {name}")

    def settle(self, seats: int, given: Mapping[str, object] | None = None) -> Settled:
        """Every option with its checked value; raises BadOption for the first that can't be, BadInput for the seats."""
        given = given or {}
        for name in given:
            self.option(name)
        allowed = self.seats_of(given) if self.seats_of else self.seats
        if seats not in allowed:
            raise BadInput(f"{self.title} is for {_span(allowed)} players, not for {seats}", "seats")
        settled = {
            o.name: o.check(given[o.name]) if o.name in given else o.preset(seats) for o in self.options
        }
        if self.check:
            self.check(seats, settled)
        return settled

    def setup(self, seats: int, settled: Settled) -> npt.NDArray[np.int16]:
        """What ``start`` takes: the seats, then every option as the kernels see it."""
        numbers = [seats]
        for option in self.options:
            numbers.extend(option.encode(settled[option.name]))
        return np.array(numbers, np.int16)

    def changed(self, seats: int, settled: Settled) -> dict[str, str]:
        """The options that differ from their default, as people write them."""
        return {
            o.name: write_value(settled[o.name]) for o in self.options if settled[o.name] != o.preset(seats)
        }


def _span(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
