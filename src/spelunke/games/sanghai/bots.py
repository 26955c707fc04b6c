"""Bots that choose their actions with the planner, which finds missing cards and layings of the contract.

They use only the view of their seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from spelunke.core.chance import below
from spelunke.core.kernel import pool, runs_compiled
from spelunke.core.values import Stream
from spelunke.games.game import Game
from spelunke.games.sanghai import moves, state
from spelunke.games.sanghai.cards import is_wild, kind_of
from spelunke.games.sanghai.hints import best_discard
from spelunke.games.sanghai.moves import Action
from spelunke.games.sanghai.reader import Reader
from spelunke.games.sanghai.state import LAYOFF_SAME_TURN
from spelunke.games.sanghai.view import View, imagine

MANY = 1 << 16
"""The bots round their probability of a careless choice to a multiple of 1 / ``MANY``."""


class PlannerBot:
    """A bot that tries to lay its contract and to have few points at the end of each round.

    ``slips`` is the probability of a careless choice: the bot passes, draws from the stock, or discards a
    random card.
    """

    def __init__(self, game: Game, slips: float = 0.0) -> None:
        self.game = game
        self.slips = slips

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """Return one of the legal actions, or a move that lays the whole contract."""
        if len(legal) == 1:
            return legal[0]
        slip = self.slips > 0 and below(stream, MANY) < self.slips * MANY
        if slip and (action := self.choose_blindly(legal, stream)) is not None:
            return action
        reader = Reader(view)
        if moves.Hep() in legal:
            return moves.Hep() if self.wants_call(reader) else moves.Pass()
        if moves.Take() in legal:
            if self.wants_card(reader):
                return moves.Take()
            return moves.Stock() if moves.Stock() in legal else moves.Wait()
        votes = [action for action in legal if isinstance(action, moves.Vote)]
        if votes:
            return self.choose_vote(view, votes)
        if any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal):
            return self.choose_laying(reader, legal)
        swaps = [action for action in legal if isinstance(action, moves.Swap)]
        if swaps and len(view.hand) > 1:
            return swaps[0]
        added = self.choose_addition(reader, legal)
        if added is not None:
            return added
        if any(isinstance(action, moves.Discard) for action in legal):
            return moves.Discard(best_discard(reader))
        return legal[0]

    def choose_blindly(self, legal: Sequence[Action], stream: Stream) -> Action | None:
        """Return a careless action: a pass or a draw from the stock, if one of them is legal.

        If all legal actions are discards, return a random one. In all other cases, return None, so that the bot can
        still lay melds, add cards or swap.
        """
        for action in (moves.Pass(), moves.Stock()):
            if action in legal:
                return action
        discards = [action for action in legal if isinstance(action, moves.Discard)]
        if len(discards) < len(legal) or not discards:
            return None
        return discards[below(stream, len(discards))]

    def wants_card(self, reader: Reader) -> bool:
        """Return whether the player on turn prefers the top discard to a card from the stock."""
        seen = reader.seen
        assert seen.seat is not None
        assert seen.top is not None
        if seen.laid[seen.seat]:
            return reader.addable(seen.top) and len(seen.hand) > 0
        return seen.top in reader.lacks(reader.hand)[1]

    def wants_call(self, reader: Reader) -> bool:
        """Return whether the top discard is worth a call.

        A card that helps the hand is worth a call in three cases: the hand is too small to lay the contract (N-A10),
        at most 3 cards are missing for the contract, or the contract needs at least 9 cards. If the hand is too small,
        any wild card is worth a call.
        """
        seen = reader.seen
        assert seen.top is not None
        far, helps = reader.lacks(reader.hand)
        short = seen.contract.cards + 1 - (len(seen.hand) + 1)
        if seen.top in helps:
            return short > 0 or far <= 3 or seen.contract.cards >= 9
        return short > 0 and is_wild(seen.top, reader.black)

    def choose_vote(self, view: View, votes: Sequence[moves.Vote]) -> moves.Vote:
        """Return a vote for the least dangerous of the tied callers of hep: the one with the most points so far."""
        return max(votes, key=lambda action: (view.totals[action.seat], -action.seat))

    def choose_laying(self, reader: Reader, legal: Sequence[Action]) -> Action:
        """Return the laying of the contract that puts down the most points, or a discard if the contract can't be laid.

        If the seat has begun to lay card by card, return the last of the legal steps.
        """
        seen = reader.seen
        if seen.phase == "turn":
            most, laying = reader.plan(bool(seen.option(LAYOFF_SAME_TURN)))
            if most >= 0:
                return moves.LayDown(laying)
            return moves.Discard(best_discard(reader))
        return legal[-1]

    def choose_addition(self, reader: Reader, legal: Sequence[Action]) -> moves.Add | None:
        """Return the legal addition whose card has the most points, or None if no addition is legal.

        Return the addition of a wild card only if no other card can be added.
        """
        adds = [action for action in legal if isinstance(action, moves.Add)]
        if not adds:
            return None
        hand = Counter(reader.seen.hand)
        return max(
            adds,
            key=lambda a: (
                not is_wild(a.card, reader.black),
                int(reader.points[kind_of(a.card)]),
                hand[a.card],
                -a.meld,
            ),
        )


class ShrewdBot(PlannerBot):
    """A bot like :class:`PlannerBot` that also uses the learned costs of hands (:mod:`.shrewd`).

    The cost of a hand is the expected points of its seat in this round, minus the mean points of the other seats.

    In a draw or a discard, it deviates from the planner's choice if another choice has a clearly lower cost. In a call,
    any lower cost is enough. It compares discards with almost the same cost by the mean cost of the hand after the
    next draw.

    If ``worlds`` is not 0, it also compares choices with almost the same cost by playouts, in ``worlds`` random
    deals of the hidden cards. This setting is only for research, because it brought no measurable gain.

    Until the kernels are compiled, the bot makes neither of these two comparisons (by the next draw, and by playouts),
    because they would take too long. If no costs were learned for the table's schedule of contracts, the bot plays like
    :class:`PlannerBot`.
    """

    def __init__(self, game: Game, worlds: int = 0) -> None:
        super().__init__(game)
        from spelunke.games.sanghai import hands, shrewd  # only this bot needs these kernels

        self._shrewd = shrewd
        self._known = hands.load()
        self._net, self._tuned = self._known.net, self._known.tuned
        self._tuned[shrewd.WORLDS] = worlds
        self._swift = self._tuned.copy()
        self._swift[shrewd.CLOSE] = 0.0

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        """Return one of the legal actions, or a move that lays the whole contract."""
        if len(legal) == 1:
            return legal[0]
        lays = any(isinstance(action, moves.OpenSet | moves.OpenRun) for action in legal)
        known = self._known.knows(view.option(state.SCHEDULE))
        if lays or view.phase not in ("window", "turn") or not known:
            return super().choose(view, legal, stream)
        assert view.seat is not None
        work, room = pool(state.STATE, 3), np.zeros(state.ACTIONS, np.int16)
        work[0] = imagine(view, stream)
        if not runs_compiled(self._shrewd.choose):
            number = self._shrewd.choose(work[0], view.seat, self._net, self._swift, room, stream)
        elif self._tuned[self._shrewd.WORLDS] > 0:
            from spelunke.games.sanghai import foresight

            number = foresight.choose(work, view.seat, self._net[None], self._tuned[None], room, stream)
        else:
            number = self._shrewd.choose(work[0], view.seat, self._net, self._tuned, room, stream)
        return moves.decode(int(number))


BOTS = {"planner": PlannerBot, "shrewd": ShrewdBot}
