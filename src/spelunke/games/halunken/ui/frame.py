"""Data that every part of the board needs: names, translated texts, and the story (the last played hour)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html
from spelunke.boards.scene import Scene
from spelunke.boards.stage import Stage
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.sentences import JACK_NAME, name_card, name_sailor
from spelunke.games.halunken.spared import Reason, Spares, say_with_reasons
from spelunke.games.halunken.state import FIELDS, JACK
from spelunke.games.halunken.ui.travels import (
    Passages,
    Shown,
    Span,
    Whereabouts,
    find_hirer,
    find_passages,
    find_shown,
)
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
"""The types of events that are steps of the story."""
MOST_STEPS = 40

HAND: tuple[Step, ...] = (1, 2, 3, 4, 5, 6, 7, "rum")
"""The movement cards of a captain."""
TWELVE: tuple[Step, ...] = tuple(range(1, 13))
"""Black Jack's movement cards with three or four players."""


class Frame(Stage):
    """A scene, with values that are computed from this scene once for all parts of the board."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, "hk")
        self.view: View = scene.view
        self.me = scene.seat

    def name(self, figure: int) -> str:
        """Return the name of a figure: ``Black Jack``, or for a captain the result of :meth:`.Stage.name`."""
        return self._(JACK_NAME) if figure == JACK else super().name(figure)

    def sailor(self, sailor: Sailor) -> str:
        """Return the name of a sailor, such as ``red 8``."""
        return name_sailor(sailor, self._)

    def card(self, card: Step) -> str:
        """Return the name of a movement card."""
        return name_card(card, self._)

    @property
    def rum_of(self) -> int:
        """The figure whose movement card is Rum: the viewer's captain, or Black Jack (H-A36).

        The viewer chooses the number that this Rum counts as.
        """
        me = self.me or 0
        return me if self.view.captains[me].laid == "rum" else JACK

    @property
    def meets_jack(self) -> bool:
        """Whether a captain has moved to the field of Black Jack, and Black Jack has not made room yet."""
        seen = self.view
        if seen.jack is None or seen.mover is None or seen.mover == JACK:
            return False
        return seen.jack.field == seen.captains[seen.mover].field

    def lead(self, figure: int, card: Step) -> int | None:
        """Return the field that a figure reaches with a movement card.

        For Rum, or for a figure without a field, return None.

        If the hirer picks Black Jack's card openly, Black Jack moves on past occupied fields (H-R20).
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
        """Return the text on a movement card."""
        return self._("Rum") if card == "rum" else str(card)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats clockwise, beginning with the viewer's, or with seat 0 for a spectator."""
        first = self.me or 0
        return tuple((first + k) % self.view.seats for k in range(self.view.seats))

    @cached_property
    def fields(self) -> tuple[int | None, ...]:
        """The current field of each figure. Black Jack's field is last."""
        jack = self.view.jack
        return (*(captain.field for captain in self.view.captains), jack.field if jack else None)

    @cached_property
    def steps(self) -> tuple[happenings.Event, ...]:
        """The steps of the story (the last played hour): the events of ``scene.last`` with a type in ``TOLD``.

        If cards were revealed, leave out the events before the last reveal. If there are more than ``MOST_STEPS``
        events, keep only the newest.
        """
        steps = [event for event in self.scene.last if isinstance(event, TOLD)]
        reveals = [k for k, event in enumerate(steps) if isinstance(event, happenings.Revealed)]
        return self.same("steps", tuple((steps[reveals[-1] :] if reveals else steps)[-MOST_STEPS:]))

    @cached_property
    def tale(self) -> str:
        """A text that identifies the story (the last played hour), or an empty text if the page can't replay it.

        The page can only replay a story that begins with a reveal of cards. It can't replay a story that goes on into
        the next game of the match, because all figures have left their places. The text stays the same when the last
        hour ends the game.
        """
        first = self.steps[0] if self.steps else None
        if not isinstance(first, happenings.Revealed):
            return ""
        counted = any(isinstance(event, happenings.Counted) for event in self.steps)
        if counted and self.view.phase != "over":
            return ""
        return f"{self.view.games - counted}.{first.hour}"

    @cached_property
    def played(self) -> tuple[happenings.Event, ...]:
        """The steps of the story (the last played hour), or an empty tuple if the page can't replay it."""
        return self.steps if self.tale else ()

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The sentence for each event in ``steps``, with reasons such as why nobody may rob a captain."""
        spared = self._find_spared() if self.tale else [[] for _ in self.steps]
        return say_with_reasons(self.steps, spared, self.scene.names, self._)

    def _find_spared(self) -> list[list[Reason]]:
        """Return, for each step of the story, reasons such as why nobody may rob a captain.

        The story must be one that the page can replay.

        If Black Jack's card was open before the bidding, no event of the story shows the card. The view shows it only
        until the hour ends. After that, the result lacks the reason why Black Jack went more fields than the card says.
        """
        walks = [e for e in self.played if isinstance(e, happenings.Walked | happenings.Displaced)]
        sizes, fields = [], []
        for seat, crew in enumerate(self.view.crews):
            _since, _until, sailors = self.moments(("crew", seat), crew.sailors)[0]
            sizes.append(len(sailors))
            fields.append(next((walk.start for walk in walks if walk.figure == seat), self.fields[seat]))
        card = self.view.jack.laid if self.view.jack and self.hour_ends is None else None
        asked = self.view.overtaken[0] if self.view.phase == "passing" else None
        return Spares(sizes, fields, self._find_hirer(), card=card).read(self.played, asked)

    def _find_hirer(self) -> int | None:
        """Return the seat that hired Black Jack in the last played hour.

        With more than two players, the events do not always show who hired him. Then return the seat that opens the
        next bidding. This is wrong if nobody hired him, but it matters little: the result is used only for the reasons
        why he may not rob a captain. If nobody hired him, he may not rob captains without a sailor, and this reason
        does not name the hirer. All other captains that he meets must give a sailor.
        """
        if self.hour_ends is None:
            return self.view.hirer
        return self._next_opener() if self.hirer_then is None else self.hirer_then[0]

    def _next_opener(self) -> int | None:
        """Return the seat that opens the bidding after the last played hour."""
        began = (event.opener for event in self.played if isinstance(event, happenings.HourBegan))
        return next(began, self.view.opener)

    @cached_property
    def hirer_then(self) -> tuple[int | None] | None:
        """The result of :func:`.find_hirer` for the last played hour, or None if this hour has not ended."""
        if self.hour_ends is None:
            return None
        sizes = [len(crew.sailors) for crew in self.view.crews]
        return find_hirer(self.scene.last, self._next_opener(), self.fields[:-1], sizes)

    @cached_property
    def passages(self) -> Passages:
        """For each place, the sailors that came or left during the story (the last played hour).

        Each sailor is paired with the spans of steps in which it was at the place.
        """
        return self.sheet.once("passages", self.played, lambda: find_passages(self.played))

    @cached_property
    def shown(self) -> dict[int, tuple[Shown, ...]]:
        """For each figure, the movement cards that it showed during the story (the last played hour)."""
        return self.sheet.once("shown", self.played, lambda: find_shown(self.played))

    def stays(self, place: Whereabouts, sailor: Sailor) -> tuple[Span, ...]:
        """Return the spans of steps of the story (the last played hour) in which the sailor was at this place.

        If a span begins at step -1, the sailor was there before the story. If a span ends at None, the sailor
        is still there. If the sailor neither came nor left during the story, return an empty tuple.
        """
        return next((spans for who, spans in self.passages.get(place, ()) if who == sailor), ())

    def left(self, place: Whereabouts) -> list[tuple[Sailor, int, int]]:
        """Return the sailors that left this place in the last played hour. The sailor that left last comes first.

        Each entry has the sailor, the step of its arrival, and the step of its departure.
        """
        found = [
            (sailor, since, until)
            for sailor, spans in self.passages.get(place, ())
            for since, until in spans
            if until is not None
        ]
        return sorted(found, key=lambda one: -one[2])

    def moments(
        self, place: Whereabouts, now: Sequence[Sailor]
    ) -> list[tuple[int, int | None, tuple[Sailor, ...]]]:
        """Divide the last played hour into periods in which the sailors at this place don't change. Return them.

        Each entry has the first step of a period, the first step of the period after it, and the sailors. The last
        entry has the current sailors, ``now``, and None in place of the second step.
        """
        passed = dict(self.passages.get(place, ()))
        ends = {end for spans in passed.values() for span in spans for end in span}
        steps = sorted(end for end in ends if end is not None and end >= 0)
        if not steps:
            return [(-1, None, tuple(now))]
        found = []
        for since, until in zip([-1, *steps], [*steps, None], strict=True):
            there = [
                sailor
                for sailor in {*now, *passed}
                if any(
                    begin <= since and (end is None or since < end)
                    for begin, end in passed.get(sailor, ((-1, None),))
                )
            ]
            found.append((since, until, tuple(sorted(there, key=lambda s: s.number))))
        return found

    @cached_property
    def hour_begins(self) -> int | None:
        """The index in ``played`` of the step at which a new hour begins; None if there is no such step."""
        return self._first(happenings.HourBegan)

    @cached_property
    def hour_ends(self) -> int | None:
        """The index in ``played`` of the step at which a new hour begins or the points of the game are counted.

        None if there is no such step.
        """
        return self._first(happenings.HourBegan, happenings.Counted)

    @cached_property
    def auction_ends(self) -> int | None:
        """The index in ``played`` of the step at which the auction of a new hour ends; None if there is none."""
        return self._first(happenings.Hired)

    @cached_property
    def card_opens(self) -> int | None:
        """The index in ``played`` of the step that shows Black Jack's card before the bidding, or None."""
        return self._first(happenings.Peeked)

    def _first(self, *kinds: type[happenings.Event]) -> int | None:
        return next((k for k, event in enumerate(self.played) if isinstance(event, kinds)), None)

    def since(self, place: Whereabouts, sailor: Sailor) -> Markup:
        """Return the HTML attributes of a sailor that came to this place in the last played hour, and is still there.

        For any other sailor, return no attributes.
        """
        spans = self.stays(place, sailor)
        if not spans or spans[-1][1] is not None or spans[-1][0] < 0:
            return NOTHING
        return html(' data-joins="{}" data-who="{}"', spans[-1][0], sailor.number)


def span_of(sailor: Sailor, since: int, until: int) -> Markup:
    """Return the HTML attributes of a sailor that was at a place from step ``since`` until step ``until``.

    These are steps of the story (the last played hour). If ``since`` is -1, the sailor was there from its beginning.
    """
    return html('{} data-who="{}"', during(since, until), sailor.number)


def during(since: int, until: int | None) -> Markup:
    """Return the HTML attributes of an element that is visible from step ``since`` until step ``until``.

    These are steps of the story (the last played hour). If ``since`` is -1, the element is visible from the beginning
    of the story. If ``until`` is None, it is visible to the end. Otherwise, the caller must also give the element the
    class ``hk-gone``, which hides the element while the page does not replay the story.
    """
    joined = html(' data-joins="{}"', since) if since >= 0 else NOTHING
    return joined if until is None else html('{} data-leaves="{}"', joined, until)


def button(move: str, label: str, inner: Markup, classes: str = "", more: Markup = NOTHING) -> Markup:
    """Return a button that plays the move when it is pressed."""
    return html(
        '<button class="{}" name="move" value="{}" aria-label="{}"{}>{}</button>',
        classes,
        move,
        label,
        more,
        inner,
    )


def classes(*names: str | Sequence[str]) -> str:
    """Return the class names that are not empty, joined by spaces."""
    return " ".join(str(name) for name in names if name)


def render_move(frame: Frame, card: Step) -> Markup:
    """Draw the face of a movement card."""
    if card == "rum":
        return html(
            '<span class="hk-rum" aria-hidden="true">{}<i>{}</i></span>', _BOTTLE, frame.card_label(card)
        )
    return html('<span aria-hidden="true">{}</span>', card)


_BOTTLE = html(
    '<svg viewBox="0 0 24 40" aria-hidden="true"><path d="M9 0h6v9c0 3 6 4 6 10v19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V19'
    'c0-6 6-7 6-10z"/><path class="hk-label" d="M5 22h14v11H5z"/></svg>'
)
