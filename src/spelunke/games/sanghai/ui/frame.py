"""Data that all parts of the board share: the scene, its words, and the legal moves sorted by kind."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import ByKind, Scene
from spelunke.boards.stage import keyed
from spelunke.games.sanghai.cards import JOKER_TEXT, Card, Meld
from spelunke.games.sanghai.contracts import Contract
from spelunke.games.sanghai.drafts import Draft
from spelunke.games.sanghai.hints import Hint, hints
from spelunke.games.sanghai.sentences import name_card, name_contract, name_meld
from spelunke.games.sanghai.view import View


class Frame:
    """A scene with its view typed, and words in the viewer's language."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view: View = scene.view
        self.me = scene.seat
        self._ = scene.translate
        self.considered: Draft | None = scene.considered
        self.picked = frozenset(scene.draft.get("card", ()))
        tray = self.considered.tray if self.considered else None
        self.aside = tray.aside if tray else ()
        self.id = f"sg-{scene.table}"
        self.legal = ByKind(scene.legal)
        found: tuple[Hint, ...] = hints(self.view) if self.me is not None and not scene.past else ()
        self.hints = {hint.kind: hint for hint in found}

    def say(self, text: str, **values: object) -> Markup:
        """Return a sentence in the viewer's language, escaped."""
        return Markup(escape(self._(text).format(**values)))

    def name(self, seat: int) -> str:
        """Return a player's name."""
        return self.scene.names[seat]

    def card(self, card: Card) -> str:
        """Return a card's name for sentences."""
        return name_card(card, self._)

    def spoken(self, card: Card) -> str:
        """Return a card's name for screen readers."""
        if card == JOKER_TEXT:
            return self._("joker")
        ranks = {"a": "ace", "j": "jack", "q": "queen", "k": "king"}
        suits = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
        rank = self._(ranks.get(card[:-1], card[:-1]))
        return self._("{rank} of {suit}").format(rank=rank, suit=self._(suits[card[-1]]))

    def meld(self, meld: Meld) -> str:
        """Return a meld's name for sentences."""
        return name_meld(meld, self._)

    def contract(self, contract: Contract) -> str:
        """Return a contract in words."""
        return name_contract(contract.sets, contract.runs, contract.length, self._)

    @property
    def seats(self) -> list[int]:
        """All seats, from the viewer's left neighbour round the table; for a spectator from the first."""
        n = self.view.seats
        first = 0 if self.me is None else self.me + 1
        return [(first + k) % n for k in range(n)]


def role_in(meld: Meld, stands: Card) -> Card:
    """Return the card that a card of a meld shows as its role. In a set, a joker stands for the rank."""
    return meld.rank if meld.form == "set" and stands == JOKER_TEXT else stands


def button(
    move: str,
    label: object,
    body: object,
    kind: str = "",
    key: str = "",
    nth: str = "",
    now: bool = False,
    about: str = "",
) -> str:
    """Return a button that plays a move.
    ``nth`` distinguishes buttons of the same move. ``now``: the move needs no confirmation. ``about``: the id of an
    element that describes it.
    """
    name = "".join(c if c.isalnum() else "x" if c == "*" else "-" for c in f"sg-b-{move}{nth}")
    keys = (keyed(key) if key else "") + (" data-now" if now else "")
    more = f' aria-describedby="{escape(about)}"' if about else ""
    return (
        f'<button type="submit" id="{name}" class="{kind}" name="move" value="{escape(move)}"'
        f' aria-label="{escape(label)}"{more}{keys}>{body}</button>'
    )
