"""Cards and melds as text, in the words of the game: ``7s``, ``10h``, ``kd``, and ``*`` for the joker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from spelunke.core.errors import BadText, IllegalMove
from spelunke.core.values import Numbers
from spelunke.core.words import plain
from spelunke.games.sanghai.state import NATURAL, SET, WILD, State

Card: TypeAlias = str
"""A card as text. Equal cards have equal texts (N-C10)."""
Suit: TypeAlias = Literal["s", "h", "d", "c"]

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")
RANKS = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
CARDS: tuple[Card, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "*")
KIND_OF = {card: kind for kind, card in enumerate(CARDS)}
JOKER_TEXT = "*"

LONG = {
    "t": "10",
    "1": "a",
    "ace": "a",
    "jack": "j",
    "queen": "q",
    "king": "k",
    "11": "j",
    "12": "q",
    "13": "k",
}
SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c"}
JOKERS = {"*", "joker", "jk", "jok", "x"}


class Meld(msgspec.Struct, frozen=True):
    """A set or a run of cards.

    In a set, ``cards`` has the natural cards by suit, then the wild cards, and ``low`` is 0. In a run, ``cards``
    goes upward from the place ``low`` (1 to 14).

    ``stands`` has, for each card, the card that it stands for. A natural card stands for itself, and a wild
    card in a set stands for ``*``.
    """

    form: Literal["set", "run"]
    cards: tuple[Card, ...]
    stands: tuple[Card, ...]
    low: int = 0

    @property
    def high(self) -> int:
        """The place of a run's last card; 0 for a set."""
        return self.low + len(self.cards) - 1 if self.form == "run" else 0

    @property
    def rank(self) -> str:
        """The rank of a set, as text."""
        return next(card[:-1] for card in self.stands if card != JOKER_TEXT)

    @property
    def suit(self) -> str:
        """The suit of a run."""
        return self.stands[0][-1]

    @property
    def wild(self) -> tuple[bool, ...]:
        """For each card, whether the meld uses it as a wild card."""
        return (
            tuple(card != role for card, role in zip(self.cards, self.stands, strict=True))
            if (self.form == "run")
            else tuple(role == JOKER_TEXT for role in self.stands)
        )


def card_of(kind: int) -> Card:
    """Return the card with this kind (see :mod:`.state`), as text."""
    return CARDS[kind]


def kind_of(card: Card) -> int:
    """Return the kind (see :mod:`.state`) of a card that is given as text.

    Raise KeyError if the text is not a card.
    """
    return KIND_OF[card]


def parse_card(word: str) -> Card:
    """Return the card that a person wrote: ``7s``, ``S7``, ``7♠``, ``10h``, ``th``, ``*`` or ``joker``.

    Raise BadText if the text is not a card.
    """
    text = word.strip().lower()
    if text in JOKERS:
        return JOKER_TEXT
    for sign, suit in SIGNS.items():
        text = text.replace(sign, suit)
    for suit in SUITS:
        for rank in (text[:-1] if text.endswith(suit) else None, text[1:] if text.startswith(suit) else None):
            if rank and (known := LONG.get(rank, rank)) in RANKS:
                return known + suit
    raise BadText(f"{word!r} is not a card; cards look like 7s, 10h, qd, ac, or * for a joker")


def suit_of(card: Card) -> str:
    """Return the suit of a card; ``*`` for the joker."""
    return card[-1]


def rank_of(card: Card) -> int:
    """Return the rank of a card, from 1 to 13; 0 for the joker."""
    return 0 if card == JOKER_TEXT else KIND_OF[card] % 13 + 1


def role_at(suit: str, place: int) -> Card:
    """Return the natural card of this suit that belongs at a place (1 to 14) of a run."""
    return RANKS[(place - 1) % 13] + suit


def is_wild(card: Card, black: bool) -> bool:
    """Return whether a card is wild. If ``black`` is true, the black twos are wild too."""
    return card == JOKER_TEXT or (black and card in ("2s", "2c"))


def make_set(cards: Iterable[Card], black: bool = False) -> Meld:
    """Return a set of these cards, in the order that :class:`Meld` describes.

    If ``black`` is true, the black twos are wild. Raise BadText if the ranks of the natural cards differ, or if all
    cards are jokers.
    """
    given = tuple(cards)
    ranks = {card[:-1] for card in given if not is_wild(card, black)}
    if not ranks:
        ranks = {"2"} if any(card != JOKER_TEXT for card in given) else set()
    if not ranks:
        raise BadText("a set needs at least one natural card")
    if len(ranks) > 1:
        raise BadText(f"a set has one rank, but these cards have {plain.list(sorted(ranks))}")
    rank = ranks.pop()
    naturals = sorted((c for c in given if c != JOKER_TEXT and c[:-1] == rank), key=kind_of)
    wilds = sorted((c for c in given if c == JOKER_TEXT or c[:-1] != rank), key=kind_of)
    return Meld("set", (*naturals, *wilds), (*naturals, *(JOKER_TEXT for _ in wilds)))


def make_run(cards: Iterable[Card], suit: str, low: int) -> Meld:
    """Return a run of these cards, in this suit, from the place ``low`` upward."""
    given = tuple(cards)
    return Meld("run", given, tuple(role_at(suit, low + k) for k in range(len(given))), low)


def check_meld(meld: Meld) -> None:
    """Raise IllegalMove with the reason if no cards can form this meld.

    A move text can give only one kind of impossible meld: a run that begins above the jack. A program can build other
    kinds. This function does not check whether the meld has enough cards, nor whether a card may stand for another. The
    rules check both.
    """
    for card in meld.cards:
        if card not in KIND_OF:
            raise IllegalMove(f"{card!r} is not a card; cards look like 7s, 10h, qd, ac, or * for a joker")
    if len(meld.stands) != len(meld.cards) or not meld.cards:
        raise IllegalMove("a meld needs cards, and must name the card that each of them stands for")
    if meld.form == "set":
        own = {card[:-1] for card, wild in zip(meld.cards, meld.wild, strict=True) if not wild}
        if (
            len(own) != 1
            or JOKER_TEXT in own
            or any(role not in (card, JOKER_TEXT) for card, role in _roles(meld))
        ):
            raise IllegalMove(
                "in a set, all natural cards must have the same rank, and the card that a wild card stands for "
                "must be written as '*' (any card)"
            )
        return
    if not 1 <= meld.low <= meld.high <= 14:
        raise IllegalMove("a run goes at most from the ace below the 2 to the ace above the king")
    if meld.low > 11:
        raise IllegalMove("a run has at least four cards, so it can't begin above the jack")
    if meld.suit not in SUITS or meld != make_run(meld.cards, meld.suit, meld.low):
        raise IllegalMove(
            "list the cards of a run from the lowest to the highest: each must be, or stand for, the next card of "
            "the same suit"
        )


def _roles(meld: Meld) -> tuple[tuple[Card, Card], ...]:
    return tuple(zip(meld.cards, meld.stands, strict=True))


def order_of(meld: Meld) -> tuple[int, int, int, tuple[int, ...]]:
    """Return the key by which the melds of a contract are sorted when it is laid.

    The rules demand this order: first the sets by rank, then the runs by suit and place.
    """
    kinds = tuple(kind_of(card) for card in meld.cards)
    if meld.form == "set":
        return (0, RANKS.index(meld.rank), 0, kinds)
    return (1, SUITS.index(meld.suit), meld.low, kinds)


def meld_at(s: State, m: int) -> Meld | None:
    """Return the meld with index ``m`` on the table, or None if it has no card yet."""
    if s.form[m] == SET:
        cells = s.cells[m]
        rank = int(s.what[m])
        naturals = [card_of(13 * suit + rank) for suit in range(4) for _ in range(int(cells[suit]))]
        wilds = [card for k, card in ((1, "2s"), (2, "2c"), (0, "*")) for _ in range(int(cells[4 + k]))]
        if not naturals:
            return None
        return Meld("set", (*naturals, *wilds), (*naturals, *("*" for _ in wilds)))
    suit = SUITS[int(s.what[m])]
    low = int(s.low[m])
    cards = []
    for place in range(low, int(s.high[m]) + 1):
        cell = int(s.cells[m, place - 1])
        cards.append(role_at(suit, place) if cell == NATURAL else ("*", "2s", "2c")[cell - WILD])
    return make_run(cards, suit, low) if cards else None


def spread(counts: Numbers) -> tuple[Card, ...]:
    """Return the cards as a list, in the order of their kinds. ``counts`` has the number of cards of each kind."""
    return tuple(CARDS[kind] for kind, count in enumerate(counts.tolist()) for _ in range(count))


def write_meld(meld: Meld) -> str:
    """Return a meld as text, as moves contain it: ``7s 7h *``, ``4d-7d``, ``5c *6c 7c 8c`` or ``8c 2s=9c 10c jc``."""
    if meld.form == "set":  # a program may list the cards of a set in any order
        return " ".join(card for card, _ in sorted(_roles(meld), key=_place_in_set))
    if not any(meld.wild):
        return f"{meld.cards[0]}-{meld.cards[-1]}" if len(meld.cards) < 14 else " ".join(meld.cards)
    words = []
    for card, role, wild in zip(meld.cards, meld.stands, meld.wild, strict=True):
        words.append(card if not wild else f"*{role}" if card == JOKER_TEXT else f"{card}={role}")
    return " ".join(words)


def _place_in_set(card: tuple[Card, Card]) -> tuple[bool, int]:
    return card[1] == JOKER_TEXT, kind_of(card[0])


def parse_meld(text: str, black: bool = False, *, run: bool = False) -> Meld:
    """Return the meld that a text names. Raise BadText if the text names no meld.

    In a run, a wild card stands for the card that the text gives, or else for the card that its place demands. One
    natural card with wild cards can be a set or a run. They are a run only if ``run`` is true, or if the text gives the
    card that a wild card stands for.
    """
    words = text.replace("–", "-").replace(",", " ").split()
    if not words:
        raise BadText("a meld needs cards, like 7s 7h * or 4d-7d")
    if len(words) == 1 and "-" in words[0]:
        return _parse_span(words[0])
    cards: list[Card] = []
    roles: list[Card | None] = []
    for word in words:
        card, role = _parse_word(word)
        cards.append(card)
        roles.append(role)
    naturals = {card for card in cards if not is_wild(card, black)}
    if not run and not any(roles) and len({card[:-1] for card in naturals}) < 2:
        return make_set(cards, black)
    return _place_run(cards, roles, text, black)


def _parse_word(word: str) -> tuple[Card, Card | None]:
    if "=" in word:
        card, _, role = word.partition("=")
        return parse_card(card), parse_card(role)
    if word.startswith("*") and len(word) > 1:
        return JOKER_TEXT, parse_card(word[1:])
    return parse_card(word), None


def _parse_span(word: str) -> Meld:
    first, _, last = word.partition("-")
    low, high = parse_card(first), parse_card(last)
    if JOKER_TEXT in (low, high) or suit_of(low) != suit_of(high):
        raise BadText(
            f"{word!r}: write a run like 4d-7d, in one suit and without jokers; "
            "if it has a joker, list every card, like 4d 5d * 7d"
        )
    top = 14 if rank_of(high) == 1 and low != high else rank_of(high)
    if top < rank_of(low):
        raise BadText(f"{word!r}: a run goes upward, like 4d-7d; the ace is below 2 or above the king")
    places = range(rank_of(low), top + 1)
    return make_run((role_at(suit_of(low), place) for place in places), suit_of(low), rank_of(low))


def _place_run(cards: list[Card], roles: list[Card | None], text: str, black: bool) -> Meld:
    """Return the run of these cards, in the given order, at the lowest place where they fit.

    Places where at least one card is natural (stands for itself) come first. So a place where all cards are wild is
    used only if all cards are wild at each place where they fit. Raise BadText if they fit nowhere.
    """
    suits = {role[-1] for role in roles if role} | {card[-1] for card in cards if not is_wild(card, black)}
    found = []
    for suit in sorted(suits or {card[-1] for card in cards if card != JOKER_TEXT}, key="shdc".find):
        for low in range(1, 16 - len(cards)):
            places = [role_at(suit, low + k) for k in range(len(cards))]
            if all(
                (role == place) if role else (card == place or is_wild(card, black))
                for card, role, place in zip(cards, roles, places, strict=True)
            ):
                found.append(make_run(cards, suit, low))
    if found:
        return next((meld for meld in found if not all(meld.wild)), found[0])
    text = text.strip()
    raise BadText(f"{text!r} is neither a set (one rank) nor a run (one suit, in sequence, listed upward)")
