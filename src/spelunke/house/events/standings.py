"""The standings of events, computed only from entrants and results.

For the rules of tie-breaks, see docs/why/tournaments.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

Scoring = Literal["places", "points"]


class Entrant(msgspec.Struct, frozen=True):
    """A participant of an event.

    ``seed`` is their place in the initial order, from 1 for the best. ``since`` is the first round in which
    they play. ``until`` is the last round before they left, or None. ``division`` is their division in a
    league, from 1.
    """

    name: str
    seed: int
    since: int = 1
    until: int | None = None
    division: int = 1

    def plays(self, round_number: int) -> bool:
        """Return whether the entrant takes part in this round."""
        return self.since <= round_number and (self.until is None or round_number <= self.until)


class Meeting(msgspec.Struct, frozen=True):
    """One table of a round with the names of its entrants. An entrant who is alone at a table has a bye.

    ``ranks`` and ``leads`` are by seat, and empty until the table is over. The lead of a player is the number of points
    by which they are ahead of the mean points of the others. If fewer points are better, it is this mean minus their
    points. ``number`` is the table's number in its round, from 1. In a knock-out, it is the table's place in the
    bracket: the winners of tables 1 and 2 meet, those of 3 and 4, and so on. Standings don't depend on it.
    """

    round: int
    names: tuple[str, ...]
    ranks: tuple[int, ...] = ()
    leads: tuple[float, ...] = ()
    number: int = 0

    @property
    def bye(self) -> bool:
        """Whether this is a bye: an entrant without opponents in this round."""
        return len(self.names) == 1

    @property
    def over(self) -> bool:
        """Whether the result is known."""
        return self.bye or bool(self.ranks)

    def shares(self) -> tuple[float, ...]:
        """Return, by seat, the points for the standings: 1 for the first place, 0 for the last.

        The places between get equally spaced values. Players with equal places share their points. A bye
        gives 1 point.
        """
        if self.bye:
            return (1.0,)
        n = len(self.names)
        found = []
        for rank in self.ranks:
            same = self.ranks.count(rank)
            middle = rank + (same - 1) / 2
            found.append((n - middle) / (n - 1))
        return tuple(found)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings.

    ``lead`` is the sum of the entrant's leads at all tables. ``buchholz`` and ``sonneborn`` are tie-breaks.
    """

    rank: int
    name: str
    points: float
    buchholz: float
    sonneborn: float
    lead: float
    played: int
    byes: int
    wins: int
    left: bool
    division: int


def rank_all(
    entrants: Sequence[Entrant], meetings: Sequence[Meeting], scoring: Scoring = "places"
) -> tuple[Place, ...]:
    """Return the standings after the results so far, the best first.

    Entrants with equal results share a rank. If `scoring` is ``places``, entrants are compared by the points that they
    got for their places (:meth:`Meeting.shares`), then Buchholz, then Sonneborn-Berger, then their lead in the games'
    points (the sum of :attr:`Meeting.leads`). If it is ``points``, they are compared by this lead, then by the points
    for their places. In a league, each division has its own ranks.
    """
    over = [one for one in meetings if one.over]
    points: defaultdict[str, float] = defaultdict(float)
    lead: defaultdict[str, float] = defaultdict(float)
    for one in over:
        for name, share in zip(one.names, one.shares(), strict=True):
            points[name] += share
        for name, ahead in zip(one.names, one.leads, strict=False):
            lead[name] += ahead
    buchholz, sonneborn = _break_ties(over, points)
    lines = [
        Place(
            rank=0,
            name=entrant.name,
            points=round(points[entrant.name], 9),
            buchholz=round(buchholz.get(entrant.name, 0.0), 9),
            sonneborn=round(sonneborn.get(entrant.name, 0.0), 9),
            lead=round(lead[entrant.name], 6),
            played=sum(entrant.name in one.names and not one.bye for one in over),
            byes=sum(one.names == (entrant.name,) for one in over),
            wins=sum(
                entrant.name in one.names and not one.bye and one.ranks[one.names.index(entrant.name)] == 1
                for one in over
            ),
            left=entrant.until is not None,
            division=entrant.division,
        )
        for entrant in entrants
    ]
    seeds = {entrant.name: entrant.seed for entrant in entrants}
    lines.sort(key=lambda line: (line.division, [-one for one in _worth(line, scoring)], seeds[line.name]))
    return tuple(_number(lines, scoring))


def _worth(line: Place, scoring: Scoring) -> list[float]:
    if scoring == "points":
        return [line.lead, line.points]
    return [line.points, line.buchholz, line.sonneborn, line.lead]


def _number(lines: list[Place], scoring: Scoring) -> Iterable[Place]:
    before, rank, first = None, 0, 0
    for number, line in enumerate(lines):
        if before is None or before.division != line.division:
            first = number
        if (
            before is None
            or before.division != line.division
            or _worth(before, scoring) != _worth(line, scoring)
        ):
            rank = number - first + 1
        before = line
        yield msgspec.structs.replace(line, rank=rank)


def _break_ties(
    over: Sequence[Meeting], points: Mapping[str, float]
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return the Buchholz and Sonneborn-Berger scores of each player.

    Buchholz: for each table, add the mean points of the player's opponents there. Sonneborn-Berger: for each table, add
    a sum that is divided by the number of opponents there. This sum has all points of each opponent whom the player
    beat there, and half the points of each opponent with the same rank there. In both scores, a bye counts as one
    beaten opponent with the player's own points.
    """
    buchholz: defaultdict[str, float] = defaultdict(float)
    sonneborn: defaultdict[str, float] = defaultdict(float)
    for one in over:
        if one.bye:
            name = one.names[0]
            buchholz[name] += points[name]
            sonneborn[name] += points[name]
            continue
        for name, rank in zip(one.names, one.ranks, strict=True):
            others = [(other, its) for other, its in zip(one.names, one.ranks, strict=True) if other != name]
            buchholz[name] += sum(points[other] for other, _ in others) / len(others)
            sonneborn[name] += sum(
                points[other] * (1.0 if rank < its else 0.5 if rank == its else 0.0) for other, its in others
            ) / len(others)
    return buchholz, sonneborn


def next_divisions(standings: Sequence[Place], move: int = 1) -> dict[str, int]:
    """Return each entrant's division in the next season.

    In each division, the best `move` entrants move up by one division, and the last `move` entrants move down. But
    nobody moves up from the first division, or down from the last. If `move` is more than half of a division, only half
    of it moves in each direction. Entrants who have left the event are not included.
    """
    by_division: dict[int, list[Place]] = defaultdict(list)
    for line in standings:
        if not line.left:
            by_division[line.division].append(line)
    last = max(by_division, default=1)
    found = {}
    for division, lines in by_division.items():
        moving = min(move, len(lines) // 2)
        for number, line in enumerate(lines):
            up = number < moving and division > 1
            down = number >= len(lines) - moving and division < last
            found[line.name] = division - up + down
    return found
