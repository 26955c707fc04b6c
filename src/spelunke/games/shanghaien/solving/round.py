"""A solved round: the value of every state of a round if both sides play perfectly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spelunke.games.shanghaien.solving.blocks import (
    AGAIN,
    BOTH,
    JOKERS,
    NUDGED,
    STAY,
    Floats,
    fill_block,
)
from spelunke.games.shanghaien.solving.dice import FIRST, NUMBERS, SIZES, settled, size_of, steps, swapped
from spelunke.games.shanghaien.solving.frame import Frame, Side, Tricks, expand
from spelunke.games.shanghaien.state import AGAIN as AGAIN_TRICK
from spelunke.games.shanghaien.state import BOTH as BOTH_TRICK
from spelunke.games.shanghaien.state import DICE, PM1

Doubles: TypeAlias = npt.NDArray[np.float64]
Endings: TypeAlias = Callable[[Side, Side, int], Doubles]
"""A function that returns the value of each settlement for seat 0, float64[729].

Its arguments are the two sides, and the seat that called Shanghai.
"""
ABSENT = -1


class Round:
    """All states of a round that can follow from a first state, with their values.

    A *side* is a seat's tricks and crews (:class:`.Side`). The first state has the sides ``first`` and ``second``.
    ``sides`` has a list for each seat: all sides that the seat can have in these states. The *index* of a side is its
    index in this list. The first state's sides have the index 0.

    :meth:`ended`, :meth:`turn` and :meth:`seen` return values for seat 0. But :meth:`row` and :meth:`laid` return
    stored values. These are for the mover, and relative to a midpoint (see :meth:`_judge`). The function ``endings``
    returns the values of all settlements (ways to share out the row's cards at the end of the round).
    """

    def __init__(self, frame: Frame, lead: int, first: Side, second: Side, endings: Endings) -> None:
        self.frame = frame
        self.lead = lead
        expanded = [expand(side) for side in (first, second)]
        self.sides = (expanded[0][0], expanded[1][0])
        self._tricks = (expanded[0][1], expanded[1][1])
        self._known = [_numbers(sides) for sides in self.sides]
        shape = (2, len(self.sides[0]), len(self.sides[1]))
        self._ends = self._judge(endings, shape)
        self._at = np.full((*shape, DICE + 1), ABSENT, np.int64)
        order = self._lay_out()
        for mover, one, two, mine in order:
            self._fill(mover, one, two, mine)

    def _judge(self, endings: Endings, shape: tuple[int, int, int]) -> npt.NDArray[np.float32]:
        """Return the values of all settlements, for each seat as the caller (the seat that calls Shanghai).

        There are four indices: the caller, the index of seat 0's side (see :class:`Round`), the index of seat
        1's side, and the settlement. The settlement is an index of :func:`.dice.takers`, and says which cards
        go to the first side and which to the second. In a settlement, the first side is always the caller's.
        Each entry is the settlement's value for seat 0 minus a midpoint. If seat 1 is the caller, the sign is
        reversed. The midpoint is halfway between the smallest and the largest value for seat 0. It is stored in
        ``_middle``.
        """
        found = np.empty((*shape, 729), np.float64)
        for one, first in enumerate(self.sides[0]):
            for two, second in enumerate(self.sides[1]):
                found[0, one, two] = endings(first, second, 0)
                found[1, one, two] = endings(first, second, 1)
        # Center the values at zero, where float32 has the most digits.
        self._middle = float(found.max() + found.min()) / 2
        found -= self._middle
        found[1] = -found[1][..., swapped()]
        return found.astype(np.float32)

    def _lay_out(self) -> list[tuple[int, int, int, int]]:
        """Reserve a place in ``store``, which has all values of the round, for each block.

        A block has the values of all states with the same mover, the same sides, and the same numbers of laid dice
        (see :mod:`.blocks`). Return the blocks in the order in which they must be computed. Each block is given by its
        mover, the indices of both sides, and the number of dice that the mover has laid.
        """
        places = []
        size = 0
        for one, first in enumerate(self.sides[0]):
            for two, second in enumerate(self.sides[1]):
                for mover in range(2):
                    for mine in range(DICE + 1):
                        theirs = self._theirs(mover, one, two, mine)
                        dice = (mine, theirs) if mover == 0 else (theirs, mine)
                        if not (self._can_have(0, one, dice[0]) and self._can_have(1, two, dice[1])):
                            continue
                        self._at[mover, one, two, mine] = size
                        size += SIZES[mine] * SIZES[theirs]
                        open_sides = (not first.spent) + (not second.spent)
                        places.append((open_sides, -mine - theirs, mover, one, two, mine))
        self.store: Floats = np.empty(size, np.float32)
        return [found[2:] for found in sorted(places)]

    def _can_have(self, seat: int, number: int, dice: int) -> bool:
        """Return whether a seat can have laid ``dice`` dice if it has the side ``self.sides[seat][number]``.

        A side is a seat's tricks and crews. A seat can have laid six dice only if it laid two of them in one turn by a
        trick. It may have played the trick before the first state of this round.
        """
        side = self.sides[seat][number]
        most = DICE if side.more or (side.spent and number == 0) else DICE - 1
        return 2 * side.more <= dice <= most

    def _theirs(self, mover: int, one: int, two: int, mine: int) -> int:
        """Return the number of dice that the other seat has laid at a turn of ``mover``, who has laid ``mine`` dice.

        ``one`` and ``two`` are the indices of the sides of seat 0 and of seat 1.
        """
        lead = self.lead + self._more(one, two)
        return mine - lead if mover == self.frame.starter else mine + lead + 1

    def _more(self, one: int, two: int) -> int:
        """Return the starter's number of extra dice laid by tricks, minus the other seat's number: -1, 0 or 1."""
        gained = self.sides[0][one].more - self.sides[1][two].more
        return gained if self.frame.starter == 0 else -gained

    def _fill(self, mover: int, one: int, two: int, mine: int) -> None:
        theirs = self._theirs(mover, one, two, mine)
        at = [int(self._at[mover, one, two, mine])] + [ABSENT] * (JOKERS - 1)
        if mine <= DICE - 2:
            at[STAY] = self._next(mover, one, two, theirs)
            moves = self.moves(mover, (one, two))
            for place, trick in ((NUDGED, PM1), (AGAIN, AGAIN_TRICK), (BOTH, BOTH_TRICK)):
                for side in moves.get((trick, False), ()):
                    at[place] = self._after(mover, one, two, side, theirs)
            for (_, joker), found in moves.items():
                if joker:
                    at += [self._after(mover, one, two, side, theirs) for side in found]
        ends = self._ends[mover, one, two]
        places = np.array(at, np.int64)
        fill_block(self.store, places, mine, theirs, steps(), settled(), ends, self.frame.reroll)

    def moves(self, mover: int, sides: Sequence[int]) -> Tricks:
        """Return the tricks that the mover may still play.

        The result maps each trick to the indices of the sides (see :class:`Round`) that the mover can have after
        playing it.
        """
        return self._tricks[mover] if sides[mover] == 0 else {}

    def _after(self, mover: int, one: int, two: int, side: int, theirs: int) -> int:
        """Return the index in ``store`` at which the block of values after the mover's turn begins.

        ``side`` is the index of the mover's side after the turn, in ``sides[mover]``. ``theirs`` is the
        number of dice that the other seat has laid.
        """
        return self._next(mover, *((side, two) if mover == 0 else (one, side)), theirs)

    def _next(self, mover: int, one: int, two: int, theirs: int) -> int:
        return int(self._at[1 - mover, one, two, theirs])

    # --- looking up ---

    def find(self, lead: int, sides: tuple[Side, Side], dice: Sequence[int]) -> tuple[int, int] | None:
        """Return, for each seat, the index of its side (see :class:`Round`) in the state with these arguments.

        If no state of this round has them, return None. ``lead`` is the starter's lead in laid dice (see
        :attr:`.Table.lead`). ``dice`` has the number of dice that each side has laid.
        """
        for one in self._known[0].get(sides[0].key(), ()):
            for two in self._known[1].get(sides[1].key(), ()):
                fits = self.lead + self._more(one, two) == lead
                if fits and self._can_have(0, one, dice[0]) and self._can_have(1, two, dice[1]):
                    return one, two
        return None

    def ended(self, caller: int, sides: Sequence[int], codes: Sequence[int]) -> float:
        """Return the value of the position for seat 0 if the seat ``caller`` calls Shanghai.

        ``sides`` has the index of each seat's side (see :class:`Round`). ``codes`` has the code of each seat's dice
        (:mod:`.dice`).
        """
        fallen = settled()[codes[caller], codes[1 - caller]]
        value = float(self._ends[caller, sides[0], sides[1], fallen])
        return self._middle + (value if caller == 0 else -value)

    def turn(self, mover: int, sides: Sequence[int], codes: Sequence[int]) -> float:
        """Return the value for seat 0 of a state in which ``mover`` is about to roll or to call Shanghai.

        ``sides`` has the index of each seat's side (see :class:`Round`). ``codes`` has the code of each seat's dice
        (:mod:`.dice`).
        """
        value = self._worth(1 - mover, sides, codes)
        return self._middle + (value if mover == 1 else -value)

    def _worth(self, seat: int, sides: Sequence[int], codes: Sequence[int]) -> float:
        """Return the stored value of a state for the seat that just moved, relative to a midpoint (:meth:`_judge`)."""
        mine, theirs = codes[seat], codes[1 - seat]
        size = size_of(theirs)
        at = int(self._at[1 - seat, sides[0], sides[1], size])
        place = at + (mine - FIRST[size_of(mine)]) * SIZES[size] + theirs - FIRST[size]
        return float(self.store[place])

    def row(self, seat: int, sides: Sequence[int], mine: int, theirs: int) -> Doubles:
        """Return the stored value of laying a die on each of the six cards, for the seat that lays it, float64[6].

        ``sides`` has the index of each seat's side afterwards. ``mine`` is the code (:mod:`.dice`) of the seat's dice
        before it lays the die, and ``theirs`` is the code of the other seat's dice.
        """
        size = size_of(theirs)
        at = int(self._at[1 - seat, sides[0], sides[1], size])
        places = at + steps()[mine].astype(np.int64) * SIZES[size] + theirs - FIRST[size]
        found: Doubles = self.store[places].astype(np.float64)
        return found

    def laid(self, mover: int, sides: Sequence[int], codes: Sequence[int], *, tricks: bool) -> Laid:
        """Return the stored values of all ways in which the mover can lay rolled dice.

        If ``tricks`` is true, the mover may play a trick.
        """
        mine, theirs = codes[mover], codes[1 - mover]
        best = self.row(mover, sides, mine, theirs)
        anew = nudged = both = None
        for (trick, joker), found in self.moves(mover, sides).items() if tricks else ():
            for side in found:
                after = [side, sides[1]] if mover == 0 else [sides[0], side]
                row = self.row(mover, after, mine, theirs) if joker or trick != BOTH_TRICK else best
                if joker:
                    best = np.maximum(best, row)
                elif trick == PM1:
                    nudged = row
                elif trick == AGAIN_TRICK:
                    anew = row
                else:
                    more = steps()[mine].astype(np.int64) + FIRST[size_of(mine) + 1]
                    both = np.stack([self.row(mover, after, int(code), theirs) for code in more])
        return Laid(best, nudged, anew, both)

    def seen(self, values: Doubles, mover: int) -> Doubles:
        """Return values for seat 0, given stored values for the mover."""
        return self._middle + (values if mover == 0 else -values)


class Laid:
    """The stored values of all ways to lay rolled dice, for the seat that rolled.

    The index of an array is the value of the laid die. In ``best``, the mover lays a rolled die unchanged, and may play
    a joker first. In ``nudged``, a trick has changed the value of a rolled die by one. In ``anew``, a trick has allowed
    a second roll, and the mover lays a die of that roll. In ``both``, a trick lets the mover lay both dice, so there
    are two indices. If a way is impossible, its array is None.
    """

    def __init__(
        self, best: Doubles, nudged: Doubles | None, anew: Doubles | None, both: Doubles | None
    ) -> None:
        self.best, self.nudged, self.anew, self.both = best, nudged, anew, both

    def join(self, other: Laid) -> Laid:
        """Return an object that has, at each index, the larger of the values of this object and ``other``.

        If either object has None instead of an array, the result has None there. Use this method while the seat may
        still choose the direction of the row.
        """
        parts = (
            (self.best, other.best),
            (self.nudged, other.nudged),
            (self.anew, other.anew),
            (self.both, other.both),
        )
        best, nudged, anew, both = (None if b is None or a is None else np.maximum(a, b) for a, b in parts)
        assert best is not None
        return Laid(best, nudged, anew, both)

    def rolls(self, reroll: bool) -> Doubles:
        """Return the value of the best choice for each roll of two dice, float64[6, 6].

        If ``reroll`` is true, doubles may be rolled again.
        """
        dice = self.best.copy()
        if self.nudged is not None:
            np.maximum(dice[:-1], self.nudged[1:], out=dice[:-1])
            np.maximum(dice[1:], self.nudged[:-1], out=dice[1:])
        found: Doubles = np.maximum(dice[:, None], dice[None, :])
        if self.both is not None:
            np.maximum(found, self.both, out=found)
        if self.anew is not None:
            np.maximum(found, np.maximum(self.anew[:, None], self.anew[None, :]).mean(), out=found)
        if reroll:
            mean = found.mean()
            for number in range(NUMBERS):
                found[number, number] = max(found[number, number], mean)
        return found


def _numbers(sides: Sequence[Side]) -> dict[tuple[object, ...], list[int]]:
    """Return a mapping from each key (:meth:`.Side.key`) to the indices of the sides that have this key."""
    found: dict[tuple[object, ...], list[int]] = {}
    for number, side in enumerate(sides):
        found.setdefault(side.key(), []).append(number)
    return found
