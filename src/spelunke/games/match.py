"""A match: what is played from start to outcome, for people, servers and tests. Kernels never use it.

Several games played as one match are one state: docs/why/one-state.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
import numpy as np

from spelunke.core.contract import ALL, CHANCE, OVER
from spelunke.core.errors import GameOver, IllegalMove, NotYourTurn
from spelunke.core.kernel import bind, copy, home_of, pool
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action, ChanceOutcome, Event, State, View
from spelunke.games.game import Game, Settled
from spelunke.games.past import Past

if TYPE_CHECKING:
    from spelunke.core.revise import Revise
    from spelunke.core.step import Step
    from spelunke.core.variants import Variants

Deed: TypeAlias = Action | ChanceOutcome
"""What one ply brings."""


class Ply(msgspec.Struct, frozen=True):
    """One entry of a match's log: a seat's action, or an outcome of chance (seat -1), with its text."""

    number: int
    seat: int
    deed: Deed
    text: str


class Match:
    """One match. Each act or chance is checked, applied and logged, or refused with nothing changed.

    Raises BadOption or BadInput when the table can't be set like that. ``state`` may be read by anybody and is changed
    by nobody else.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        state: State | None = None,
    ) -> None:
        self.game = game
        self.seats = seats if seats is not None else game.usual_seats
        self.options: Settled = game.settle(self.seats, options)
        rules = game.rules
        self._step = cast("Step", bind("spelunke.core.step", rules.__name__))
        self._pool = pool(rules.STATE, 1)
        self._revise: Revise | None = None
        if home_of(rules.__name__, "revise") is not None:
            self._revise = cast("Revise", bind("spelunke.core.revise", rules.__name__))
        self._variants: Variants | None = None
        if home_of(rules.__name__, "variants") is not None:
            self._variants = cast("Variants", bind("spelunke.core.variants", rules.__name__))
        self._numbers = np.zeros(max(rules.ACTIONS, rules.OUTCOMES), np.int16)
        self._weights = np.zeros_like(self._numbers)
        if state is None:
            self._step.start_at(self._pool, 0, game.setup(self.seats, self.options))
        else:
            self._pool[0] = state
        self.plies: list[Ply] = []
        self._past = Past(copy(self.state), self._replay)
        self.chances_taken = 0
        """How many entries of the log are outcomes of chance."""
        self._chances: tuple[tuple[ChanceOutcome, int], ...] | None = None  # asked for twice at each chance
        # what the rules say of who acts, once they were asked since the state changed
        self._who: int | None = None

    @property
    def state(self) -> State:
        """The state record now; a copy is yours to change, this one isn't."""
        state: State = self._pool[0]
        return state

    @property
    def ply(self) -> int:
        """How many entries the log has."""
        return len(self.plies)

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that may act now; empty at chance and when over."""
        who = self._asked
        return tuple(seat for seat in range(self.seats) if who > 0 and who >> seat & 1)

    @property
    def _asked(self) -> int:
        """The seats that may act as bits, or CHANCE or OVER."""
        if self._who is None:
            self._who = int(self._step.actors_at(self._pool, 0))
        return self._who

    @property
    def chance(self) -> bool:
        """Whether chance is to be decided now."""
        return self._asked == CHANCE

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self._asked == OVER

    def numbers(self, seat: int) -> tuple[int, ...]:
        """The seat's legal actions as numbers, ascending."""
        if not 0 <= seat < self.seats:
            return ()
        count = self._step.legal_at(self._pool, 0, seat, self._numbers)
        return tuple(self._numbers[:count].tolist())

    def legal(self, seat: int) -> tuple[Action, ...]:
        """The seat's legal actions, typed; empty when it is not asked."""
        return tuple(self.game.moves.decode(number) for number in self.numbers(seat))

    def revisions(self, seat: int) -> tuple[Action, ...]:
        """How the seat may change a choice that it sealed, until the last is in; each can be given to :meth:`act`."""
        return tuple(self.game.moves.decode(number) for number in self._revisions(seat))

    def _revisions(self, seat: int) -> tuple[int, ...]:
        if self._revise is None or not 0 <= seat < self.seats:
            return ()
        count = self._revise.revise_at(self._pool, 0, seat, self._numbers)
        return tuple(self._numbers[:count].tolist())

    def _may(self, seat: int, number: int) -> bool:
        """Whether the rules allow it: as a legal action, a change of what is sealed, or another way of doing either."""
        if number in self.numbers(seat) or number in self._revisions(seat):
            return True
        if self._variants is None or not 0 <= seat < self.seats:
            return False
        count = self._variants.variants_at(self._pool, 0, seat, self._numbers)
        return number in self._numbers[:count]

    def texts(self, seat: int) -> tuple[str, ...]:
        """The seat's legal moves as text."""
        return tuple(self.game.notation.write(action) for action in self.legal(seat))

    def parse(self, text: str) -> Action:
        """The action that a move text means in this position; raises BadText."""
        return self.game.notation.parse(text, self.state)

    def act(self, seat: int, action: Action) -> Ply:
        """Play an action. Raises GameOver, NotYourTurn, IllegalMove; then nothing has changed."""
        if self.over:
            raise GameOver("the game is over; nothing can be played any more")
        if self.chance:
            raise NotYourTurn("chance decides first; then a seat is asked")
        if seat not in self.actors and not self._revisions(seat):
            # Who else owes an answer may be a secret (a pass on a call), so it is only said in open games.
            whose = "" if self.game.hidden else f"; it is {_whose(self.actors)}"
            raise NotYourTurn(f"seat {seat} is not asked to act now{whose}")
        before = copy(self.state)
        self._who = None
        try:
            for number in self.game.moves.encode(action, before):
                if not self._may(seat, number):
                    raise IllegalMove(self._refusal(action, before))
                self._step.play_at(self._pool, 0, seat, number)
        except Exception:
            self._pool[0] = before
            raise
        return self._log(seat, action, self.game.notation.write(action))

    def _refusal(self, action: Action, before: State) -> str:
        """Why it is not allowed, by the state before it: of several steps the first may have been played by now."""
        reason = self.game.hooks.explain_refusal(action, before)
        return f"{self.game.notation.write(action)!r} is not allowed now" + (f": {reason}" if reason else "")

    def chances(self) -> tuple[tuple[ChanceOutcome, int], ...]:
        """The outcomes that chance can take now, with integer weights; empty when it is not at chance."""
        if self._chances is None:
            count = self._step.chances_at(self._pool, 0, self._numbers, self._weights) if self.chance else 0
            outcomes = map(self.game.moves.decode_chance, self._numbers[:count].tolist())
            self._chances = tuple(zip(outcomes, self._weights[:count].tolist(), strict=True))
        return self._chances

    def land(self, chance: ChanceOutcome) -> Ply:
        """See :meth:`apply_chance`."""
        return self.apply_chance(chance)

    def apply_chance(self, chance: ChanceOutcome) -> Ply:
        """Let chance take this outcome. Raises IllegalMove when it can't."""
        if chance not in (outcome for outcome, _ in self.chances()):
            raise IllegalMove(f"chance can't bring {self.game.notation.write_chance(chance)!r} here")
        self._who = None
        self._step.apply_chance_at(self._pool, 0, self.game.moves.encode_chance(chance))
        return self._log(CHANCE, chance, self.game.notation.write_chance(chance))

    def _log(self, seat: int, deed: Deed, text: str) -> Ply:
        ply = Ply(len(self.plies), seat, deed, text)
        self.plies.append(ply)
        self.chances_taken += seat == CHANCE
        self._chances = None
        self._past.add(copy(self.state))
        return ply

    def _replay(self, state: State, number: int) -> State:
        """The state after ply ``number``, from the one before it."""
        played = pool(self.game.rules.STATE, 1)
        played[0] = state
        deed, seat = self.plies[number].deed, self.plies[number].seat
        if isinstance(deed, ChanceOutcome):
            self._step.apply_chance_at(played, 0, self.game.moves.encode_chance(deed))
        else:
            for action in self.game.moves.encode(deed, state):
                self._step.play_at(played, 0, seat, action)
        return copy(cast(State, played[0]))

    def undo(self) -> Ply:
        """Take the last ply back. Raises IllegalMove at the start."""
        if not self.plies:
            raise IllegalMove("there is nothing to take back")
        self._pool[0] = self._past.take_back()
        self._who = None
        ply = self.plies.pop()
        self.chances_taken -= ply.seat == CHANCE
        self._chances = None
        return ply

    def state_at(self, ply: int) -> State:
        """A copy of the state before ply number ``ply``."""
        return copy(self._past.at(ply))

    def view(self, seat: int | None) -> View:
        """What this seat (None: a spectator) may see now."""
        return self.game.view.view(self.state, seat)

    def events(self, viewer: int | None = ALL, since: int = 0) -> tuple[Event, ...]:
        """What happened from ply ``since`` on, as this viewer may know it."""
        found: list[Event] = []
        for ply in self.plies[since:]:
            found.extend(self.events_of(ply.number, viewer))
        return tuple(found)

    def events_of(self, ply: int, viewer: int | None = ALL) -> tuple[Event, ...]:
        """What happened at one ply, as this viewer may know it."""
        entry = self.plies[ply]
        return self.game.events.tell(
            self._past.at(ply), entry.seat, entry.deed, self._past.at(ply + 1), viewer
        )

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it runs."""
        if not self.over:
            return None
        points = np.zeros(self.seats, np.int16)
        ranks = np.zeros(self.seats, np.int16)
        self._step.result_at(self._pool, 0, points, ranks)
        return Outcome(tuple(int(p) for p in points), tuple(int(r) for r in ranks))


def _whose(actors: tuple[int, ...]) -> str:
    return "seat " + " and seat ".join(str(seat) for seat in actors) + "'s turn"
