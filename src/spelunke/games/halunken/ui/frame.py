"""What every part of the board asks: names, words and the legal moves by kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html
from spelunke.boards.scene import Scene
from spelunke.boards.stage import Stage
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.sentences import JACK_NAME, name_card, name_sailor, say
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.view import View

TOLD = (
    happenings.Peeked,
    happenings.Hired,
    happenings.Revealed,
    happenings.Flipped,
    happenings.Named,
    happenings.Collected,
    happenings.Walked,
    happenings.Recruited,
    happenings.Robbed,
    happenings.Fished,
    happenings.Gave,
    happenings.Declined,
    happenings.Displaced,
    happenings.HourBegan,
    happenings.Counted,
)
"""Events that are steps of the story which the page lets one go through again."""
MOST_STEPS = 40

HAND: tuple[Step, ...] = (1, 2, 3, 4, 5, 6, 7, "rum")
"""The movement cards of a captain."""
TWELVE: tuple[Step, ...] = tuple(range(1, 13))
"""Black Jack's, where more than two play."""

Whereabouts: TypeAlias = tuple[str, int]
"""Where a sailor can be: a tavern, a crew, or the harbour's pool, with its number."""
POOL: Whereabouts = ("pool", 0)


def _crew_of(seat: int | None) -> Whereabouts:
    return POOL if seat is None else ("crew", seat)


class Frame(Stage):
    """A scene with what is derived from it once."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, "hk")
        self.view: View = scene.view
        self.me = scene.seat

    def name(self, figure: int) -> str:
        """``You`` for the viewer, else the player's name, or Black Jack."""
        return self._(JACK_NAME) if figure == JACK else super().name(figure)

    def sailor(self, sailor: Sailor) -> str:
        """A sailor's name: ``red 8``."""
        return name_sailor(sailor, self._)

    def card(self, card: Step) -> str:
        """A movement card's name."""
        return name_card(card, self._)

    def lead(self, figure: int, card: Step) -> int | None:
        """The field that a movement card leads to from where the figure stands now, clockwise; None for Rum.

        Black Jack picks his number when he walks, and then goes on past fields where somebody stands (H-R20).
        """
        part = self.view.jack if figure == JACK else self.view.captains[figure]
        if part is None or part.field is None or card == "rum":
            return None
        field = (part.field + card) % FIELDS
        if self.view.phase == "picking":
            taken = {captain.field for captain in self.view.captains}
            while field in taken:
                field = (field + 1) % FIELDS
        return field

    def card_label(self, card: Step) -> str:
        """What stands on a movement card."""
        return self._("Rum") if card == "rum" else str(card)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats as the viewer sees them: his own first, then clockwise."""
        first = self.me or 0
        return tuple((first + k) % self.view.seats for k in range(self.view.seats))

    @cached_property
    def story(self) -> tuple[tuple[happenings.Event, str], ...]:
        """What happened since the viewer last acted, from the last reveal on: events and their sentences."""
        steps = [event for event in self.scene.last if isinstance(event, TOLD)]
        starts = [
            k for k, event in enumerate(steps) if isinstance(event, (happenings.Revealed, happenings.Flipped))
        ]
        reveals = [k for k in starts if isinstance(steps[k], happenings.Revealed)]
        if reveals:
            steps = steps[reveals[-1] :]
        return tuple((event, say(event, self.scene.names, self._)) for event in steps[-MOST_STEPS:])

    @cached_property
    def tale(self) -> str:
        """The name of the story that can be played out, one for each hour; empty when it can't be.

        A story that goes on into another game can't: nobody stands any more where it ends.
        """
        if not self.story or not isinstance(self.story[0][0], happenings.Revealed):
            return ""
        if self.view.phase != "over" and any(
            isinstance(event, happenings.Counted) for event, _text in self.story
        ):
            return ""
        return f"{self.view.games}.{self.story[0][0].hour}"

    @cached_property
    def journeys(self) -> dict[Sailor, list[tuple[int, Whereabouts, Whereabouts]]]:
        """The ways of each sailor in the story: step, whence, whither."""
        found: dict[Sailor, list[tuple[int, Whereabouts, Whereabouts]]] = {}
        for k, (event, _text) in enumerate(self.story if self.tale else ()):
            match event:
                case happenings.Collected(_, field, sailor, seat) | happenings.Recruited(
                    _, field, sailor, seat
                ):
                    way: tuple[Whereabouts, Whereabouts] = (("tavern", field), _crew_of(seat))
                case happenings.Robbed(seat, victim, sailor, _):
                    way = _crew_of(victim), _crew_of(seat)
                case happenings.Fished(seat, sailor):
                    way = POOL, _crew_of(seat)
                case happenings.Gave(seat, sailor):
                    way = _crew_of(seat), POOL
                case happenings.Hired(seat, sailor) if seat is not None:
                    way = _crew_of(seat), POOL
                case _:
                    continue
            if sailor is not None:
                found.setdefault(sailor, []).append((k, *way))
        return found

    def stays(self, place: Whereabouts, sailor: Sailor) -> list[tuple[int, int | None]]:
        """From which step to which the sailor was at this place: -1 is from the beginning on, None is to the end."""
        spans: list[tuple[int, int | None]] = []
        ways = self.journeys.get(sailor, [])
        here = -1 if ways and ways[0][1] == place else None
        for k, whence, whither in ways:
            if whence == place and here is not None:
                spans.append((here, k))
                here = None
            if whither == place:
                here = k
        if here is not None:
            spans.append((here, None))
        return spans

    def left(self, place: Whereabouts) -> list[tuple[Sailor, int, int]]:
        """Who was at this place during the story and is there no more: sailor, from step, to step; the last to leave first."""
        found = [
            (sailor, since, until)
            for sailor in self.journeys
            for since, until in self.stays(place, sailor)
            if until is not None
        ]
        return sorted(found, key=lambda one: -one[2])

    def moments(
        self, place: Whereabouts, now: Sequence[Sailor]
    ) -> list[tuple[int, int | None, tuple[Sailor, ...]]]:
        """Who was at this place, where `now` are: from step, to step, sailors; the last entry is how things stand."""
        steps = sorted({k for ways in self.journeys.values() for k, *ends in ways if place in ends})
        if not steps:
            return [(-1, None, tuple(now))]
        known = {*now, *(sailor for sailor, _since, _until in self.left(place))}
        found = []
        for since, until in zip([-1, *steps], [*steps, None], strict=True):
            there = [
                sailor
                for sailor in known
                if any(
                    begin <= since and (end is None or since < end)
                    for begin, end in self.stays(place, sailor) or [(-1, None)]
                )
            ]
            found.append((since, until, tuple(sorted(there, key=lambda s: s.number))))
        return found

    @cached_property
    def hour_begins(self) -> int | None:
        """The step of the story in which the next hour begins; None if it isn't told."""
        return self._first(happenings.HourBegan)

    @cached_property
    def hour_ends(self) -> int | None:
        """The step of the story in which the next hour begins, or the game is counted; None if neither is told."""
        return self._first(happenings.HourBegan, happenings.Counted)

    def _first(self, *kinds: type[happenings.Event]) -> int | None:
        steps = [k for k, (event, _text) in enumerate(self.story) if isinstance(event, kinds)]
        return steps[0] if steps and self.tale else None

    def since(self, place: Whereabouts, sailor: Sailor) -> Markup:
        """The attribute of a sailor who joined this place during the story."""
        spans = self.stays(place, sailor)
        if not spans or spans[-1][1] is not None or spans[-1][0] < 0:
            return NOTHING
        return html(' data-joins="{}" data-who="{}"', spans[-1][0], sailor.number)


def span_of(sailor: Sailor, since: int, until: int) -> Markup:
    """The attributes of a sailor who was there from one step of the story (-1: from the beginning) to another."""
    return html('{} data-who="{}"', during(since, until), sailor.number)


def during(since: int, until: int | None) -> Markup:
    """The attributes of what is shown from one step of the story (-1: from the beginning) to another (None: the end).

    What ends needs the class ``hk-gone`` besides, so that it is not seen where no story plays.
    """
    joined = html(' data-joins="{}"', since) if since >= 0 else NOTHING
    return joined if until is None else html('{} data-leaves="{}"', joined, until)


def button(move: str, label: str, inner: Markup, classes: str = "", more: Markup = NOTHING) -> Markup:
    """A button that plays a move."""
    return html(
        '<button class="{}" name="move" value="{}" aria-label="{}"{}>{}</button>',
        classes,
        move,
        label,
        more,
        inner,
    )


def classes(*names: str | Sequence[str]) -> str:
    """Class names, those that are empty left out."""
    return " ".join(str(name) for name in names if name)


def render_move(frame: Frame, card: Step) -> Markup:
    """What is drawn on a movement card."""
    if card == "rum":
        return html(
            '<span class="hk-rum" aria-hidden="true">{}<i>{}</i></span>', _BOTTLE, frame.card_label(card)
        )
    return html('<span aria-hidden="true">{}</span>', card)


_BOTTLE = html(
    '<svg viewBox="0 0 24 40" aria-hidden="true"><path d="M9 0h6v9c0 3 6 4 6 10v19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V19'
    'c0-6 6-7 6-10z"/><path class="hk-label" d="M5 22h14v11H5z"/></svg>'
)
