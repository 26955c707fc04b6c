"""A match: a game from its start to its result, for people, servers and tests.

Kernels never use this module. If several games are played as one match, the whole match has a single state (see
docs/why/one-state.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
import numpy as np

from spelunke.core.contract import ALL, CHANCE, OVER
from spelunke.core.errors import GameOver, IllegalMove, NotYourTurn
from spelunke.core.kernel import bind, copy, home_of, pool
from spelunke.core.outcome import Outcome
from spelunke.core.values import Action, ChanceOutcome, Event, State, View
from spelunke.core.words import Translator
from spelunke.games.game import Game, Settled
from spelunke.games.hooks import Hooks
from spelunke.games.past import Past

if TYPE_CHECKING:
    from spelunke.core.revise import Revise
    from spelunke.core.step import Step
    from spelunke.core.variants import Variants

Deed: TypeAlias = Action | ChanceOutcome
"""The content of a ply: an action or an outcome of chance."""


class Ply(msgspec.Struct, frozen=True):
    """One entry of a match's log: a seat's action or an outcome of chance (seat -1), with its text."""

    number: int
    seat: int
    deed: Deed
    text: str


class Match:
    """One match. It checks each action and outcome of chance, then applies and logs it.

    If it refuses an action or an outcome, nothing changes. The constructor raises BadOption or BadInput if
    the options or the number of seats are not allowed. If the constructor gets a ``state``, the match begins with a
    copy of this state.
    """

    state: State
    """The current state record. Each ply changes this record in place.

    Callers may read the record but must not change it. A caller that wants to keep a state must copy it.
    """
    actors: tuple[int, ...]
    """The seats that may act now; empty if chance decides or the game is over."""
    chance: bool
    """Whether chance decides next."""
    over: bool
    """Whether the game is over."""

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
        self.state = self._pool[0]
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
        """The number of outcomes of chance in the log."""
        # a cache, because each decision of chance uses the outcomes twice
        self._chances: tuple[tuple[ChanceOutcome, int], ...] | None = None
        self._ask_rules()

    @property
    def ply(self) -> int:
        """The number of entries in the log."""
        return len(self.plies)

    def _ask_rules(self) -> None:
        """Update `actors`, `chance` and `over` after the state has changed."""
        who = int(self._step.actors_at(self._pool, 0))  # the seats as bits, or CHANCE or OVER
        self.chance, self.over = who == CHANCE, who == OVER
        self.actors = tuple([seat for seat in range(self.seats) if who >> seat & 1]) if who > 0 else ()

    def numbers(self, seat: int) -> tuple[int, ...]:
        """Return the kernel numbers of the seat's legal actions, in ascending order."""
        if not 0 <= seat < self.seats:
            return ()
        count = self._step.legal_at(self._pool, 0, seat, self._numbers)
        return tuple(self._numbers[:count].tolist())

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Return the seat's legal actions. If the seat is not to act, return an empty tuple."""
        return tuple(self.game.moves.decode(number) for number in self.numbers(seat))

    def revisions(self, seat: int) -> tuple[Action, ...]:
        """Return the actions that change the seat's sealed choice.

        If the seat has sealed nothing, or after the last seat has sealed, return an empty tuple.
        """
        return tuple(self.game.moves.decode(number) for number in self._revisions(seat))

    def _revisions(self, seat: int) -> tuple[int, ...]:
        if self._revise is None or not 0 <= seat < self.seats:
            return ()
        count = self._revise.revise_at(self._pool, 0, seat, self._numbers)
        return tuple(self._numbers[:count].tolist())

    def _may(self, seat: int, number: int) -> bool:
        """Return whether the rules allow an action: it is legal, it changes a sealed choice, or it is a variant of a
        legal action (:func:`spelunke.core.contract.variants`).
        """
        if number in self.numbers(seat) or number in self._revisions(seat):
            return True
        if self._variants is None or not 0 <= seat < self.seats:
            return False
        count = self._variants.variants_at(self._pool, 0, seat, self._numbers)
        return number in self._numbers[:count]

    def texts(self, seat: int) -> tuple[str, ...]:
        """Return the seat's legal moves as text."""
        return tuple(self.game.notation.write(action) for action in self.legal(seat))

    def parse(self, text: str) -> Action:
        """Return the action that a move text means in this position. Raise BadText if there is none."""
        return self.game.notation.parse(text, self.state)

    def act(self, seat: int, action: Action) -> Ply:
        """Play an action, and return its entry in the log.

        Raise GameOver, NotYourTurn or IllegalMove if the action is refused, and KeyError if the action has no kernel
        number (:meth:`spelunke.games.parts.Moves.encode`). If an error is raised, nothing changes.
        """
        if self.over:
            raise GameOver("the game is over; nothing can be played any more")
        if self.chance:
            raise NotYourTurn(
                "no seat can act now: the next step is a roll, a card or another outcome of chance"
            )
        if seat not in self.actors and not self._revisions(seat):
            if self.game.hidden:  # a pass may be secret, so don't say which other seats are still to act
                raise NotYourTurn(f"it is not the turn of seat {seat}")
            acting = ", ".join(str(actor) for actor in self.actors)
            raise NotYourTurn(f"it is not the turn of seat {seat}, but of seat {acting}")
        before = copy(self.state)
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
        """Return a sentence that says why an action is not allowed.

        ``before`` is the state before the action. The current state may differ: an action can consist of several
        small steps, and the rules may refuse one of them after others were played.
        """
        reason = self.game.hooks.explain_refusal(action, before)
        return f"{self.game.notation.write(action)!r} is not allowed now" + (f": {reason}" if reason else "")

    def chances(self) -> tuple[tuple[ChanceOutcome, int], ...]:
        """Return the possible outcomes of chance with their integer weights; an empty tuple if chance does not
        decide now.
        """
        if self._chances is None:
            count = self._step.chances_at(self._pool, 0, self._numbers, self._weights) if self.chance else 0
            outcomes = map(self.game.moves.decode_chance, self._numbers[:count].tolist())
            self._chances = tuple(zip(outcomes, self._weights[:count].tolist(), strict=True))
        return self._chances

    def land(self, chance: ChanceOutcome) -> Ply:
        """Apply an outcome of chance. This is another name for :meth:`apply_chance`."""
        return self.apply_chance(chance)

    def apply_chance(self, chance: ChanceOutcome) -> Ply:
        """Apply an outcome of chance, and return its entry in the log.

        Raise IllegalMove if the outcome is not possible now.
        """
        if chance not in (outcome for outcome, _ in self.chances()):
            raise IllegalMove(f"the outcome {self.game.notation.write_chance(chance)!r} is not possible here")
        self._step.apply_chance_at(self._pool, 0, self.game.moves.encode_chance(chance))
        return self._log(CHANCE, chance, self.game.notation.write_chance(chance))

    def _log(self, seat: int, deed: Deed, text: str) -> Ply:
        ply = Ply(len(self.plies), seat, deed, text)
        self.plies.append(ply)
        self.chances_taken += seat == CHANCE
        self._chances = None
        self._ask_rules()
        self._past.add(copy(self.state))
        return ply

    def _replay(self, state: State, number: int) -> State:
        """Return the state after ply ``number``, given the state before it."""
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
        """Take back the last ply, and return it. Raise IllegalMove if the log is empty."""
        if not self.plies:
            raise IllegalMove("there is nothing to take back")
        self._pool[0] = self._past.take_back()
        self._ask_rules()
        ply = self.plies.pop()
        self.chances_taken -= ply.seat == CHANCE
        self._chances = None
        return ply

    def state_at(self, ply: int) -> State:
        """Return a copy of the state before the ply with this number."""
        return copy(self._past.at(ply))

    def match_at(self, ply: int | None = None) -> Match:
        """Return a new match that begins with the state before the ply with this number.

        If ``ply`` is None, the new match begins with the current state.
        """
        state = self.state_at(self.ply if ply is None else ply)
        return Match(self.game, self.seats, self.options, state=state)

    def view(self, seat: int | None) -> View:
        """Return the current view of this seat; None is a spectator."""
        return self.game.view.view(self.state, seat)

    def events(self, viewer: int | None = ALL, since: int = 0) -> tuple[Event, ...]:
        """Return the events of the plies from number ``since`` on, as this viewer may see them."""
        found: list[Event] = []
        for ply in self.plies[since:]:
            found.extend(self.events_of(ply.number, viewer))
        return tuple(found)

    def events_of(self, ply: int, viewer: int | None = ALL) -> tuple[Event, ...]:
        """Return the events of one ply, as this viewer may see them."""
        entry = self.plies[ply]
        return self.game.events.tell(
            self._past.at(ply), entry.seat, entry.deed, self._past.at(ply + 1), viewer
        )

    def say(
        self, ply: int | None, events: Sequence[Event], names: Sequence[str], translate: Translator
    ) -> tuple[str, ...]:
        """Return a sentence for each of these events of one ply, with the game's explanation of the event, if any.

        ``names`` has the player's name for each seat. If an event has no sentence, its text is empty. If ``ply`` is
        None because the ply was taken back, the result has no explanations.
        """
        said = tuple(self.game.events.say(event, names, translate) for event in events)
        if ply is None or not events or Hooks.explain_events not in self.game.hooks.offered:
            return said
        before, after = self._past.at(ply), self._past.at(ply + 1)
        more = self.game.hooks.explain_events(events, before, after, names, translate)
        return tuple(f"{text} {why}".strip() for text, why in zip(said, more, strict=True))

    @property
    def outcome(self) -> Outcome | None:
        """The points and ranks at the end; None until the game is over."""
        if not self.over:
            return None
        points = np.zeros(self.seats, np.int16)
        ranks = np.zeros(self.seats, np.int16)
        self._step.result_at(self._pool, 0, points, ranks)
        return Outcome(tuple(int(p) for p in points), tuple(int(r) for r in ranks))
