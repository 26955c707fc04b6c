"""Keys for moves. Each legal move gets a digit or a small letter, as long as there are enough keys.

If possible, the key is the first one-digit number in the move's text, or else the first letter of its first word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

RESERVED = frozenset("qu")
"""Letters that moves can't get: ``q`` always leaves the table, and ``u`` takes a move back."""
SPARE = "123456789abcdefghijklmnoprstvwxyz0"


def _wishes(move: str) -> list[str]:
    words = re.findall(r"\w+", move.lower())
    digits = [word for word in words if re.fullmatch(r"\d", word)]
    return digits + [word[0] for word in words if word[0].isascii() and word[0].isalpha()]


def assign_keys(moves: Sequence[str]) -> dict[str, str]:
    """Return a dictionary from each move to its key.

    The preferred key of a move is its first one-digit number, or else the first letter of its first word: 4 for
    ``place 4``, r for ``roll``. A move gets its preferred key if the key isn't reserved and no other move prefers it.
    The other moves get the remaining keys, in order. If there aren't enough keys, the last moves get none.
    """
    wishes = {move: _wishes(move) for move in moves}
    first = Counter(wish[0] for wish in wishes.values() if wish)
    found: dict[str, str] = {}
    taken = set(RESERVED)
    for move, wish in wishes.items():
        if wish and first[wish[0]] == 1 and wish[0] not in taken:
            found[move] = wish[0]
            taken.add(wish[0])
    spare = iter([key for key in SPARE if key not in taken])
    for move in moves:
        if move not in found and (key := next(spare, "")):
            found[move] = key
    return found
