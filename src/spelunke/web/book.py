"""What chance can bring in a game, written down as plain data, so that a browser can verify it without any rules.

Each kind of chance is a table (always the same weights), an urn (what was drawn is gone, until it is filled again), or
neither; then a browser can only check the share that the record tells. Which of them it is, is found by playing. An urn
whose total is neither what is left nor what it was at first (some came back) is not known until it is full again.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from spelunke.core.match import Match
from spelunke.games import find_game

Changed = frozenset[tuple[str, str]]
"""The options that differ from their default, as people write them."""

GAMES = 3
LONGEST = 1500


class Kind(msgspec.Struct):
    """One kind of chance: its outcomes as text in the order of their numbers, with their weights at the beginning."""

    mode: Literal["table", "urn", "other"]
    texts: list[str]
    weights: list[int]


_KEPT = 64
_books: dict[tuple[str, int, Changed], list[Kind]] = {}


def known_books() -> dict[str, list[Kind]]:
    """The books written so far of tables with nothing changed, by ``game/seats``."""
    return {f"{name}/{seats}": book for (name, seats, changed), book in _books.copy().items() if not changed}


def kept_book(name: str, seats: int, options: Changed) -> list[Kind] | None:
    """The book of a table like that, if it is written."""
    return _books.get((name, seats, options))


def write_book(name: str, seats: int, options: Changed = frozenset()) -> list[Kind]:
    """All kinds of chance at a table like that, those that random play comes across. Kept once it is written."""
    key = (name, seats, options)
    if key not in _books:
        if len(_books) >= _KEPT:
            _books.pop(next(iter(_books)), None)
        _books[key] = _play_for_book(name, seats, options)
    return _books[key]


def _play_for_book(name: str, seats: int, options: Changed) -> list[Kind]:
    game = find_game(name)
    kinds: dict[str, Kind] = {}
    random = np.random.default_rng(1)
    for _ in range(GAMES):
        _follow(Match(game, seats, dict(options)), kinds, random)
    return list(kinds.values())


def _follow(match: Match, kinds: dict[str, Kind], random: np.random.Generator) -> None:
    left: dict[str, list[int]] = {}
    while not match.over and match.ply < LONGEST:
        if not match.chance:
            seat = match.actors[0]
            legal = match.legal(seat)
            match.act(seat, legal[random.integers(len(legal))])
            continue
        outcomes = match.chances()
        name = type(outcomes[0][0]).__name__
        texts = [match.game.notation.write_chance(outcome) for outcome, _weight in outcomes]
        weights = [weight for _outcome, weight in outcomes]
        if name not in kinds:
            kinds[name] = Kind("table", texts, weights)
        kind = kinds[name]
        rest = left.get(name, [])
        if sum(weights) == sum(kind.weights) or not any(rest):
            rest = left[name] = list(kind.weights)
        _judge(kind, rest, dict(zip(texts, weights, strict=True)))
        index = int(random.choice(len(outcomes), p=np.array(weights) / sum(weights)))
        match.land(outcomes[index][0])
        if texts[index] in kind.texts:
            place = kind.texts.index(texts[index])
            rest[place] = max(0, rest[place] - 1)


def _judge(kind: Kind, rest: list[int], seen: dict[str, int]) -> None:
    """Give up a mode that doesn't foretell what is seen now."""
    if kind.mode == "table" and seen != _positive(kind.texts, kind.weights):
        kind.mode = "urn"
    known = sum(seen.values()) == sum(rest)
    if kind.mode == "urn" and known and seen != _positive(kind.texts, rest):
        kind.mode = "other"


def _positive(texts: list[str], weights: list[int]) -> dict[str, int]:
    return {text: weight for text, weight in zip(texts, weights, strict=True) if weight}
