"""What the planner is asked for: a contract, the options that bear on it, and how far its laying has come."""

from __future__ import annotations

from typing import NamedTuple

from spelunke.core.kernel import kernel
from spelunke.games.sanghai.state import wide


class Wish(NamedTuple):
    """So many sets of three and so many runs of one least length, a laying under way included.

    ``black``: black twos are wild. ``distinct``: sets differ in rank. ``apart``: runs of one suit neither overlap nor
    touch. ``exact``: just one card may stay. ``adding``: cards are added after the laying, in the same turn (asked for
    the most points alone).
    """

    sets: int
    runs: int
    length: int
    black: int
    distinct: int
    apart: int
    exact: int
    adding: int
    least_rank: int
    """Least rank (0 is the ace) of the sets still wanted."""
    least_run: int
    """Least run still wanted: 16 * suit + lowest place."""
    form: int
    """The meld under way: 0 none, SET or RUN."""
    what: int
    """Its rank or suit."""
    place: int
    """The next place of a run."""
    need: int
    """Cards that it needs at least."""
    bare: int
    """Whether it still wants a natural card."""


@kernel
def wish(sets: int, runs: int, length: int, black: int, distinct: int, apart: int, exact: int) -> Wish:
    """A contract before anything of it is laid."""
    no = wide(0)
    return Wish(
        wide(sets),
        wide(runs),
        wide(length),
        wide(black),
        wide(distinct),
        wide(apart),
        wide(exact),
        adding=no,
        least_rank=no,
        least_run=no,
        form=no,
        what=no,
        place=no,
        need=no,
        bare=no,
    )


@kernel
def go_on(want: Wish, sets: int, runs: int, least_rank: int, least_run: int) -> Wish:
    """The same contract with so many sets and runs still wanted, and no meld under way."""
    no = wide(0)
    return Wish(
        sets,
        runs,
        want.length,
        want.black,
        want.distinct,
        want.apart,
        want.exact,
        want.adding,
        least_rank,
        least_run,
        form=no,
        what=no,
        place=no,
        need=no,
        bare=no,
    )


@kernel
def begin(want: Wish, form: int, what: int, place: int, need: int, bare: int) -> Wish:
    """The same with this meld under way."""
    return Wish(
        want.sets,
        want.runs,
        want.length,
        want.black,
        want.distinct,
        want.apart,
        want.exact,
        want.adding,
        want.least_rank,
        want.least_run,
        form,
        what,
        place,
        need,
        bare,
    )


@kernel
def least_cards(want: Wish) -> int:
    """The fewest cards that a wish takes."""
    return want.need + 3 * want.sets + want.length * want.runs
