"""One viewer's knowledge of a match: the past events and the present state that it may see.

Pages, API, streams, terminal and records show only what a viewer of this module may know. Anything that the
game's ``events.tell`` does not return for a viewer does not exist for that viewer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from spelunke.core.contract import ALL, CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.values import Action, Event, View
from spelunke.core.words import Translator, plain
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match

if TYPE_CHECKING:
    from spelunke.games.game import AnyHooks


class Told(msgspec.Struct, frozen=True):
    """One event at ``ply`` (from 0) as one viewer may know it: the game's event and its sentence.

    ``seat`` is the seat that acted, -1 for chance.
    """

    ply: int
    seat: int
    event: Event
    text: str


class LogViewer(ABC):
    """A log as one viewer may know it. Its entries are the plies of a match, or rows of a table, including notes.

    ``seat`` is None for a spectator.
    """

    def __init__(self, hooks: AnyHooks, seat: int | None) -> None:
        self.seat = seat
        self._hooks = hooks

    @property
    @abstractmethod
    def entries(self) -> int:
        """The number of entries in the log."""

    @abstractmethod
    def actor_of(self, entry: int) -> int:
        """Return the seat that made the entry, -1 for chance."""

    @abstractmethod
    def events_of(self, entry: int) -> tuple[Event, ...]:
        """Return the events of the entry as the viewer may know them now."""

    def events(self, since: int = 0) -> tuple[Event, ...]:
        """Return the events from entry ``since`` on."""
        return tuple(event for entry in range(since, self.entries) for event in self.events_of(entry))

    def last(self) -> tuple[Event, ...]:
        """Return the events from the viewer's own last action on, for the viewer's board.

        For a spectator, return the events from the last action on that the spectator noticed. An action that
        the spectator did not notice (a changed sealed choice) must not change this result. If a game reports in
        scenes (hook ``begins_scene``), the whole scene is included, so that it can be replayed.
        """
        first, entries, seat = 0, self.entries, self.seat
        for entry in range(entries - 1, -1, -1):
            actor = self.actor_of(entry)
            if actor == seat or (seat is None and actor != CHANCE and self.events_of(entry)):
                first = entry
                break
        if Hooks.begins_scene in self._hooks.offered:
            begins = self._hooks.begins_scene
            for entry in range(min(first, entries - 1), -1, -1):
                if any(map(begins, self.events_of(entry))):
                    first = entry
                    break
        return self.events(first)


class MatchViewer(LogViewer):
    """A match as a seat (None: a spectator) knows it now. Raise BadInput for a seat that does not exist.

    If the match is over, or ``finished`` (by resignation, agreement or time), nothing in its past is hidden any
    more.
    """

    def __init__(self, match: Match, seat: int | None, *, finished: bool = False) -> None:
        if seat is not None and not 0 <= seat < match.seats:
            raise BadInput(f"there is no seat {seat}; the seats are 0 to {match.seats - 1}", "viewer")
        super().__init__(match.game.hooks, seat)
        self.match = match
        self._finished = finished

    @property
    def entries(self) -> int:
        """The number of plies."""
        return self.match.ply

    def actor_of(self, entry: int) -> int:
        """Return the seat that acted in that ply, -1 for chance."""
        return self.match.plies[entry].seat

    def told(self, ply: int) -> tuple[Event, ...]:
        """Return the events of that ply as the viewer knew them when it happened."""
        return self.match.events_of(ply, self.seat)

    def notices(self, ply: int, told: tuple[Event, ...]) -> bool:
        """Return whether the viewer noticed the ply, given the events of it that the viewer saw.

        If a game hides nothing, return True.
        """
        game = self.match.game
        return bool(told) or self.match.plies[ply].seat == self.seat or not (game.hidden or game.together)

    def events_of(self, entry: int) -> tuple[Event, ...]:
        """Return the events of that ply as the viewer may know them now.

        When the game is over, these are all events.
        """
        return self.match.events_of(entry, ALL) if self._finished or self.match.over else self.told(entry)

    def history(
        self, since: int = 0, *, names: Sequence[str] = (), translate: Translator = plain
    ) -> tuple[Told, ...]:
        """Return the events of the plies from ``since`` on, oldest first, as the viewer may know them, with
        sentences.

        If the viewer may know nothing of a ply, the ply leaves no trace.
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
        """The game's state as the viewer may see it now."""
        view: View = self.match.view(self.seat)
        return view

    @property
    def legal(self) -> tuple[tuple[Action, str], ...]:
        """The seat's possible actions, each with its move text; empty if it may not act."""
        return () if self.seat is None else self._written(self.match.legal(self.seat))

    @property
    def texts(self) -> tuple[str, ...]:
        """The move texts of :attr:`legal`."""
        return tuple(text for _, text in self.legal)

    @property
    def revise(self) -> tuple[tuple[Action, str], ...]:
        """The actions that change the seat's sealed choice, each with its move text."""
        return () if self.seat is None else self._written(self.match.revisions(self.seat))

    def _written(self, actions: tuple[Action, ...]) -> tuple[tuple[Action, str], ...]:
        return tuple((action, self.match.game.notation.write(action)) for action in actions)
