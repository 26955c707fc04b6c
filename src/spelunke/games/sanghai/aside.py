"""Melds that a player has set aside, so that the contract can be put together meld by meld.

The contract tray (:mod:`.tray`) shows these melds. The server does not store them. A form field contains them as
text: ``7s.1 7h.1 *.1 | 4d.1 5d.1 6d.1 7d.1``. Each card has a key: ``7s.2`` is the second seven of spades in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from spelunke.core.digits import is_number
from spelunke.games.hooks import Fields
from spelunke.games.sanghai.cards import Card, Meld
from spelunke.games.sanghai.planning import arrange_into
from spelunke.games.sanghai.state import BLACK_TWOS_WILD
from spelunke.games.sanghai.view import View

FIELD = "aside"
"""The name of the form field that contains the melds that are set aside."""


class Aside(msgspec.Struct, frozen=True):
    """A meld that is set aside. ``keys`` are the keys of its cards in the form, in the order of the meld."""

    meld: Meld
    keys: tuple[str, ...]


def card_in(key: str) -> Card:
    """Return the card with this key in the form. For example, the key ``7s.2`` means the card ``7s``."""
    return key.partition(".")[0]


def read_aside(fields: Fields, seen: View) -> tuple[tuple[Aside, ...], tuple[str, ...], bool]:
    """Return the melds that are set aside, the keys of the other picked cards, and whether setting aside failed.

    The form field ``draft`` has the name of the pressed button: ``aside`` sets the picked cards aside, and
    ``back 2`` takes the second meld back. Setting aside fails if some cards are picked, but they are no meld that the
    contract still needs.

    The form field :data:`FIELD` contains the melds that were set aside earlier. If a card of such a meld is no longer
    in the hand, an equal card replaces it. If there is no equal card, the meld is dropped.
    """
    held = {f"{card}.{n + 1}" for card, count in Counter(seen.hand).items() for n in range(count)}
    found: list[Aside] = []
    for part in fields.get(FIELD, ("",))[-1].split("|"):
        meld = make_aside(_find_keys(part.split(), held), seen, found)
        if meld:
            held.difference_update(meld.keys)
            found.append(meld)
    picked = tuple(key for key in fields.get("card", ()) if key in held)
    word, _space, number = (fields.get("draft") or ("",))[-1].partition(" ")
    if word == "back" and is_number(number) and 1 <= int(number) <= len(found):
        del found[int(number) - 1]
    if word == "aside":
        meld = make_aside(picked, seen, found)
        return (tuple(found), picked, bool(picked)) if meld is None else ((*found, meld), (), False)
    return tuple(found), picked, False


def _find_keys(keys: Sequence[str], held: set[str]) -> list[str]:
    """Return, for each key, the key of a card in the hand: the same key if possible, else that of an equal card.

    If no equal card is left, the entry is an empty text.
    """
    left, found = set(held), []
    for key in keys:
        equal = sorted(one for one in left if card_in(one) == card_in(key))
        found.append(key if key in left else next(iter(equal), ""))
        left.discard(found[-1])
    return found


def _still_wanted(aside: Sequence[Aside], seen: View) -> set[str]:
    have = Counter[str](one.meld.form for one in aside)
    wanted = {"set": seen.contract.sets, "run": seen.contract.runs}
    return {form for form, count in wanted.items() if have[form] < count}


def make_aside(keys: Sequence[str], seen: View, aside: Sequence[Aside] = ()) -> Aside | None:
    """Return the meld that consists of exactly these cards. The cards may be in any order.

    Return None if a card is not in the hand, or if the cards are no meld of 3 to 14 cards. Also return None if the meld
    is a set, but ``aside`` already has all sets of the contract, or if it is a run, but ``aside`` already has all runs.
    """
    wanted = _still_wanted(aside, seen)
    length = seen.contract.length
    cards = [card_in(key) for key in keys]
    if not 3 <= len(cards) <= 14 or any(card not in seen.hand for card in cards):
        return None
    black = bool(seen.option(BLACK_TWOS_WILD))
    melds = arrange_into(cards, 1, 0, length, black=black) if "set" in wanted else ()
    if not melds and "run" in wanted:
        melds = arrange_into(cards, 0, 1, length, black=black)
    if len(melds) != 1:
        return None
    rest = list(keys)
    sorted_keys = []
    for card in melds[0].cards:
        key = next(key for key in rest if card_in(key) == card)
        rest.remove(key)
        sorted_keys.append(key)
    return Aside(melds[0], tuple(sorted_keys))


def write_aside(melds: Sequence[Aside]) -> str:
    """Return the value of the form field for these melds."""
    return " | ".join(" ".join(one.keys) for one in melds)


def lay_aside(text: str) -> str:
    """Return the move that lays the melds that ``text`` lists. ``text`` is the text of the form field.

    The move names the melds and their cards in the same order as ``text``, but without the numbers in the cards' keys.
    """
    parts = [" ".join(card_in(key) for key in part.split()) for part in text.split("|")]
    return "lay " + " | ".join(parts)
