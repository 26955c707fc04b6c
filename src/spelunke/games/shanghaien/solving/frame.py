"""A round as the solver reads it: the fixed parts (:class:`Frame`), and the states of each side (:class:`Side`)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from spelunke.games.shanghaien.solving.dice import code_of
from spelunke.games.shanghaien.state import (
    AGAIN,
    BOTH,
    DOUBLES_REROLL,
    LEFT,
    NATIONS,
    NOTHING,
    PM1,
    STATE,
    State,
)

Pair = tuple[int, int]
Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One seat at one point of a round: tricks in hand, strength in each nation, and nations with sailors.

    ``spent`` is True if the seat may not play another trick in this round. ``more`` is 1 if the seat has laid two dice
    in one turn by a trick (S-R23), else 0. A trick does not count for ``more`` if it was played before the position
    from which the round is solved.
    """

    hand: Row
    strength: Row
    sailors: tuple[bool, ...]
    spent: bool
    more: int = 0

    def plays(self, trick: int, nation: int = NOTHING) -> Side:
        """Return the side after it has played this trick.

        If ``nation`` is given, the trick was played as a joker, which counts as two more sailors of this nation.
        Otherwise the side used the trick's other effect.
        """
        hand = tuple(n - (kind == trick) for kind, n in enumerate(self.hand))
        strength = tuple(n + 2 * (k == nation) for k, n in enumerate(self.strength))
        return Side(hand, strength, self.sailors, True, int(trick == BOTH and nation == NOTHING))

    def key(self) -> tuple[object, ...]:
        """Return a key for the side. Sides with equal keys have equal values in a solved round.

        The kinds of the remaining tricks are part of the key only if the side may still play one.
        """
        return (sum(self.hand), self.strength, self.spent, () if self.spent else (self.sailors, self.hand))


Tricks = dict[tuple[int, bool], list[int]]
"""The tricks that a seat may play, each with the states (:class:`Side`) that may result.

The key is the kind of the trick, and whether it is laid as a joker. The list has the indices of the resulting states
in the first result of :func:`expand`. If jokers of several kinds lead to the same state, only one of the lists has the
index of this state.
"""


def expand(now: Side) -> tuple[tuple[Side, ...], Tricks]:
    """Return all states that this seat can reach in the round by tricks, and the tricks that lead to each.

    Each state is a :class:`Side`. The first one is the current state, ``now``. States that differ only in the kinds
    of their remaining tricks count as one.
    """
    found = [now]
    known: dict[tuple[object, ...], int] = {}
    tricks: Tricks = {}
    held = [] if now.spent else [kind for kind in (PM1, BOTH, AGAIN) if now.hand[kind] > 0]
    for nation in (NOTHING, *(n for n in range(NATIONS) if now.sailors[n])):
        for trick in held:
            side = now.plays(trick, nation)
            key = (*side.key(), side.more)
            if key not in known:
                known[key] = len(found)
                found.append(side)
            numbers = tricks.setdefault((trick, nation != NOTHING), [])
            if nation == NOTHING or not any(
                known[key] in others for (_, joker), others in tricks.items() if joker
            ):
                numbers.append(known[key])
    return tuple(found), tricks


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a round that don't change during the round, for one direction of the row.

    ``row`` has the kind of each card by its number, or NOTHING for a card that nobody gets. ``deck`` has the
    number of cards of each kind that are still to come.
    """

    row: Row
    deck: Row
    tavern: int
    starter: int
    opener: int
    options: Row
    games: int
    wins: Pair
    total: Pair
    spare: Pair

    @property
    def reroll(self) -> bool:
        """Whether doubles may be rolled again."""
        return bool(self.options[DOUBLES_REROLL])


def _place(name: str) -> int:
    """Return the index at which a field of the state begins in the list of numbers of a :class:`Table`."""
    assert STATE.fields is not None
    return int(STATE.fields[name][1]) // 2


def _cells(name: str) -> slice:
    """Return the slice of :attr:`Table.cells` in which the numbers of a field of the state are."""
    assert STATE.fields is not None
    return slice(_place(name), _place(name) + STATE.fields[name][0].itemsize // 2)


ROW, DOWN, DECK, OPTIONS = _cells("row"), _cells("down"), _cells("deck"), _cells("options")
WINS, TOTAL, SPARE, DICE = _cells("wins"), _cells("total"), _cells("spare"), _cells("dice")
PLACED, SPENT, HAND, CREW, JOKER = (_place(name) for name in ("placed", "spent", "hand", "crew", "joker"))
PHASE, TURN, END, TAVERN = (_place(name) for name in ("phase", "turn", "end", "tavern"))
STARTER, OPENER, GAMES = (_place(name) for name in ("starter", "opener", "games"))
TRICKED, REROLLED = _place("tricked"), _place("rerolled")


class Table:
    """A state as a list of Python numbers.

    Reading the whole state once is many times faster than reading each number from the record.
    """

    def __init__(self, state: bytes) -> None:
        self.cells: list[int] = np.frombuffer(state, np.int16).tolist()

    def __getitem__(self, place: int) -> int:
        return self.cells[place]

    @property
    def lead(self) -> int:
        """The starter's lead in laid dice at the beginning of the starter's latest turn.

        If the starter is on turn, this is the current turn. If the starter was behind, the lead is negative. If the
        starter laid two dice in that turn, one of them counts as laid before the turn.
        """
        first, second = self.placed
        starter = max(self[STARTER], 0)
        return (first - second if starter == 0 else second - first) - (self[TURN] != starter)

    @property
    def placed(self) -> Pair:
        """The number of laid dice of each seat."""
        return self[PLACED], self[PLACED + 1]

    @functools.cached_property
    def codes(self) -> Pair:
        """The code (:mod:`.dice`) of each seat's laid dice."""
        dice = self.cells[DICE]
        return code_of(dice[:6]), code_of(dice[6:])

    @functools.cached_property
    def sides(self) -> tuple[Side, Side]:
        """Both sides in their current state."""
        return self._side(0), self._side(1)

    def _side(self, seat: int) -> Side:
        cells = self.cells
        hand = HAND + 5 * seat
        crew = [CREW + 4 * (NATIONS * seat + n) for n in range(NATIONS)]
        joker = [JOKER + 3 * (NATIONS * seat + n) for n in range(NATIONS)]
        return Side(
            hand=tuple(cells[hand : hand + 5]),
            strength=tuple(
                cells[c]
                + 2 * (cells[c + 1] + cells[j] + cells[j + 1] + cells[j + 2])
                + 3 * cells[c + 2]
                + 4 * cells[c + 3]
                for c, j in zip(crew, joker, strict=True)
            ),
            sailors=tuple(any(cells[c : c + 4]) for c in crew),
            spent=bool(cells[SPENT + seat]),
        )

    def frame(self, end: int) -> Frame:
        """Return the frame of the round with card 1 at this end of the row."""
        cells = self.cells
        row = [NOTHING if down else kind for kind, down in zip(cells[ROW], cells[DOWN], strict=True)]
        if end != LEFT:
            row.reverse()
        wins, total, spare = cells[WINS], cells[TOTAL], cells[SPARE]
        return Frame(
            row=tuple(row),
            deck=tuple(cells[DECK]),
            tavern=cells[TAVERN],
            starter=max(cells[STARTER], 0),
            opener=cells[OPENER],
            options=tuple(cells[OPTIONS]),
            games=cells[GAMES],
            wins=(wins[0], wins[1]),
            total=(total[0], total[1]),
            spare=(spare[0], spare[1]),
        )


@functools.lru_cache(maxsize=256)
def _read(state: bytes) -> Table:
    return Table(state)


def read(s: State) -> Table:
    """Return a state as a :class:`Table`.

    The results are cached, because the oracle for points and the oracle for wins read the same states.
    """
    return _read(s.tobytes())
