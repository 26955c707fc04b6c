"""The knowledge of one viewer about a match: the past events and the present state that the viewer may see.

Pages, API, streams and the terminal show a running game only through the classes of this module and their subclasses.
While the game runs, a viewer gets only the events that the game's ``events.tell`` returns for this viewer.
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
    """One event as one viewer may know it. ``text`` is a sentence that tells people about the event.

    ``ply`` is the number of the ply that caused the event, from 0. ``seat`` is the seat that acted, or -1 for chance.
    """

    ply: int
    seat: int
    event: Event
    text: str


class LogViewer(ABC):
    """A log as one viewer may know it.

    The entries of the log are the plies of a match, or the rows of a table, which include notes. ``seat`` is None
    for a spectator.
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
        """Return the newest events, for the viewer's board.

        For a seat, they begin with the seat's own last action. If the seat has not acted yet, return all events.

        For a spectator, they begin with the last action that showed spectators an event. If no action has shown them
        an event yet, return all events. Secret actions do not count: if they did, the result would change when a seat
        changes its secret choice, and spectators could notice the change.

        If a game groups its events into scenes (hook ``begins_scene``), the result goes back to the entry in which the
        scene began, so that the board can replay the whole scene.
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
    """A match as one viewer knows it now. The viewer is a seat, or a spectator if ``seat`` is None.

    When the game has ended, no past event is hidden any more. Set ``finished`` if the game ended in a way that the
    match does not contain, for example by resignation. Raise BadInput if the seat does not exist.
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
        """Return the seat that acted in this ply, -1 for chance."""
        return self.match.plies[entry].seat

    def told(self, ply: int) -> tuple[Event, ...]:
        """Return the events of a ply as the viewer knew them when the ply was played."""
        return self.match.events_of(ply, self.seat)

    def notices(self, ply: int, told: tuple[Event, ...]) -> bool:
        """Return whether the viewer can know that a ply was played. Only such plies are in the viewer's hash chain.

        ``told`` are the events of the ply that the viewer saw. If there are none, return True only in two cases: the
        viewer's own seat played the ply, or the game has neither hidden facts nor simultaneous choices.
        """
        game = self.match.game
        return bool(told) or self.match.plies[ply].seat == self.seat or not (game.hidden or game.together)

    def events_of(self, entry: int) -> tuple[Event, ...]:
        """Return the events of a ply as the viewer may know them now.

        If the game is over, these are all events.
        """
        return self.match.events_of(entry, ALL) if self._finished or self.match.over else self.told(entry)

    def history(
        self, since: int = 0, *, names: Sequence[str] = (), translate: Translator = plain
    ) -> tuple[Told, ...]:
        """Return the events from ply ``since`` on, oldest first, each with its sentence.

        The events are those that the viewer may know now. If the viewer may know nothing of a ply, the result has no
        entry for this ply.
        """
        called = tuple(names) or tuple(f"Seat {seat + 1}" for seat in range(self.match.seats))
        found: list[Told] = []
        for ply in range(max(0, since), self.entries):
            events = self.events_of(ply)
            texts = self.match.say(ply, events, called, translate)
            found += (
                Told(ply, self.actor_of(ply), event, text) for event, text in zip(events, texts, strict=True)
            )
        return tuple(found)

    @property
    def view(self) -> View:
        """The game's state as the viewer may see it now."""
        view: View = self.match.view(self.seat)
        return view

    @property
    def legal(self) -> tuple[tuple[Action, str], ...]:
        """The seat's legal actions, each with its move text; empty if the seat may not act."""
        return () if self.seat is None else self._written(self.match.legal(self.seat))

    @property
    def texts(self) -> tuple[str, ...]:
        """The move texts of the seat's legal actions (:attr:`legal`)."""
        return tuple(text for _, text in self.legal)

    @property
    def revise(self) -> tuple[tuple[Action, str], ...]:
        """The actions that change the seat's sealed choice, each with its move text."""
        return () if self.seat is None else self._written(self.match.revisions(self.seat))

    def _written(self, actions: tuple[Action, ...]) -> tuple[tuple[Action, str], ...]:
        return tuple((action, self.match.game.notation.write(action)) for action in actions)
