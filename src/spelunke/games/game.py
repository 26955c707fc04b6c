"""The card that a game's folder publishes: cheap to import, everything behind it loaded when asked for."""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from spelunke.core.errors import BadGame, BadInput, BadOption
from spelunke.core.option import Option, Value, write_value

if TYPE_CHECKING:
    from spelunke.core.contract import Rules
    from spelunke.core.values import Action, ChanceOutcome, Event, State, View
    from spelunke.games.hooks import Hooks
    from spelunke.games.illustration import Illustration
    from spelunke.games.parts import Events, Knowledge, Levels, Moves, Notation, Players, Views

    # A game as those see it who hand its objects on without looking inside.
    AnyRules: TypeAlias = Rules[State]
    AnyMoves: TypeAlias = Moves[Action, ChanceOutcome, State]
    AnyEvents: TypeAlias = Events[Event, Action, State]
    AnyNotation: TypeAlias = Notation[Action, ChanceOutcome, State]
    AnyViews: TypeAlias = Views[View, State]
    AnyKnowledge: TypeAlias = Knowledge[State]
    AnyHooks: TypeAlias = Hooks[State, Action, View, Event]

Settled = dict[str, Value]
"""Every option of a table with its checked value, in the order of the game's card."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named way to play a game: how many play, and the options that differ from the usual. ``help`` is one sentence.

    ``first``: what a page opens against bots for somebody who has not played the game yet.
    """

    name: str
    title: str
    help: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    first: bool = False


@dataclass(frozen=True)
class Game:
    """A game as the shelf knows it.

    ``package`` is the dotted name of its folder. ``check`` refuses combinations of options (raises BadOption).
    ``place``: where it stands among the others on pages, the one to begin with first. ``presets``: named ways to play
    it. ``hidden``: seats know different things. ``together``: several seats may act at once. ``usual``: how many play
    when nothing is said.
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
    place: int = 50
    presets: tuple[Preset, ...] = ()

    @property
    def usual_seats(self) -> int:
        """How many play when nothing is said: ``usual``, or the fewest."""
        return self.usual or self.seats[0]

    def preset(self, name: str) -> Preset | None:
        """The named way to play, or None where the game has none of that name."""
        return next((preset for preset in self.presets if preset.name == name), None)

    @cached_property
    def rules(self) -> AnyRules:
        """The kernels (see :class:`spelunke.core.contract.Rules`); importing them is what takes time."""
        from spelunke.core.kernel import Served

        return cast("AnyRules", Served(f"{self.package}.rules"))

    @cached_property
    def moves(self) -> AnyMoves:
        """Typed actions and chance outcomes, and their numbers."""
        return cast("AnyMoves", self._part("moves"))

    @cached_property
    def events(self) -> AnyEvents:
        """What happened, in the game's words, as one viewer may know it."""
        return cast("AnyEvents", self._part("events"))

    @cached_property
    def notation(self) -> AnyNotation:
        """Move text and position text; those of :class:`.FieldNotation` if the folder has no ``notation.py``."""
        if importlib.util.find_spec(f"{self.package}.notation") is None:
            from spelunke.games.field_notation import FieldNotation

            return FieldNotation(self)
        return cast("AnyNotation", self._part("notation"))

    @cached_property
    def view(self) -> AnyViews:
        """What a seat may see."""
        return cast("AnyViews", self._part("view"))

    @cached_property
    def knowledge(self) -> AnyKnowledge:
        """Evaluation for bots."""
        return cast("AnyKnowledge", self._part("knowledge"))

    @cached_property
    def hooks(self) -> AnyHooks:
        """What the game offers besides its rules (see :class:`spelunke.games.hooks.Hooks`). Raises BadGame."""
        from spelunke.games.hooks import Hooks

        if importlib.util.find_spec(f"{self.package}.hooks") is None:
            return Hooks()
        hooks = vars(self._part("hooks")).get("HOOKS")
        if not isinstance(hooks, Hooks):
            raise BadGame("it must end with HOOKS = ..., an instance of its Hooks", f"{self.package}.hooks")
        return hooks

    @cached_property
    def levels(self) -> Levels:
        """The named strengths of ``levels.toml``."""
        return tomllib.loads(files(self.package).joinpath("levels.toml").read_text(encoding="utf-8"))

    @cached_property
    def players(self) -> Players:
        """Who plays at each level (``players.toml``); empty where the game has no such file."""
        file = files(self.package).joinpath("players.toml")
        if not file.is_file():
            return {}
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        return {
            level: {name: (face, about) for name, (face, about) in known.items()}
            for level, known in read.items()
        }

    @cached_property
    def illustrations(self) -> Mapping[str, Illustration]:
        """The pictures in its rules, by name (``pictures.toml``)."""
        from spelunke.games.illustration import read_illustrations  # most processes draw none

        return read_illustrations(self.package)

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

    @cached_property
    def slots(self) -> int:
        """How many numbers the options come to in a state: the length of its field ``options``."""
        return sum(option.width for option in self.options)

    def slot(self, name: str) -> int:
        """Where the option begins in the field ``options`` of a state; kernels read it there by a constant.

        Raises BadOption for a name that the card doesn't have.
        """
        wanted = self.option(name)
        return sum(option.width for option in self.options[: self.options.index(wanted)])

    def options_of(self, numbers: Sequence[int]) -> Settled:
        """The values of what a state holds in ``options``, int[slots]: the inverse of :meth:`setup`."""
        found: Settled = {}
        for option in self.options:
            at = self.slot(option.name)
            found[option.name] = option.decode([int(n) for n in numbers[at : at + option.width]])
        return found

    def changed(self, seats: int, settled: Settled) -> dict[str, str]:
        """The options that differ from their default, as people write them."""
        return {
            o.name: write_value(settled[o.name]) for o in self.options if settled[o.name] != o.preset(seats)
        }


def _span(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
