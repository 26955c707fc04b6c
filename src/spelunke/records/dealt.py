"""Chance that the tables of an event share.

The seed of the event decides chance. Each table has one of the event's deals, and tables with the same deal have the
same chance. For the reasons and the proof, see docs/why/shared-chance.md.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Sequence

from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.values import ChanceOutcome, State
from spelunke.games.match import Match, Ply
from spelunke.records.record import Deal

FORMAT = "spelunke-shared-1"
BYTES, NUMBERS = 8, 4
"""The size of a pseudorandom number in bytes, and the count of these numbers in one digest."""


def number_deal(seed: bytes, person: str, deals: int) -> int:
    """Return the number of the deal that a person gets in an event, from 1.

    Nobody can predict this number without the seed.
    """
    digest = hmac.digest(seed, f"{FORMAT}\nperson\n{person}".encode(), "sha256")
    return 1 + int.from_bytes(digest[:BYTES], "big") % deals


def seed_thoughts(seed: bytes, deal: Deal, seat: int, row: int) -> int:
    """Return the random seed for a bot's decision at a table of an event.

    The seed depends only on the event's seed, the deal, the seat and the number of the row in the log. So if two tables
    with the same deal have the same log so far, the bot decides in the same way at both.
    """
    text = f"{FORMAT}\nthoughts\n{deal.event}\n{deal.number}\n{seat}\n{row}"
    return int.from_bytes(hmac.digest(seed, text.encode(), "sha256")[:BYTES], "big") >> 1


class DealtChance:
    """The source of chance of one table of an event.

    Each possible outcome of weight w gets w pseudorandom numbers. The outcome with the smallest number of all is
    chosen. So the probability of an outcome is proportional to its weight.

    The numbers of an outcome depend on the outcome, the seed, the event, the deal, the key of the chance event (hook
    ``chance_key``), and the number of earlier chance events with the same key. They depend on nothing else: not on the
    table, and not on nonces. If an outcome is impossible at one table, the numbers of the other outcomes stay the same.
    """

    def __init__(self, seed: bytes, deal: Deal) -> None:
        self._numbers = hmac.new(seed, f"{FORMAT}\n{deal.event}\n{deal.number}".encode(), "sha256")
        self._seen: Counter[tuple[int, ...]] = Counter()
        # the number of plies that `_seen` has counted, and the last of these plies
        self._ply = 0
        self._last: Ply | None = None

    def decide(self, match: Match) -> ChanceOutcome:
        """Return the outcome of the match's next chance event, without applying it.

        Raise BadInput if chance does not decide now.
        """
        outcomes = match.chances()
        if not outcomes:
            raise BadInput("no outcome of chance is due now")
        self._catch_up(match)
        key = self._key(match, match.state)
        encode = match.game.moves.encode_chance
        numbers = [encode(outcome) for outcome, _ in outcomes]
        first = self._first((*key, self._seen[key]), numbers, [weight for _, weight in outcomes])
        return outcomes[first][0]

    def _catch_up(self, match: Match) -> None:
        """Count the chance events that were added to the match since the last call.

        If moves were taken back in the meantime, count all chance events again.
        """
        if self._ply and (self._ply > match.ply or match.plies[self._ply - 1] is not self._last):
            self._seen.clear()  # moves were taken back
            self._ply = 0
        for ply in match.plies[self._ply :]:
            if ply.seat == CHANCE:
                self._seen[self._key(match, match.state_at(ply.number))] += 1
        self._ply = match.ply
        self._last = match.plies[-1] if match.plies else None

    @staticmethod
    def _key(match: Match, state: State) -> tuple[int, ...]:
        return match.game.hooks.chance_key(state)

    def _first(self, key: Sequence[int], outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """Return the index of the outcome that has the smallest pseudorandom number (see the class)."""
        head = ("\n" + " ".join(map(str, key)) + "\n").encode()
        race = self._numbers.copy()
        race.update(head)
        least, winner = b"", 0
        for index, (outcome, weight) in enumerate(zip(outcomes, weights, strict=True)):
            for block in range(0, weight, NUMBERS):
                numbers = race.copy()
                numbers.update(b"%d %d" % (outcome, block // NUMBERS))
                digest = numbers.digest()
                for n in range(min(NUMBERS, weight - block)):
                    number = digest[n * BYTES : n * BYTES + BYTES]
                    if not least or number < least:
                        least, winner = number, index
        return winner
