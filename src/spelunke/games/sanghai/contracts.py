"""The contracts of the rounds, for views and sentences (N-R2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from spelunke.games.sanghai import state
from spelunke.games.sanghai.cards import Meld
from spelunke.games.sanghai.state import SCHEDULE, State


class Contract(msgspec.Struct, frozen=True):
    """The contract of a round: the numbers of sets and runs (N-R2).

    A set has at least three cards, and a run at least ``length``.
    """

    sets: int
    runs: int
    length: int

    @property
    def cards(self) -> int:
        """The smallest number of cards with which the contract can be laid."""
        return 3 * self.sets + self.length * self.runs


def contracts_of(s: State) -> tuple[Contract, ...]:
    """Return the contracts of all rounds of this game, in order."""
    k = int(s.options[SCHEDULE])
    return tuple(
        Contract(int(state.SETS_OF[k, lap]), int(state.RUNS_OF[k, lap]), int(state.LENGTH_OF[k, lap]))
        for lap in range(state.rounds(s))
    )


def contract_of(s: State) -> Contract:
    """Return the contract of the current round."""
    return contracts_of(s)[int(s.lap)]


def is_contract(melds: Sequence[Meld], contract: Contract) -> bool:
    """Return whether the numbers of sets and runs among the melds are those of the contract."""
    forms = Counter(meld.form for meld in melds)
    return (forms["set"], forms["run"]) == (contract.sets, contract.runs)


def explain_contract(melds: Sequence[Meld], s: State) -> str:
    """Return the reason why the seat on turn may not lay these melds as its contract, or an empty text if it may.

    Check only that the seat has not laid in this round, and that the numbers of sets and runs are right.
    """
    if s.laid[s.turn]:
        return "you can lay the contract only once in a round"
    contract = contract_of(s)
    if is_contract(melds, contract):
        return ""
    given = Counter(meld.form for meld in melds)
    return (
        f"your melds (sets: {given['set']}, runs: {given['run']}) are not those of this round's contract"
        f" (sets: {contract.sets}, runs: {contract.runs})"
    )
