"""What a round is played in: the row by card number, what both sides hold, and what may be done with trick cards."""

from __future__ import annotations

from dataclasses import dataclass

from spelunke.games.shanghaien.state import (
    AGAIN,
    BOTH,
    DOUBLES_REROLL,
    LEFT,
    NATIONS,
    NOTHING,
    PM1,
    State,
)

Pair = tuple[int, int]
Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One seat in one stage of a round: the tricks in its hand, its strength in each nation, and whether it is done.

    ``spent``: no trick may be played any more. ``more``: it laid a die more than its turns, by the trick that it played
    since the stage began.
    """

    hand: Row
    strength: Row
    sailors: tuple[bool, ...]
    spent: bool
    more: int = 0

    def plays(self, trick: int, nation: int = NOTHING) -> Side:
        """The side after that trick; with a nation it is a joker."""
        hand = tuple(n - (kind == trick) for kind, n in enumerate(self.hand))
        strength = tuple(n + 2 * (k == nation) for k, n in enumerate(self.strength))
        return Side(hand, strength, self.sailors, True, int(trick == BOTH and nation == NOTHING))

    def key(self, kinds: bool) -> tuple[object, ...]:
        """What it is known by in a table; ``kinds``: it matters which tricks are left in a hand."""
        hand = self.hand if kinds else sum(self.hand)
        return (hand, self.strength, self.spent, () if self.spent else (self.sailors, self.hand))


Tricks = dict[tuple[int, bool], list[int]]
"""By trick and whether it is laid as a joker: the numbers of the sides that can come of it."""


def expand(now: Side, *, kinds: bool) -> tuple[tuple[Side, ...], Tricks]:
    """The side as it is, then all that it can become in this round, and by what.

    ``kinds``: it matters which tricks are left in a hand; if not, those that differ in nothing else are one.
    """
    found = [now]
    known: dict[tuple[object, ...], int] = {}
    tricks: Tricks = {}
    held = [] if now.spent else [kind for kind in (PM1, BOTH, AGAIN) if now.hand[kind] > 0]
    for nation in (NOTHING, *(n for n in range(NATIONS) if now.sailors[n])):
        for trick in held:
            side = now.plays(trick, nation)
            key = (*side.key(kinds), side.more)
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
    """What stays as it is while a round is played, with one end of the row as card 1.

    ``row``: the kind of each card by its number, NOTHING for one that nobody gets. ``deck``: what is still to come,
    by kind.
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


def frame_of(s: State, end: int) -> Frame:
    """The frame of the round that ``s`` is in, were that end card 1."""
    row = [NOTHING if down else kind for kind, down in zip(s.row.tolist(), s.down.tolist(), strict=True)]
    if end != LEFT:
        row.reverse()
    return Frame(
        row=tuple(row),
        deck=tuple(s.deck.tolist()),
        tavern=int(s.tavern),
        starter=max(int(s.starter), 0),
        opener=int(s.opener),
        options=tuple(s.options.tolist()),
        games=int(s.games),
        wins=(int(s.wins[0]), int(s.wins[1])),
        total=(int(s.total[0]), int(s.total[1])),
        spare=(int(s.spare[0]), int(s.spare[1])),
    )


def lead_of(s: State) -> int:
    """How many dice the starter of the round has laid more than the other, were it the starter's turn."""
    first, second = s.placed.tolist()
    starter = max(int(s.starter), 0)
    return int(first - second if starter == 0 else second - first) - int(s.turn != starter)


def side_of(s: State, seat: int) -> Side:
    """The seat's side as it is now."""
    crew: list[list[int]] = s.crew[seat].tolist()
    joker: list[list[int]] = s.joker[seat].tolist()
    return Side(
        hand=tuple(s.hand[seat].tolist()),
        strength=tuple(
            cards[0] + 2 * cards[1] + 3 * cards[2] + 4 * cards[3] + 2 * sum(laid)
            for cards, laid in zip(crew, joker, strict=True)
        ),
        sailors=tuple(any(cards) for cards in crew),
        spent=bool(s.spent[seat]),
    )
