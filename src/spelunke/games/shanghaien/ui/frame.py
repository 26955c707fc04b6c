"""Data that every part of the board needs: the sides of the seats, the names of cards, and the legal moves."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html
from spelunke.boards.scene import Scene
from spelunke.boards.stage import Stage
from spelunke.core.letters import likes_english_letters
from spelunke.core.values import Action, Event
from spelunke.core.words import plain
from spelunke.games.shanghaien.cards import Card, End, Nation, Sailor, Trick
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import (
    COLOURS,
    LETTERS,
    BothLaid,
    Changed,
    CrazyPlayed,
    FedToSharks,
    JokerLaid,
    Rolled,
    Settled,
    TakenBack,
    name_card,
)
from spelunke.games.shanghaien.moves import Exchange, Joker, Place, Sharks
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.halves import HALVES
from spelunke.games.shanghaien.view import View

A = TypeVar("A", bound=Action)
PLAYED: dict[type[Event], str] = {
    Changed: "pm1",
    BothLaid: "both",
    JokerLaid: "joker",
    FedToSharks: "sharks",
    TakenBack: "exchange",
    CrazyPlayed: "crazy",
}
"""For each event that only one half of a trick card causes, the name of this half.

The event ``Rolls`` has no entry, because it names its half in ``why``.
"""


def trick_of(event: Event) -> str:
    """Return the key in ``HALVES`` of the trick that caused the event. If no trick caused it, return an empty text."""
    trick = PLAYED.get(type(event), getattr(event, "why", ""))
    return trick if trick in HALVES else ""


class Frame(Stage):
    """A scene, and values that every part of the board computes from this scene.

    Side 0 is the viewer's: red, and below the row. Side 1 is the other player's. For a spectator, side 0 is that of
    seat 0.
    """

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, "sh")
        self.view: View = scene.view
        self.me = 0 if scene.seat is None else scene.seat
        self.seats = (self.me, 1 - self.me)
        # the newest trick of the other player, as a key of HALVES, since the viewer's own last action
        self.played = ""
        for event in scene.last:
            if (trick := trick_of(event)) and getattr(event, "seat", self.me) != self.me:
                self.played = trick
        # after a trick, an undo or a resignation, the same dice lie still
        self.thrown = not scene.over and any(isinstance(event, Rolled) for event in scene.last[-1:])

    @property
    def game(self) -> int:
        """The number of the match's current game, from 1. After the match, it is the number of the last game."""
        return self.view.games + (self.view.phase != "over")

    def side(self, seat: int) -> int:
        """Return the side of a seat: 0 for the viewer's seat (for a spectator, seat 0), 1 for the other one."""
        return int(seat != self.me)

    def moves(self, kind: type[A]) -> list[tuple[A, str]]:
        """Return the legal actions of one type, with their move texts."""
        return [(action, move) for action, move in self.scene.legal if isinstance(action, kind)]

    def notes(self, seat: int) -> list[str]:
        """Return short texts about a seat: its crazy captain, and its games won or its points from earlier games."""
        seen, _ = self.view, self._
        found = [_("crazy captain")] if seen.crazy[seat] else []
        if seen.match == "best_of_three":
            found.append(_("games won: {n}").format(n=seen.wins[seat]))
        if seen.match == "sum_of_three":
            last = seen.points[seat] if seen.phase == "over" else 0  # the totals already include it
            found.append(_("from earlier games: {n}").format(n=seen.totals[seat] - last))
        return found

    def card(self, card: Card) -> str:
        """Return the name of a card, such as ``Spanish 3``."""
        return name_card(card, self._)

    def nation(self, nation: Nation) -> str:
        """Return the name of a nation, such as ``American``."""
        return self._(COLOURS[nation])

    def letter(self, nation: Nation) -> str:
        """Return the letter that marks a nation, in the reader's language or, if the reader prefers it, in English."""
        return LETTERS[nation](plain if likes_english_letters(self._) else self._)

    def render_card(self, card: Card) -> Markup:
        """Return the picture of a card."""
        if isinstance(card, Sailor):
            return art.sailor(
                card.nation.number, card.value, self.letter(card.nation), self.nation(card.nation)
            )
        return self.render_trick(card.trick)

    def render_trick(self, trick: Trick) -> Markup:
        """Return the picture of a trick card."""
        return art.trick(trick, tuple(self._(HALVES[half].word) for half in art.TRICKS[trick]))

    def place(self, number: int, end: End | None) -> int:
        """Return the place (1 to 6 from the left) of the card with this number, if card 1 is at ``end`` (S-R8).

        If ``end`` is None, the current direction of the round decides.
        """
        return number if (end or self.view.end) is End.LEFT else 7 - number

    def label_laying(self, action: Place | Sharks) -> str:
        """Return the label of the button that lays a die, such as ``Lay the 4 on Spanish 3``."""
        text = (
            self._("Lay the {value} and feed {card} to the sharks")
            if isinstance(action, Sharks)
            else self._("Lay the {value} on {card}")
        )
        place = self.place(action.value, action.end)
        return self.add_end(text.format(value=action.value, card=self._card_at(place)), action.end)

    def label_exchange(self, action: Exchange) -> str:
        """Return the label of the button that takes a die back."""
        text = self._("Take your {number} back from {card}, then lay both rolled dice")
        return text.format(number=action.number, card=self._card_at(self.place(action.number, None)))

    def label_joker(self, action: Joker) -> str:
        """Return the label of the button that lays a trick card as two sailors."""
        crew = self.view.crews[self.me][action.nation.number]
        # Translators: {nation} is a nation, as “American”; its crew grows from {n} to {more}.
        return self._("{nation} {n}→{more}: two sailors join this crew").format(
            nation=self.nation(action.nation), n=crew.strength, more=crew.strength + 2
        )

    def add_end(self, label: str, end: End | None) -> str:
        """Return ``label``, followed by the end of the row at which card 1 will lie.

        If the action does not choose an end (``end`` is None), return ``label`` itself.
        """
        if end is None:
            return label
        told = self._("card 1 is on the left") if end is End.LEFT else self._("card 1 is on the right")
        return f"{label}; {told}"

    def _card_at(self, place: int) -> str:
        """Return the name of the card at a place (1 to 6 from the left)."""
        return next(self.card(claim.card) for claim in self.view.row if claim.place == place and claim.card)

    @cached_property
    def stamp(self) -> str:
        """A text that differs for each roll.

        Element ids contain this text. So a choice that the viewer made after one roll is gone after the next roll.
        """
        seen = self.view
        low, high = seen.rolled or (0, 0)
        return f"{seen.games}{seen.tavern}{sum(seen.supply)}{low}{high}{seen.tricked:d}{seen.rerolled:d}"

    @cached_property
    def settled(self) -> Settled | None:
        """The last settlement, if the board still has to show it; else None."""
        return next((event for event in reversed(self.scene.last) if isinstance(event, Settled)), None)

    @property
    def caller(self) -> str:
        """A sentence that names the player who ended the last round, and the number of that round's tavern.

        It is empty if the board does not show the settlement of a round.
        """
        if self.settled is None:
            return ""
        told = (
            self._("You called Shanghai in Tavern {tavern}")
            if self.is_mine(self.settled.seat)
            else self._("{name} called Shanghai in Tavern {tavern}")
        )
        return told.format(name=self.named(self.settled.seat), tavern=self.settled.tavern)

    def verdict(self, claim: Claim) -> str:
        """Return a text with the reason why a player takes a card, or why the card leaves the game (S-R14)."""
        _ = self._
        mine, theirs = (claim.dice[seat] for seat in self.seats)
        if claim.rule == "sharks":
            return _("face down: the card leaves the game")
        if claim.rule == "nobody":
            return _("no dice: the card leaves the game")
        near = (claim.pips[self.seats[0]], claim.pips[self.seats[1]])
        if claim.rule == "tie":
            return _("tie, also in neighbouring pips ({mine} to {theirs}): the card leaves the game").format(
                mine=near[0], theirs=near[1]
            )
        assert claim.taker is not None
        name = self.name(claim.taker)
        flip = -1 if self.side(claim.taker) else 1
        if claim.rule == "alone":
            return _("{name}: alone there").format(name=name)
        if claim.rule == "majority":
            more, less = (mine, theirs)[::flip]
            return _("{name}: more dice, {more} to {less}").format(name=name, more=more, less=less)
        more, less = near[::flip]
        return _("{name}: more neighbouring pips, {more} to {less}").format(name=name, more=more, less=less)

    def score(self, claim: Claim) -> str:
        """Return the numbers of dice or pips that decide about a card, as text such as ``3:1``.

        The viewer's number comes first. If no numbers decide, return an empty text.
        """
        if claim.rule in ("alone", "majority"):
            return ":".join(str(claim.dice[seat]) for seat in self.seats)
        if claim.rule in ("neighbours", "tie"):
            return ":".join(str(claim.pips[seat]) for seat in self.seats)
        return ""

    def fate(self, claim: Claim) -> str:
        """Return the CSS class for the fate of a card if the round ended now.

        The class is ``down`` if the card goes to the viewer's side, ``up`` if it goes to the other side, and
        ``out`` if it leaves the game. It is ``sharked`` if the card leaves the game because it is face down.
        """
        if claim.rule == "sharks":
            return "sharked"
        if claim.taker is None:
            return "out"
        return "up" if self.side(claim.taker) else "down"


def button(
    frame: Frame, key: str, move: str, label: str, inner: Markup, classes: str = "", more: Markup = NOTHING
) -> Markup:
    """Return a button that plays this move.

    If several buttons play the same move, ``key`` distinguishes them. Each button has its own id. If two buttons had
    the same id, a page update could turn one into the other, and the focus would move to the wrong button.
    """
    name = f"{frame.id}-{key}-{move.replace(' ', '-')}"
    return html(
        '<button id="{}" class="{}" name="move" value="{}" aria-label="{}"{}>{}</button>',
        name,
        classes,
        move,
        label,
        more,
        inner,
    )


def plain_button(
    frame: Frame, move: str, inner: Markup, classes: str = "button", more: Markup = NOTHING
) -> Markup:
    """Return a button that plays ``move``. Its content is also its name for screen readers."""
    name = f"{frame.id}-b-{move.replace(' ', '-')}"
    return html(
        '<button id="{}" class="{}" name="move" value="{}"{}>{}</button>', name, classes, move, more, inner
    )
