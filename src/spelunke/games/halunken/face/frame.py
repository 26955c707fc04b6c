"""What every part of the board asks: names, words and the legal moves by kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup, escape

from spelunke.core.face import Scene
from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.events import (
    JACK_NAME,
    Collected,
    Counted,
    Declined,
    Displaced,
    Fished,
    Flipped,
    Gave,
    Hired,
    HourBegan,
    Named,
    Peeked,
    Recruited,
    Revealed,
    Robbed,
    Walked,
    name_card,
    name_sailor,
    say,
)
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.view import View

TOLD = (
    Peeked,
    Hired,
    Revealed,
    Flipped,
    Named,
    Collected,
    Walked,
    Recruited,
    Robbed,
    Fished,
    Gave,
    Declined,
    Displaced,
    HourBegan,
    Counted,
)
"""Events that are steps of the story which the page lets one go through again."""
MOST_STEPS = 40


class Frame:
    """A scene with what is derived from it once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view: View = scene.view
        self._ = scene.translate
        self.me = scene.seat
        self.id = f"{scene.table}-hk"

    def say(self, text: str, **values: object) -> Markup:
        """A translated sentence with its values, escaped."""
        return escape(self._(text).format(**values))

    def name(self, figure: int) -> str:
        """``You`` for the viewer, else the player's name, or Black Jack."""
        if figure == JACK:
            return self._(JACK_NAME)
        return self._("You") if figure == self.me else self.scene.names[figure]

    def sailor(self, sailor: Sailor) -> str:
        """A sailor's name: ``red 8``."""
        return name_sailor(sailor, self._)

    def card(self, card: Step) -> str:
        """A movement card's name."""
        return name_card(card, self._)

    def face(self, card: Step) -> str:
        """What stands on a movement card."""
        return self._("Rum") if card == "rum" else str(card)

    @cached_property
    def legal(self) -> dict[type[Any], list[tuple[Any, str]]]:
        """The legal actions and their move texts, by kind."""
        found: dict[type[Any], list[tuple[Any, str]]] = {}
        for action, text in self.scene.legal:
            found.setdefault(type(action), []).append((action, text))
        return found

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats as the viewer sees them: his own first, then clockwise."""
        first = self.me or 0
        return tuple((first + k) % self.view.seats for k in range(self.view.seats))

    @cached_property
    def story(self) -> tuple[tuple[Any, str], ...]:
        """What happened since the viewer last acted, from the last reveal on: events and their sentences."""
        steps = [event for event in self.scene.last if isinstance(event, TOLD)]
        starts = [k for k, event in enumerate(steps) if isinstance(event, (Revealed, Flipped))]
        reveals = [k for k in starts if isinstance(steps[k], Revealed)]
        if reveals:
            steps = steps[reveals[-1] :]
        names = tuple(
            self.name(seat) if seat == self.me else self.scene.names[seat] for seat in range(self.view.seats)
        )
        if self.me is not None:
            names = tuple(self.scene.names)
        return tuple((event, say(event, names, self._)) for event in steps[-MOST_STEPS:])

    @property
    def asked_sailors(self) -> bool:
        """Whether the viewer is choosing among sailors."""
        return bool({moves.Rob, moves.Fish, moves.Give, moves.Bid} & set(self.legal))


def button(move: str, label: str, inner: str, classes: str = "", more: str = "") -> str:
    """A button that plays a move. ``inner`` and ``more`` are markup; ``label`` is escaped."""
    return (
        f'<button class="{classes}" name="move" value="{escape(move)}" aria-label="{escape(label)}"{more}>'
        f"{inner}</button>"
    )


def classes(*names: str | Sequence[str]) -> str:
    """Class names, those that are empty left out."""
    return " ".join(str(name) for name in names if name)
