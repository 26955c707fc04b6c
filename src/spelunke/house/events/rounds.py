"""The pairings of events, computed only from entrants and results.

For the rules of pairings, see docs/why/tournaments.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

import networkx as nx

from spelunke.house.events.standings import Entrant, Meeting, Place, Scoring, rank_all
from spelunke.house.refusals import NotNow

Kind = Literal["robin", "swiss", "knockout", "league"]
WINDOW = 96
"""The number of players, or groups of players, that each matching takes from the standings, from the top down.

Each matching also includes the players and groups that found no partner in the previous one. The time of a matching
grows with the cube of the number of its participants.
"""
NEAR = 10
"""The number of neighbours in the standings that the first matchings consider as opponents of a player."""
FAR = 1_000_000
"""The weight of a pair of players before subtractions for distance and repeated pairs.

It is so large that the weight of each pair stays positive. It does not ensure that a matching includes as many
players as possible: the argument `maxcardinality` does.
"""


def split_tables(count: int, sizes: Sequence[int]) -> tuple[list[int], int]:
    """Return the sizes of the tables for this number of players, and the least possible number of byes.

    With two allowed sizes, there are as many tables of the larger size as possible. Raise NotNow if no table
    is possible.
    """
    for byes in range(count):
        found = _fill(count - byes, sorted(set(sizes), reverse=True))
        if found:
            return found, byes
    raise NotNow(
        f"a table needs at least {min(sizes)} players; wait for others to enter (entered so far: {count})"
    )


def _fill(count: int, sizes: Sequence[int]) -> list[int]:
    """Return sizes of tables for exactly this number of players, or an empty list if that is impossible.

    As many tables as possible have the largest size.
    """
    if len(sizes) == 1:
        return [sizes[0]] * (count // sizes[0]) if count and count % sizes[0] == 0 else []
    for large in range(count // sizes[0], -1, -1):
        rest = count - large * sizes[0]
        if rest == 0 and large:
            return [sizes[0]] * large
        found = _fill(rest, sizes[1:]) if rest else []
        if found:
            return [sizes[0]] * large + found
    return []


def pair_round(
    kind: Kind,
    round_number: int,
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    sizes: Sequence[int],
    scoring: Scoring = "places",
) -> tuple[Meeting, ...]:
    """Return the tables of a round. At each table, the entrants' names are in the order of seats.

    Byes are last, except in a knock-out: there, the order is that of the bracket. `meetings` are the tables of
    earlier rounds. `sizes` are the allowed numbers of seats at a table. Raise NotNow if there are too few players, or
    if the event has no further round. In a league with tables of two, a division without further rounds rests while
    others play. In an event of kind ``swiss`` with tables of two, also raise NotNow if some players would have to meet
    an earlier opponent again.
    """
    here = [entrant for entrant in entrants if entrant.plays(round_number)]
    if kind == "knockout":
        return _seat(_knock_out(round_number, here, meetings), round_number, meetings)
    if kind in {"robin", "league"} and tuple(sizes) == (2,):
        pairs: list[tuple[str, ...]] = []
        for division in sorted({entrant.division for entrant in here}):
            pairs += _circle([one for one in entrants if one.division == division], round_number, here)
        if not pairs:
            raise NotNow("the last game has been played; the tournament is over")
        return _seat(sorted(pairs, key=lambda pair: len(pair) == 1), round_number, meetings)
    standings = rank_all(here, meetings, scoring)
    return _seat(_match(standings, meetings, sizes), round_number, meetings)


def count_rounds(kind: Kind, count: int, sizes: Sequence[int]) -> int:
    """Return the usual number of rounds for an event of this kind with `count` entrants.

    In a league with tables of two, `count` is the number of entrants of the largest division. `sizes` are the
    allowed numbers of seats at a table.
    """
    if kind == "knockout":
        return max(1, (count - 1).bit_length())
    if kind in {"robin", "league"}:
        return (
            max(1, count - 1 + count % 2)
            if tuple(sizes) == (2,)
            else max(1, -(-(count - 1) // (max(sizes) - 1)))
        )
    return max(1, min(count - 1, (count - 1).bit_length() + 1))


def split_divisions(entrants: Sequence[Entrant], size: int) -> dict[str, int]:
    """Return the division of each entrant of a league at the start of a season, by name.

    If each division of the entrants has 2 to `size` players, keep these divisions. Otherwise distribute the players
    again, in the order of their divisions and seeds: into as few divisions as possible, with sizes that differ by at
    most one. No division has a single player: three players are one division even if `size` is 2.
    """
    order = sorted(entrants, key=lambda one: (one.division, one.seed))
    counts = Counter(one.division for one in order)
    if max(counts) == len(counts) and all(2 <= count <= size for count in counts.values()):
        return {one.name: one.division for one in order}
    number = max(1, min(-(-len(order) // size), len(order) // 2))
    least, larger = divmod(len(order), number)
    sizes = [least + (division < larger) for division in range(number)]
    divisions = [division for division, count in enumerate(sizes, 1) for _ in range(count)]
    return {one.name: division for one, division in zip(order, divisions, strict=True)}


def _circle(
    all_of_them: Sequence[Entrant], round_number: int, here: Sequence[Entrant]
) -> list[tuple[str, ...]]:
    """Return the pairs of one round of a round robin, computed by the circle method.

    `all_of_them` are the entrants of one division. `here` are the entrants who play in this round. An entrant
    whose opponent is absent gets a bye. If everybody has met everybody, or if the division has only one
    entrant, return no pairs: the division rests while other divisions play on.
    """
    order: list[str | None] = [one.name for one in sorted(all_of_them, key=lambda one: one.seed)]
    if len(order) % 2:
        order.append(None)
    # Earlier versions made divisions of one. Such a player has nobody to play, so a bye in each round would be a gift.
    if len(all_of_them) < 2 or round_number > len(order) - 1:
        return []
    turn = round_number - 1
    ring = [order[0], *order[1:][-turn:], *order[1:][:-turn]] if turn else list(order)
    present = {one.name for one in here}
    found: list[tuple[str, ...]] = []
    for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
        pair = tuple(name for name in (one, other) if name is not None and name in present)
        if pair:
            found.append(pair)
    return found


def _knock_out(
    round_number: int, here: Sequence[Entrant], meetings: Sequence[Meeting]
) -> list[tuple[str, ...]]:
    """Return the pairs of a knock-out round in the order of the bracket.

    `here` are the entrants who play in this round, and `meetings` the tables of earlier rounds. In the first
    round the best seed meets the last, the second meets the last but one, and so on. Later the winners of
    neighbouring tables meet. After a tie, the entrant with the better seed continues. Entrants who left the
    event lose. A pair of one is a bye. If nobody is left for a place of the bracket, its pair is empty. Raise NotNow
    if the first round has fewer than two entrants, if everybody has left, or after the last round.
    """
    seeds = {one.name: one.seed for one in here}
    if round_number == 1:
        order: list[str | None] = [one.name for one in sorted(here, key=lambda one: one.seed)]
        if len(order) < 2:
            raise NotNow("one player alone can't be paired; wait for others to enter")
        order += [None] * ((1 << (len(order) - 1).bit_length()) - len(order))
        slots = [order[number] for number in _bracket(len(order))]
    else:
        # The first round has no empty places. Rounds that earlier versions stored may lack tables at their end.
        places = sum(one.round == 1 for one in meetings) >> (round_number - 2)
        before = {one.number: _winner(one, seeds) for one in meetings if one.round == round_number - 1}
        slots = [before.get(place) for place in range(1, places + 1)]
        if len(slots) < 2 or not any(slots):
            raise NotNow("the last game has been played; the tournament is over")
    return [
        tuple(name for name in pair if name is not None) for pair in zip(slots[::2], slots[1::2], strict=True)
    ]


def _bracket(size: int) -> list[int]:
    """Return the seeds, counted from 0, in the order of a bracket.

    In this order, the best two entrants can meet only in the last round.
    """
    order = [0]
    while len(order) < size:
        order = [number for one in order for number in (one, 2 * len(order) - 1 - one)]
    return order


def _winner(one: Meeting, seeds: Mapping[str, int]) -> str | None:
    ranks = one.ranks or (1,) * len(one.names)
    left = [(rank, seeds[name], name) for rank, name in zip(ranks, one.names, strict=True) if name in seeds]
    return min(left)[2] if left else None


def _match(
    standings: Sequence[Place], meetings: Sequence[Meeting], sizes: Sequence[int]
) -> list[tuple[str, ...]]:
    """Return tables of players who have similar standings and, if possible, have not met.

    The tables are found by matchings of maximum weight.
    """
    tables, byes = split_tables(len(standings), sizes)
    met = _count_met(meetings)
    had_byes = Counter(one.names[0] for one in meetings if one.bye)
    lines = list(standings)
    resting = []
    for _ in range(byes):
        # The bye goes to the lowest of the players with the fewest byes.
        chosen = min(reversed(lines), key=lambda line: had_byes[line.name])
        lines.remove(chosen)
        resting.append(chosen.name)
    height = {line.name: _height(number, line, lines) for number, line in enumerate(lines)}
    threes = tables.count(3)
    singles = [lines[(2 * number + 1) * len(lines) // (2 * threes)].name for number in range(threes)]
    alone = set(singles)
    pairs = _pair_up(
        [(line.name,) for line in lines if line.name not in alone], met, height, strict=sizes == (2,)
    )
    if max(tables) > 2:
        nodes = sorted(pairs + [(name,) for name in singles], key=lambda node: height[node[0]])
        pairs = _pair_up(nodes, met, height, strict=False)
    found = sorted(pairs, key=lambda table: min(height[name] for name in table))
    return [*found, *((name,) for name in resting)]


def _height(number: int, line: Place, lines: Sequence[Place]) -> float:
    """Return a player's distance from the top of the standings, in tenths of a point.

    Players with equal points differ by fractions of a tenth: a player who is listed later is further from the top.
    """
    return (lines[0].points - line.points) * 10 + number / max(1, len(lines))


def _count_met(meetings: Sequence[Meeting]) -> Counter[frozenset[str]]:
    met: Counter[frozenset[str]] = Counter()
    for one in meetings:
        met.update(frozenset(pair) for pair in combinations(one.names, 2))
    return met


def _pair_up(
    nodes: list[tuple[str, ...]],
    met: Mapping[frozenset[str], int],
    height: Mapping[str, float],
    *,
    strict: bool,
) -> list[tuple[str, ...]]:
    """Join the given groups of players in pairs, and return the joined groups.

    `met` counts the tables at which two players have met. `height` has the distance of each player from the
    top of the standings. Prefer pairs of groups that have similar standings and whose players have rarely
    met. If ``strict`` is true, no two players meet again. If some groups have two players, join each single player with
    a group of two. Raise NotNow if this is impossible.
    """
    left: list[tuple[str, ...]] = []
    found: list[tuple[str, ...]] = []
    for first in range(0, len(nodes), WINDOW):
        here = left + nodes[first : first + WINDOW]
        joined, left = _join(here, met, height, strict=strict, reach=NEAR)
        found += joined
    reach = NEAR
    while left:
        # If some groups found no partner, dissolve the last tables and join their groups again. Each attempt
        # dissolves more tables, and the last one dissolves all.
        reach *= 4
        back, found = found[-reach:], found[:-reach] if reach < len(found) else []
        loose = left + [half for table in back for half in _halves(table, nodes)]
        everything = not found
        joined, left = _join(loose, met, height, strict=strict, reach=len(loose))
        found += joined
        if everything and left:
            raise NotNow("every possible pairing repeats an earlier one; the tournament is over")
    return found


def _halves(table: tuple[str, ...], nodes: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [node for node in nodes if set(node) <= set(table)]


def _join(
    here: Sequence[tuple[str, ...]],
    met: Mapping[frozenset[str], int],
    height: Mapping[str, float],
    *,
    strict: bool,
    reach: int,
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return joined groups, and the groups for which no partner was found.

    For each group, at least ``reach`` neighbours in the standings are considered. For the other parameters,
    see `_pair_up`.
    """
    order = sorted(here, key=lambda node: (sum(height[name] for name in node) / len(node), node))
    graph = nx.Graph()
    graph.add_nodes_from(range(len(order)))
    degree: dict[int, int] = defaultdict(int)
    for one, node in enumerate(order):
        for other in range(one + 1, len(order)):
            if degree[one] >= reach and other - one > reach:
                break
            if len(node) == len(order[other]) == 1 and any(len(each) > 1 for each in order):
                continue
            again = sum(met.get(frozenset((a, b)), 0) for a in node for b in order[other])
            if again and strict:
                continue
            degree[one] += 1
            far = abs(_middle(node, height) - _middle(order[other], height))
            graph.add_edge(one, other, weight=FAR - int(100 * min(far, 50.0) ** 1.5) - 50_000 * min(again, 9))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    used = {number for pair in matched for number in pair}
    joined = [order[min(pair)] + order[max(pair)] for pair in sorted(matched, key=min)]
    return joined, [node for number, node in enumerate(order) if number not in used]


def _middle(node: tuple[str, ...], height: Mapping[str, float]) -> float:
    return sum(height[name] for name in node) / len(node)


def _seat(
    tables: Sequence[tuple[str, ...]], round_number: int, meetings: Sequence[Meeting]
) -> tuple[Meeting, ...]:
    """Return the tables in the given order, with their numbers, and with the players in the order of seats.

    Empty tables are left out, and their numbers stay free. The first seat goes to the player who had early seats least
    often in earlier rounds.
    """
    early: Counter[str] = Counter()
    for one in meetings:
        for seat, name in enumerate(one.names):
            early[name] += len(one.names) - 1 - seat
    seated = [
        tuple(sorted(names, key=lambda name: (early[name], names.index(name)))) if len(names) > 1 else names
        for names in tables
    ]
    return tuple(
        Meeting(round_number, names, number=number) for number, names in enumerate(seated, 1) if names
    )
