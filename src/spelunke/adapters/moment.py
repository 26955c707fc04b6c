"""One moment of a match for OpenSpiel: its numbers and the history of each seat; copies and pickles are quick."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.memory import Memory
from spelunke.core.chance import seed_stream
from spelunke.core.contract import CHANCE
from spelunke.core.errors import BadInput
from spelunke.core.kernel import copy, copy_pool
from spelunke.games import find_game
from spelunke.records.position import parse_position


class Key(NamedTuple):
    """The parameters that define a table."""

    game: str
    seats: int
    options: tuple[tuple[str, object], ...]
    position: str
    worlds: int


class SpielTable(Table):
    """A table that can be found again after unpickling."""

    def __init__(self, key: Key) -> None:
        game = find_game(key.game)
        self.key = key
        self.worlds: tuple[tuple[bytes, int], ...] = ()
        if key.worlds < 0 or (key.worlds and not key.position):
            raise BadInput(
                "give a position, and the number of redeals of its hidden cards, 0 or more", "worlds"
            )
        if not key.position:
            super().__init__(game, key.seats or None, dict(key.options))
            return
        try:
            match = parse_position(Path(key.position).read_bytes(), game)
        except OSError as error:
            raise BadInput(f"{key.position}: {error.strerror}", "position") from None
        if key.seats not in (0, match.seats):
            raise BadInput(f"the position has {match.seats} seats, not {key.seats}", "seats")
        super().__init__(game, match.seats, match.options, copy(match.state))
        self.redeal()

    def redeal(self) -> None:
        """Store every world from ``key.worlds`` redeals, with the number of its occurrences."""
        assert self.opening is not None
        view = self.game.view
        seen, stream = view.view(self.opening, None), seed_stream(1)
        dealt = [view.imagine(seen, stream).tobytes() for _ in range(self.key.worlds)]
        self.worlds = tuple(Counter(dealt).items())


_kept: dict[Key, SpielTable] = {}


def table_of(key: Key) -> SpielTable:
    """Return the cached table of this key. One of a position file is always made again: the file may have changed."""
    if key.position:
        return SpielTable(key)
    if key not in _kept:
        _kept[key] = SpielTable(key)
    return _kept[key]


Steps: TypeAlias = "tuple[Steps | None, int, int]"
"""The steps since a state: the earlier ones, then a seat and its action, or CHANCE and its outcome."""


class Moment:
    """Desk and history of one state; fast to step, to copy and to pickle. ``dealt``: the hidden facts have been drawn.

    A step only plays and notes itself. What the seats remember of the steps is found when it is asked for
    (:meth:`remember`): random play and searches never do.
    """

    __slots__ = ("_base", "_memory", "_steps", "acting", "dealt", "desk")

    def __init__(self, desk: Desk, memory: Memory, dealt: bool = True) -> None:
        self.desk, self.dealt = desk, dealt
        self.acting: int | None = None
        # The state at which the memory ends, shared and never changed, and the steps since.
        self._base, self._memory = copy_pool(desk.pool), memory
        self._steps: Steps | None = None

    def __deepcopy__(self, memo: object) -> Moment:
        twin = Moment.__new__(Moment)
        twin.desk, twin.dealt, twin.acting = self.desk.copy(), self.dealt, self.acting
        twin._base, twin._memory, twin._steps = self._base, self._memory, self._steps
        return twin

    def who(self) -> int:
        """Return a bit per acting seat, or CHANCE, or OVER; the kernel is called once."""
        if self.acting is None:
            self.acting = self.desk.who() if self.dealt else CHANCE
        return self.acting

    def step(self, seat: int, action: int) -> None:
        """Play an action of a seat or an outcome of chance."""
        if seat == CHANCE:
            self.desk.apply_chance(action)
        else:
            self.desk.play(seat, action)
        self._steps = (self._steps, seat, action)
        self.acting = None

    def remember(self) -> Memory:
        """Return what each seat knows of the way to this state."""
        steps, left = [], self._steps
        while left is not None:
            steps.append(left[1:])
            left = left[0]
        again = Desk.__new__(Desk)
        again.table = self.desk.table
        for seat, action in reversed(steps):
            before, again.pool = self._base, copy_pool(self._base)
            if seat == CHANCE:
                again.apply_chance(action)
            else:
                again.play(seat, action)
            self._base = again.pool
            self._memory = Memory(self._memory, before, seat, action, again.pool)
        self._steps = None
        return self._memory

    def __reduce__(self) -> tuple[object, ...]:
        table = self.desk.table
        assert isinstance(table, SpielTable)
        memory = self.remember()
        digests = tuple(memory.digest(table.game, seat) for seat in range(table.seats))
        opening = None if table.opening is None else table.opening.tobytes()
        rules = table.seats, tuple(table.options.items())
        return _wake, (tuple(table.key), rules, opening, self.desk.state.tobytes(), digests, self.dealt)


def _wake(
    given: tuple[str, int, tuple[tuple[str, object], ...], str, int],
    rules: tuple[int, tuple[tuple[str, object], ...]],
    opening: bytes | None,
    state: bytes,
    digests: tuple[bytes, ...],
    dealt: bool,
) -> Moment:
    """Return the unpickled moment. Its seats and options are the table's, because a position file can set them."""
    key = Key(*given)
    bare = Key(key.game, *rules, position="", worlds=0)
    table = table_of(bare)
    if opening is not None:
        table = SpielTable(bare)
        table.opening = np.frombuffer(opening, table.game.rules.STATE)[0]
        table.key = key
        table.redeal()
    desk = Desk(table)
    desk.pool[0] = np.frombuffer(state, table.game.rules.STATE)[0]
    memory = Memory()
    memory.digests.update(enumerate(digests))
    return Moment(desk, memory, dealt)
