"""The places of the sailors at each step of the story, the movement cards that the story shows, and Black Jack's hirer.

The story is the last played hour (round), step by step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from spelunke.core.values import Event
from spelunke.games.halunken import happenings
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.state import FIELDS, JACK

Whereabouts: TypeAlias = tuple[str, int]
"""A place of sailors: ``tavern`` with its field, ``crew`` with its seat, or ``pool`` (the harbour) with 0."""
POOL: Whereabouts = ("pool", 0)

Span: TypeAlias = tuple[int, int | None]
"""A span of steps: its first step (-1: before the story) and the first step after it (None: it has not ended)."""
Passages: TypeAlias = dict[Whereabouts, tuple[tuple[Sailor, tuple[Span, ...]], ...]]
"""For each place, the sailors that came or left, each with the spans of steps in which it was there."""


class Shown(NamedTuple):
    """A movement card that a figure showed, the step in which it was revealed, and whether it was cancelled."""

    card: Step
    step: int
    cancelled: bool


def _crew_of(seat: int | None) -> Whereabouts:
    return POOL if seat is None else ("crew", seat)


def _list_ways(steps: Sequence[happenings.Event]) -> Iterator[tuple[int, Sailor, Whereabouts, Whereabouts]]:
    """Yield each change of a sailor's place: the step, the sailor, its old place and its new place."""
    for k, event in enumerate(steps):
        match event:
            case happenings.Collected(_, field, sailor, seat) | happenings.Recruited(_, field, sailor, seat):
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
            yield k, sailor, *way


def find_passages(steps: Sequence[happenings.Event]) -> Passages:
    """Return, for each place, the sailors that came or left in these steps.

    With each sailor, return the spans of steps in which it was at this place.
    """
    ways: dict[Sailor, list[tuple[int, Whereabouts, Whereabouts]]] = {}
    for k, sailor, whence, whither in _list_ways(steps):
        ways.setdefault(sailor, []).append((k, whence, whither))
    found: dict[Whereabouts, list[tuple[Sailor, tuple[Span, ...]]]] = {}
    for sailor, his in ways.items():
        for place in dict.fromkeys(end for _k, *ends in his for end in ends):
            found.setdefault(place, []).append((sailor, _find_spans(place, his)))
    return {place: tuple(those) for place, those in found.items()}


def _find_spans(place: Whereabouts, ways: Sequence[tuple[int, Whereabouts, Whereabouts]]) -> tuple[Span, ...]:
    """Return the spans of steps in which a sailor was at ``place``. ``ways`` has all changes of the sailor's place."""
    spans: list[Span] = []
    here = -1 if ways[0][1] == place else None
    for k, whence, whither in ways:
        if whence == place and here is not None:
            spans.append((here, k))
            here = None
        if whither == place:
            here = k
    if here is not None:
        spans.append((here, None))
    return tuple(spans)


def find_shown(steps: Sequence[happenings.Event]) -> dict[int, tuple[Shown, ...]]:
    """Return the movement cards that each figure showed in these steps."""
    found: dict[int, list[Shown]] = {}
    for k, event in enumerate(steps):
        match event:
            case happenings.Revealed(_, cards, cancelled):
                for who, card in cards:
                    found.setdefault(who, []).append(Shown(card, k, who in cancelled))
            case happenings.Flipped(card, _, cancelled):
                found.setdefault(JACK, []).append(Shown(card, k, JACK in cancelled))
    return {who: tuple(cards) for who, cards in found.items()}


def find_hirer(
    events: Sequence[Event], opener: int | None, fields: Sequence[int | None], sizes: Sequence[int]
) -> tuple[int | None] | None:
    """Return a tuple with the seat that hired Black Jack in an hour that has ended, or ``(None,)`` if nobody did.

    If the events do not show who hired Black Jack, return None.

    ``events`` are the latest events that the viewer may see. The last ``Revealed`` in them must belong to this hour.
    ``opener`` is the seat that opens the bidding after the hour. This is the hirer if Black Jack was hired (H-R19).
    ``fields`` are the fields of the captains after the hour, and ``sizes`` their crews' sizes.
    """
    reveal = max(k for k, event in enumerate(events) if isinstance(event, happenings.Revealed))
    auctions = [event for event in events[:reveal] if isinstance(event, happenings.Hired)]
    if auctions:
        return (auctions[-1].seat,)
    hired: tuple[int | None] = (opener,)
    overtaken: tuple[int, ...] = ()
    for event in events[reveal:]:
        match event:
            case happenings.Revealed(_, cards, _) if len(fields) == 2:
                return hired if JACK in dict(cards) else (None,)  # the hirer lays his card (H-R26)
            case happenings.Flipped(_, seat, _) if seat is not None:
                return hired
            case happenings.Robbed(_, _, _, True):
                return hired
            case happenings.Gave():
                return (None,)
            case happenings.Walked(figure, start, field, overtaken) if figure == JACK:
                if opener in overtaken:
                    return (None,)
                if opener is not None and _passes(start, field, fields[opener]):
                    return hired  # he does not rob his hirer
            case _:
                pass
    # If nobody had hired him, each captain that he overtook would have given a sailor (H-R21).
    return hired if any(sizes[seat] for seat in overtaken) else None


def _passes(start: int, end: int, field: int | None) -> bool:
    """Return whether a figure that walks clockwise from ``start`` to ``end`` passes the field."""
    return field is not None and 0 < (field - start) % FIELDS < ((end - start) % FIELDS or FIELDS)
