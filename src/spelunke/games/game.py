"""The definition of a game, and access to its parts.

Importing a definition is cheap: each part of the game is imported on its first use.
"""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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

    # Types for callers that only pass a game's objects on and never look inside.
    AnyRules: TypeAlias = Rules[State]
    AnyMoves: TypeAlias = Moves[Action, ChanceOutcome, State]
    AnyEvents: TypeAlias = Events[Event, Action, State]
    AnyNotation: TypeAlias = Notation[Action, ChanceOutcome, State]
    AnyViews: TypeAlias = Views[View, State]
    AnyKnowledge: TypeAlias = Knowledge[State]
    AnyHooks: TypeAlias = Hooks[State, Action, View, Event]

OPTION = re.compile(r"\{(\w+)\}")
CONDITION = re.compile(r" *<!-- if (.+?) -->")
"""Matches the condition at the end of a line of the short rules."""

Settled = dict[str, Value]
"""Every option of a table with its checked value, in the order of the game's definition."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named way to play a game: the number of players, and the options that differ from the defaults.

    ``help`` describes the preset in one sentence. ``first`` is true if this preset is meant for a person's first game.
    """

    name: str
    title: str
    help: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    first: bool = False


@dataclass(frozen=True)
class Game:
    """The definition of a game: its name, seats and options, and the parts in its folder.

    ``package`` is the dotted name of the folder. ``check`` raises BadOption for options that may not be
    combined. ``seats_of`` returns the numbers of players that the given options allow; if it is None, all numbers in
    ``seats`` are allowed. ``place`` is the game's position in lists of games; the best game for beginners comes first.

    ``hidden`` is True if a seat may know facts that others don't know. ``together`` is True if several seats
    may act at once. ``usual`` is the default number of players. ``daily`` names the preset for the game of the
    day; if it is empty, the game of the day has the default options.
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
    daily: str = ""

    @property
    def usual_seats(self) -> int:
        """The default number of players: ``usual`` if set, else the least possible number."""
        return self.usual or self.seats[0]

    def preset(self, name: str) -> Preset | None:
        """Return the preset with that name, or None if there is none."""
        return next((preset for preset in self.presets if preset.name == name), None)

    @cached_property
    def rules(self) -> AnyRules:
        """The kernels of the rules (see :class:`spelunke.core.contract.Rules`).

        Their first use takes time, because the kernels are compiled or loaded then.
        """
        from spelunke.core.kernel import Served

        return cast("AnyRules", Served(f"{self.package}.rules"))

    @cached_property
    def moves(self) -> AnyMoves:
        """The module that converts typed actions and outcomes of chance to numbers and back."""
        return cast("AnyMoves", self._part("moves"))

    @cached_property
    def events(self) -> AnyEvents:
        """The module that makes the events of a ply: the entries of the log that one viewer may see."""
        return cast("AnyEvents", self._part("events"))

    @cached_property
    def notation(self) -> AnyNotation:
        """The reader and writer of moves and positions as text.

        If the game's folder has no ``notation.py``, this is a :class:`.FieldNotation`.
        """
        if importlib.util.find_spec(f"{self.package}.notation") is None:
            from spelunke.games.field_notation import FieldNotation

            return FieldNotation(self)
        return cast("AnyNotation", self._part("notation"))

    @cached_property
    def view(self) -> AnyViews:
        """The module that makes the view of a seat: the part of a state that the seat may see."""
        return cast("AnyViews", self._part("view"))

    @cached_property
    def knowledge(self) -> AnyKnowledge:
        """The module that evaluates positions for bots."""
        return cast("AnyKnowledge", self._part("knowledge"))

    @cached_property
    def hooks(self) -> AnyHooks:
        """The optional features of the game (see :class:`spelunke.games.hooks.Hooks`).

        If the folder has no ``hooks.py``, all hooks have their defaults. Raise BadGame if ``hooks.py`` doesn't define
        ``HOOKS`` as an instance of ``Hooks``.
        """
        from spelunke.games.hooks import Hooks

        if importlib.util.find_spec(f"{self.package}.hooks") is None:
            return Hooks()
        hooks = vars(self._part("hooks")).get("HOOKS")
        if not isinstance(hooks, Hooks):
            raise BadGame("this file must define HOOKS, an instance of Hooks", f"{self.package}.hooks")
        return hooks

    @cached_property
    def levels(self) -> Levels:
        """The bot levels in ``levels.toml``, by name, with their settings."""
        from importlib.resources import files

        return tomllib.loads(files(self.package).joinpath("levels.toml").read_text(encoding="utf-8"))

    @cached_property
    def players(self) -> Players:
        """The bots in ``players.toml`` by level and by name: the face of each bot, and a sentence about its play.

        If the game has no ``players.toml``, the mapping is empty.
        """
        from importlib.resources import files

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
        """The pictures for the page of rules, by name; empty if the folder has no ``pictures.toml``.

        Raise BadGame if ``pictures.toml`` can't be read.
        """
        from spelunke.games.illustration import read_illustrations  # most processes need no pictures

        return read_illustrations(self.package)

    def _part(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def option(self, name: str) -> Option:
        """Return the option with that name. Raise BadOption if there is none."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise BadOption(f"{self.title} has no option of that name; it has {known}", f"option {name}")

    def settle(self, seats: int, given: Mapping[str, object] | None = None) -> Settled:
        """Return every option with its checked value. Options that are not given have their default.

        Raise BadOption for the first option that is not allowed, and BadInput for a wrong number of seats.
        """
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

    def card(self, language: str, seats: int = 0, settled: Settled | None = None) -> str:
        """Return the short rules as Markdown, in this language or else in English, for a table with these options.

        A line can end with a condition, for example ``<!-- if schedule=short seats!=2 -->``. Leave out the lines whose
        condition does not hold. ``{schedule}`` stands for the value of this option. If ``settled`` is left out, the
        defaults are used. If ``seats`` is left out, keep the lines for each number of players. If there are no short
        rules, return an empty text.
        """
        folder = importlib.resources.files(self.package)
        files = [folder.joinpath(name) for name in (f"card.{language}.md", "card.md")]
        text = next((file.read_text(encoding="utf-8") for file in files if file.is_file()), "")
        usual = {o.name: o.preset(seats or self.usual_seats) for o in self.options}
        known: Settled = {"seats": seats, **(settled or usual)}
        lines = [(line, CONDITION.search(line)) for line in text.splitlines()]
        kept = [CONDITION.sub("", line) for line, found in lines if not found or _holds(found[1], known)]
        return OPTION.sub(lambda name: write_value(known.get(name[1], name[0])), "\n".join(kept))

    def setup(self, seats: int, settled: Settled) -> npt.NDArray[np.int16]:
        """Return the argument ``setup`` of the kernel ``start``: the number of seats, then every option as numbers."""
        numbers = [seats]
        for option in self.options:
            numbers.extend(option.encode(settled[option.name]))
        return np.array(numbers, np.int16)

    @cached_property
    def slots(self) -> int:
        """The length of the field ``options`` in a state. Each option takes one or more elements of this field."""
        return sum(option.width for option in self.options)

    def slot(self, name: str) -> int:
        """Return the index at which an option begins in the field ``options`` of a state.

        Kernels use the index as a constant. Raise BadOption if the game has no option with that name.
        """
        wanted = self.option(name)
        return sum(option.width for option in self.options[: self.options.index(wanted)])

    def options_of(self, numbers: Sequence[int]) -> Settled:
        """Return the options that ``numbers`` encode. ``numbers`` are the elements of the field ``options`` of a state.

        :meth:`setup` encodes the options in the same way.
        """
        found: Settled = {}
        for option in self.options:
            at = self.slot(option.name)
            found[option.name] = option.decode([int(n) for n in numbers[at : at + option.width]])
        return found

    def changed(self, seats: int, settled: Settled) -> dict[str, str]:
        """Return the options in ``settled`` that differ from their defaults, each with its value as text for people."""
        return {
            o.name: write_value(settled[o.name]) for o in self.options if settled[o.name] != o.preset(seats)
        }


def _holds(condition: str, settled: Settled) -> bool:
    """Return whether a condition such as ``schedule=short seats!=2`` holds. It holds if all its parts hold.

    If the number of seats is 0, it is not known, and each part about it holds.
    """
    for part in condition.split():
        name, _equals, value = part.partition("=")
        if name.removesuffix("!") == "seats" and not settled["seats"]:
            continue
        if (write_value(settled[name.removesuffix("!")]) == value) == name.endswith("!"):
            return False
    return True


def _span(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
