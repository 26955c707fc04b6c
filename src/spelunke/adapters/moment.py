"""Tables for OpenSpiel, and the states of their matches. Each state comes with every seat's history."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

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
    """The parameters that define a table for OpenSpiel.

    If ``seats`` is 0, the position file or the game sets the number of seats. ``position`` is the path of a position
    file, or empty. ``worlds`` is the number of redeals: copies of the position in which random facts replace the hidden
    facts (:meth:`SpielTable.redeal`).
    """

    game: str
    seats: int
    options: tuple[tuple[str, object], ...]
    position: str
    worlds: int


class SpielTable(Table):
    """A table for OpenSpiel, with the key that defines it.

    A pickled match contains this key instead of the table. When the match is unpickled, it gets an equal table.

    ``worlds`` has each different redeal (a copy of the position in which random facts replace the hidden facts), with
    the number of times that it occurred. The constructor raises BadInput or BadOption if the game doesn't allow the
    values of the key, or if the position file can't be read.
    """

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
        """Make ``key.worlds`` copies of the position, each with random facts in place of the hidden facts.

        Store each different copy in ``worlds``, with the number of times that it occurred.
        """
        assert self.opening is not None
        view = self.game.view
        seen, stream = view.view(self.opening, None), seed_stream(1)
        dealt = [view.imagine(seen, stream).tobytes() for _ in range(self.key.worlds)]
        self.worlds = tuple(Counter(dealt).items())


_kept: dict[Key, SpielTable] = {}


def table_of(key: Key) -> SpielTable:
    """Return the table of a key, from the cache if possible.

    A table from a position file is always new, because the file may have changed.
    """
    if key.position:
        return SpielTable(key)
    if key not in _kept:
        _kept[key] = SpielTable(key)
    return _kept[key]


class Moment:
    """One state of a match (``desk``) with the history of each seat (``memory``). It is fast to copy and to pickle.

    If the table has redeals (copies of the position with random hidden facts, ``SpielTable.worlds``), chance first
    chooses one of these copies as the initial state. ``dealt`` is false until then. If the table has no redeals,
    ``dealt`` is always true.

    A step does not write into the desk's array, but replaces it by another array. So copies of this object and
    the steps in its history can share arrays.
    """

    __slots__ = ("acting", "dealt", "desk", "memory")

    def __init__(self, desk: Desk, memory: Memory, dealt: bool = True) -> None:
        self.desk, self.memory, self.dealt = desk, memory, dealt
        self.acting: int | None = None

    def __deepcopy__(self, memo: object) -> Moment:
        desk = Desk.__new__(Desk)
        desk.table, desk.pool = self.desk.table, self.desk.pool
        twin = Moment(desk, self.memory, self.dealt)
        twin.acting = self.acting
        return twin

    def who(self) -> int:
        """Return the seats that may act, as the bits of an int. If no seat may act, return CHANCE or OVER.

        The result is cached.
        """
        if self.acting is None:
            self.acting = self.desk.who() if self.dealt else CHANCE
        return self.acting

    def step(self, seat: int, action: int) -> None:
        """Play an action of a seat, or apply an outcome of chance if ``seat`` is CHANCE."""
        before = self.desk.pool
        self.desk.pool = after = copy_pool(before)
        if seat == CHANCE:
            self.desk.apply_chance(action)
        else:
            self.desk.play(seat, action)
        self.memory = Memory(self.memory, before, seat, action, after)
        self.acting = None

    def __reduce__(self) -> tuple[object, ...]:
        table = self.desk.table
        assert isinstance(table, SpielTable)
        digests = tuple(self.memory.digest(table.game, seat) for seat in range(table.seats))
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
    """Return the :class:`Moment` that was pickled as these values.

    ``given`` is the key of the table. ``rules`` has the number of seats and the value of each option. The key can lack
    these values, because they may come from the game's defaults or from a position file.
    """
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
