"""What one viewer knows of a match: whatever is shown of its past, and all of it that is not true for everybody.

Page, API, stream, terminal and records tell what a viewer here is told. What the game's ``events.tell`` does not say to
a viewer does not exist for that viewer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.values import Action, Event, View
from spelunke.core.words import plain
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match

if TYPE_CHECKING:
    from spelunke.games.game import AnyHooks

Translate = Callable[[str], str]


class Told(msgspec.Struct, frozen=True):
    """One thing that happened at ``ply`` (from 0) as one viewer may know it: the game's event and its sentence.

    ``seat`` is who acted, -1 for chance.
    """

    ply: int
    seat: int
    event: Event
    text: str


class LogViewer(ABC):
    """What one viewer may know of a log. Its entries are the plies of a match, or rows of a table, notes among them.

    ``seat`` is None for a spectator.
    """

    def __init__(self, hooks: AnyHooks, seat: int | None) -> None:
        self.seat = seat
        self._hooks = hooks

    @property
    @abstractmethod
    def entries(self) -> int:
        """How many entries the log has."""

    @abstractmethod
    def actor_of(self, entry: int) -> int:
        """The seat whose entry it is, -1 for chance."""

    @abstractmethod
    def events_of(self, entry: int) -> tuple[Event, ...]:
        """What the viewer may know now of what happened there."""

    def events(self, since: int = 0) -> tuple[Event, ...]:
        """What happened from entry ``since`` on."""
        return tuple(event for entry in range(since, self.entries) for event in self.events_of(entry))

    def last(self) -> tuple[Event, ...]:
        """The events since the viewer's own last act, that act included; what a board is given to show.

        For a spectator: since the last act of anybody that he noticed; what he did not notice (a sealed choice that was
        changed) must not shift what he is shown. Where a game tells in scenes (hook ``begins_scene``), the whole scene
        stays, so that it can be gone through again.
        """
        newest = self.entries - 1
        own = next((entry for entry in range(newest, -1, -1) if self._is_own(entry)), 0)
        if not self._hooks.has(Hooks.begins_scene):
            return self.events(own)
        begins = self._hooks.begins_scene
        scene = (
            entry for entry in range(min(own, newest), -1, -1) if any(map(begins, self.events_of(entry)))
        )
        return self.events(next(scene, own))

    def _is_own(self, entry: int) -> bool:
        actor = self.actor_of(entry)
        return actor == self.seat or (self.seat is None and actor != CHANCE and bool(self.events_of(entry)))


class MatchViewer(LogViewer):
    """What a seat (None: a spectator) knows of a match, as it stands whenever it is asked. Raises BadInput for no seat.

    When the match is over, or ``finished`` says so (resigned, agreed, time), nothing of its past is hidden any more.
    """

    def __init__(self, match: Match, seat: int | None, *, finished: bool = False) -> None:
        if seat is not None and not 0 <= seat < match.seats:
            raise BadInput(f"there is no seat {seat}; the seats are 0 to {match.seats - 1}", "viewer")
        super().__init__(match.game.hooks, seat)
        self.match = match
        self._finished = finished

    @property
    def entries(self) -> int:
        """How many plies there are."""
        return self.match.ply

    def actor_of(self, entry: int) -> int:
        """The seat that acted in that ply, -1 for chance."""
        return self.match.plies[entry].seat

    def told(self, ply: int) -> tuple[Event, ...]:
        """What the viewer was told of that ply when it happened."""
        return self.match.events_of(ply, self.seat)

    def notices(self, ply: int, told: tuple[Event, ...]) -> bool:
        """Whether the viewer, who was told this of that ply, noticed it: where a game hides nothing, each one."""
        game = self.match.game
        return bool(told) or self.match.plies[ply].seat == self.seat or not (game.hidden or game.together)

    def events_of(self, entry: int) -> tuple[Event, ...]:
        """What the viewer may know now of that ply: in the end everything."""
        return self.match.events_of(entry, ALL) if self._finished or self.match.over else self.told(entry)

    def history(
        self, since: int = 0, *, names: Sequence[str] = (), translate: Translate = plain
    ) -> tuple[Told, ...]:
        """What the viewer may know of the plies from ``since`` on, oldest first, in sentences.

        A ply of which it may know nothing leaves no trace.
        """
        called = tuple(names) or tuple(f"Seat {seat + 1}" for seat in range(self.match.seats))
        say = self.match.game.events.say
        return tuple(
            Told(ply, self.actor_of(ply), event, say(event, called, translate))
            for ply in range(max(0, since), self.entries)
            for event in self.events_of(ply)
        )

    @property
    def view(self) -> View:
        """The game's View."""
        view: View = self.match.view(self.seat)
        return view

    @property
    def legal(self) -> tuple[tuple[Action, str], ...]:
        """What the seat may do now, each action with its move text; empty when it is not asked."""
        return () if self.seat is None else self._written(self.match.legal(self.seat))

    @property
    def texts(self) -> tuple[str, ...]:
        """The move texts of :attr:`legal`."""
        return tuple(text for _, text in self.legal)

    @property
    def revise(self) -> tuple[tuple[Action, str], ...]:
        """How the seat may change a choice that it has sealed, each action with its move text."""
        return () if self.seat is None else self._written(self.match.revisions(self.seat))

    def _written(self, actions: tuple[Action, ...]) -> tuple[tuple[Action, str], ...]:
        return tuple((action, self.match.game.notation.write(action)) for action in actions)
