"""Digests of a seat's view of a state, and digests of all that the seat has seen and done up to this state."""

from __future__ import annotations

import hashlib
from typing import Protocol, TypeAlias

import msgspec
import numpy as np

from spelunke.core.contract import CHANCE
from spelunke.core.values import Pool, State
from spelunke.games.game import Game

KEPT = 2**16
"""The most entries in the cache of texts and digests.

Algorithms that visit all states need the same texts and digests again and again.
"""
Key: TypeAlias = tuple[str | int | bytes, ...]
_kept: dict[Key, bytes] = {}


class _Bytes(Protocol):
    def tobytes(self) -> bytes: ...


class Memory:
    """The history of a match up to a state, as a linked list of steps. The steps determine what each seat knows.

    Each object except the first holds one step, and ``past`` is the object before it. ``before`` and ``after`` are
    arrays with the state before and after the step. Several objects share these arrays, so never change an array.
    """

    __slots__ = ("after", "before", "digests", "past", "seat", "step")

    def __init__(
        self,
        past: Memory | None = None,
        before: Pool | None = None,
        seat: int = 0,
        step: int = 0,
        after: Pool | None = None,
    ) -> None:
        self.past, self.before, self.seat, self.step, self.after = past, before, seat, step, after
        self.digests: dict[int, bytes] = {}

    def digest(self, game: Game, viewer: int) -> bytes:
        """Return 16 bytes that identify all that the viewer has seen and done up to this state.

        If the viewer has seen and done nothing, return ``b""``.
        """
        chain = [self]
        while viewer not in chain[-1].digests and chain[-1].past is not None:
            chain.append(chain[-1].past)
        known = chain[-1].digests.setdefault(viewer, b"")
        for link in reversed(chain[:-1]):
            known = link.digests[viewer] = link._learn(game, viewer, known)
        return self.digests[viewer]

    def _learn(self, game: Game, viewer: int, known: bytes) -> bytes:
        assert self.before is not None
        assert self.after is not None
        key = (game.name, viewer, known, self.seat, self.step, _hash(self.before), _hash(self.after))
        found = _kept.get(key)
        if found is None:
            moves = game.moves
            typed = moves.decode_chance(self.step) if self.seat == CHANCE else moves.decode(self.step)
            told = game.events.tell(self.before[0], self.seat, typed, self.after[0], viewer)
            own = b"%d" % self.step if viewer == self.seat else b""
            if not told and not own:
                found = known
            else:
                found = _hash(known + own + b"|" + msgspec.json.encode(told, enc_hook=_plain))
            _keep(key, found)
        return found

    def __deepcopy__(self, memo: object) -> Memory:
        return self


def observation(game: Game, state: State, seat: int) -> bytes:
    """Return the seat's view of a state as JSON."""
    key = (game.name, seat, _hash(state))
    found = _kept.get(key)
    if found is None:
        found = msgspec.json.encode(game.view.view(state, seat), enc_hook=_plain)
        _keep(key, found)
    return found


def digest(game: Game, state: State, seat: int) -> bytes:
    """Return 16 bytes that identify the seat's view of a state."""
    return _hash(observation(game, state, seat))


def _hash(value: _Bytes | bytes) -> bytes:
    """Return the 16-byte hash of a state, of an array of states or of bytes."""
    return hashlib.blake2b(value if isinstance(value, bytes) else value.tobytes(), digest_size=16).digest()


def _keep(key: Key, found: bytes) -> None:
    if len(_kept) >= KEPT:
        _kept.clear()
    _kept[key] = found


def _plain(value: object) -> object:
    """Return a NumPy scalar as a Python number, for JSON. Raise TypeError for other values."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
