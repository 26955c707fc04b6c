"""The view of a seat of Shanghaien, field by field.

All cards on the table are open (S-A18, S-A27). The state counts the cards of the deck but has no order of them, so
nothing is hidden.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from spelunke.core import values
from spelunke.core.caches import Cache
from spelunke.core.cells import cells
from spelunke.core.kernel import hot, pool
from spelunke.core.values import Stream
from spelunke.games.shanghaien import GAME
from spelunke.games.shanghaien.cards import (
    ENDS,
    NATIONS,
    TRICKS,
    Card,
    End,
    Nation,
    Sailor,
    Trick,
    TrickCard,
    card_of,
    kind_of,
)
from spelunke.games.shanghaien.claims import Claim, Survey, list_claims
from spelunke.games.shanghaien.deck import count_deck
from spelunke.games.shanghaien.reckoning import strength
from spelunke.games.shanghaien.rounds import start
from spelunke.games.shanghaien.state import (
    COPIES,
    DICE,
    KINDS,
    MATCH,
    NOTHING,
    ROUNDS,
    SAILORS,
    START_TRICK,
    STARTS_WITH,
    STATE,
    TRICK_SPLIT,
    State,
)

PHASES = ("dealing", "starter", "turn", "rolling", "direction", "rolled", "changed", "objection", "over")


class Crew(msgspec.Struct, frozen=True):
    """A seat's sailors of one nation.

    ``values`` are in ascending order. ``jokers`` are the trick cards that were laid as jokers. ``strength`` is
    the sum of the values, plus 2 for each joker.
    """

    nation: Nation
    values: tuple[int, ...]
    jokers: tuple[Trick, ...]
    strength: int
    gain: int
    """The points for this nation if the game ended now (S-R25)."""


class ToCome(msgspec.Struct, frozen=True):
    """The cards of one nation that are still to come: their values in the row and in the deck, in ascending order."""

    nation: Nation
    row: tuple[int, ...]
    deck: tuple[int, ...]


class View(values.View, frozen=True):
    """The table as one seat sees it, or as a spectator does (``seat`` None).

    A tuple of two has a value for each seat, with two exceptions: ``rolled`` has the two dice, and ``tricks_to_come``
    has the trick cards in the row and those in the deck.
    """

    phase: str
    tavern: int
    starter: int | None
    turn: int
    end: End | None
    row: tuple[Claim, ...]
    rolled: tuple[int, int] | None
    named: int | None
    tricked: bool
    rerolled: bool
    supply: tuple[int, int]
    spent: tuple[bool, bool]
    crazy: tuple[bool, bool]
    tricks: tuple[tuple[Trick, ...], tuple[Trick, ...]]
    crews: tuple[tuple[Crew, ...], tuple[Crew, ...]]
    points: tuple[int, int]
    to_come: tuple[ToCome, ...]
    tricks_to_come: tuple[tuple[Trick, ...], tuple[Trick, ...]]
    """The trick cards in the row, and those in the deck."""
    removed: tuple[Card, ...]
    games: int
    match: str
    wins: tuple[int, int]
    totals: tuple[int, int]
    opener: int | None
    first_opener: int | None
    setup: tuple[int, ...]
    """The number of seats, then the options, as the kernel ``start`` takes them."""
    spare: tuple[int, int]


def _crews(s: State, survey: Survey) -> tuple[tuple[Crew, ...], tuple[Crew, ...]]:
    """Return each seat's crews: the seat has one crew for each nation."""
    crew, joker = s.crew.tolist(), s.joker.tolist()
    first, second = (
        tuple(
            Crew(
                nation=nation,
                values=tuple(v + 1 for v, count in enumerate(crew[seat][n]) for _ in range(count)),
                jokers=tuple(TRICKS[t] for t, count in enumerate(joker[seat][n]) for _ in range(count)),
                strength=survey.strengths[seat][n],
                gain=survey.gains[seat][n],
            )
            for n, nation in enumerate(NATIONS)
        )
        for seat in range(2)
    )
    return first, second


def _tricks(s: State, seat: int) -> tuple[Trick, ...]:
    return tuple(TRICKS[t] for t, count in enumerate(s.hand[seat].tolist()) for _ in range(count))


def copies(s: State, kind: int) -> int:
    """Return the number of cards of this kind in this game, including the trick cards with which the seats began."""
    if kind < SAILORS:
        return int(COPIES[kind & 3])
    trick = kind - SAILORS
    return int(s.options[TRICK_SPLIT + trick]) + (2 if s.options[START_TRICK] == STARTS_WITH[trick] else 0)


def removed_kinds(s: State) -> list[int]:
    """Return, for each kind of card, the number of its cards that are out of the game (S-A27)."""
    row, deck, hand = s.row.tolist(), s.deck.tolist(), s.hand.sum(axis=0).tolist()
    crew, joker = s.crew.sum(axis=0).ravel().tolist(), s.joker.sum(axis=(0, 1)).tolist()
    gone = []
    for kind in range(KINDS):
        seen = deck[kind] + row.count(kind)
        seen += crew[kind] if kind < SAILORS else hand[kind - SAILORS] + joker[kind - SAILORS]
        gone.append(copies(s, kind) - seen)
    return gone


class Cards(NamedTuple):
    """The fields of a view that list cards, except ``row``.

    While a row of six cards lies on the table, these fields change only when a trick card is played.
    """

    crews: tuple[tuple[Crew, ...], tuple[Crew, ...]]
    tricks: tuple[tuple[Trick, ...], tuple[Trick, ...]]
    to_come: tuple[ToCome, ...]
    tricks_to_come: tuple[tuple[Trick, ...], tuple[Trick, ...]]
    removed: tuple[Card, ...]


MATCHES = tuple(map(str, GAME.option("match").choices))
"""The values of the option ``match``, in the order of their numbers in the state."""
VIEWED = 16 << 20
"""The maximum size of the cache of `Cards`, in bytes."""
_cards: Cache[bytes, Cards] = Cache(VIEWED, each=6000)


def _find_cards(s: State, survey: Survey) -> Cards:
    """Return all cards of a view but its ``row``. All viewers share a cache of them."""
    key = b"".join([block.tobytes() for block in (s.crew, s.joker, s.hand, s.deck, s.row, s.options)])
    found = _cards.get(key)
    if found is None:
        in_row = [card_of(kind) for kind in s.row.tolist() if kind >= 0]
        deck: list[int] = s.deck.tolist()
        to_come = tuple(
            ToCome(
                nation,
                tuple(sorted(c.value for c in in_row if isinstance(c, Sailor) and c.nation is nation)),
                tuple(v + 1 for v in range(4) for _ in range(deck[4 * n + v])),
            )
            for n, nation in enumerate(NATIONS)
        )
        deck_tricks = tuple(TRICKS[t] for t in range(3) for _ in range(deck[SAILORS + t]))
        row_tricks = tuple(c.trick for c in in_row if isinstance(c, TrickCard))
        removed = tuple(card_of(kind) for kind, n in enumerate(removed_kinds(s)) for _ in range(n))
        tricks = (_tricks(s, 0), _tricks(s, 1))
        found = Cards(_crews(s, survey), tricks, to_come, (row_tricks, deck_tricks), removed)
        _cards.put(key, found)
    return found


def view(s: State, seat: int | None) -> View:
    """Return the view of a seat, or the view of spectators if ``seat`` is None."""
    survey = Survey(s)
    s = cells(s)
    row = list_claims(s, survey)
    cards = _find_cards(s, survey)
    return View(
        seat=seat,
        phase=PHASES[int(s.phase)],
        tavern=min(int(s.tavern) + 1, ROUNDS),
        starter=int(s.starter) if s.starter >= 0 else None,
        turn=int(s.turn),
        end=ENDS[int(s.end)],
        row=row,
        rolled=(int(s.low), int(s.high)) if s.low else None,
        named=int(s.named) if s.named else None,
        tricked=bool(s.tricked),
        rerolled=bool(s.rerolled),
        supply=(DICE - int(s.placed[0]), DICE - int(s.placed[1])),
        spent=(bool(s.spent[0]), bool(s.spent[1])),
        crazy=(bool(s.may_object[0]), bool(s.may_object[1])),
        tricks=cards.tricks,
        crews=cards.crews,
        points=(survey.points[0], survey.points[1]),
        to_come=cards.to_come,
        tricks_to_come=cards.tricks_to_come,
        removed=cards.removed,
        games=int(s.games),
        match=MATCHES[s.options[MATCH]],
        wins=(int(s.wins[0]), int(s.wins[1])),
        totals=(int(s.total[0]), int(s.total[1])),
        opener=int(s.opener) if s.opener >= 0 else None,
        first_opener=int(s.first_opener) if s.first_opener >= 0 else None,
        setup=(2, *s.options.tolist()),
        spare=(int(s.spare[0]), int(s.spare[1])),
    )


def imagine(seen: View, stream: Stream) -> State:
    """Return the state that fits the view. Only one state fits, because nothing is hidden.

    The random numbers of ``stream`` are not used.
    """
    s: State = pool(STATE, 1)[0]
    start(s, np.array(seen.setup, np.int16))
    s.games, s.opener = seen.games, _number(seen.opener)
    s.first_opener, s.starter = _number(seen.first_opener), _number(seen.starter)
    s.phase = PHASES.index(seen.phase)
    s.tavern = ROUNDS if seen.phase == "over" else seen.tavern - 1
    s.turn, s.end = seen.turn, seen.end.number if seen.end else 0
    s.low, s.high = seen.rolled or (0, 0)
    s.named, s.tricked, s.rerolled = seen.named or 0, int(seen.tricked), int(seen.rerolled)
    s.dealt = len(seen.row)
    for claim in seen.row:
        assert claim.card is not None
        s.row[claim.place - 1] = kind_of(claim.card)
        s.down[claim.place - 1] = int(claim.down)
        if claim.number:
            s.dice[0, claim.number - 1], s.dice[1, claim.number - 1] = claim.dice
    s.deck[:] = 0
    for coming in seen.to_come:
        for value in coming.deck:
            s.deck[4 * coming.nation.number + value - 1] += 1
    for trick in seen.tricks_to_come[1]:
        s.deck[SAILORS + trick.number] += 1
    count_deck(s)
    s.hand[:] = 0
    for seat in range(2):
        s.wins[seat], s.total[seat], s.spare[seat] = seen.wins[seat], seen.totals[seat], seen.spare[seat]
        s.placed[seat] = DICE - seen.supply[seat]
        s.spent[seat], s.may_object[seat] = int(seen.spent[seat]), int(seen.crazy[seat])
        for trick in seen.tricks[seat]:
            s.hand[seat, trick.number] += 1
        for crew in seen.crews[seat]:
            for value in crew.values:
                s.crew[seat, crew.nation.number, value - 1] += 1
            for trick in crew.jokers:
                s.joker[seat, crew.nation.number, trick.number] += 1
    return s


def _number(seat: int | None) -> int:
    return NOTHING if seat is None else seat


NAMES = (
    "turn",
    "supply of mine",
    "supply of the other",
    "trick spent by me",
    "trick spent by the other",
    "tavern",
    "card 1 at the left",
    "card 1 at the right",
    *(f"rolled {v}" for v in range(1, 7)),
    *(f"phase {name}" for name in PHASES),
    *(f"my dice on {v}" for v in range(1, 7)),
    *(f"the other's dice on {v}" for v in range(1, 7)),
    *(f"my trick {t}" for t in TRICKS),
    *(f"the other's trick {t}" for t in TRICKS),
    *(f"my strength in {n}" for n in NATIONS),
    *(f"the other's strength in {n}" for n in NATIONS),
    *(f"deck {n} {v}" for n in NATIONS for v in range(1, 5)),
    *(f"deck {t}" for t in TRICKS[:3]),
    *(f"place {p} {k}" for p in range(1, 7) for k in (*NATIONS, "trick", "value", "down")),
    "wins of mine",
    "wins of the other",
)
FEATURES = len(NAMES)


def feature_names() -> tuple[str, ...]:
    """Return the names of all ``FEATURES`` features."""
    return NAMES


@hot
def features(s: State, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Write the seat's view as numbers into ``out`` (float32[FEATURES]), in the order of `feature_names`.

    Most numbers are from 0 to 1. Counts of trick cards and strengths of crews with jokers may be larger.
    """
    other = 1 - seat
    out[:] = 0.0
    out[0] = 1.0 if s.turn == seat else 0.0
    out[1] = (6 - s.placed[seat]) * (1.0 / 6.0)
    out[2] = (6 - s.placed[other]) * (1.0 / 6.0)
    out[3] = s.spent[seat]
    out[4] = s.spent[other]
    out[5] = s.tavern * (1.0 / 8.0)
    out[6] = 1.0 if s.end == 1 else 0.0
    out[7] = 1.0 if s.end == 2 else 0.0
    if s.low > 0:
        out[7 + s.low] = 1.0
        out[7 + s.high] = 1.0
    out[14 + s.phase] = 1.0
    at = 23
    for number in range(6):
        out[at + number] = s.dice[seat, number] * (1.0 / 6.0)
        out[at + 6 + number] = s.dice[other, number] * (1.0 / 6.0)
    at += 12
    for trick in range(5):
        out[at + trick] = s.hand[seat, trick] * (1.0 / 4.0)
        out[at + 5 + trick] = s.hand[other, trick] * (1.0 / 4.0)
    at += 10
    for nation in range(8):
        out[at + nation] = strength(s, seat, nation) * (1.0 / 13.0)
        out[at + 8 + nation] = strength(s, other, nation) * (1.0 / 13.0)
    at += 16
    for kind in range(35):
        out[at + kind] = s.deck[kind] * (1.0 / 2.0)
    at += 35
    for place in range(6):
        kind = s.row[place]
        if kind >= 32:
            out[at + 8] = 1.0
        elif kind >= 0:
            out[at + (kind >> 2)] = 1.0
            out[at + 9] = ((kind & 3) + 1) * (1.0 / 4.0)
        out[at + 10] = s.down[place]
        at += 11
    out[at] = s.wins[seat] * (1.0 / 2.0)
    out[at + 1] = s.wins[other] * (1.0 / 2.0)
