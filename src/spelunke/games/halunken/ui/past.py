"""The board after one step of the last played hour (round): the figures' fields, the piles of sailors, and the crews.

All steps of this hour together are called the story.
"""

from __future__ import annotations

from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui.frame import Frame
from spelunke.games.halunken.ui.travels import POOL, Whereabouts
from spelunke.games.halunken.view import Crew, Figure, reckon


class Past:
    """The board after one step of the last played hour, or the current board.

    ``step`` is the number of the step, from 0. It is None for the current board.
    """

    def __init__(self, frame: Frame, step: int | None) -> None:
        self.frame = frame
        self.step = step

    @property
    def event(self) -> happenings.Event | None:
        """The event of this step; None for the current board."""
        return None if self.step is None else self.frame.played[self.step]

    def hour(self) -> int:
        """Return the number of the hour to which this step belongs."""
        begins = self.frame.hour_begins
        return self.frame.view.hour - (self.step is not None and begins is not None and self.step < begins)

    def hirer(self) -> int | None:
        """Return the seat that hired Black Jack in this hour; None if nobody did, or if the events don't show it."""
        ends = self.frame.hour_ends
        if self.step is None or ends is None or self.step >= ends:
            return self.frame.view.hirer
        return None if self.frame.hirer_then is None else self.frame.hirer_then[0]

    def field(self, figure: int) -> int | None:
        """Return the field of a figure after the step ``self.step`` of the last played hour."""
        now = self.frame.fields[-1 if figure == JACK else figure]
        if self.step is None:
            return now
        ways = [
            (k, event)
            for k, event in enumerate(self.frame.played)
            if isinstance(event, happenings.Walked | happenings.Displaced) and event.figure == figure
        ]
        before = [event for k, event in ways if k <= self.step]
        if before:
            return before[-1].field
        return ways[0][1].start if ways else now

    def top(self, field: int) -> Sailor | None:
        """Return the open sailor of a tavern after the step ``self.step`` of the last played hour.

        If sailors leave the tavern in later steps, the open sailor is the first of them. Otherwise it is the sailor
        that is open now, or None if there is none.
        """
        if self.step is not None:
            later = [(until, who) for who, _since, until in self.frame.left(("tavern", field))]
            later = [(until, who) for until, who in later if until > self.step]
            if later:
                return min(later, key=lambda one: one[0])[1]
        return self.frame.view.taverns[field].top

    def under(self, field: int) -> int:
        """Return the number of face-down sailors in a tavern after the step ``self.step`` of the last played hour."""
        now = self.frame.view.taverns[field].under
        if self.step is None:
            return now
        left = [until for _who, _since, until in self.frame.left(("tavern", field)) if until > self.step]
        open_now = self.frame.view.taverns[field].top is not None
        return now + len(left) - (1 if left and not open_now else 0)

    def crew(self, seat: int) -> Crew:
        """Return the crew of a seat after the step ``self.step`` of the last played hour."""
        now = self.frame.view.crews[seat]
        return now if self.step is None else reckon(self._there(("crew", seat), now.sailors))

    def pool(self) -> tuple[Sailor, ...]:
        """Return the sailors in the harbour after the step ``self.step`` of the last played hour."""
        now = self.frame.view.harbour
        return now if self.step is None else self._there(POOL, now)

    def _there(self, place: Whereabouts, now: tuple[Sailor, ...]) -> tuple[Sailor, ...]:
        for since, until, sailors in self.frame.moments(place, now):
            if self.step is not None and since <= self.step and (until is None or self.step < until):
                return sailors
        return now

    def laid(self, figure: int, part: Figure) -> tuple[Step, bool] | None:
        """Return the latest card that a figure showed at ``self.step`` or earlier, and whether that card was cancelled.

        The steps are those of the last played hour. For the current board (``self.step`` is None), return the figure's
        open card. If there is no such card, return None. ``part`` is the figure in the current view.
        """
        if self.step is None:
            return None if part.laid is None else (part.laid, part.cancelled)
        shown = [card for card in self.frame.shown.get(figure, ()) if card.step <= self.step]
        return (shown[-1].card, shown[-1].cancelled) if shown else None
