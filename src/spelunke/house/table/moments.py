"""The match of a table between two rows: what is asked for all the time, worked out once for all who look."""

from __future__ import annotations

from spelunke.core.values import Action
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match


class Moment:
    """The match as it stands after a row, and what its game says of it; nothing here is hidden from anybody.

    `live`: people sit together; it is no table over days and none against bots alone. Without a match the game has not
    begun.
    """

    def __init__(self, game: Game, match: Match | None, *, live: bool, ended: bool = False) -> None:
        self._game = game
        self._match = match
        # whether the game is being played, the seats that are asked, and whether chance is to decide
        self.running = match is not None and not ended and not match.over
        self.actors: tuple[int, ...] = match.actors if match is not None and self.running else ()
        self.at_chance = self.running and not self.actors
        # how long the decisions may wait until silence is an answer (`games.hooks`); None: for ever
        self.window_ms: int | None = None
        # name and length of a time in which everybody sees the table wait (`games.hooks`)
        self.visible_wait: tuple[str, int] | None = None
        # the name of a moment that tells nobody who has answered (hook `seats_maybe_asked`), or None
        self.secret: str | None = None
        if match is not None and self.actors:
            hooks, state = game.hooks, match.state
            self.window_ms = hooks.answer_window_ms(match.options, live, state)
            self.visible_wait = hooks.visible_wait(match.options, live, state)
            secret = hooks.seats_maybe_asked(state, None)
            self.secret = None if secret is None else secret[0]
        self._legal: dict[int, tuple[Action, ...]] = {}
        self._revisions: dict[int, tuple[Action, ...]] = {}
        self._silence: dict[int, str | None] = {}

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do; empty when it is not asked, or the game is not played."""
        if self._match is None or not self.running:
            return ()
        if seat not in self._legal:
            self._legal[seat] = self._match.legal(seat)
        return self._legal[seat]

    def revisions(self, seat: int) -> tuple[Action, ...]:
        """How the seat may change what it has sealed; empty when it has not, or can't any more."""
        if self._match is None or not self.running or not self._game.together:
            return ()
        if seat not in self._revisions:
            self._revisions[seat] = self._match.revisions(seat)
        return self._revisions[seat]

    def choices(self, seat: int) -> frozenset[object]:
        """What is the seat's to choose; empty where one seat acts at a time, as then each row opens a new decision.

        What the house makes of a choice by the time of its arrival is not the seat's to choose, so it doesn't count
        that another's call puts an end to it. Who is not asked may still change what it has sealed.
        """
        if self._match is None or seat not in self.actors:
            return frozenset(self.revisions(seat))
        if not self._game.together:
            return frozenset()
        if not self._game.hooks.has(Hooks.action_on_arrival):
            return frozenset(self._match.numbers(seat))
        arrive = self._game.hooks.action_on_arrival
        return frozenset(arrive(action, self._match.state, None) for action in self.legal(seat))

    def silence(self, seat: int) -> str | None:
        """The move text of a seat that says nothing until its window closes, or None."""
        if self._match is None:
            return None
        if seat not in self._silence:
            action = self._game.hooks.silent_action(self._match.state, seat)
            self._silence[seat] = None if action is None else self._game.notation.write(action)
        return self._silence[seat]

    def counts(self, seat: int) -> bool:
        """Whether the seat's time counts if a person plays it: not where silence is an answer as well."""
        return self.window_ms is None or self.silence(seat) is None
