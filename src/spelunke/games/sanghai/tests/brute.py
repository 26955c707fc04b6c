"""The planner's results, computed by brute force in plain Python, without the planner's methods."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

Hand = tuple[int, ...]
JOKER = 52


def card_at(suit: int, place: int) -> int:
    return 13 * suit + (place - 1) % 13


def less(hand: Hand, kind: int) -> Hand:
    return (*hand[:kind], hand[kind] - 1, *hand[kind + 1 :])


def is_wild(kind: int, black: bool) -> bool:
    return kind == JOKER or (black and kind in (1, 40))


def some_sets(hand: Hand, rank: int, black: bool) -> Iterator[tuple[Hand, int]]:
    """Yield, for each set of that rank, the hand without the cards of the set, and the number of cards in the set."""
    kinds = sorted({13 * suit + rank for suit in range(4)} | {k for k in (1, 40, 52) if is_wild(k, black)})
    have = [k for k in kinds for _ in range(hand[k])]
    for size in range(3, len(have) + 1):
        for chosen in {tuple(c) for c in combinations_with_replacement(kinds, size)}:
            if any(chosen.count(k) > hand[k] for k in set(chosen)):
                continue
            if not any(k != JOKER and k % 13 == rank for k in chosen):
                continue
            rest = hand
            for k in chosen:
                rest = less(rest, k)
            yield rest, size


def some_runs(hand: Hand, suit: int, low: int, length: int, black: bool) -> Iterator[tuple[Hand, int]]:
    """Yield, for each run that the hand can lay, the hand without the cards of the run, and the run's highest place.

    The run's lowest place is ``low``. It has at least ``length`` cards.
    """

    def go(rest: Hand, place: int, natural: bool) -> Iterator[tuple[Hand, int]]:
        if place - low >= length and natural:
            yield rest, place - 1
        if place > 14:
            return
        own = card_at(suit, place)
        for kind in {own, 1, 40, JOKER}:
            if rest[kind] and (kind == own or is_wild(kind, black)):
                yield from go(less(rest, kind), place + 1, natural or kind == own)

    yield from go(hand, low, False)


Meld = tuple[int, int, int, int]
"""A meld as four numbers. For a set: 1, the rank, 0, 0. For a run: 2, the suit, the lowest and the highest place."""


def layings(
    hand: Hand,
    sets: int,
    runs: int,
    length: int,
    black: bool = False,
    distinct: bool = False,
    apart: bool = False,
) -> set[tuple[Hand, tuple[Meld, ...]]]:
    """Return all possible ways to lay the contract. Each is a pair: the cards that stay in the hand, and the melds."""
    found = {(hand, ())}
    for _ in range(sets):
        found = {
            (rest, (*melds, (1, rank, 0, 0)))
            for before, melds in found
            for rank in range(melds[-1][1] + int(distinct) if melds else 0, 13)
            for rest, _size in some_sets(before, rank, black)
        }
    for _ in range(runs):
        new = set()
        for before, melds in found:
            for suit in range(4):
                for low in range(1, 16 - length):
                    if melds and melds[-1][0] == 2 and (suit, low) < melds[-1][1:3]:
                        continue
                    for rest, high in some_runs(before, suit, low, length, black):
                        if apart and any(
                            m[0] == 2 and m[1] == suit and m[2] <= high + 1 and low <= m[3] + 1 for m in melds
                        ):
                            continue
                        new.add((rest, (*melds, (2, suit, low, high))))
        found = new
    return {(rest, melds) for rest, melds in found if sum(rest) >= 1}


def most_points(hand: Hand, worth: list[int], found: set[tuple[Hand, tuple[Meld, ...]]]) -> int:
    whole = sum(n * w for n, w in zip(hand, worth, strict=True))
    return max(
        (whole - sum(n * w for n, w in zip(rest, worth, strict=True)) for rest, _ in found), default=-1
    )


def most_with_additions(
    hand: Hand,
    worth: list[int],
    found: set[tuple[Hand, tuple[Meld, ...]]],
    table: tuple[Meld, ...],
    black: bool = False,
) -> int:
    whole = sum(n * w for n, w in zip(hand, worth, strict=True))

    @cache
    def least_left(rest: Hand, melds: frozenset[tuple[Meld, int]]) -> int:
        best = sum(n * w for n, w in zip(rest, worth, strict=True))
        if sum(rest) < 2:
            return best
        for kind in range(53):
            if not rest[kind]:
                continue
            for meld, number in melds:
                form, what, low, high = meld
                if form == 1:
                    if is_wild(kind, black) or kind % 13 == what:
                        best = min(best, least_left(less(rest, kind), melds))
                    continue
                for end in (low - 1, high + 1):
                    if 1 <= end <= 14 and (is_wild(kind, black) or kind == card_at(what, end)):
                        grown = (form, what, min(low, end), max(high, end))
                        after = (melds - {(meld, number)}) | {(grown, number)}
                        best = min(best, least_left(less(rest, kind), frozenset(after)))
        return best

    return max(
        (
            whole - least_left(rest, frozenset((m, k) for k, m in enumerate((*melds, *table))))
            for rest, melds in found
        ),
        default=-1,
    )
