"""Data that all parts of the board share: the scene, its translated texts, and the legal moves by kind."""

from __future__ import annotations

from functools import cached_property

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.boards.scene import Scene
from spelunke.boards.stage import Stage, keyed
from spelunke.core.values import Action
from spelunke.core.words import plain
from spelunke.games.sanghai.cards import JOKER_TEXT, Card, Meld, is_wild, rank_of
from spelunke.games.sanghai.contracts import Contract
from spelunke.games.sanghai.drafts import Draft
from spelunke.games.sanghai.hints import Hint, hints
from spelunke.games.sanghai.moves import Swap
from spelunke.games.sanghai.sentences import (
    JOKER_SIGN,
    name_card,
    name_contract,
    name_meld,
    name_rank,
    own_letters,
)
from spelunke.games.sanghai.state import BLACK_TWOS_WILD, RESHUFFLE_LIMIT
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.view import View

# Translators: a rank of cards, in “{rank} of {suit}”.
RANK_NAMES = {"a": plain("ace"), "j": plain("jack"), "q": plain("queen"), "k": plain("king")}
# Translators: a suit of cards, in “{rank} of {suit}”.
SUIT_NAMES = {"s": plain("spades"), "h": plain("hearts"), "d": plain("diamonds"), "c": plain("clubs")}


class Frame(Stage):
    """A scene of Sanghai, with the seat's view, its unsent input, and the names of things in the viewer's language."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, "sg")
        self.id = f"sg-{scene.table}"
        self.view: View = scene.view
        self.me = scene.seat
        self.considered: Draft | None = scene.considered
        self.picked = frozenset(scene.draft.get("card", ()))
        tray = self.considered.tray if self.considered else None
        self.aside = tray.aside if tray else ()
        self.id = f"sg-{scene.table}"

    @cached_property
    def hints(self) -> dict[str, Hint]:
        """The planner's hints for the viewer's hand, by their field ``kind``."""
        seen = self.view
        if self.me is None or self.scene.past:
            return {}
        mine = seen.phase == "turn" and seen.turn == self.me
        hand = (
            seen.hand,
            seen.lap,
            seen.laid,
            seen.melds,
            seen.setup,
            seen.phase in ("dealing", "dealer", "over"),
        )
        others = (seen.discards, seen.top) if mine else None  # the best discard depends on earlier discards
        return self.sheet.once(
            "hints", (hand, mine, others), lambda: {hint.kind: hint for hint in hints(seen)}
        )

    @cached_property
    def choices(self) -> tuple[tuple[Action, str], ...]:
        """The legal actions of the viewer, with their move texts.

        If the actions have not changed since the last rendering, this is the same tuple as in the last rendering.
        """
        return self.same("choices", self.scene.legal)

    def name(self, seat: int) -> str:
        """Return the name of a seat's player."""
        return self.scene.names[seat]

    @cached_property
    def letters(self) -> str:
        """The letters of jack, queen, king and ace in the reader's language."""
        return "".join(own_letters(self._))

    def face(self, card: Card, stands: Card | None = None) -> Markup:
        """Return the front of a card (see `art.card`)."""
        return art.card(card, stands, self.letters, wild=stands is None and self.is_wild_two(card))

    def is_wild_two(self, card: Card) -> bool:
        """Return whether a card is a black two, and black twos are wild at this table."""
        return card != JOKER_TEXT and is_wild(card, bool(self.view.option(BLACK_TWOS_WILD)))

    def card(self, card: Card) -> str:
        """Return the name of a card, as used in sentences."""
        return name_card(card, self._)

    def rank(self, rank: str) -> str:
        """Return a rank, as used in sentences, with the letters that the reader prefers."""
        return name_rank(rank, self._)

    def short(self, card: Card) -> str:
        """Return a card in two or three characters, or a star for the joker."""
        return JOKER_SIGN if card == JOKER_TEXT else self.card(card)

    def spoken(self, card: Card) -> str:
        """Return the name of a card for screen readers."""
        if card == JOKER_TEXT:
            return self._("joker")
        suit = self._(SUIT_NAMES[card[-1]])
        if card[:-1] in RANK_NAMES:
            # Translators: a card as a screen reader says it: “queen of spades”. {rank} is a word.
            return self._("{rank} of {suit}").format(rank=self._(RANK_NAMES[card[:-1]]), suit=suit)
        # Translators: a card as a screen reader says it: “7 of spades”.
        return self._("{number} of {suit}").format(number=card[:-1], suit=suit)

    def spoken_meld(self, meld: Meld) -> str:
        """Return a meld for screen readers."""
        if meld.form == "run" and not any(meld.wild):
            first, last = self.spoken(meld.cards[0]), self.spoken(meld.cards[-1])
            # Translators: a run of cards, as a screen reader says it: “4 of diamonds to 7 of diamonds”.
            return self._("{first} to {last}").format(first=first, last=last)
        said = []
        for card, role, wild in zip(meld.cards, meld.stands, meld.wild, strict=True):
            name = self.spoken(card)
            if wild and role != JOKER_TEXT:
                # Translators: a wild card of a run and the card that it stands for: “joker as 5 of clubs”.
                name = self._("{wild} as {card}").format(wild=name, card=self.spoken(role))
            said.append(name)
        return self._.list(said)

    def meld(self, meld: Meld) -> str:
        """Return the name of a meld, as used in sentences."""
        return name_meld(meld, self._)

    def taken_by(self, swap: Swap) -> Card:
        """Return the wild card that a swap takes out of its meld."""
        meld = next(entry.meld for entry in self.view.melds if entry.number == swap.meld)
        if meld.form == "set":
            return JOKER_TEXT if swap.out is None else swap.out
        place = 14 if swap.out == "high" else rank_of(swap.card)
        return meld.cards[place - meld.low]

    def say_empty(self) -> str:
        """Return a sentence that warns if a draw from the empty stock would bring no card, else an empty text.

        If seats have called for the discard, assume that one of them gets it.
        """
        seen, limit = self.view, self.view.option(RESHUFFLE_LIMIT)
        if seen.stock or not seen.top:
            return ""
        if seen.pile - bool(seen.calls) < 2:
            return self._("The stock is empty: if you don't take the discard, you get no card.")
        if limit and seen.reshuffles >= limit:
            return self._("The stock is empty for good: if you don't take the discard, the round ends.")
        return ""

    def which(self, swap: Swap) -> str:
        """Return a sign that shows which wild card of a meld the swap takes.

        If the viewer's card can be swapped for only one wild card of this meld, return an empty text.
        """
        others = [one for one, _text in self.legal[Swap] if (one.card, one.meld) == (swap.card, swap.meld)]
        if len(others) < 2:
            return ""
        in_set = any(entry.number == swap.meld and entry.meld.form == "set" for entry in self.view.melds)
        return self.short(self.taken_by(swap)) if in_set else "▸" if swap.out == "high" else "◂"

    def contract(self, contract: Contract) -> str:
        """Return a contract in words."""
        return name_contract(contract.sets, contract.runs, contract.length, self._)

    def takes(self, moves: str) -> Markup:
        """Return an attribute for an element onto which the viewer can drag a card of their hand (own-order.js).

        ``moves`` are the texts of the moves that such a drag can play, separated by ``|``, with a star instead of
        the card.
        """
        return NOTHING if self.me is None or self.scene.past else html(' data-takes="{}"', moves)

    @property
    def seats(self) -> list[int]:
        """All seats clockwise. The first is the seat after the viewer's, or seat 0 for a spectator."""
        n = self.view.seats
        first = 0 if self.me is None else self.me + 1
        return [(first + k) % n for k in range(n)]


def role_in(meld: Meld, stands: Card) -> Card:
    """Return the card or rank that the board shows as the role of a meld's card.

    ``stands`` is the card that the meld's card stands for. In a set, a wild card stands for no particular
    card, so its role is the rank of the set.
    """
    return meld.rank if meld.form == "set" and stands == JOKER_TEXT else stands


def button(
    move: str,
    label: object,
    body: Markup,
    kind: str = "",
    key: str = "",
    nth: str = "",
    now: bool = False,
    about: str = "",
    final: bool = False,
) -> Markup:
    """Return a button that plays the move when it is pressed.

    If several buttons play the same move, ``nth`` distinguishes them. If ``now`` is true, the move needs no
    confirmation. ``about`` is the id of an element that describes the button. If ``final`` is true, the move can't be
    undone, so the page ignores a press that was meant for another button (late-presses.js).
    """
    name = join(c if c.isalnum() else "x" if c == "*" else "-" for c in f"sg-b-{move}{nth}")
    keys = (keyed(key) if key else NOTHING) + flag("data-now", now) + flag("data-final", final)
    more = html(' aria-describedby="{}"', about) if about else NOTHING
    return html(
        '<button type="submit" id="{}" class="{}" name="move" value="{}" aria-label="{}"{}{}>{}</button>',
        name,
        kind,
        move,
        label,
        more,
        keys,
        body,
    )
