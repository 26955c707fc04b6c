"""The match and the rounds of a table after a row of its log. They are computed once for all viewers."""

from __future__ import annotations

from spelunke.core.values import Action, State
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
        """Return the actions that may replace the seat's sealed action, which is hidden from the other seats.

        If the seat has no sealed action, or can't change its sealed action, the result is empty.
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
        arrives, for example because another seat was faster. Then return what the server would play if no other
        seat had acted. This result stays the same when another seat acts, so the server can see that this seat
        still has the same decision.
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


class Rounds:
    """The starts and ends of a table's rounds, each as a pair: the numbers of log rows and of plies until then."""

    __slots__ = ("_done", "_setting_up", "_states", "begins", "ends")

    def __init__(self) -> None:
        self.ends: list[tuple[int, int]] = []
        # the start of each round, when the table was laid out for it
        self.begins: list[tuple[int, int]] = [(0, 0)]
        self._done = 0
        self._setting_up = False
        # the result of `newest_states`, with the number of finished rounds
        self._states: tuple[int, State, State] | None = None

    @property
    def ended(self) -> int:
        """The number of rows in the log when the newest finished round ended, or 0 if no round has ended."""
        return self.ends[-1][0] if self.ends else 0

    def follow(self, match: Match, row: int, running: bool) -> None:
        """Record the end of a round or of the game, if row `row` has just ended it.

        `running` is false if the game is over.
        """
        hooks, state = match.game.hooks, match.state
        done = hooks.rounds_done(state)
        if row and (done > self._done or not running):
            self.ends.append((row, match.ply))
            self.begins.append(self.ends[-1])
        was = self._setting_up
        self._setting_up = Hooks.setting_up in hooks.offered and hooks.setting_up(state)
        if was and not self._setting_up:
            self.begins[-1] = (row, match.ply)
        self._done = done

    def newest_states(self, match: Match) -> tuple[State, State]:
        """Return the states at the start and at the end of the newest finished round.

        A round must have ended. Do not change the states.
        """
        count = len(self.ends)
        if self._states is None or self._states[0] != count:
            first, last = self.begins[count - 1][1], self.ends[-1][1]
            self._states = (count, match.state_at(first), match.state_at(last))
        return self._states[1:]
