"""The match of a table after a row of its log, with facts about the match that are computed once for all viewers."""

from __future__ import annotations

from spelunke.core.values import Action
from spelunke.games.game import Game
from spelunke.games.hooks import Hooks
from spelunke.games.match import Match


class Moment:
    """The match after a row of the table's log, and facts about the match that are often needed.

    The facts may be secret. `live` is false if decisions may take days, if people share one device, or if the
    game is against bots alone. `match` is None before the game has begun.
    """

    def __init__(self, game: Game, match: Match | None, *, live: bool, ended: bool = False) -> None:
        self._game = game
        self._match = match
        # whether the game is being played, the seats to act, and whether chance is to decide
        self.running = match is not None and not ended and not match.over
        self.actors: tuple[int, ...] = match.actors if match is not None and self.running else ()
        self.at_chance = self.running and not self.actors
        # the time after which silence counts as an answer (`games.hooks`), or None
        self.window_ms: int | None = None
        # the name and the length in ms of the present visible wait (hook `visible_wait`), or None
        self.visible_wait: tuple[str, int] | None = None
        # the name of a decision that hides which seats have answered (hook `seats_maybe_asked`), or None
        self.secret: str | None = None
        if match is not None and self.actors:
            hooks, state, offered = game.hooks, match.state, game.hooks.offered
            if Hooks.answer_window_ms in offered:
                self.window_ms = hooks.answer_window_ms(match.options, live, state)
            if Hooks.visible_wait in offered:
                self.visible_wait = hooks.visible_wait(match.options, live, state)
            if Hooks.seats_maybe_asked in offered:
                secret = hooks.seats_maybe_asked(state, None)
                self.secret = None if secret is None else secret[0]
        self._legal: dict[int, tuple[Action, ...]] = {}
        self._revisions: dict[int, tuple[Action, ...]] = {}
        self._silence: dict[int, str | None] = {}

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Return the seat's legal actions.

        If the seat is not to act or the game is not running, the result is empty.
        """
        if self._match is None or not self.running:
            return ()
        if seat not in self._legal:
            self._legal[seat] = self._match.legal(seat)
        return self._legal[seat]

    def revisions(self, seat: int) -> tuple[Action, ...]:
        """Return the actions that may replace the seat's sealed action.

        If the seat has sealed no action or can't change it, the result is empty.
        """
        if self._match is None or not self.running or not self._game.together:
            return ()
        if seat not in self._revisions:
            self._revisions[seat] = self._match.revisions(seat)
        return self._revisions[seat]

    def choices(self, seat: int) -> frozenset[object]:
        """Return the possible choices of the seat, in a game in which several seats act at a time.

        If the seat has already sealed its action, these are the actions that may replace it.

        If the game has the hook `action_on_arrival`, the server may play another action than the one that
        arrives, for example because another seat was faster. The result then has the actions that the server
        would play if no other seat had acted. So the result stays the same when another seat acts, and the server
        can see that this seat still has the same decision.
        """
        if self._match is None or seat not in self.actors:
            return frozenset(self.revisions(seat))
        if Hooks.action_on_arrival not in self._game.hooks.offered:
            return frozenset(self._match.numbers(seat))
        arrive = self._game.hooks.action_on_arrival
        return frozenset(arrive(action, self._match.state, None) for action in self.legal(seat))

    def silence(self, seat: int) -> str | None:
        """Return the move that the server plays for the seat if the seat does not answer in time.

        If silence does not count as an answer, return None.
        """
        if self._match is None:
            return None
        if seat not in self._silence:
            action = self._game.hooks.silent_action(self._match.state, seat)
            self._silence[seat] = None if action is None else self._game.notation.write(action)
        return self._silence[seat]
